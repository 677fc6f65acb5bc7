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
from tests.server.online import create_invitation, join
from tests.server.support import Browser, Server

POSITION = "W:W21,22,K30:B5,9"
BOX = rules.load("american").replace(name="mine", ballots=[f"7. Two against two: {POSITION}"])


def start_game(browser: Browser, **options: Any) -> dict[str, Any]:
    response = browser.post("/api/games", {"rules": box.table(BOX), "opponent": "person"} | options)
    assert response.status_code == 201, response.text
    first_state: dict[str, Any] = browser.live(response.json()["id"]).state()
    return first_state


def test_an_opening_is_drawn_and_named(browser: Browser) -> None:
    first = start_game(browser)
    assert first["opening"] == {
        "number": 7,
        "name": "Two against two",
        "sentence": "Opening 7: Two against two",
    }
    assert (first["turn"], first["ply"], first["can"]["undo"]) == ("W", 0, False)
    assert first["pieces"] == first["start"] == Game(BOX, POSITION).board.pieces
    assert first["taken"] == {"W": 0, "B": 0}
    assert first["announce"].startswith("Opening 7: Two against two. ")
    live = browser.live(first["id"])
    live.state()
    moved = live.play("21-17")
    assert moved["opening"] == first["opening"]
    assert not moved["announce"].startswith("Opening")


def test_openings_of_shipped_lists_are_numbered(browser: Browser) -> None:
    first = browser.live(browser.new_game(rules="american-3move")).state()
    assert first["opening"]["name"] == ""
    assert first["opening"]["sentence"] == f"Opening {first['opening']['number']}"
    moves = " ".join(ply["text"] for ply in first["history"])
    assert rules.load("american-3move").openings[first["opening"]["number"] - 1] == moves


def test_rules_without_ballots_have_no_opening(browser: Browser) -> None:
    assert browser.live(browser.new_game(rules="american")).state()["opening"] is None


def test_the_computer_begins_if_it_is_to_move_in_the_opening(browser: Browser) -> None:
    first = start_game(browser, opponent="computer", level=1, colour="second")
    live = browser.live(first["id"])
    assert first["you"] == ["W"], "in American draughts Black usually begins"
    live.state(lambda now: now["turn"] == "W" and not now["thinking"])
    live.play("21-17")
    live.state(lambda now: now["ply"] == 2)


def test_the_rematch_has_the_same_opening(browser: Browser) -> None:
    first = start_game(browser)
    live = browser.live(first["id"])
    live.state()
    live.send("resign", side="W")
    live.state(lambda now: now["result"])
    rematch = browser.post(f"/api/games/{first['id']}/rematch", {}).json()["id"]
    second = browser.live(rematch).state()
    assert (second["opening"], second["pieces"]) == (first["opening"], first["pieces"])


@pytest.mark.parametrize("kind", ["file", "pdn"])
def test_a_saved_game_is_loaded_with_its_opening(browser: Browser, kind: str) -> None:
    first = start_game(browser)
    live = browser.live(first["id"])
    live.state()
    live.play("21-17")
    saved = browser.http.get(f"/api/games/{first['id']}/{kind}").text
    media_type = MEDIA_TYPE if kind == "pdn" else "application/json"
    response = browser.http.post(
        "/api/games/load", content=saved, headers={"content-type": media_type}
    )
    assert response.status_code == 201, response.text
    loaded = browser.live(response.json()["id"]).state()
    assert (loaded["opening"], loaded["start"]) == (first["opening"], first["start"])
    assert [ply["text"] for ply in loaded["history"]] == ["21-17"]


def test_both_players_see_the_opening(server: Server, browser: Browser) -> None:
    game = create_invitation(browser, rules=box.table(BOX))
    with server.browser() as guest:
        join(guest, game, "Boris")
        states = [browser.live(game).state(), guest.live(game, lang="it").state()]
    assert [each["opening"]["sentence"] for each in states] == [
        "Opening 7: Two against two",
        "Apertura 7: Two against two",
    ]
    assert states[0]["pieces"] == states[1]["pieces"] == Game(BOX, POSITION).board.pieces


def test_any_illegal_opening_is_refused(browser: Browser) -> None:
    for opening, expected in (
        ("W:W1:B9", "The opening “W:W1:B9” can’t be played"),
        ("W:W:B9", "The opening “W:W:B9” can’t be played"),
        ("W:W99:B9", "The opening “W:W99:B9” can’t be played"),
        ("5. Twice: 9-13", "“5. Twice: 9-13” its own number"),
    ):
        table = box.table(BOX) | {"ballots": ["5. A: 11-15", "11-16", opening]}
        for _ in range(3):
            response = browser.post("/api/games", {"rules": table, "opponent": "person"})
            assert response.status_code == 422, response.text
            assert response.json()["error"] == "bad_box"
            assert expected in response.json()["message"]


def test_the_rules_form_preserves_openings(browser: Browser) -> None:
    link = box.encode(BOX)
    page = browser.http.get(f"/box?r={link}", headers={"accept": "text/html"})
    assert "yes, from 1 opening" in page.text
    toml = browser.http.get(f"/box.toml?r={link}").text
    assert rules.load(toml).openings == BOX.openings
    data = browser.http.get(f"/api/box?r={link}&title=Ours").json()
    assert data["rules"]["ballots"] == list(BOX.openings)


@pytest.mark.parametrize("language", LANGUAGES)
def test_events_and_the_lobby_draw_openings(language: str) -> None:
    white, black = ("one", "Ana"), ("two", "Bo")
    for new_game in (
        setup.assigned(BOX, white, black),
        setup.paired(BOX, ("one", "two"), side=None, colour="lot", clock=None, rated=False),
    ):
        stored = StoredGame(
            id=new_game.id,
            rules=new_game.rules,
            base=new_game.base,
            lot=new_game.lot,
            previous=None,
            next=None,
            created=NOW,
            updated=NOW,
            seats=new_game.seats,
            events=(),
        )
        view = state(LiveGame(stored), ("W",), language)
        assert view.opening is not None
        assert (view.opening.number, view.opening.name) == (7, "Two against two")
        assert view.opening.sentence.endswith(" 7: Two against two")
        assert (view.pieces, view.turn) == (Game(BOX, POSITION).board.pieces, "W")


def test_a_long_list_of_openings_is_played_saved_and_loaded(browser: Browser) -> None:
    """Rules may have hundreds of openings, as the tables of federations do."""
    table = [f"{n}. Table {n}: {fen}" for n, fen in enumerate(positions("russian", 500), 1)]
    custom = rules.load("russian").replace(name="mine", ballots=table)
    page = browser.http.get(f"/box?r={box.encode(custom)}", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert "yes, from 500 openings" in page.text
    toml = browser.http.get(f"/box.toml?r={box.encode(custom)}").text
    assert rules.load(toml).openings == custom.openings
    response = browser.post("/api/games", {"rules": box.table(custom), "opponent": "person"})
    assert response.status_code == 201, response.text
    first = browser.live(response.json()["id"]).state()
    opening = first["opening"]
    assert opening["name"] == f"Table {opening['number']}"
    for kind, media_type in (("file", "application/json"), ("pdn", MEDIA_TYPE)):
        saved = browser.http.get(f"/api/games/{first['id']}/{kind}").text
        loaded = browser.http.post(
            "/api/games/load", content=saved, headers={"content-type": media_type}
        ).json()
        second = browser.live(loaded["id"]).state()
        assert (second["opening"], second["pieces"]) == (opening, first["pieces"])


def positions(name: str, count: int) -> list[str]:
    """Return positions of unfinished games, reached by random moves."""
    rng = random.Random(name)
    fens: list[str] = []
    while len(fens) < count:
        game = Game(name)
        for _ in range(8):
            if game.result is None:
                game.play(rng.choice(game.legal_moves))
        if game.result is None:
            fens.append(game.board.fen)
    return fens
