"""Openings on a server: positions drawn, shown, played, saved and loaded."""

from __future__ import annotations

import random
from typing import Any

import pytest

from damka import Game, box, rules
from damka.live import setup
from damka.live.live_game import LiveGame
from damka.live.pdn_files import MEDIA_TYPE
from damka.live.state import state
from damka.live.stored_game import StoredGame
from damka.locales import LANGUAGES
from tests.live.live_games import NOW
from tests.server.online import invited, join
from tests.server.support import Browser, Server

POSITION = "W:W21,22,K30:B5,9"
BOX = rules.load("american").replace(name="mine", ballots=[f"7. Two against two: {POSITION}"])


def started(browser: Browser, **options: Any) -> dict[str, Any]:
    answer = browser.post("/api/games", {"rules": box.table(BOX), "opponent": "person"} | options)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = browser.live(answer.json()["id"]).state()
    return found


def test_a_position_is_drawn_and_named(browser: Browser) -> None:
    found = started(browser)
    assert found["opening"] == {
        "number": 7,
        "name": "Two against two",
        "sentence": "Opening 7: Two against two",
    }
    assert (found["turn"], found["ply"], found["can"]["undo"]) == ("W", 0, False)
    assert found["pieces"] == found["start"] == Game(BOX, POSITION).board.pieces
    assert found["taken"] == {"W": 0, "B": 0}
    assert found["announce"].startswith("Opening 7: Two against two. ")
    live = browser.live(found["id"])
    live.state()
    moved = live.play("21-17")
    assert moved["opening"] == found["opening"]
    assert not moved["announce"].startswith("Opening")


def test_a_shipped_list_has_numbers(browser: Browser) -> None:
    found = browser.live(browser.new_game(rules="american-3move")).state()
    assert found["opening"]["name"] == ""
    assert found["opening"]["sentence"] == f"Opening {found['opening']['number']}"
    moves = " ".join(ply["text"] for ply in found["history"])
    assert rules.load("american-3move").openings[found["opening"]["number"] - 1] == moves


def test_without_a_lot_there_is_no_opening(browser: Browser) -> None:
    assert browser.live(browser.new_game(rules="american")).state()["opening"] is None


def test_the_computer_begins_where_the_position_says(browser: Browser) -> None:
    found = started(browser, opponent="computer", level=1, colour="second")
    live = browser.live(found["id"])
    assert found["you"] == ["W"], "in american draughts Black begins by the rules"
    live.state(lambda now: now["turn"] == "W" and not now["thinking"])
    live.play("21-17")
    live.state(lambda now: now["ply"] == 2)


def test_the_rematch_has_the_same_position(browser: Browser) -> None:
    found = started(browser)
    live = browser.live(found["id"])
    live.state()
    live.send("resign", side="W")
    live.state(lambda now: now["result"])
    again = browser.post(f"/api/games/{found['id']}/rematch", {}).json()["id"]
    shown = browser.live(again).state()
    assert (shown["opening"], shown["pieces"]) == (found["opening"], found["pieces"])


@pytest.mark.parametrize("kind", ["file", "pdn"])
def test_a_saved_game_is_loaded_with_its_opening(browser: Browser, kind: str) -> None:
    found = started(browser)
    live = browser.live(found["id"])
    live.state()
    live.play("21-17")
    saved = browser.http.get(f"/api/games/{found['id']}/{kind}").text
    type_ = MEDIA_TYPE if kind == "pdn" else "application/json"
    answer = browser.http.post("/api/games/load", content=saved, headers={"content-type": type_})
    assert answer.status_code == 201, answer.text
    again = browser.live(answer.json()["id"]).state()
    assert (again["opening"], again["start"]) == (found["opening"], found["start"])
    assert [ply["text"] for ply in again["history"]] == ["21-17"]


def test_between_two_devices_both_see_it(server: Server, browser: Browser) -> None:
    game = invited(browser, rules=box.table(BOX))
    with server.browser() as guest:
        join(guest, game, "Boris")
        both = [browser.live(game).state(), guest.live(game, lang="it").state()]
    assert [each["opening"]["sentence"] for each in both] == [
        "Opening 7: Two against two",
        "Apertura 7: Two against two",
    ]
    assert both[0]["pieces"] == both[1]["pieces"] == Game(BOX, POSITION).board.pieces


def test_a_position_that_is_illegal_is_refused_whichever_is_drawn(browser: Browser) -> None:
    for opening, said in (
        ("W:W1:B9", "The opening “W:W1:B9” can’t be played"),
        ("W:W:B9", "The opening “W:W:B9” can’t be played"),
        ("W:W99:B9", "The opening “W:W99:B9” can’t be played"),
        ("5. Twice: 9-13", "“5. Twice: 9-13” its own number"),
    ):
        table = box.table(BOX) | {"ballots": ["5. A: 11-15", "11-16", opening]}
        for _ in range(3):
            answer = browser.post("/api/games", {"rules": table, "opponent": "person"})
            assert answer.status_code == 422, answer.text
            assert answer.json()["error"] == "bad_box"
            assert said in answer.json()["message"]


def test_the_form_of_a_house_box_keeps_positions(browser: Browser) -> None:
    link = box.encode(BOX)
    page = browser.http.get(f"/box?r={link}", headers={"accept": "text/html"})
    assert "yes, from 1 opening" in page.text
    toml = browser.http.get(f"/box.toml?r={link}").text
    assert rules.load(toml).openings == BOX.openings
    data = browser.http.get(f"/api/box?r={link}&title=Ours").json()
    assert data["rules"]["ballots"] == list(BOX.openings)


@pytest.mark.parametrize("language", LANGUAGES)
def test_events_and_lobbies_draw_it_too(language: str) -> None:
    white, black = ("one", "Ana"), ("two", "Bo")
    for made in (
        setup.assigned(BOX, white, black),
        setup.paired(BOX, ("one", "two"), side=None, colour="lot", clock=None, rated=False),
    ):
        stored = StoredGame(
            id=made.id,
            rules=made.rules,
            base=made.base,
            lot=made.lot,
            previous=None,
            next=None,
            created=NOW,
            updated=NOW,
            seats=made.seats,
            events=(),
        )
        shown = state(LiveGame(stored), ("W",), language)
        assert shown.opening is not None
        assert (shown.opening.number, shown.opening.name) == (7, "Two against two")
        assert shown.opening.sentence.endswith(" 7: Two against two")
        assert (shown.pieces, shown.turn) == (Game(BOX, POSITION).board.pieces, "W")


def test_a_long_table_of_positions_is_played_saved_and_loaded(browser: Browser) -> None:
    """A box may have hundreds of positions, as federations' tables do."""
    table = [f"{n}. Table {n}: {fen}" for n, fen in enumerate(positions("russian", 500), 1)]
    mine = rules.load("russian").replace(name="mine", ballots=table)
    page = browser.http.get(f"/box?r={box.encode(mine)}", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert "yes, from 500 openings" in page.text
    toml = browser.http.get(f"/box.toml?r={box.encode(mine)}").text
    assert rules.load(toml).openings == mine.openings
    answer = browser.post("/api/games", {"rules": box.table(mine), "opponent": "person"})
    assert answer.status_code == 201, answer.text
    found = browser.live(answer.json()["id"]).state()
    opening = found["opening"]
    assert opening["name"] == f"Table {opening['number']}"
    for kind, type_ in (("file", "application/json"), ("pdn", MEDIA_TYPE)):
        saved = browser.http.get(f"/api/games/{found['id']}/{kind}").text
        again = browser.http.post(
            "/api/games/load", content=saved, headers={"content-type": type_}
        ).json()
        shown = browser.live(again["id"]).state()
        assert (shown["opening"], shown["pieces"]) == (opening, found["pieces"])


def positions(name: str, count: int) -> list[str]:
    """Return `n` positions of unfinished games, reached by random moves."""
    rng = random.Random(name)
    found: list[str] = []
    while len(found) < count:
        game = Game(name)
        for _ in range(8):
            if game.result is None:
                game.play(rng.choice(game.legal_moves))
        if game.result is None:
            found.append(game.board.fen)
    return found
