"""Concurrency: hashing does not block other requests, and unique objects are created once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from argon2.exceptions import VerifyMismatchError

from damka.server.accounts import passwords
from tests.server.accounts.authenticator import Authenticator
from tests.server.accounts.support import PASSWORD, form, log_in, new_name, register
from tests.server.support import PATIENCE, Browser, Server


class SlowHasher:
    """A hasher whose duration the test controls."""

    def __init__(self) -> None:
        self.started = threading.Semaphore(0)
        self.released = threading.Event()

    def hash(self, password: str) -> str:
        return f"hash of {password}"

    def verify(self, stored: str, password: str) -> bool:
        self.started.release()
        assert self.released.wait(PATIENCE)
        raise VerifyMismatchError


@pytest.fixture
def slow_hasher(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowHasher]:
    hasher = SlowHasher()
    monkeypatch.setattr(passwords, "_hasher", lambda: hasher)
    passwords._dummy_hash.cache_clear()
    yield hasher
    hasher.released.set()
    passwords._dummy_hash.cache_clear()


def run_concurrently(number: int, function: Callable[[int], Any]) -> list[Any]:
    """Run a function in several threads that start together."""
    barrier = threading.Barrier(number)

    def run(n: int) -> Any:
        barrier.wait()
        return function(n)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(run, range(number)))


def test_hashing_does_not_block_other_requests(
    server: Server, browser: Browser, slow_hasher: SlowHasher
) -> None:
    def guess(_: int) -> int:
        with server.browser() as guesser:
            return log_in(guesser, new_name(), "a wrong guess").status_code

    with ThreadPoolExecutor(8) as pool:
        guesses = [pool.submit(guess, n) for n in range(8)]
        for _ in range(2):  # the hasher has two threads
            assert slow_hasher.started.acquire(timeout=PATIENCE)
        assert browser.http.get("/readyz").status_code == 200
        assert browser.http.get("/account").status_code == 200
        game = browser.new_game()
        live = browser.live(game)
        live.state()
        live.play(live.current["legal"][0]["hub"])
        assert not any(each.done() for each in guesses)
        slow_hasher.released.set()
        assert {each.result(PATIENCE) for each in guesses} == {403}


def test_too_many_hashes_are_refused(
    server: Server, browser: Browser, slow_hasher: SlowHasher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passwords, "_MAX_WAITING", 2)

    def guess(_: int) -> int:
        with server.browser() as guesser:
            return log_in(guesser, new_name(), "a wrong guess").status_code

    with ThreadPoolExecutor(2) as pool:
        guesses = [pool.submit(guess, n) for n in range(2)]
        for _ in range(2):
            assert slow_hasher.started.acquire(timeout=PATIENCE)
        response = log_in(browser, new_name(), "a wrong guess")
        assert response.status_code == 503
        assert "Try again in a moment" in response.text
        slow_hasher.released.set()
        assert [each.result(PATIENCE) for each in guesses] == [403, 403]


def test_a_name_is_registered_once(server: Server) -> None:
    name = new_name()

    def take(n: int) -> int:
        with server.browser() as browser:
            spelling = name.upper() if n % 2 else name
            return form(browser, "/account/register", name=spelling, password=PASSWORD).status_code

    assert sorted(run_concurrently(8, take)) == [303, *[409] * 7]


def test_a_guest_is_converted_once(server: Server, browser: Browser) -> None:
    """Several windows of one guest register at once; one account gets the games."""
    game = browser.new_game()
    seat = browser.http.cookies["damka_seat"]

    def take(_: int) -> list[str]:
        with server.browser() as window:
            window.http.cookies.set("damka_seat", seat)
            register(window)
            you: list[str] = window.live(game).state()["you"]
            return you

    assert sorted(run_concurrently(4, take)) == [[], [], [], ["W", "B"]]


def test_concurrent_passkey_responses_count_once(server: Server) -> None:
    with Browser(server.url.replace("127.0.0.1", "localhost")) as browser:
        device, name = Authenticator(), new_name()
        request = {"purpose": "register", "name": name}
        options = browser.post("/account/passkey/options", request).json()
        body = {"purpose": "register", "credential": device.create_credential(options, browser.url)}
        assert browser.post("/account/passkey", body).is_success
        options = browser.post("/account/passkey/options", {"purpose": "login"}).json()
        body = {"purpose": "login", "credential": device.sign(options, browser.url)}

        def response(_: int) -> int:
            with Browser(browser.url) as other:
                return other.post("/account/passkey", body).status_code

        assert sorted(run_concurrently(6, response)) == [200, *[403] * 5]
