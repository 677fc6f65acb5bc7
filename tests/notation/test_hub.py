"""Hub notation: from, to, captured squares."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, Game, Move
from damka.errors import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, MoveError
from damka.notation import hub
from damka.refusal import parse_hub
from tests.strategies import positions, rule_sets
from tests.support import write_fen


@st.composite
def boards(draw: st.DrawFn) -> Board:
    drawn = draw(rule_sets())
    return Board(drawn, write_fen(draw(positions(drawn))))


def test_captured_squares_are_written_in_ascending_order() -> None:
    move = Board("american", "W:W29:B25,18").legal_moves[0]
    assert hub.format(move) == "29x15x18x25"
    assert hub.format(Board("dama64").parse("22-18")) == "22-18"


def test_captured_squares_are_read_in_any_order() -> None:
    board = Board("american", "W:W29:B25,18")
    assert parse_hub(board, "29x15x25x18") == parse_hub(board, "29x15x18x25")


def test_captured_squares_distinguish_moves_with_the_same_ends() -> None:
    board = Board("american", "W:W31:B18,19,26,27")
    assert parse_hub(board, "31x15x18x26").captures == (18, 26)
    assert parse_hub(board, "31x15x19x27").captures == (19, 27)


def test_offences_can_be_read() -> None:
    game = Game("dama100", "W:W32,33,38,47:B27,8,9")
    with pytest.raises(IllegalMoveError):
        parse_hub(game.board, "33-29")
    assert parse_hub(game.board, "33-29", game.offence_moves).hub() == "33-29"


@pytest.mark.parametrize(
    "text", ["", "22", "22x15", "22-18x15", "c3-d4", "22 - 18", "22-18 ", "22x15x", "x" * 300]
)
def test_invalid_texts_are_refused(text: str) -> None:
    with pytest.raises(InvalidMoveError):
        parse_hub(Board("dama64"), text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("22-13", "man_one_square"),
        ("18-14", "no_piece"),
        ("22x15x18", "man_one_square"),
        ("22-99", "not_a_square"),
    ],
)
def test_an_illegal_move_is_refused(text: str, code: str) -> None:
    with pytest.raises(MoveError) as error:
        parse_hub(Board("dama64"), text)
    assert error.value.refusal.code == code


def test_wrong_captured_squares_are_refused() -> None:
    with pytest.raises(InvalidMoveError) as error:
        parse_hub(Board("dama64", "W:W22:B18,3"), "22x15x17")
    assert error.value.refusal.code == "not_understood"


def test_a_text_that_matches_two_moves_is_ambiguous() -> None:
    board = Board("russian", "W:W9:B6,28")
    candidates = [Move(9, 2, (6,)), Move(9, 2, (6,), crowns=True)]
    with pytest.raises(AmbiguousMoveError):
        parse_hub(board, "9x2x6", candidates)


@settings(deadline=None)
@given(boards())
def test_moves_round_trip(board: Board) -> None:
    legal = board.legal_moves
    for move in legal:
        if sum(other.hub() == move.hub() for other in legal) == 1:
            assert parse_hub(board, hub.format(move)) == move
        else:
            with pytest.raises(AmbiguousMoveError):
                parse_hub(board, hub.format(move))


@settings(deadline=None)
@given(boards(), st.text(max_size=20) | st.text("0123456789-x", max_size=12))
def test_any_text_is_a_move_or_raises_move_error(board: Board, text: str) -> None:
    try:
        move = parse_hub(board, text)
    except MoveError:
        return
    assert move in board.legal_moves
