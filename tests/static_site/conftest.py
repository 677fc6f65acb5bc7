"""The static site, built once, behind a plain file server in a subfolder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.static_site import build

from tests.chromium import Host, browser

__all__ = ["browser"]


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    build.write(folder)
    return folder


@pytest.fixture(scope="package")
def host(folder: Path) -> Iterator[Host]:
    with Host(folder) as host:
        yield host
