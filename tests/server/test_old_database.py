"""A database of an earlier version is opened, and its games continue."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from damka.live import events
from damka.server import security
from tests.server.accounts.support import log_in
from tests.server.events.support import act
from tests.server.programs import Program
from tests.server.support import Browser, Server, serving

DATA = Path(__file__).parents[1] / "data" / "database"
GAMES: dict[str, dict[str, Any]] = json.loads((DATA / "games.json").read_text("utf-8"))
SEAT = "A" * 43
RATED = "cDmqNBKBoKy47DbwJ8pC1g"
EVENT = "/events/nuu74zxr"
TOKEN = "damka_ahz3eTtlYwP8uyrWKSVyCPAgpZ5WCot5zF58ODFa3bg"


@contextmanager
def serving_copy(folder: Path) -> Iterator[Server]:
    """Start a server on a copy of the database."""
    shutil.copy(DATA / "games.sqlite3", folder)
    with serving(folder) as server:
        yield server


@contextmanager
def browser_with_seats(server: Server) -> Iterator[Browser]:
    """Open a browser with the seat cookie of the games in the database."""
    with server.browser() as browser:
        browser.http.cookies.set("damka_seat", SEAT)
        yield browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for tests that change nothing."""
    with serving_copy(tmp_path_factory.mktemp("old")) as server:
        yield server


@pytest.fixture
def browser(server: Server) -> Iterator[Browser]:
    with browser_with_seats(server) as browser:
        yield browser


@pytest.fixture
def writable_browser(tmp_path: Path) -> Iterator[Browser]:
    """A browser of a server that a test may change."""
    with serving_copy(tmp_path) as server, browser_with_seats(server) as browser:
        yield browser


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_unchanged(browser: Browser, name: str) -> None:
    expected = GAMES[name]
    state = browser.live(expected["id"]).state()
    moves = [
        (f"({entry['huff']}) " if entry["huff"] else "") + entry["text"]
        for entry in state["history"]
    ]
    result = state["result"] and [state["result"]["winner"], state["result"]["reason"]]
    assert moves == expected["moves"]
    assert result == expected["result"]
    for key in ("pieces", "turn", "version", "you"):
        assert state[key] == expected[key], key


NEWER_EVENTS = {
    *("flag", "abandon", "abort", "join", "free", "expire"),
    *("give_time", "resume", "rematch_offer", "rematch_no", "reseat"),
    *("draw_withdraw", "undo_withdraw"),
}
"""Kinds of events unknown to the version that wrote the database."""


def test_the_database_has_every_old_kind_of_event(server: Server) -> None:
    store = server.app.state.damka.store
    kinds = {event.kind for each in GAMES.values() for event in store.load(each["id"]).events}
    assert kinds == {event.__struct_config__.tag for event in events.Event.__args__} - NEWER_EVENTS


@pytest.mark.parametrize("name", ["rematch", "box", "loaded"])
def test_a_game_continues(writable_browser: Browser, name: str) -> None:
    live = writable_browser.live(GAMES[name]["id"])
    ply = live.state()["ply"]
    assert live.play(live.current["legal"][0]["hub"])["ply"] == ply + 1


def test_running_games_are_listed_for_their_players(server: Server) -> None:
    holder = security.hashed(SEAT)
    running = {game for game, _ in server.app.state.damka.store.running(holder, 10)}
    assert running == {each["id"] for each in GAMES.values() if each["result"] is None}


def test_accounts_remain_valid(browser: Browser) -> None:
    assert log_in(browser, "Ana").status_code == 303
    state = browser.live(RATED).state()
    assert (state["you"], len(state["history"])) == (["W"], 2)
    assert (state["result"]["winner"], state["result"]["reason"]) == ("W", "resignation")
    (message,) = browser.http.get(f"/api/games/{RATED}/chat").json()["messages"]
    assert (message["name"], message["mine"]) == ("Ana", True)


def test_tokens_and_ratings_remain_valid(server: Server) -> None:
    ana = Program(server, TOKEN)
    account = ana.get("/api/account").json()
    assert account["name"] == "Ana"
    (rating,) = account["ratings"]
    assert rating["rating"] > 1500
    with ana.stream("/api/members/Ben/games", format="jsonl") as games:
        assert [each["game"]["id"] for each in games] == [RATED]


def test_a_tournament_continues(writable_browser: Browser) -> None:
    log_in(writable_browser, "Ana")
    act(writable_browser, EVENT, "start")
    data = writable_browser.http.get(f"/api{EVENT}").json()
    assert (data["event"]["status"], data["me"]["player"]["name"]) == ("running", "Ana")
    assert [player["name"] for player in data["standings"]] == ["Ana", "Ben", "Цветан"]
