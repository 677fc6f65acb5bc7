"""One server for each module of tests; hashing takes no time there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from damka.server.accounts import passwords
from tests.server.accounts.support import ROOMY
from tests.server.support import Browser, Server, serving


@pytest.fixture(autouse=True, scope="package")
def quick_hashes() -> Iterator[None]:
    """Hash with argon2 as it is least expensive."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(passwords, "_hasher", lambda: cheap)
        passwords._nobody.cache_clear()
        yield
    passwords._nobody.cache_clear()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("accounts"), limits=ROOMY) as server:
        yield server


@pytest.fixture
def other(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser
