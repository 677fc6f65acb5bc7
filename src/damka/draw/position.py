"""A position as an SVG document: a board with pieces and marks, and a miniature."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from html import escape
from typing import Any, Final, NamedTuple, overload

from damka.draw import background, shapes
from damka.draw.colours import Palette, palette
from damka.draw.layout import Layout
from damka.draw.marks import Arrow, Marks, Style
from damka.draw.pieces import Discs, HasBoard, Position, position_of, start_pieces
from damka.draw.shapes import Point, element, group
from damka.notation import labels
from damka.rules import Rules

__all__ = ["EmptyBoard", "board", "document", "empty_board", "mini", "pieces_by_square"]

MAX_SIZE: Final = 10_000

_FRAME: Final = 36
_NO_MARKS: Final = Marks()
_DEFAULT: Final = Style()


@overload
def board(
    position: Position | HasBoard,
    /,
    *,
    marks: Marks = ...,
    style: Style = ...,
    title: str | None = None,
    at: Point | None = None,
) -> str: ...
@overload
def board(
    position: Position | HasBoard,
    marks: Marks,
    /,
    *,
    style: Style = ...,
    title: str | None = None,
    at: Point | None = None,
) -> str: ...
@overload
def board(
    rules: Rules,
    pieces: str,
    marks: Marks = ...,
    style: Style = ...,
    *,
    title: str | None = None,
    at: Point | None = None,
) -> str: ...
def board(
    rules: Rules | Position | HasBoard,
    pieces: str | Marks | None = None,
    marks: Marks | Style | None = None,
    style: Style | None = None,
    *,
    title: str | None = None,
    at: Point | None = None,
) -> str:
    """Return a position as an SVG document: `board(board)`, or `board(rules, pieces)`.

    The first argument is a `damka.Board`, a `damka.Game` (its current position), or rules with
    `pieces`: one character per square from 1, "w" and "b" men, "W" and "B" kings, "." empty. Marks
    and style follow. The squares have the federation's labels; `damka.notation.numbered(rules)` has
    the library's numbers.

    `title` is the text for screen readers, by default the pieces and their squares; "" marks the
    picture as decorative.

    `at` makes it an element of another document at this place.

    Raises ValueError for the wrong number of pieces, and for an invalid piece, square, theme or
    size; TypeError for anything but a position.

    >>> import damka
    >>> from damka.draw import svg
    >>> svg.board(damka.Board("american"))[-6:]
    '</svg>'
    >>> from damka.draw.svg import Arrow, Marks, board
    >>> rules = damka.rules.load("dama64")
    >>> marks = Marks(arrows=(Arrow((32, 18)),))
    >>> picture = board(rules, "." * 31 + "W", marks, title="A king on 32")
    >>> picture[:60]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800'
    """
    rules, pieces, marks, style = _board_arguments(rules, pieces, marks, style)
    ink = palette(rules, style.theme, paper=style.print_style)
    layout, squares, labels, edges = empty_board(rules, ink, style, marks)
    piece_on = pieces_by_square(pieces)
    drawing = (
        *(squares, labels),
        *_pieces(layout, ink, piece_on, marks, style),
        *_marks(layout, ink, piece_on, marks),
        edges,
    )
    title_text = _describe(rules, piece_on) if title is None else title
    return document(layout.frame(), drawing, style.size, title_text, at)


def _board_arguments(
    rules: Rules | Position | HasBoard,
    pieces: str | Marks | None,
    marks: Marks | Style | None,
    style: Style | None,
) -> tuple[Rules, str, Marks, Style]:
    """Return the arguments of `board` by kind: after a board, the marks come second."""
    if isinstance(pieces, Marks):
        if isinstance(marks, Style):
            style = marks
        marks, pieces = pieces, None
    if isinstance(marks, Style):
        raise TypeError("pass a style after the marks or as style=")
    rules, pieces = position_of(rules, pieces)
    return rules, pieces, marks or _NO_MARKS, style or _DEFAULT


def mini(
    rules: Rules | Position | HasBoard,
    pieces: str | None = None,
    *,
    flip: bool = False,
    size: int | None = None,
    theme: Mapping[str, Any] | None = None,
    title: str = "",
) -> str:
    """Return a miniature for cards and lists: no numbers, stronger rims.

    The arguments are as in `board`. For rules without pieces it shows the start position.

    Raises as `board` does.
    """
    if pieces is None and isinstance(rules, Rules):
        pieces = start_pieces(rules)
    rules, pieces = position_of(rules, pieces)
    ink = palette(rules, theme)
    layout = Layout(rules, flip=flip)
    discs = Discs(layout.centre, ink, shadow=False, rim=shapes.MINI_RIM)
    lines = background.lines(layout, ink) if rules.squares == "all" else ""
    drawing = (
        background.squares(layout, ink, frozenset()),
        lines,
        discs.draw(pieces_by_square(pieces)),
    )
    return document(layout.frame(), drawing, size, title)


class EmptyBoard(NamedTuple):
    """The empty board of a drawing, in drawing order."""

    layout: Layout
    squares: str
    labels: str
    edges: str
    """The edge of the board, drawn last."""


def empty_board(rules: Rules, ink: Palette, style: Style, marks: Marks = _NO_MARKS) -> EmptyBoard:
    """Return the board without pieces, with the last move tinted."""
    layout = Layout(rules, flip=style.flip, around=style.around)
    has_frame = style.numbers is True and labels(rules).algebraic and layout.is_full_board
    if has_frame:
        layout.frame_width = _FRAME
    tinted = frozenset(marks.last)
    crossed_corners = layout.crossed_corners([arrow.route for arrow in marks.arrows])
    labelled = () if has_frame else _labelled_squares(layout, style)
    has_edge = style.print_style or style.around or has_frame
    squares = (
        background.frame(layout, ink) if has_frame else "",
        background.squares(layout, ink, tinted),
        background.lines(layout, ink) if rules.squares == "all" else "",
    )
    return EmptyBoard(
        layout,
        "".join(squares),
        background.numbers(layout, ink, labelled, style.number_size, tinted, crossed_corners),
        background.edges(layout, ink.border) if has_edge else "",
    )


def pieces_by_square(pieces: str) -> dict[int, str]:
    """Return the pieces by their squares."""
    return {square: piece for square, piece in enumerate(pieces, start=1) if piece != "."}


def _labelled_squares(layout: Layout, style: Style) -> Collection[int]:
    """Return the squares with labels."""
    if isinstance(style.numbers, bool):
        return layout.squares if style.numbers else ()
    return style.numbers


def _pieces(
    layout: Layout, ink: Palette, piece_on: Mapping[int, str], marks: Marks, style: Style
) -> Iterator[str]:
    """Yield the pieces: normal, captured, selected."""
    discs = Discs(layout.centre, ink, shadow=not style.print_style, crown=style.crown)

    def pieces_on(squares: Iterable[int]) -> dict[int, str]:
        return {square: piece_on[square] for square in squares if square in piece_on}

    normal = piece_on.keys() & set(layout.squares) - {marks.chosen, *marks.faded}
    yield discs.draw(pieces_on(sorted(normal)))
    yield group((discs.draw(pieces_on(marks.faded)),), opacity=shapes.FADED)
    yield discs.draw(pieces_on(() if marks.chosen is None else (marks.chosen,)), lifted=True)


def _marks(layout: Layout, ink: Palette, occupied: Collection[int], marks: Marks) -> Iterator[str]:
    """Yield the rings, arrows, dots, crosses and outlines."""

    def on_squares(squares: Iterable[int], draw: Callable[[Point], str]) -> str:
        return group(draw(layout.centre(square)) for square in squares)

    def arrows(*, forbidden: bool) -> str:
        selected = (arrow for arrow in marks.arrows if arrow.forbidden is forbidden)
        return group(_arrow(layout, ink, arrow, occupied) for arrow in selected)

    yield on_squares(marks.must, lambda at: shapes.ring(at, shapes.MUST_RADIUS, ink.must))
    yield on_squares(
        marks.huffable,
        lambda at: shapes.dashed_ring(at, shapes.MUST_RADIUS, ink.refused, ink.case),
    )
    yield arrows(forbidden=True)
    yield arrows(forbidden=False)
    yield on_squares(marks.targets, lambda at: shapes.dot(at, ink.mark, ink.edge))
    yield on_squares(marks.branches, lambda at: shapes.branch(at, ink.mark, ink.edge))
    yield on_squares(marks.crosses, lambda at: shapes.cross(at, ink.refused, ink.case))
    yield group(shapes.refused(layout.corner(s), ink.refused, ink.case) for s in marks.refused)


def _arrow(layout: Layout, ink: Palette, arrow: Arrow, occupied: Collection[int]) -> str:
    """Draw an arrow, from the rim of the moving piece if there is one."""
    points = [layout.centre(square) for square in arrow.route]
    if arrow.route[0] in occupied:
        points[0] = shapes.towards(points[0], points[1], shapes.ARROW_START)
    if arrow.forbidden:
        return shapes.arrow(points, ink.refused, ink.case, dash=shapes.BARRED_DASH)
    return shapes.arrow(points, ink.mark, ink.edge)


def _describe(rules: Rules, piece_on: Mapping[int, str]) -> str:
    """Describe the position briefly: "white 30 K12, black 6"."""
    sides, name = [], labels(rules).name
    for colour, kinds in zip(rules.colours, ("wW", "bB"), strict=True):
        own = ((name(s), p.isupper()) for s, p in piece_on.items() if p in kinds)
        sides.append(" ".join((colour, *(f"K{s}" if is_king else s for s, is_king in own))))
    return ", ".join(sides)


def document(
    box: tuple[int, int, int, int],
    parts: Iterable[str],
    size: int | None,
    title: str,
    at: Point | None = None,
) -> str:
    """Return an SVG document with the view box `box`: left, top, width and height.

    `size` is its width in pixels, `at` its place in another document. Raises ValueError for a
    size out of range.
    """
    if size is not None and not 0 < size <= MAX_SIZE:
        raise ValueError(f"size: 1 to {MAX_SIZE} pixels, not {size}")
    accessibility: dict[str, str] = {"role": "img"} if title else {"aria_hidden": "true"}
    height = None if size is None else size * box[3] / box[2]
    name = f"<title>{escape(title)}</title>" if title else ""
    return element(
        "svg",
        name + "".join(parts),
        xmlns="http://www.w3.org/2000/svg" if at is None else None,
        viewBox=" ".join(map(str, box)),
        x=None if at is None else at.x,
        y=None if at is None else at.y,
        width=size,
        height=height,
        **accessibility,
    )
