"""One server per test module, with fast hashing; a new browser for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from damka.server import fault_log
from tests.server.accounts.support import fast_password_hashes
from tests.server.support import Browser, Server, serving


@pytest.fixture(autouse=True, scope="session")
def fast_hashes() -> Iterator[None]:
    with fast_password_hashes():
        yield


@pytest.fixture(autouse=True)
def reset_log_limit() -> Iterator[None]:
    """Reset the rate limit of the log, so that no lines of a test are suppressed."""
    fault_log.limit.reset()
    yield
    fault_log.limit.reset()


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
