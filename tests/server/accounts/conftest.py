"""One server per test module, with quotas for many accounts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.accounts.support import ROOMY
from tests.server.support import Browser, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("accounts"), limits=ROOMY) as server:
        yield server


@pytest.fixture
def other(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser
