"""Players see and type squares as their federation prints them; messages have Damka's numbers."""

from __future__ import annotations

import pytest

from damka.game import Game
from damka.live.state import refusal, state
from damka.locales import LANGUAGES
from damka.refusal import Refusal
from tests.live.live_games import live_game, played


def test_the_list_of_moves_is_written_as_the_federation_writes() -> None:
    live = played("22-18 9-14 18x9x14", "russian")
    shown = state(live, ("W",), "en")
    assert [entry.text for entry in shown.history] == ["c3-d4", "b6-c5", "d4:b6"]
    assert [entry.move.hub for entry in shown.history] == ["22-18", "9-14", "18x9x14"]
    assert shown.history[-1].move.captures == (14,)
    assert {move.text for move in shown.legal} == {"a7:c5", "c7:a5"}
    assert {move.start for move in shown.legal} == {5, 6}


def test_numbers_start_in_the_federation_s_corner() -> None:
    live = played("22-18", "spanish")
    shown = state(live, ("B",), "en")
    assert [entry.text for entry in shown.history] == ["11-15"]
    assert shown.announce.startswith("White: 11 to 15.")


def test_sentences_name_squares_in_the_order_in_which_they_are_labelled() -> None:
    live = live_game(Game("spanish", "W:W22,23:B18,19"))
    shown = state(live, ("W",), "en")
    assert shown.must == (22, 23)
    assert "10 or 11" in shown.status.sentence
    live = live_game(Game("thai", "B:B10,11:W15,14"))
    assert "22 or 23" in state(live, ("B",), "en").status.sentence


def test_events_are_announced_with_labels() -> None:
    live = played("5x14x9", Game("russian", "B:W9,29:B5"))
    assert state(live, (), "en").announce.startswith("Black: a7 takes b6.")
    rules = Game("dama100").rules.replace(notation="A0")
    live = live_game(Game(rules, "W:W32,33,47:B27,8,9"))
    live.apply(live.move(("W",), 0, "33-29"))
    asked = state(live, ("B",), "en").huff_asks
    assert asked is not None
    assert "man on d4" in asked.sentence
    live.apply(live.huff(("B",), 1, 32))
    assert "d4" in state(live, (), "en").announce


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_names_squares_as_they_are_printed(language: str) -> None:
    live = live_game("russian")
    why = live.game.why_not([22, 13])
    assert why is not None
    shown = refusal(live, why, (22, 13), language)
    assert "22" not in shown.sentence
    live = live_game(Game("russian", "W:W22,29:B18"))
    due = live.game.why_not([29, 25])
    assert due is not None
    answer = refusal(live, due, (29, 25), language)
    assert "c3" in answer.sentence
    assert answer.args["pieces"] == (22,), "numbers, to mark squares by"


def test_a_refusal_writes_moves_and_quotes_what_was_typed() -> None:
    live = live_game("russian")
    for why, typed, said in (
        (Refusal("ambiguous", {"moves": ("31x22x15", "31x24x15")}), "e1:e5", "e1:c3:e5"),
        (Refusal("not_understood", {"text": "22x18"}), "c3:d4", "c3:d4"),
        (Refusal("not_understood", {"route": "31x22x15", "kind": "route"}), "e1:e5", "e1:c3:e5"),
        (Refusal("not_a_square", {"text": "d5"}), "c3-d5", "d5"),
    ):
        assert said in refusal(live, why, (), "en", typed).sentence
