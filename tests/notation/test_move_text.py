"""Move texts: numeric and algebraic, with ends or routes, and invalid ones."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, Game, reference, rules
from damka.errors import (
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
)
from damka.notation import squares, text
from tests.strategies import positions, rule_sets
from tests.support import write_fen

DIAMOND = "W:W31:B18,19,26,27"


@st.composite
def boards(draw: st.DrawFn) -> Board:
    drawn = draw(rule_sets())
    return Board(drawn, write_fen(draw(positions(drawn))))


@pytest.mark.parametrize("written", ["22-18", "c3-d4", "C3-D4", " 22 - 18 ", "022-018", "22–18"])
def test_spellings_of_a_quiet_move(written: str) -> None:
    assert Board("dama64").parse(written).hub() == "22-18"


@pytest.mark.parametrize(
    "written",
    ["22x15", "22:15", "22×15", "22X15", "22 x 15", "c3xe5", "c3:e5", "c3хe5", "22-15", "c3-e5"],
)
def test_spellings_of_a_capture(written: str) -> None:
    assert Board("dama64", "W:W22:B18,3").parse(written).hub() == "22x15x18"


def test_a_hyphen_means_a_capture_only_if_no_quiet_move_matches() -> None:
    """A game with huffing may have both: a straight move, or a capture with the same ends."""
    quiet, capture = (Game("dama100", "W:WK16:B19,40,43") for _ in range(2))
    assert quiet.play("16-2").captures == ()
    assert capture.play("16x2").captures == (19, 40, 43)


@pytest.mark.parametrize(
    ("rules", "text", "hub"),
    [
        ("dama64", "22x18", "22-18"),
        ("american", "11x15", "11-15"),
        ("international", "32:28", "32-28"),
        ("russian", "c3:d4", "22-18"),
        ("thai", "8x12", "8-12"),
    ],
)
def test_an_x_means_a_quiet_move_if_no_capture_matches(rules: str, text: str, hub: str) -> None:
    board = Board(rules)
    assert board.push(text).hub() == hub


def test_an_x_means_a_capture_if_one_matches() -> None:
    # A quiet move has the same ends if captures are optional.
    assert Board("international", "W:W32,K46:B28,37").parse("32x23").is_capture
    with pytest.raises(IllegalMoveError, match="must capture"):
        Board("international", "W:W32,40:B28").parse("40x35")
    with pytest.raises((InvalidMoveError, IllegalMoveError)):
        Board("international").parse("32x28x23")


def test_a_route_has_the_nearest_landing_squares() -> None:
    board = Board("international", "W:WK8:B19,21,38,39,40")
    texts = [board.text(move) for move in board.legal_moves]
    assert "8x30x43x32x16" in texts
    assert [board.parse(text) for text in texts] == list(board.legal_moves)


def test_two_squares_are_the_start_and_end() -> None:
    assert Board("american", "W:W29:B25,18").parse("29x15").hub() == "29x15x18x25"


def test_a_route_needs_every_landing_square() -> None:
    board = Board("american", "W:W29:B25,18,11")
    assert board.parse("29x22x15x8").captures == (11, 18, 25)
    for written in ("29x15x8", "29x22x8", "29x22", "29x22x15"):
        with pytest.raises((InvalidMoveError, IllegalMoveError)):
            board.parse(written)


def test_a_route_distinguishes_moves_with_the_same_ends() -> None:
    board = Board("american", DIAMOND)
    with pytest.raises(AmbiguousMoveError) as error:
        board.parse("31x15")
    assert error.value.refusal.args["moves"] == ("31x22x15", "31x24x15")
    assert board.parse("31x22x15").captures == (18, 26)
    assert board.parse("e1xg3xe5").captures == (19, 27)


def test_two_squares_prefer_the_straight_capture() -> None:
    """Its route has only these two squares; the other capture has a longer one."""
    board = Board("american", "W:WK22:B17,18,19,26,27")
    assert board.parse("22x13").captures == (17,)
    assert board.parse("22x15x24x31x22x13").captures == (17, 18, 19, 26, 27)


def test_any_route_of_a_move_is_parsed() -> None:
    """Routes with the same effect are one move."""
    board = Board("international", "W:WK46:B14,28")
    move = board.legal_moves[0]
    assert len(board.routes(move)) > 1
    for route in board.routes(move):
        assert board.parse("x".join(map(str, route))) == move


def test_algebraic_moves_are_parsed_on_every_board() -> None:
    for name in rules.names():
        board = Board(name)
        for move in board.legal_moves:
            start, end = (squares.algebraic(board.rules, s) for s in (move.start, move.end))
            assert board.parse(f"{start}-{end}") == move


def test_algebraic_squares_do_not_depend_on_the_numbering() -> None:
    # On the Italian board the dark corner is at the right, which shifts the numbers.
    assert Board("italian").parse("d3-c4").hub() == "22-18"
    assert Board("dama64").parse("c3-d4").hub() == "22-18"


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", "22", "22-", "-18", "22--18", "22-18-", "22-18x15", "22x18-15"),
        *("2²-18", "٢٢-١٨", "22-18!", "22.18", "c3", "c3-", "cc-dd", "22-1818", "22_18"),
        *("22-18\n12-16", "22-18\x00", "O-O", "e2-e4-", "m1-n2", "x" * 10, "22-18" * 60),
    ],
)
def test_invalid_texts_are_refused(written: str) -> None:
    with pytest.raises(InvalidMoveError) as error:
        Board("dama64").parse(written)
    assert error.value.refusal.code == "not_understood"


@pytest.mark.parametrize("written", ["22-33", "22-0", "c3-d5", "c3-i4", "22-c4", "999-22"])
def test_unknown_squares_are_refused(written: str) -> None:
    with pytest.raises(InvalidMoveError) as error:
        Board("dama64").parse(written)
    assert error.value.refusal.code == "not_a_square"


def test_an_illegal_move_is_an_illegal_move_error() -> None:
    with pytest.raises(IllegalMoveError, match="too far"):
        Board("dama64").parse("22-13")


def test_too_long_a_text_is_refused() -> None:
    assert text.read("22" + "-18" * 66) is not None
    assert text.read("22" + "-18" * 67) is None


@settings(deadline=None)
@given(boards())
def test_texts_of_legal_moves_round_trip(board: Board) -> None:
    for move in board.legal_moves:
        assert board.parse(board.text(move)) == move
        route = "x".join(map(str, move.route))
        if move.is_capture:
            assert board.parse(route) == move


@settings(deadline=None)
@given(boards())
def test_every_route_of_the_reference_is_parsed(board: Board) -> None:
    position = reference.Position(board.pieces, board.turn)
    for move in reference.legal_moves(board.rules, position):
        for route in move.routes:
            parsed = board.parse(("x" if move.captures else "-").join(map(str, route)))
            assert (parsed.start, parsed.end, parsed.captures) == (
                move.start,
                move.end,
                move.captures,
            )


@settings(deadline=None)
@given(boards(), st.text(max_size=40) | st.text("0123456789abcdefgh-x: ", max_size=20))
def test_any_text_is_a_move_or_raises_move_error(board: Board, written: str) -> None:
    try:
        move = board.parse(written)
    except MoveError:
        return
    assert move in board.legal_moves


@pytest.mark.parametrize(
    "written",
    [
        "32*28",
        "32=28",
        "32 28",
        "3228",
        "32—28",
        "32\u221228",
        "32 = 28",
        "32\u201028",
        "32 \u2715 28",
    ],
)
def test_signs_of_game_records_are_accepted(written: str) -> None:
    assert Board("international").parse(written).hub() == "32-28"
    assert Board("international").parse(written, labels=True).hub() == "32-28"


@pytest.mark.parametrize("written", ["10 13", "10*13", "1013"])
def test_signs_of_game_records_are_accepted_with_labels(written: str) -> None:
    board = Board("spanish")
    assert board.parse(written, labels=True) == board.parse("10-13", labels=True)


def test_the_sign_is_optional() -> None:
    assert Board("russian").parse("c3d4") == Board("russian").parse("c3-d4")
    board = Board("international", "W:W32,33:B28,3")
    for written in ("32 23", "3223", "32*23"):
        assert board.parse(written).is_capture


@pytest.mark.parametrize(
    "written", ["328", "32 ", "32//28", "32 - - 28", "1. 32 28", "32-28 19-23", "32 28 23"]
)
def test_other_texts_are_refused(written: str) -> None:
    with pytest.raises(InvalidMoveError):
        Board("international").parse(written)
