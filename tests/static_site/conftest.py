"""The static site, built once and served by a plain file server in a subfolder."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tools.static_site import build

from tests.chromium import Host, chromium


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium without its optimizing compiler, which takes half of Python's start time."""
    with chromium("--js-flags=--liftoff-only") as browser:
        yield browser


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder of the site, shared by the processes of a test run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "static-site"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            build.write(folder)
    return folder


@pytest.fixture(scope="package")
def host(folder: Path) -> Iterator[Host]:
    with Host(folder) as host:
        yield host
