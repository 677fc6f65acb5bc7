"""Players see and type squares as their federation prints them; messages use Damka's numbers."""

from __future__ import annotations

import pytest

from damka.game import Game
from damka.live.state import refusal, state
from damka.locales import LANGUAGES
from damka.refusal import Refusal
from tests.live.live_games import live_game, played


def test_the_move_list_uses_the_federation_notation() -> None:
    live = played("22-18 9-14 18x9x14", "russian")
    view = state(live, ("W",), "en")
    assert [entry.text for entry in view.history] == ["c3-d4", "b6-c5", "d4:b6"]
    assert [entry.move.hub for entry in view.history] == ["22-18", "9-14", "18x9x14"]
    assert view.history[-1].move.captures == (14,)
    assert {move.text for move in view.legal} == {"a7:c5", "c7:a5"}
    assert {move.start for move in view.legal} == {5, 6}


def test_numbers_start_in_the_corner_of_the_federation() -> None:
    live = played("22-18", "spanish")
    view = state(live, ("B",), "en")
    assert [entry.text for entry in view.history] == ["11-15"]
    assert view.announce.startswith("White: 11 to 15.")


def test_sentences_list_squares_in_label_order() -> None:
    live = live_game(Game("spanish", "W:W22,23:B18,19"))
    view = state(live, ("W",), "en")
    assert view.must == (22, 23)
    assert "10 or 11" in view.status.sentence
    live = live_game(Game("thai", "B:B10,11:W15,14"))
    assert "22 or 23" in state(live, ("B",), "en").status.sentence


def test_events_are_announced_with_labels() -> None:
    live = played("5x14x9", Game("russian", "B:W9,29:B5"))
    assert state(live, (), "en").announce.startswith("Black: a7 takes b6.")
    rules = Game("dama100").rules.replace(notation="A0")
    live = live_game(Game(rules, "W:W32,33,47:B27,8,9"))
    live.apply(live.move(("W",), 0, "33-29"))
    question = state(live, ("B",), "en").huff_question
    assert question is not None
    assert "man on d4" in question.sentence
    live.apply(live.huff(("B",), 1, 32))
    assert "d4" in state(live, (), "en").announce


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_names_squares_by_their_labels(language: str) -> None:
    live = live_game("russian")
    why = live.game.why_not([22, 13])
    assert why is not None
    view = refusal(live, why, (22, 13), language)
    assert "22" not in view.sentence
    live = live_game(Game("russian", "W:W22,29:B18"))
    capture_due = live.game.why_not([29, 25])
    assert capture_due is not None
    answer = refusal(live, capture_due, (29, 25), language)
    assert "c3" in answer.sentence
    assert answer.args["pieces"] == (22,), "numbers, to mark squares by"


def test_a_refusal_writes_moves_and_quotes_what_was_typed() -> None:
    live = live_game("russian")
    for why, typed, expected in (
        (Refusal("ambiguous", {"moves": ("31x22x15", "31x24x15")}), "e1:e5", "e1:c3:e5"),
        (Refusal("not_understood", {"text": "22x18"}), "c3:d4", "c3:d4"),
        (Refusal("not_understood", {"route": "31x22x15", "kind": "route"}), "e1:e5", "e1:c3:e5"),
        (Refusal("not_a_square", {"text": "d5"}), "c3-d5", "d5"),
    ):
        assert expected in refusal(live, why, (), "en", typed).sentence
