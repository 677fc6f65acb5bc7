"""One server and one Chromium for all these tests; a fresh window for each.

The scope is the package: while Playwright runs, no other code in this thread can run an event
loop, so it must end before the tests of other packages begin.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from tools.prerequisites import CHROMIUM_NAMES

from tests.browser.support import PATIENCE, Window, window
from tests.server.support import Server, serving

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--force-color-profile=srgb",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def chromium() -> str:
    """The browser to drive: DAMKA_CHROMIUM, or the first one found."""
    found = os.environ.get("DAMKA_CHROMIUM") or next(
        filter(None, map(shutil.which, CHROMIUM_NAMES)), None
    )
    assert found, "no Chromium: run `python3 tools/prerequisites.py chromium`"
    return found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        expect.set_options(timeout=PATIENCE * 1000)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("page")) as server:
        yield server


@pytest.fixture
def desk(browser: Browser, server: Server) -> Iterator[Window]:
    """A window on a desktop, in English."""
    with window(browser, server.url) as opened:
        yield opened


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Window]:
    """A window on a phone with a touch screen."""
    with window(
        browser, server.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    ) as opened:
        yield opened
