"""The static site, built once, behind a plain file server in a subfolder, and one Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from tools.static_site import build

from tests.browser.conftest import FLAGS, chromium
from tests.static_site.support import Host


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "site"
    build.write(folder)
    return folder


@pytest.fixture(scope="package")
def host(folder: Path) -> Iterator[Host]:
    with Host(folder) as host:
        yield host


@pytest.fixture(scope="package")
def chrome() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()
