"""Positions as text: numbers, pieces and marks, with and without colours."""

from __future__ import annotations

import re

import pytest

from damka import Board
from damka.draw import Marks, svg, text
from damka.draw.colours import contrast, legible, luminance, palette
from damka.rules import load, names


def bare(coloured: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", coloured)


def cells(board: str, width: int) -> list[list[str]]:
    """Return the five characters of every square of a framed board, by row."""
    rows = [line[1:-1] for line in board.splitlines()[1:-1]]
    return [[row[5 * i : 5 * i + 5] for i in range(width)] for row in rows]


@pytest.mark.parametrize("name", names())
def test_every_square_shows_its_number_and_its_piece(name: str) -> None:
    rules = load(name)
    rules = rules.replace(notation="N2" if rules.first == "W" else "N1")
    pieces = svg.start_pieces(rules)
    squares = cells(text.board(rules, pieces), rules.width)
    assert len(squares) == rules.height
    cell_of = {}
    for row, line in enumerate(squares):
        for column, cell in enumerate(line):
            square = rules.square_at(row, column)
            if square is None:
                assert cell == "     "
            else:
                cell_of[square] = cell
                assert int(cell[1:3]) == square
    signs = {"w": "○", "b": "●", ".": "·"}
    assert [cell[3:].strip() for cell in cell_of.values()] == [signs[piece] for piece in pieces]


def test_a_king_is_two_discs() -> None:
    board = text.board(load("dama64"), "." * 17 + "W" + "B" + "." * 13)
    assert "18○○" in board
    assert "19●●" in board


def test_flip_turns_the_board() -> None:
    rules = load("italian")
    pieces = svg.start_pieces(rules)
    usual = cells(text.board(rules, pieces), 8)
    flipped = cells(text.board(rules, pieces, flip=True), 8)
    assert flipped == [row[::-1] for row in usual[::-1]]


def test_squares_have_the_federations_labels() -> None:
    rules = load("dama64").replace(notation="N1")
    squares = cells(text.board(rules, svg.start_pieces(rules)), 8)
    assert squares[0][1] == " 32● "
    assert squares[7][0] == "  4○ "


@pytest.mark.parametrize("colour", [False, True])
def test_letters_and_digits_are_around_the_board(colour: bool) -> None:
    rules = load("dama64").replace(notation="A0")
    lines = bare(text.board(rules, svg.start_pieces(rules), flip=True, colour=colour)).splitlines()
    board = lines[:-1] if colour else lines[1:-2]
    assert [line[:3] for line in board] == [f" {digit} " for digit in range(1, 9)]
    assert lines[-1].split() == list("hgfedcba")
    assert lines[-1].index("h") == (5 if colour else 6), "in the middle of its column"
    assert not re.search(r"\d", "".join(line[3:] for line in board))


def test_squares_alternate_in_shade_on_boards_that_use_all() -> None:
    rules = load("dama64").replace(
        squares="all", move_lines="orthogonal", capture_lines="orthogonal", rows=2
    )
    row = text.board(rules, svg.start_pieces(rules), colour=True).splitlines()[3]
    shades = re.findall(r"\x1b\[48;2;([\d;]+)m", row)
    assert len(shades) == 8
    assert shades == shades[:2] * 4
    assert shades[0] != shades[1]


def test_numbers_can_be_off() -> None:
    board = text.board(load("dama64"), "w" + "." * 31, numbers=False)
    assert not re.search(r"\d", board)
    assert board.count("○") == 1


def test_stronger_marks_replace_weaker_ones() -> None:
    pieces = "." * 20 + "w" * 12
    board = text.board(
        load("dama64"),
        pieces,
        Marks(last=[22, 18, 14], must=[22], huffable=[23], targets=[14, 17]),
    )
    assert [sign for sign in ("!22○", "?23○", ">18·", "+14·", "+17·") if sign in board] == [
        "!22○",
        "?23○",
        ">18·",
        "+14·",
        "+17·",
    ]
    assert len(re.findall(r"[!?>+]", board)) == 5


def test_plain_is_ascii_only_and_writes_pieces_as_letters() -> None:
    board = text.board(
        load("dama100"), "wWbB" + "." * 46, Marks(last=[1], targets=[50]), plain=True
    )
    assert board.isascii()
    assert "> 1w" in board
    for sign in (" 2W", " 3b", " 4B", "+50."):
        assert sign in board


def test_lines_are_equally_long() -> None:
    for plain in (False, True):
        lines = text.board(load("dama100"), "wWbB." * 10, Marks(must=[1]), plain=plain).splitlines()
        assert {len(line) for line in lines} == {52}


def test_coloured_boards_have_no_frame_and_filled_discs() -> None:
    rules = load("dama64")
    marks = Marks(last=[22, 18], targets=[14], must=[23])
    pieces = svg.start_pieces(rules)
    coloured = text.board(rules, pieces, marks, colour=True)
    framed = text.board(rules, pieces, marks)
    rows = [line[1:-1] for line in framed.splitlines()[1:-1]]
    assert bare(coloured).splitlines() == [row.replace("○", "●") for row in rows]
    assert "\x1b[48;2;121;83;58m" in coloured, "the box's brown"
    assert all(line.endswith("\x1b[0m") for line in coloured.splitlines())


@pytest.mark.parametrize("name", names())
def test_coloured_discs_have_enough_contrast(name: str) -> None:
    ink = palette(load(name))
    for disc in (ink.white, ink.black):
        adjusted = legible(disc.face, ink.ground)
        assert contrast(adjusted, ink.ground) >= 2.2
        lighter = [luminance(colour) > luminance(ink.ground) for colour in (disc.face, adjusted)]
        assert lighter[0] == lighter[1], "black stays dark and white stays light"


def test_coloured_discs_of_similar_lightness_differ_in_shape() -> None:
    rules = load("dama64")
    theme = {"white": ["#d04040", "#802020"], "black": ["#3f8f3f", "#205020"]}
    coloured = bare(text.board(rules, svg.start_pieces(rules), colour=True, theme=theme))
    assert coloured.count("○") == coloured.count("●") == 12


def test_pieces_that_do_not_fit_the_board_are_refused() -> None:
    with pytest.raises(ValueError, match="32 squares"):
        text.board(load("dama64"), "." * 50)


def test_str_of_a_board_is_its_text_drawing() -> None:
    board = Board("dama64")
    assert str(board) == text.board(board.rules, board.pieces)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("first", ["W", "B"])
def test_text_and_svg_have_the_librarys_square_numbers(name: str, first: str) -> None:
    board = Board(load(name).replace(first=first, notation="A3"))
    numbers = [int(number) for number in re.findall(r"\d+", str(board))]
    assert numbers == [*range(1, board.rules.square_count + 1)]
    shown = re.findall(r">(\d+)</text>", board._repr_svg_())
    assert [*map(int, shown)] == numbers
