"""A store that is ahead, fails or is slow: entries are published only when stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from damka.live import events
from damka.server.engine_pool import EnginePool
from damka.server.store import Store, StoreError
from tests.server.support import Browser, Server, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


@pytest.fixture
def store(server: Server) -> Store:
    store: Store = server.app.state.damka.store
    return store


def test_an_event_stored_first_by_another_server_wins(browser: Browser, store: Store) -> None:
    live = browser.live(browser.new_game())
    live.state()
    store.append(live.current["id"], 0, events.Moved("W", "23-19"))
    response = live.request("move", ply=0, move="22-18")
    assert response["code"] == "stale"
    assert [entry["text"] for entry in live.state()["history"]] == ["23-19"]
    assert live.play("11-15")["ply"] == 2


def break_store(store: Store, monkeypatch: pytest.MonkeyPatch, *names: str) -> Callable[[], None]:
    """Make some calls of the store fail until the returned function is called."""
    is_broken = True

    def fail_first(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **options: Any) -> Any:
            if is_broken:
                raise StoreError("the database failed: disk full")
            return call(*args, **options)

        return wrapper

    for name in names:
        monkeypatch.setattr(store, name, fail_first(getattr(store, name)))

    def repair() -> None:
        nonlocal is_broken
        is_broken = False

    return repair


@pytest.mark.parametrize("calls", [("append",), ("append", "load")])
def test_a_move_that_cannot_be_stored_is_not_played(
    browser: Browser,
    stranger: Browser,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    calls: tuple[str, ...],
) -> None:
    live = browser.live(browser.new_game())
    spectator = stranger.live(live.state()["id"])
    spectator.state()
    repair = break_store(store, monkeypatch, *calls)
    assert live.request("move", ply=0, move="22-18")["code"] == "store_fails"
    assert live.request("why", clicks=[22, 21])["code"] in {"store_fails", "target_occupied"}
    repair()
    assert browser.live(live.current["id"]).state()["ply"] == 0
    assert live.play("23-19")["history"][0]["text"] == "23-19"
    spectator_state = spectator.state(lambda state: state["ply"] == 1)
    assert spectator_state["history"][0]["text"] == "23-19", "the refused move was not broadcast"


def test_requests_get_503_while_the_store_fails(
    browser: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = browser.new_game()
    repair = break_store(store, monkeypatch, "load", "create", "check")
    for response in (
        browser.http.get(f"/game/{game}"),
        browser.post("/api/games", {"rules": "dama64"}),
        browser.http.get("/healthz"),
    ):
        assert response.status_code == 503
        assert response.json()["error"] == "busy"
    assert browser.live(game).closed_with() == 1013
    repair()
    assert browser.http.get(f"/game/{game}").status_code == 200
    browser.live(game).state()


def test_the_computer_moves_after_a_store_failure(
    browser: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = browser.live(browser.new_game(opponent="computer", level=1))
    live.state()
    append = store.append
    monkeypatch.setattr(
        store,
        "append",
        lambda game, seq, *arguments, **options: (
            append(game, seq, *arguments, **options) if seq == 0 else raise_store_error()
        ),
    )
    live.play("22-18")
    live.state(lambda state: not state["thinking"])
    monkeypatch.undo()
    reconnected = browser.live(live.current["id"])
    reconnected.state(lambda state: state["ply"] == 2)


def raise_store_error() -> None:
    raise StoreError("the database failed: disk full")


def test_a_move_is_not_shown_before_it_is_stored(
    browser: Browser, stranger: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = browser.live(browser.new_game())
    game = live.state()["id"]
    append = store.append
    arrived, released = threading.Event(), threading.Event()

    def slow_append(*args: Any, **options: Any) -> None:
        arrived.set()
        assert released.wait(10)
        append(*args, **options)

    monkeypatch.setattr(store, "append", slow_append)
    live.send("move", ply=0, move="22-18")
    assert arrived.wait(10)
    spectator = stranger.live(game)
    with pytest.raises(TimeoutError):
        spectator.connection.recv(timeout=0.2)
    released.set()
    assert spectator.state()["ply"] == 1


def test_hints_are_refused_when_the_queue_is_full(
    browser: Browser, stranger: Browser, server: Server
) -> None:
    engine_pool: EnginePool = server.app.state.damka.engine_pool
    limit = engine_pool._hint_limit
    free, limit.free = limit.free, 0
    live = browser.live(browser.new_game())
    live.state()
    assert live.request("hint")["code"] == "busy"
    limit.free = free
    assert live.request("hint")["t"] == "hint"
