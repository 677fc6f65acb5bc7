"""The package behind a plain file server, and one Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS, chromium
from tests.javascript.support import built
from tests.static_site.support import Host


@pytest.fixture(scope="package")
def host() -> Iterator[Host]:
    with Host(built()) as host:
        yield host


@pytest.fixture(scope="package")
def chrome() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield browser
        browser.close()
