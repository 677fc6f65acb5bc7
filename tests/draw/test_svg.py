"""Positions as SVG."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, Game
from damka.draw import Arrow, Marks, Style, shapes, svg, text
from damka.draw.colours import THEMES, contrast, palette
from damka.notation import labels
from damka.rules import Rules, load, names
from tests.strategies import rule_sets

NS = "{http://www.w3.org/2000/svg}"
BOXES = ("dama64", "american", "dama100")
ALL_MARKS: dict[str, Any] = {
    "last": [22, 18],
    "must": [21],
    "huffable": [23],
    "chosen": 24,
    "faded": [10],
    "targets": [19, 20],
    "branches": [17],
    "refused": [28],
    "crosses": [14],
    "arrows": [(22, 15, 6)],
    "barred": [(23, 16)],
}
_STYLE_FIELDS = {each.name for each in fields(Style)}


def board(rules: Rules, pieces: str, *, title: str | None = None, **options: Any) -> str:
    """Return a picture with marks and a style, both as keyword arguments."""
    style = Style(**{name: options.pop(name) for name in _STYLE_FIELDS & options.keys()})
    arrows = [Arrow(tuple(route)) for route in options.pop("arrows", ())]
    arrows += [Arrow(tuple(route), forbidden=True) for route in options.pop("barred", ())]
    return svg.board(rules, pieces, Marks(arrows=tuple(arrows), **options), style, title=title)


def numbered(name: str) -> Rules:
    """Return a rule set with the library's square numbers."""
    rules = load(name)
    return rules.replace(notation="N2" if rules.first == "W" else "N1")


def all_marks(rules: Rules) -> dict[str, Any]:
    """Return every mark, on squares that exist on this board."""
    n = min(32, rules.square_count)

    def scaled(squares: Any) -> Any:
        if isinstance(squares, int):
            return (squares - 1) * n // 32 + 1
        return [scaled(square) for square in squares]

    return {mark: scaled(squares) for mark, squares in ALL_MARKS.items()}


def place(rules: Rules, pieces: dict[int, str]) -> str:
    return "".join(pieces.get(s, ".") for s in range(1, rules.square_count + 1))


def drawn(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314  our own output


def numbers(picture: str) -> dict[int, tuple[float, float]]:
    texts = drawn(picture).iter(f"{NS}text")
    return {int(t.text or ""): (float(t.attrib["x"]), float(t.attrib["y"])) for t in texts}


def discs(picture: str, radius: int = shapes.MAN_RADIUS) -> list[tuple[float, float]]:
    """Return the centres of the men, in drawing order."""
    return [
        (float(c.attrib["cx"]), float(c.attrib["cy"]))
        for c in drawn(picture).iter(f"{NS}circle")
        if c.attrib["r"] == str(radius)
    ]


def fills(picture: str, centre: tuple[float, float]) -> list[tuple[str, str]]:
    """Return the face and rim colours of the discs at a centre."""
    x, y = centre
    return [
        (group.attrib["fill"], group.attrib["stroke"])
        for group in drawn(picture).iter(f"{NS}g")
        if "stroke" in group.attrib
        for c in group.findall(f"{NS}circle")
        if c.attrib["r"] == str(shapes.MAN_RADIUS)
        and float(c.attrib["cx"]) == x
        and abs(float(c.attrib["cy"]) - y) <= 10
    ]


def ground(picture: str) -> dict[tuple[int, int], str]:
    """Return the fill of every square that differs from the background, by column and row."""
    squares = {}
    for path in drawn(picture).findall(f"{NS}path[@fill]"):
        for x, y in re.findall(r"M(\d+) (\d+)h", path.attrib["d"]):
            squares[int(x) // 100, int(y) // 100] = path.attrib["fill"]
    return squares


# All pictures


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("style", [{}, {"flip": True}, {"print_style": True}, {"crown": True}])
def test_every_rule_set_is_drawn_as_a_well_formed_picture(name: str, style: dict[str, Any]) -> None:
    rules = load(name)
    picture = board(rules, svg.start_pieces(rules), **all_marks(rules), **style)
    root = drawn(picture)
    assert root.tag == f"{NS}svg"
    width, height = 100 * rules.width, 100 * rules.height
    frame = 36 if labels(rules).algebraic else 0
    box = (-frame, -frame, width + 2 * frame, height + 2 * frame)
    assert root.attrib["viewBox"] == " ".join(map(str, box))
    assert root.attrib["role"] == "img"
    assert len(discs(picture)) == 2 * len(rules.start_squares("W"))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_position_of_any_rules_is_drawn(data: st.DataObject) -> None:
    rules = data.draw(rule_sets())
    n = rules.square_count
    squares = st.integers(1, n)
    pieces = data.draw(st.text("wbWB.", min_size=n, max_size=n))
    marks: dict[str, Any] = {
        name: data.draw(st.lists(squares, max_size=3))
        for name in ("last", "must", "huffable", "faded", "targets", "around")
    }
    picture = board(rules, pieces, flip=data.draw(st.booleans()), **marks)
    left, top, width, height = map(int, drawn(picture).attrib["viewBox"].split())
    assert 0 <= left <= left + width <= 100 * rules.width
    assert 0 <= top <= top + height <= 100 * rules.height
    for square in marks["around"]:
        assert labels(rules).name(square) in texts(picture)
    if not marks["around"]:
        kings = sum(piece.isupper() for piece in pieces)
        assert len(discs(picture)) == n - pieces.count(".") + kings


@pytest.mark.parametrize("name", BOXES)
def test_a_picture_has_no_ids_styles_or_external_references(name: str) -> None:
    picture = board(load(name), svg.start_pieces(load(name)), **ALL_MARKS)
    names_used = {key for element in drawn(picture).iter() for key in element.attrib}
    assert not names_used & {"id", "class", "style", "href"}
    assert not {element.tag for element in drawn(picture).iter()} & {f"{NS}style", f"{NS}script"}
    assert "url(" not in picture
    assert picture.count("http") == 1  # the namespace


def test_a_picture_is_compact() -> None:
    assert len(board(load("dama64"), svg.start_pieces(load("dama64")))) < 5_000
    assert len(svg.mini(load("dama64"))) < 2_500


# Titles


def test_the_title_is_escaped() -> None:
    picture = board(load("dama64"), "." * 32, title='A <b>king</b> & "men"')
    assert "<b>" not in picture
    assert drawn(picture)[0].tag == f"{NS}title"
    assert drawn(picture)[0].text == 'A <b>king</b> & "men"'


def test_the_default_title_lists_the_pieces() -> None:
    rules = load("dama100")
    picture = board(rules, place(rules, {28: "w", 3: "W", 19: "b"}))
    assert drawn(picture)[0].text == "blue K3 28, green 19"


def test_an_empty_title_hides_the_picture_from_screen_readers() -> None:
    root = drawn(board(load("dama64"), "." * 32, title=""))
    assert root.attrib["aria-hidden"] == "true"
    assert root.find(f"{NS}title") is None


def test_markup_in_house_rules_is_escaped() -> None:
    rules = load("dama64").replace(colours=["<script>", '"&'])
    assert "<script" not in board(rules, "w" + "." * 31)
    with pytest.raises(ValueError, match="a colour such as"):
        board(rules, "." * 32, theme={"light": '"/><script>'})


def test_size_is_the_width_in_pixels() -> None:
    root = drawn(board(load("dama64"), "." * 32, size=240))
    assert (root.attrib["width"], root.attrib["height"]) == ("240", "240")
    assert "width" not in drawn(board(load("dama64"), "." * 32)).attrib


def test_a_board_is_drawn_in_notebooks() -> None:
    picture = Board("american")._repr_svg_()
    assert len(discs(picture)) == 24


# Numbers and orientation


@pytest.mark.parametrize("name", names())
def test_playing_squares_have_numbers_in_their_corners(name: str) -> None:
    rules = numbered(name)
    shown = numbers(board(rules, svg.start_pieces(rules)))
    assert list(shown) == list(range(1, rules.square_count + 1))
    for square, (x, y) in shown.items():
        row, column = rules.cell(square)
        assert (x, y) == (100 * column + 5, 100 * row + 16)


def test_numbers_can_be_off_or_only_some() -> None:
    pieces = "." * 32
    assert numbers(board(load("dama64"), pieces, numbers=False)) == {}
    assert set(numbers(board(load("dama64"), pieces, numbers=[7, 11]))) == {7, 11}


@pytest.mark.parametrize("name", names())
def test_flip_puts_the_first_square_where_the_last_was(name: str) -> None:
    rules = numbered(name)
    pieces = svg.start_pieces(rules)
    usual = numbers(board(rules, pieces))
    flipped = numbers(board(rules, pieces, flip=True))
    n = rules.square_count
    assert all(flipped[square] == usual[n + 1 - square] for square in usual)


def texts(picture: str) -> dict[str, tuple[float, float]]:
    """Return the texts with their coordinates."""
    elements = drawn(picture).iter(f"{NS}text")
    return {t.text or "": (float(t.attrib["x"]), float(t.attrib["y"])) for t in elements}


def test_squares_have_the_federations_labels() -> None:
    rules = load("dama64").replace(notation="N1")
    usual = numbers(board(load("dama64"), "." * 32))
    shown = numbers(board(rules, "." * 32))
    assert all(shown[square] == usual[33 - square] for square in usual)
    title = drawn(board(rules, place(rules, {22: "w", 1: "B"})))[0].text
    assert title == "white 11, black K32"


@pytest.mark.parametrize(
    ("flip", "letters", "digits"), [(False, "abcdefgh", "87654321"), (True, "hgfedcba", "12345678")]
)
def test_letters_and_digits_are_around_the_board(flip: bool, letters: str, digits: str) -> None:
    rules = load("dama64").replace(notation="A0")
    shown = texts(board(rules, svg.start_pieces(rules), flip=flip))
    assert set(shown) == {*letters, *digits}
    for i, (letter, digit) in enumerate(zip(letters, digits, strict=True)):
        assert shown[letter][0] == shown[digit][1] - 8 == 100 * i + 50
        assert shown[letter][1] > 800
        assert shown[digit][0] < 0


def test_letters_and_digits_can_be_inside_the_squares_or_hidden() -> None:
    rules = load("dama64").replace(notation="A0")
    pieces = svg.start_pieces(rules)
    everywhere = texts(board(rules, pieces, numbers=range(1, 33)))
    assert len(everywhere) == 32
    assert everywhere["c3"] == pytest.approx((205, 516))
    assert not texts(board(rules, pieces, numbers=False))
    # A part of the board has no margin for coordinates.
    part = board(rules, pieces, around=[29])
    assert "a1" in texts(part)
    assert drawn(part).attrib["viewBox"] == "0 200 600 600"


def test_boards_that_use_all_squares_have_grid_lines() -> None:
    rules = load("dama64").replace(
        squares="all", move_lines="orthogonal", capture_lines="orthogonal", rows=2, rows_behind=1
    )
    for picture in (board(rules, svg.start_pieces(rules)), svg.mini(rules)):
        (lines,) = [p for p in drawn(picture).findall(f"{NS}path") if "stroke" in p.attrib]
        assert lines.attrib["d"].count("M") == 14
        assert len(discs(picture)) == 32
    assert len(ground(board(rules, svg.start_pieces(rules)))) == 64


@pytest.mark.parametrize("name", ["dama64", "italian"])
@pytest.mark.parametrize("flip", [False, True])
def test_the_dark_corner_follows_the_rules(name: str, flip: bool) -> None:
    rules = load(name)
    squares = ground(board(rules, "." * 32, flip=flip))
    last = rules.width - 1
    assert ((0, last) in squares) == (rules.dark_corner == "left")
    assert ((last, last) in squares) == (rules.dark_corner == "right")


def test_a_part_of_the_board_shows_the_edges_it_touches() -> None:
    rules = load("international")
    picture = board(rules, place(rules, {12: "w", 8: "b"}), around=[12, 8, 3])
    assert drawn(picture).attrib["viewBox"] == "100 0 600 600"
    edges = [p.attrib["d"] for p in drawn(picture).findall(f"{NS}path") if "stroke" in p.attrib]
    assert edges == ["M100 0L700 0"]
    assert 46 not in numbers(picture)


# Pieces


def test_a_king_is_two_stacked_men_with_a_contrasting_edge() -> None:
    rules = load("dama64")
    picture = board(rules, place(rules, {18: "W", 22: "w"}))
    x, y = 350, 450
    assert [centre for centre in discs(picture) if centre[0] == x] == [(x, y + 10), (x, y - 9)]
    assert [centre for centre in discs(picture) if centre[0] != x] == [(250, 550)]
    man, lower, upper = fills(picture, (250, 550)) + fills(picture, (x, y))
    assert man == upper == palette(rules).white
    assert lower == (man[1], man[0]), "the edge of the lower man is in the rim's colour"


def test_faded_and_lifted_kings_are_two_men() -> None:
    rules = load("dama64")
    pieces = place(rules, {18: "B"})
    assert discs(board(rules, pieces, faded=[18])) == discs(board(rules, pieces))
    lifted = discs(board(rules, pieces, chosen=18))
    assert lifted == [(350, 450 + 10 - 6), (350, 450 - 9 - 6)]


def test_pieces_have_no_crowns_or_rings() -> None:
    rules = load("american")
    picture = board(rules, place(rules, {18: "W", 10: "B", 22: "w"}), numbers=False)
    body = drawn(picture)
    radii = {c.attrib["r"] for c in body.iter(f"{NS}circle")}
    assert radii == {"36", "37"}, "only discs and their shadows"
    assert len(body.findall(f"{NS}path")) == 1, "the squares"


def test_crown_option_adds_a_crown() -> None:
    rules = load("american")
    pieces = place(rules, {18: "W", 22: "w"})
    plain, crowned = (board(rules, pieces, crown=crown) for crown in (False, True))
    assert discs(plain) == discs(crowned)
    assert len(drawn(crowned).findall(f".//{NS}path")) == 2


def test_the_green_and_buff_theme_works_with_any_rules() -> None:
    """The theme has the colours of the American board."""
    theme = load("american").theme
    assert THEMES["green-and-buff"] == {"light": theme["light"], "dark": theme["dark"]}
    rules = load("dama64")
    picture = board(rules, place(rules, {18: "w"}), theme=THEMES["green-and-buff"])
    assert set(ground(picture).values()) == {theme["dark"]}
    assert fills(picture, (350, 450)) == [palette(rules, THEMES["green-and-buff"]).white]


def test_print_style_swaps_square_colours_and_keeps_the_geometry() -> None:
    rules = load("american")
    pieces = svg.start_pieces(rules)
    screen, paper = board(rules, pieces), board(rules, pieces, print_style=True)
    assert set(ground(screen).values()) == {rules.theme["dark"]}
    assert set(ground(paper).values()) == {rules.theme["light"]}
    assert drawn(paper).find(f"{NS}rect").attrib["fill"] == rules.theme["dark"]  # type: ignore[union-attr]
    assert set(ground(screen)) == set(ground(paper))
    assert numbers(screen) == numbers(paper)
    assert discs(screen) == discs(paper)


@pytest.mark.parametrize("name", names())
def test_print_style_is_legible_in_black_and_white(name: str) -> None:
    ink = palette(load(name), paper=True)
    assert contrast(ink.white.face, ink.black.face) >= 3, "the sides differ in grey"
    for disc in (ink.white, ink.black):
        assert max(contrast(disc.face, ink.ground), contrast(disc.rim, ink.ground)) >= 3
        assert contrast(disc.face, disc.rim) >= 3, "the two men of a king differ"


def test_print_style_distinguishes_sides_of_equal_lightness() -> None:
    theme = {"white": ["#d04040", "#802020"], "black": ["#3f8f3f", "#205020"]}
    ink = palette(load("dama64"), theme, paper=True)
    assert contrast(ink.white.face, ink.black.face) >= 7


# Colours and marks


@pytest.mark.parametrize("name", names())
def test_pictures_use_the_colours_of_the_rules(name: str) -> None:
    rules = load(name)
    picture = board(rules, place(rules, {18: "w", 10: "b"}))
    assert set(ground(picture).values()) == {rules.theme["dark"]}
    for square, side in ((18, "white"), (10, "black")):
        row, column = rules.cell(square)
        face, _ = rules.theme[side]
        disc = getattr(palette(rules), side)
        assert disc.face == face
        assert fills(picture, (100 * column + 50, 100 * row + 50)) == [disc]


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("theme", [None, *THEMES.values()])
def test_every_disc_is_outlined_on_every_square(name: str, theme: Mapping[str, Any] | None) -> None:
    ink = palette(load(name), theme)
    for disc in (ink.white, ink.black):
        assert contrast(disc.face, disc.rim) >= 3, "the two men of a king differ"
        for square in (ink.ground, ink.last):
            assert max(contrast(disc.face, square), contrast(disc.rim, square)) >= 3
    assert contrast(ink.tick, ink.last) >= 3


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("paper", [False, True])
def test_numbers_have_enough_contrast_on_every_square(name: str, paper: bool) -> None:
    ink = palette(load(name), paper=paper)
    assert contrast(ink.number, ink.ground) >= 4.5
    assert contrast(ink.number_last, ink.last) >= 4.5


@pytest.mark.parametrize("name", BOXES)
def test_the_sides_differ_in_lightness_of_face_and_rim(name: str) -> None:
    ink = palette(load(name))
    assert contrast(ink.white.face, ink.black.face) >= 3
    assert contrast(ink.white.rim, ink.black.rim) >= 1.5


def test_every_mark_has_a_distinct_shape() -> None:
    """The marks differ even without colours."""
    rules = load("dama64")
    pieces = place(rules, {18: "w"})
    marks = ("last", "must", "huffable", "faded", "targets", "branches", "refused", "crosses")
    pictures = {"nothing": board(rules, pieces), "chosen": board(rules, pieces, chosen=18)}
    for mark in marks:
        marked: dict[str, Any] = {mark: [18]}
        pictures[mark] = board(rules, pieces, **marked)
    bare = {mark: re.sub(r"#[0-9a-f]{6}", "#", picture) for mark, picture in pictures.items()}
    assert len(set(bare.values())) == len(bare)


def test_an_arrow_follows_the_route_and_ends_on_the_last_square() -> None:
    rules = load("dama64")
    picture = board(rules, place(rules, {22: "w"}), arrows=[(22, 15, 6)])
    shafts = [
        p.attrib["d"] for p in drawn(picture).iter(f"{NS}path") if "L450 350L" in p.attrib["d"]
    ]
    assert len(shafts) == 2, "the arrow and its edge"
    heads = [
        p.attrib["d"] for p in drawn(picture).iter(f"{NS}path") if "L250 150L" in p.attrib["d"]
    ]
    assert len(heads) == 2


def test_a_number_moves_aside_for_an_arrow_through_its_corner() -> None:
    rules = load("dama64")
    pieces = place(rules, {22: "w"})
    usual = numbers(board(rules, pieces))
    shown = numbers(board(rules, pieces, arrows=[(22, 18), (22, 13)]))
    # The second arrow leaves 22 through its top left corner and ends on 13.
    moved = {square for square in usual if shown[square] != usual[square]}
    assert moved == {22, 17}
    assert shown[22] == (usual[22][0] + 90, usual[22][1])


# Invalid arguments


@pytest.mark.parametrize("pieces", ["", "." * 31, "." * 50, "x" + "." * 31])
def test_pieces_that_do_not_fit_the_board_are_refused(pieces: str) -> None:
    with pytest.raises(ValueError, match=r"32 squares, not|one of .wbWB\."):
        board(load("dama64"), pieces)


@pytest.mark.parametrize("route", [(), (22,), (22, 22)])
def test_an_arrow_to_its_own_square_is_refused(route: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="at least two squares"):
        board(load("dama64"), "." * 32, arrows=[route])


def test_a_square_off_the_board_is_refused() -> None:
    with pytest.raises(ValueError, match="square 33 is not on a board"):
        board(load("dama64"), "." * 32, targets=[33])


@pytest.mark.parametrize("size", [0, -5, 1_000_000])
def test_an_invalid_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="pixels, not"):
        board(load("dama64"), "." * 32, size=size)


@pytest.mark.parametrize(
    ("theme", "message"),
    [
        ({"lihgt": "#ffffff"}, "unknown key 'lihgt'"),
        ({"white": "#ffffff"}, "the face and the rim"),
        ({"black": ["#ffffff", "black"]}, "a colour such as"),
    ],
)
def test_an_invalid_theme_is_refused(theme: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        board(load("dama64"), "." * 32, theme=theme)


# Mini boards


@pytest.mark.parametrize("name", BOXES)
def test_a_mini_board_shows_the_start_position_without_numbers(name: str) -> None:
    rules = load(name)
    picture = svg.mini(rules)
    assert numbers(picture) == {}
    assert len(discs(picture)) == 2 * len(rules.start_squares("B"))
    assert drawn(picture).attrib["aria-hidden"] == "true"


def test_a_mini_board_shows_a_given_position_and_title() -> None:
    rules = load("dama64")
    picture = svg.mini(rules, place(rules, {18: "W"}), size=64, title="Your turn")
    assert len(discs(picture)) == 2
    assert drawn(picture)[0].text == "Your turn"


def test_drawing_functions_accept_a_board_in_place_of_rules_and_pieces() -> None:
    board = Board("russian", "W:W18,K27:B9")
    marks, style = Marks(must=[18]), Style(size=90, flip=True)
    whole = svg.board(board.rules, board.pieces, marks, style, title="here")
    assert svg.board(board, marks, style, title="here") == whole  # type: ignore[call-overload]
    assert svg.board(board, marks=marks, style=style, title="here") == whole
    assert svg.board(board, marks, style=style, title="here") == whole
    assert svg.board(board.rules, pieces=board.pieces, marks=marks, style=style, title="here") == (
        whole
    )
    assert svg.board(board) == svg.board(board.rules, board.pieces)
    assert svg.board(board, style=style) == svg.board(board.rules, board.pieces, style=style)
    assert svg.mini(board, size=30) == svg.mini(board.rules, board.pieces, size=30)
    drawn_text = text.board(board.rules, board.pieces, marks, plain=True)
    assert text.board(board, marks, plain=True) == drawn_text
    assert text.board(board, marks=marks, plain=True) == drawn_text


def test_a_game_is_drawn_in_its_current_position() -> None:
    game = Game("american")
    game.play("11-15")
    for draw in (svg.board, svg.mini, text.board):
        assert draw(game.board) == draw(game.rules, game.board.pieces)
        assert draw(game) == draw(game.board)


def test_arguments_of_wrong_types_are_refused() -> None:
    position = Board("american")
    drawings: tuple[Any, ...] = (svg.board, svg.mini, text.board)
    for draw in drawings:
        with pytest.raises(TypeError, match="pieces need rules; a Board has its own pieces"):
            draw(position, position.pieces)
        for wrong in ("american", None, position.fen, [position]):
            with pytest.raises(TypeError, match="expected a Board, or rules and pieces"):
                draw(wrong)
        with pytest.raises(TypeError, match=r"pieces must be a str with one of wbWB\. per square"):
            draw(position.rules, position)
    with pytest.raises(TypeError, match="only rules have a start position, not a Board"):
        svg.start_pieces(position)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="pass a style after the marks"):
        svg.board(position, marks=Style())  # type: ignore[call-overload]
