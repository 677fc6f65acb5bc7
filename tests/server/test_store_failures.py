"""The store is ahead, fails or is slow: unstored entries are not published."""

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


def test_an_event_that_another_server_wrote_first_wins(browser: Browser, store: Store) -> None:
    live = browser.live(browser.new_game())
    live.state()
    store.append(live.now["id"], 0, events.Moved("W", "23-19"))
    answer = live.ask("move", ply=0, move="22-18")
    assert answer["code"] == "stale"
    assert [entry["text"] for entry in live.state()["history"]] == ["23-19"]
    assert live.play("11-15")["ply"] == 2


def failing(store: Store, monkeypatch: pytest.MonkeyPatch, *names: str) -> Callable[[], None]:
    """Make some calls of the store fail until the returned function is called."""
    broken = True

    def fail_first(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*args: Any, **options: Any) -> Any:
            if broken:
                raise StoreError("the database failed: disk full")
            return call(*args, **options)

        return called

    for name in names:
        monkeypatch.setattr(store, name, fail_first(getattr(store, name)))

    def repair() -> None:
        nonlocal broken
        broken = False

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
    viewer = stranger.live(live.state()["id"])
    viewer.state()
    repair = failing(store, monkeypatch, *calls)
    assert live.ask("move", ply=0, move="22-18")["code"] == "store_fails"
    assert live.ask("why", clicks=[22, 21])["code"] in {"store_fails", "target_occupied"}
    repair()
    assert browser.live(live.now["id"]).state()["ply"] == 0
    assert live.play("23-19")["history"][0]["text"] == "23-19"
    seen = viewer.state(lambda state: state["ply"] == 1)
    assert seen["history"][0]["text"] == "23-19", "the other move was never told"


def test_pages_say_that_the_store_fails(
    browser: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = browser.new_game()
    repair = failing(store, monkeypatch, "load", "create", "check")
    for answer in (
        browser.http.get(f"/game/{game}"),
        browser.post("/api/games", {"rules": "dama64"}),
        browser.http.get("/healthz"),
    ):
        assert answer.status_code == 503
        assert answer.json()["error"] == "busy"
    assert browser.live(game).closed_with() == 1013
    repair()
    assert browser.http.get(f"/game/{game}").status_code == 200
    browser.live(game).state()


def test_the_computer_plays_on_after_the_store_failed(
    browser: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = browser.live(browser.new_game(opponent="computer", level=1))
    live.state()
    append = store.append
    monkeypatch.setattr(
        store,
        "append",
        lambda game, seq, *more, **options: (
            append(game, seq, *more, **options) if seq == 0 else failed()
        ),
    )
    live.play("22-18")
    live.state(lambda state: not state["thinking"])
    monkeypatch.undo()
    again = browser.live(live.now["id"])
    again.state(lambda state: state["ply"] == 2)


def failed() -> None:
    raise StoreError("the database failed: disk full")


def test_a_move_is_not_shown_before_it_is_stored(
    browser: Browser, stranger: Browser, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = browser.live(browser.new_game())
    game = live.state()["id"]
    append = store.append
    arrived, go_on = threading.Event(), threading.Event()

    def slow(*args: Any, **options: Any) -> None:
        arrived.set()
        assert go_on.wait(10)
        append(*args, **options)

    monkeypatch.setattr(store, "append", slow)
    live.send("move", ply=0, move="22-18")
    assert arrived.wait(10)
    viewer = stranger.live(game)
    with pytest.raises(TimeoutError):
        viewer.connection.recv(timeout=0.2)
    go_on.set()
    assert viewer.state()["ply"] == 1


def test_hints_are_refused_when_too_many_wait(
    browser: Browser, stranger: Browser, server: Server
) -> None:
    engine_pool: EnginePool = server.app.state.damka.engine_pool
    limit = engine_pool._queue_limit
    free, limit.free = limit.free, 0
    live = browser.live(browser.new_game())
    live.state()
    assert live.ask("hint")["code"] == "busy"
    limit.free = free
    assert live.ask("hint")["t"] == "hint"
