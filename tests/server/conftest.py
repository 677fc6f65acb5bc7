"""One server for each module of tests; a new browser for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.support import Browser, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def browser(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


@pytest.fixture
def stranger(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser
