"""A player's decisions applied to a game."""

from __future__ import annotations

import pytest

from damka import Game, Move
from damka.errors import IllegalActionError, IllegalMoveError
from damka.game import Decision, DrawOffered, Huffed, Moved, Resigned, Result

KINGS = "W:WK30:BK3"


def after_an_offence() -> Game:
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    return game


def test_a_huff_a_move_and_an_offer_are_applied_in_this_order() -> None:
    game = after_an_offence()
    move = Move(8, 13)
    actions = game.apply(Decision(huff=32, move=move, offer_draw=True))
    assert actions == (
        Huffed("B", 32),
        Moved("B", move.hub()),
        DrawOffered("B"),
    )
    assert game.draw_offer == "B"
    assert str(game.history[-1]) == "(32) 8-13"


def test_no_action_follows_a_huff_that_ends_the_game() -> None:
    game = Game("dama100", "W:W33:B28,7")
    game.play(game.offence_moves[0])
    (square,) = game.offences
    actions = game.apply(Decision(huff=square, move=Move(7, 12), offer_draw=True))
    assert actions == (Huffed("B", square),)
    assert game.result == Result("B", "no_pieces")


def test_no_draw_is_offered_after_the_end() -> None:
    game = Game("dama64", "W:W22:B18")
    game.apply(Decision(move=game.legal_moves[0], offer_draw=True))
    assert game.result == Result("W", "no_pieces")
    assert [event.kind for event in game.events] == ["move"]


def test_an_offer_is_skipped_while_another_is_open() -> None:
    game = Game("dama64", KINGS)
    game.play("30-25")
    game.offer_draw("B")
    game.apply(Decision(offer_draw=True))
    assert game.draw_offer == "B"


def test_no_action_follows_a_resignation() -> None:
    game = Game("dama64", KINGS)
    assert game.apply(Decision(move=game.legal_moves[0], resign=True)) == (Resigned("W"),)
    assert game.result == Result("B", "resignation")
    assert game.moves == ()


@pytest.mark.parametrize(
    ("decision", "error"),
    [
        (Decision(huff=32, move=Move(1, 50)), IllegalMoveError),
        (Decision(huff=33, move=Move(8, 13)), IllegalActionError),
        (Decision(move=Move(1, 50)), IllegalMoveError),
    ],
)
def test_a_refused_action_changes_nothing(decision: Decision, error: type[Exception]) -> None:
    game = after_an_offence()
    before = game.copy()
    with pytest.raises(error):
        game.apply(decision)
    assert game == before
    assert (game.events, game.offences) == (before.events, before.offences)
    game.apply(Decision(huff=32, move=Move(8, 13)))
