"""One server for all browser tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.support import Window, open_window
from tests.chromium import TOUCH, browser
from tests.server.support import Server, serving

__all__ = ["browser"]


def pytest_configure(config: pytest.Config) -> None:
    marker = "own_page: changes its page in a way that cannot be reset for the next test"
    config.addinivalue_line("markers", marker)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("page")) as server:
        yield server


@pytest.fixture
def desktop(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[Window]:
    """A desktop window, in English."""
    own = request.node.get_closest_marker("own_page") is not None
    with open_window(browser, server.url, own=own) as window:
        yield window


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Window]:
    """A window of a phone with a touch screen."""
    with open_window(browser, server.url, **TOUCH) as window:
        yield window
