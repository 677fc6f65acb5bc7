"""Federations' square labels in moves, FEN and PDN's GameType."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, Game, Rules, rules
from damka.errors import FenError, InvalidMoveError, MoveError
from damka.notation import fen, labels, lettered, pdn_game_type, squares
from damka.notation import text as moves
from tests.strategies import positions, rule_sets
from tests.support import RULE_SETS, write_fen

NOTATIONS = [letter + digit for letter in "NA" for digit in "0123"]


def board_of(**changes: Any) -> Rules:
    """Return rules with a kind of board; other values are those of dama64."""
    return rules.load("dama64").replace(name="board", **changes)


INTERNATIONAL = board_of(width=10, height=10, notation="N2")
SPANISH = board_of(dark_corner="right", notation="N1")
ITALIAN = board_of(dark_corner="right", notation="N2")
THAI = board_of(first="B", notation="N2", capture_sign="-")
RUSSIAN = board_of(notation="A0", capture_sign=":")
JAMAICAN = board_of(first="B", dark_corner="right", notation="A1")
TURKISH = board_of(
    squares="all", move_lines="orthogonal", capture_lines="orthogonal", notation="A0"
)
BROAD = board_of(width=10, height=8, notation="A0", capture_sign=":")
CANADIAN = board_of(width=12, height=12, rows=5, notation="N2")
SMALL = board_of(width=6, height=6, rows=2, notation="N0")
BOARDS = (SPANISH, ITALIAN, THAI, RUSSIAN, JAMAICAN, TURKISH, BROAD, CANADIAN, SMALL)


@st.composite
def boxes(draw: st.DrawFn) -> Rules:
    """Strategy of all boards and notations."""
    return draw(st.sampled_from(BOARDS)).replace(
        first=draw(st.sampled_from("WB")),
        dark_corner=draw(st.sampled_from(("left", "right"))),
        notation=draw(st.sampled_from(NOTATIONS)),
        capture_sign=draw(st.sampled_from("x:-")),
    )


# Squares


@pytest.mark.parametrize(
    "box",
    [
        INTERNATIONAL,
        CANADIAN,
        ITALIAN,
        board_of(first="B", notation="N1"),  # American, pool
        board_of(notation="N2"),
    ],
)
def test_numbers_from_whites_top_left_are_the_librarys(box: Rules) -> None:
    assert labels(box).names == tuple(map(str, range(1, box.square_count + 1)))


@pytest.mark.parametrize("box", [SPANISH, THAI])
def test_numbers_from_the_opposite_corner_count_down(box: Rules) -> None:
    assert labels(box).names == tuple(str(33 - n) for n in range(1, 33))


def test_the_notation_digit_selects_the_corner_of_1() -> None:
    """The corner is from the starting side's view; the first playing square from there is 1."""
    first = {"N0": "29", "N1": "32", "N2": "1", "N3": "4"}
    opposite = {"N0": "4", "N1": "1", "N2": "32", "N3": "29"}
    for notation in first:
        for side, where in (("W", first), ("B", opposite)):
            box = board_of(first=side, notation=notation)
            assert labels(box).square("1") == int(where[notation])


def test_the_notation_digit_selects_the_corner_of_a1() -> None:
    assert labels(RUSSIAN).name(29) == "a1"
    assert labels(RUSSIAN).name(4) == "h8"
    # Black starts, and its bottom right is White's top left. Letters run along Black's first row.
    assert labels(JAMAICAN).name(1) == "a1"
    assert labels(JAMAICAN).name(32) == "h8"
    assert labels(TURKISH).name(57) == "a1"
    assert labels(TURKISH).name(10) == "b7"
    assert labels(BROAD).name(5) == "j8"
    assert labels(board_of(width=12, height=12, rows=5, notation="A0")).name(6) == "l12"


def test_labels_may_have_leading_zeros_and_capitals() -> None:
    assert labels(SPANISH).square("032") == 1
    assert labels(RUSSIAN).square("C3") == 22
    for strange in ("0", "33", "", "c4", "i1", "a9", "²"):
        assert labels(RUSSIAN).square(strange) is None
        assert labels(SPANISH).square(strange) is None or strange == "c4"


def test_numeric_and_algebraic_labels_are_both_understood() -> None:
    assert labels(SPANISH).square("h1") == 32
    assert labels(RUSSIAN).square("22") == 22
    # The library reads letters according to the rule set.
    assert squares.read(JAMAICAN, "a1") == 1
    assert Board(JAMAICAN).parse("c3-d4") == Board(JAMAICAN).parse("10-14")


@given(boxes())
def test_every_square_has_a_unique_label(box: Rules) -> None:
    on = labels(box)
    every = range(1, box.square_count + 1)
    assert [on.square(on.name(square)) for square in every] == list(every)
    assert sorted(map(on.order, every)) == list(every)
    assert on.algebraic is (box.notation[0] == "A")
    if on.algebraic:
        assert all(squares.read(box, on.name(square)) == square for square in every)


@given(boxes())
def test_swapping_the_starting_side_rotates_the_labels(box: Rules) -> None:
    turned = box.replace(first="B" if box.first == "W" else "W")
    n = box.square_count
    assert labels(turned).names == tuple(labels(box).name(n + 1 - s) for s in range(1, n + 1))


def test_equal_rule_sets_keep_separate_labels() -> None:
    box = board_of(notation="N2")
    other = box.replace(notation="A0", capture_sign=":")
    assert box == other
    assert (labels(box).name(29), labels(other).name(29)) == ("29", "a1")
    assert (labels(box).sign, labels(other).sign) == ("x", ":")


# Moves


@pytest.mark.parametrize(
    ("box", "text", "shown"),
    [
        (SPANISH, "22-18", "11-15"),
        (SPANISH, "22x13", "11x20"),
        (SPANISH, "22x13x6", "11x20x27"),
        (THAI, "11x18", "22-15"),
        (RUSSIAN, "22x15", "c3:e5"),
        (RUSSIAN, "(23) 22-18", "(e3) c3-d4"),
        (TURKISH, "49-41", "a2-a3"),
        (RUSSIAN, "22-18!?", "22-18!?"),
        (RUSSIAN, "a move", "a move"),
    ],
)
def test_a_move_is_shown_with_labels(box: Rules, text: str, shown: str) -> None:
    assert labels(box).shown(text) == shown


@pytest.mark.parametrize(
    ("box", "typed", "text"),
    [
        (SPANISH, "11-15", "22-18"),
        (SPANISH, "011 : 020", "22 x 13"),
        (SPANISH, "d3-c4", "22-18"),
        (RUSSIAN, "C3:e5", "22x15"),
        (RUSSIAN, "c3xe5xg7", "22x15x8"),
        (RUSSIAN, "22-18", "22-18"),
        (THAI, "22-15", "11-18"),
        (RUSSIAN, "c3:e9", "22xe9"),
        (RUSSIAN, "c3e5", "c3e5"),
    ],
)
def test_a_move_typed_with_labels_is_read(box: Rules, typed: str, text: str) -> None:
    assert labels(box).read(typed) == text


@settings(deadline=None)
@given(st.data())
def test_every_written_move_round_trips(data: st.DataObject) -> None:
    box = data.draw(rule_sets()).replace(
        notation=data.draw(st.sampled_from(NOTATIONS)),
        capture_sign=data.draw(st.sampled_from("x:-")),
    )
    board = Board(box, write_fen(data.draw(positions(box))))
    on = labels(box)
    for move in board.legal_moves:
        written = moves.write(board, move)
        assert board.parse(on.read(written)) == move
        for sign in "x:-":
            path = sign.join(on.name(square) for square in move.route)
            if move.is_capture:
                assert board.parse(on.read(path)) == move
        assert board.parse(on.read(on.shown(board.text(move)))) == move


@pytest.mark.parametrize("name", RULE_SETS)
def test_labelled_moves_round_trip_in_games(name: str) -> None:
    """Every move of random games is parsed from its labelled text."""
    rng = random.Random(name)
    count = 0
    for _ in range(4):
        game = Game(name)
        while game.result is None and len(game.history) < 80:
            board = game.board
            for move in board.legal_moves:
                text = board.text(move, labels=True)
                assert text == moves.write(board, move)
                assert board.parse(text, labels=True) == move, text
                assert board.why_not(text, labels=True) is None
                assert game.why_not(text, labels=True) is None
                assert board.parse(board.text(move)) == move
                count += 1
            if not board.legal_moves:
                break
            chosen = rng.choice(board.legal_moves)
            assert game.play(board.text(chosen, labels=True), labels=True) == chosen
    assert count > 300


@pytest.mark.parametrize("name", ["spanish", "portuguese", "thai"])
def test_federation_numbers_are_refused_without_labels(name: str) -> None:
    board = Board(name)
    texts = {move: board.text(move, labels=True) for move in board.legal_moves}
    assert all(board.text(move) != text for move, text in texts.items())
    for move, text in texts.items():
        with pytest.raises(MoveError):
            board.parse(text)
        assert board.push(board.parse(text, labels=True)) == move
        board.pop()


def test_three_rule_sets_count_from_another_corner() -> None:
    """The tutorial lists them."""
    others = {
        name
        for name in RULE_SETS
        if not (on := labels(rules.load(name))).algebraic and on.names[0] != "1"
    }
    assert others == {"spanish", "portuguese", "thai"}


def test_numbers_without_labels_are_the_librarys() -> None:
    board = Board("portuguese")
    assert board.parse("22-18").start == board.parse("11-15", labels=True).start == 22
    assert board.push("22-18").start == 22
    with pytest.raises(InvalidMoveError, match="“11~15”"):
        board.parse("11~15", labels=True)


def test_a_huff_is_read_with_labels() -> None:
    mirrored = rules.load("dama100").replace(name="board", notation="N1")
    game = Game(mirrored, "W:W32,33,47:B27,8,9")
    on = labels(mirrored)
    game.play(on.shown("33-29"), labels=True)
    assert on.name(32) != "32"
    text = on.shown("(32) 8-13")
    assert game.why_not(text) is not None
    game.play(text, labels=True)
    assert str(game.history[-1]) == "(32) 8-13"


@given(boxes())
def test_algebraic_labels_round_trip(box: Rules) -> None:
    on = lettered(box)
    every = range(1, box.square_count + 1)
    assert on.algebraic
    assert [squares.read(box, on.name(square)) for square in every] == list(every)


def test_a_capture_like_a_quiet_move_is_written_with_its_route() -> None:
    """This needs captures written with "-", and quiet moves that are legal too."""
    box = rules.load("dama100").replace(name="board", capture_sign="-")
    board = Board(box, "W:WK16:B19,40,43")
    capture = next(move for move in board.legal_moves if move.end == 2)
    both = [*board.legal_moves, *board.quiet_moves]
    assert moves.write(board, capture) == "16-2"
    assert moves.write(board, capture, both) == "-".join(map(str, capture.route))
    (again,) = moves.matching_moves(board, both, capture.route, is_capture=False)
    assert again == capture


@given(boxes(), st.text(max_size=40) | st.text("0123456789abcdefghl-x:() ", max_size=20))
def test_any_text_can_be_converted(box: Rules, text: str) -> None:
    labels(box).shown(text)
    labels(box).read(text)


# Positions


@st.composite
def placed(draw: st.DrawFn) -> tuple[Rules, str, Any]:
    box = draw(boxes())
    every = st.sampled_from("....wbWB")
    placed_pieces = draw(st.dictionaries(st.integers(0, box.square_count - 1), every, max_size=30))
    pieces = [placed_pieces.get(i, ".") for i in range(box.square_count)]
    for i, piece in enumerate(pieces):
        row = box.cell(i + 1)[0]
        if (piece == "w" and row == 0) or (piece == "b" and row == box.height - 1):
            pieces[i] = piece.upper()
    return box, "".join(pieces), draw(st.sampled_from("WB"))


@given(placed(), st.booleans())
def test_positions_round_trip(position: tuple[Rules, str, Any], with_labels: bool) -> None:
    box, pieces, turn = position
    text = fen.format(box, pieces, turn, labels=with_labels)
    assert fen.parse(box, text, labels=with_labels) == (pieces, turn)
    if labels(box).algebraic or not with_labels:
        # Letters and the library's numbers are understood without the option.
        assert fen.parse(box, text) == (pieces, turn)


def test_a_position_with_algebraic_labels() -> None:
    pieces = ["."] * 32
    for square, piece in ((29, "w"), (22, "w"), (18, "W"), (1, "b")):
        pieces[square - 1] = piece
    position = "".join(pieces)
    assert fen.format(RUSSIAN, position, "W", labels=True) == "W:Wa1,c3,Kd4:Bb8"
    assert fen.parse(RUSSIAN, "W:Wa1,C3,KD4:Bb8.") == (position, "W")
    assert fen.format(RUSSIAN, position, "W") == "W:WK18,22,29:B1"


def test_a_position_with_the_federations_numbers() -> None:
    pieces, turn = fen.parse(SPANISH, "W:W1-12:B21-32", labels=True)
    assert (pieces, turn) == fen.parse(SPANISH, SPANISH.start_fen)
    written = fen.format(SPANISH, pieces, "W", labels=True)
    assert written.startswith("W:W1,2,3,")
    assert written.endswith(",31,32")


def test_a_range_of_letters_follows_the_board_labels() -> None:
    start = fen.parse(RUSSIAN, RUSSIAN.start_fen)
    assert fen.parse(RUSSIAN, "W:Wa1-h2,a3-g3:Bb6-h8", labels=True) == start
    with pytest.raises(FenError) as refused:
        fen.parse(RUSSIAN, "W:Wh2-a1:B", labels=True)
    assert refused.value.code == "range"


def test_errors_use_the_boards_labels() -> None:
    with pytest.raises(FenError, match="man on 30 would be a king there: write WK30"):
        fen.parse(SPANISH, "W:W30:B5", labels=True)
    with pytest.raises(FenError, match="two pieces on c3"):
        fen.parse(RUSSIAN, "W:Wc3,c3:B", labels=True)
    with pytest.raises(FenError, match="side to move is unknown") as refused:
        fen.parse(RUSSIAN, "?:Wc3:B", labels=True)
    assert refused.value.code == "turn"


@given(boxes(), st.text(max_size=60) | st.text("WBK:,.-0123456789 acel?x", max_size=60))
def test_any_text_is_a_position_or_raises_fen_error(box: Rules, text: str) -> None:
    try:
        pieces, turn = fen.parse(box, text, labels=True)
    except FenError:
        return
    again = fen.format(box, pieces, turn, labels=True)
    assert fen.parse(box, again, labels=True) == (pieces, turn)


# Game records


@pytest.mark.parametrize(
    ("box", "number", "tag"),
    [
        (INTERNATIONAL, 20, "20,W,10,10,N2,0"),
        (board_of(first="B", notation="N1"), 21, "21,B,8,8,N1,0"),
        (ITALIAN, 22, "22,W,8,8,N2,1"),
        (SPANISH, 24, "24,W,8,8,N1,1"),
        (RUSSIAN, 25, "25,W,8,8,A0,0"),
        (CANADIAN, 27, "27,W,12,12,N2,0"),
        (TURKISH.replace(dark_corner="right"), 30, "30,W,8,8,A0,0"),
        (THAI, 31, "31,B,8,8,N2,0"),
        (BROAD, 41, "41,W,10,8,A0,0"),
        (JAMAICAN, 0, "0,B,8,8,A1,1"),
    ],
)
def test_the_game_type_tag_describes_the_labels(box: Rules, number: int, tag: str) -> None:
    assert pdn_game_type(box.replace(game_type=number)) == tag
