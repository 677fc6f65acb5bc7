"""Members for tests: registration, login and forms, as submitted by the pages."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import httpx
import pytest
from argon2 import PasswordHasher

from damka.server.accounts import passwords
from damka.server.store import Store
from tests.server.support import LIMITS, Browser, Server

PASSWORD: Final = "seven green men"
ROOMY: Final = dataclasses.replace(
    LIMITS, login_burst=100_000, name_burst=100_000, account_burst=100_000
)
_NUMBERS = itertools.count(1)


@contextmanager
def fast_password_hashes() -> Iterator[None]:
    """Hash with argon2 at minimum cost."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(passwords, "_hasher", lambda: cheap)
        passwords._dummy_hash.cache_clear()
        yield
    passwords._dummy_hash.cache_clear()


def new_name() -> str:
    """Return an unused name, made of letters without lookalikes."""
    return "Kat" + "".join("bcdefghjkv"[int(digit)] for digit in str(next(_NUMBERS)))


def form(browser: Browser, path: str, **fields: str) -> httpx.Response:
    """Submit a form as a page does."""
    return browser.http.post(path, data=fields)


def register(browser: Browser, name: str | None = None, password: str = PASSWORD) -> str:
    """Create an account with a password; return its name."""
    name = name or new_name()
    response = form(browser, "/account/register", name=name, password=password)
    assert response.status_code == 303, response.text
    return name


def log_in(browser: Browser, name: str, password: str = PASSWORD) -> httpx.Response:
    """Log in with a password."""
    return form(browser, "/account/login", name=name, password=password)


def store_of(server: Server) -> Store:
    """Return a server's account store."""
    store: Store = server.app.state.damka.store
    return store


def is_member(browser: Browser) -> bool:
    """Return whether the browser is logged in."""
    return "/account/logout" in browser.http.get("/account").text
