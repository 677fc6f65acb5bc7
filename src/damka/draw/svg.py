"""Positions as SVG pictures.

The same drawing stands in the rule books, on the cards of the page and in notebooks; the live board
on the page draws the same shapes. The measures, with a square of 100 units (they are constants in
`damka.draw.shapes`):

=====================  ===========================================================================
man                    a disc of radius 36 in the face's colour, with a rim of 4 in the rim's
                       colour (half of it outside: 38 in all), centred on its square
shadow                 a disc of radius 37, black at 0.2, 4 below the man's centre; flat, no filter
king                   two men, each with its shadow: one 8 below the centre, one 10 above it;
                       smooth, nothing on top (an option adds a crown)
chosen piece           lifted: drawn 6 higher, its shadow of radius 40 and 10 below the centre
captured, still there  opacity 0.35
number                 size 15, its baseline 16 below and 5 right of the square's top-left corner
letters and digits     size 24, in a frame of 36 around the board: letters below, digits at the left
lines                  where all squares are played on, 3 wide between them
last move              its squares tinted with #ffe08a at 0.33
must capture           a ring of radius 46, line 6, #f0b429
may be huffed          the same ring in white with dashes of 18.9 and gaps of 10, #e2553a
target                 a dot of radius 15, white, with an edge of 3 in ink at 0.5
branch of a chain      a ring of radius 13, line 8, white, with the same edge
refused square         an outline 5 inside the square, line 6, #e2553a, cased in white
forbidden square       a cross with arms of 15, #e2553a, cased in white
arrow                  a white line of 10 with a head 30 long and 34 wide, edged in ink; one that is
                       forbidden is dashed, #e2553a, edged in white
=====================  ===========================================================================

From the ground up: squares, last move, lines, numbers, pieces, rings, arrows, dots, crosses,
outlines.

A drawing needs nothing from outside and gives nothing to it: no ids, no classes, no styles, no
scripts, so that any number of boards can stand in one page under a strict security policy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, Final

from damka.draw import shapes
from damka.draw.colours import THEMES, Disc, Palette, palette
from damka.draw.shapes import SQUARE, Point, element, group
from damka.notation import labels, squares

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["THEMES", "board", "mini", "start_pieces"]

MAX_SIZE: Final = 10_000

_PIECES: Final = frozenset("wbWB.")
_EDGE: Final = 3
_SMALLEST_PART: Final = 6
_FRAME: Final = 36
_COORDINATE: Final = 24
_LINE: Final = 3


def board(  # noqa: PLR0913  every mark that a drawing may carry is one optional keyword
    rules: Rules,
    pieces: str,
    *,
    flip: bool = False,
    numbers: bool | Collection[int] = True,
    number_size: int = shapes.NUMBER_SIZE,
    last: Iterable[int] | None = None,
    must: Iterable[int] = (),
    huffable: Iterable[int] = (),
    chosen: int | None = None,
    faded: Collection[int] = (),
    targets: Iterable[int] = (),
    branches: Iterable[int] = (),
    refused: Iterable[int] = (),
    crosses: Iterable[int] = (),
    arrows: Iterable[Sequence[int]] = (),
    barred: Iterable[Sequence[int]] = (),
    around: Collection[int] = (),
    crown: bool = False,
    print_style: bool = False,
    size: int | None = None,
    theme: Mapping[str, Any] | None = None,
    title: str | None = None,
) -> str:
    """Return a position as an SVG document.

    `pieces` has one character per square from 1: "w" and "b" men, "W" and "B" kings, "." nothing.
    The squares are labelled as the federation prints them: with numbers in them, or with letters
    and digits around the board. `numbers` may instead name the squares in which their labels are to
    stand, or be False for none; a part of a board has them in the squares. `last`, `must`,
    `huffable`, `faded`, `targets`, `branches`, `refused` and `crosses` are squares, `chosen` one
    square; `arrows` are routes (start, landings, end), `barred` routes that are forbidden. With
    `around` only the part of the board about these squares is drawn, at least six by six, with a
    line where the board itself ends. `print_style` puts the pieces on light squares, legible in
    black and white. `size` is the width in pixels (else the picture fills its place). `theme`
    overrides colours of the rule set's own; `THEMES` has some. `title` is what a screen reader
    says: what stands where, unless given; "" makes the picture mere decoration.

    Raises ValueError for pieces that do not fit the board, a square that is not on it, or a theme
    that cannot be used.

    >>> import damka
    >>> rules = damka.rules.load("dama64")
    >>> picture = board(rules, "." * 31 + "W", arrows=[(32, 18)], title="A king on 32")
    >>> picture[:60]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 800'
    """
    check_pieces(rules, pieces)
    ink = palette(rules, theme, paper=print_style)
    place = _Places(rules, flip=flip, around=around)
    framed = numbers is True and labels(rules).algebraic and place.is_whole
    if framed:
        place.frame_width = _FRAME
    standing = {s: piece for s, piece in enumerate(pieces, start=1) if piece != "."}
    tinted = frozenset(last or ())
    arrows, barred = tuple(arrows), tuple(barred)
    if isinstance(numbers, bool):
        numbers = place.squares if numbers and not framed else ()

    def held(squares: Iterable[int]) -> dict[int, str]:
        return {square: standing[square] for square in squares if square in standing}

    lying = standing.keys() & set(place.squares) - {chosen, *faded}
    discs = _Discs(place, ink, shadow=not print_style, crown=crown)
    arrow = _Arrows(place, frozenset(standing))
    document = (
        _frame(place, ink) if framed else "",
        _ground(place, ink, tinted),
        _lines(place, ink) if rules.squares == "all" else "",
        _numbers(place, ink, numbers, number_size, tinted, place.cornered((*arrows, *barred))),
        discs.draw(held(sorted(lying))),
        group((discs.draw(held(faded)),), opacity=shapes.FADED),
        discs.draw(held(() if chosen is None else (chosen,)), lifted=True),
        group(shapes.ring(place.centre(s), shapes.MUST_RADIUS, ink.must) for s in must),
        group(
            shapes.dashed_ring(place.centre(s), shapes.MUST_RADIUS, ink.refused, ink.case)
            for s in huffable
        ),
        group(arrow.draw(route, ink.refused, ink.case, shapes.BARRED_DASH) for route in barred),
        group(arrow.draw(route, ink.mark, ink.edge) for route in arrows),
        group(shapes.dot(place.centre(s), ink.mark, ink.edge) for s in targets),
        group(shapes.branch(place.centre(s), ink.mark, ink.edge) for s in branches),
        group(shapes.cross(place.centre(s), ink.refused, ink.case) for s in crosses),
        group(shapes.refused(place.corner(s), ink.refused, ink.case) for s in refused),
        _edges(place, ink.border) if print_style or around or framed else "",
    )
    return _document(place, document, size, _spoken(rules, standing) if title is None else title)


def mini(
    rules: Rules,
    pieces: str | None = None,
    *,
    flip: bool = False,
    size: int | None = None,
    theme: Mapping[str, Any] | None = None,
    title: str = "",
) -> str:
    """Return a tiny board for cards and lists: no numbers, stronger rims; the start by default.

    Raises as `board` does.
    """
    if pieces is None:
        pieces = start_pieces(rules)
    check_pieces(rules, pieces)
    ink = palette(rules, theme)
    place = _Places(rules, flip=flip)
    standing = {s: piece for s, piece in enumerate(pieces, start=1) if piece != "."}
    discs = _Discs(place, ink, shadow=False, rim=shapes.MINI_RIM)
    lines = _lines(place, ink) if rules.squares == "all" else ""
    document = (_ground(place, ink, frozenset()), lines, discs.draw(standing))
    return _document(place, document, size, title)


def start_pieces(rules: Rules) -> str:
    """Return the start position of a rule set, one character per square."""
    sides = (("b", rules.start_squares("B")), ("w", rules.start_squares("W")))
    men = {square: piece for piece, squares in sides for square in squares}
    return "".join(men.get(square, ".") for square in range(1, rules.square_count + 1))


class _Places:
    """Where the squares lie on the drawing, and which part of the board it shows."""

    frame_width = 0

    def __init__(self, rules: Rules, *, flip: bool, around: Collection[int] = ()) -> None:
        self._rules = rules
        self._flip = flip
        self.names = labels(rules).names
        rows, columns = range(rules.height), range(rules.width)
        if around:
            seen = [self._seen(square) for square in around]
            side = max(_window_side(at) for at in zip(*seen, strict=True))
            rows = _window([row for row, _ in seen], side, rules.height)
            columns = _window([column for _, column in seen], side, rules.width)
        self.rows, self.columns = rows, columns
        self.squares = [s for s in range(1, rules.square_count + 1) if self._shows(s)]

    @property
    def is_whole(self) -> bool:
        """Whether the whole board is shown."""
        return len(self.rows) == self._rules.height and len(self.columns) == self._rules.width

    def corner(self, square: int) -> Point:
        """Return the top-left corner of a square."""
        row, column = self._seen(square)
        return Point(column * SQUARE, row * SQUARE)

    def centre(self, square: int) -> Point:
        """Return the centre of a square."""
        x, y = self.corner(square)
        return Point(x + SQUARE / 2, y + SQUARE / 2)

    def box(self) -> tuple[int, int, int, int]:
        """Return what is shown: left, top, width and height."""
        rows, columns = self.rows, self.columns
        sides = (columns.start, rows.start, len(columns), len(rows))
        left, top, width, height = (side * SQUARE for side in sides)
        return left, top, width, height

    def frame(self) -> tuple[int, int, int, int]:
        """Return the same with the frame around it."""
        left, top, width, height = self.box()
        more = 2 * self.frame_width
        return left - self.frame_width, top - self.frame_width, width + more, height + more

    def coordinates(self) -> Iterator[tuple[Point, str]]:
        """Yield the letters below and the digits at the left, each with the middle of its place."""
        left, top, _, height = self.box()
        files, ranks = squares.coordinates(self._rules, flip=self._flip)
        for column in self.columns:
            x, y = (column + 0.5) * SQUARE, top + height + self.frame_width / 2
            yield Point(x, y), files[column]
        for row in self.rows:
            yield Point(left - self.frame_width / 2, (row + 0.5) * SQUARE), ranks[row]

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """Yield the lines at which the board ends, as far as they are shown."""
        left, top, width, height = self.box()
        right, bottom = left + width, top + height
        if top == 0:
            yield Point(left, 0), Point(right, 0)
        if right == self._rules.width * SQUARE:
            yield Point(right, top), Point(right, bottom)
        if bottom == self._rules.height * SQUARE:
            yield Point(left, bottom), Point(right, bottom)
        if left == 0:
            yield Point(0, top), Point(0, bottom)

    def cornered(self, routes: Iterable[Sequence[int]]) -> set[int]:
        """Return the squares through whose top-left corner, where the number is, an arrow goes."""
        found = set()
        for one, other in chain.from_iterable(map(pairwise, routes)):
            start, end = sorted((self._seen(one), self._seen(other)))
            if end[0] - start[0] == end[1] - start[1]:
                passed = {(start[0] + i, start[1] + i) for i in range(1, end[0] - start[0] + 1)}
                found |= {square for square in self.squares if self._seen(square) in passed}
        return found

    def _seen(self, square: int) -> tuple[int, int]:
        """The row and column of a square as the board is turned."""
        row, column = self._rules.cell(square)
        if self._flip:
            return self._rules.height - 1 - row, self._rules.width - 1 - column
        return row, column

    def _shows(self, square: int) -> bool:
        row, column = self._seen(square)
        return row in self.rows and column in self.columns


def _window_side(at: Sequence[int]) -> int:
    """The rows or columns that a part of the board needs: those that matter and one around."""
    return max(_SMALLEST_PART, max(at) - min(at) + 3)


def _window(at: Sequence[int], side: int, board: int) -> range:
    """Return the rows or columns to show: `side` of them, with those that matter in the middle."""
    side = min(side, board)
    start = (min(at) + max(at) + 1 - side) // 2
    start = min(max(start, 0), board - side)
    return range(start, start + side)


class _Discs:
    """Draws pieces, one layer of equal discs after the other, so that colours are said once."""

    def __init__(
        self,
        place: _Places,
        ink: Palette,
        *,
        shadow: bool,
        rim: int = shapes.RIM,
        crown: bool = False,
    ) -> None:
        self._place = place
        self._ink = ink
        self._shadow = shadow
        self._rim = rim
        self._crown = crown

    def draw(self, standing: Mapping[int, str], *, lifted: bool = False) -> str:
        """Return the pieces that stand on these squares."""
        up = shapes.LIFT if lifted else 0
        kings = {square: piece for square, piece in standing.items() if piece.isupper()}
        men = {square: piece for square, piece in standing.items() if piece.islower()}
        lower = dict.fromkeys(men, up) | dict.fromkeys(kings, up + shapes.KING_LOWER)
        upper = dict.fromkeys(kings, up + shapes.KING_UPPER)
        return "".join(
            (
                self._lifted_shadows(lower) if lifted else self._shadows(lower),
                self._faces(standing, lower),
                self._shadows(upper),
                self._faces(standing, upper),
                self._crowns(kings, upper) if self._crown else "",
            )
        )

    def _faces(self, standing: Mapping[int, str], heights: Mapping[int, int]) -> str:
        def side(men: str, disc: Disc) -> str:
            squares = (square for square in heights if standing[square] in men)
            return group(
                (self._circle(s, shapes.MAN_RADIUS, heights[s]) for s in squares),
                fill=disc.face,
                stroke=disc.rim,
                stroke_width=self._rim,
            )

        return side("wW", self._ink.white) + side("bB", self._ink.black)

    def _shadows(self, heights: Mapping[int, int]) -> str:
        if not self._shadow:
            return ""
        radius, drop = shapes.SHADOW_RADIUS, shapes.SHADOW_DROP
        circles = (self._circle(square, radius, dy + drop) for square, dy in heights.items())
        return group(circles, fill_opacity=shapes.SHADOW_OPACITY)

    def _lifted_shadows(self, squares: Iterable[int]) -> str:
        radius, drop = shapes.LIFTED_SHADOW_RADIUS, shapes.LIFTED_SHADOW_DROP
        circles = (self._circle(square, radius, drop) for square in squares)
        return group(circles, fill_opacity=shapes.SHADOW_OPACITY)

    def _crowns(self, kings: Mapping[int, str], heights: Mapping[int, int]) -> str:
        crowns = []
        for square, piece in kings.items():
            x, y = self._place.centre(square)
            disc = self._ink.white if piece == "W" else self._ink.black
            crowns.append(shapes.crown(Point(x, y + heights[square]), disc.rim))
        return group(crowns)

    def _circle(self, square: int, radius: int, dy: int) -> str:
        return shapes.circle(self._place.centre(square), radius, dy)


class _Arrows:
    """Draws routes; an arrow begins at the rim of the piece that goes, not under it."""

    def __init__(self, place: _Places, occupied: frozenset[int]) -> None:
        self._place = place
        self._occupied = occupied

    def draw(self, route: Sequence[int], colour: str, edge: str, dash: str | None = None) -> str:
        """Return the arrow along a route of two squares or more."""
        if len(route) < 2 or any(a == b for a, b in pairwise(route)):
            raise ValueError(f"an arrow needs at least two squares, each another: {route!r}")
        points = [self._place.centre(square) for square in route]
        if route[0] in self._occupied:
            points[0] = shapes.towards(points[0], points[1], shapes.ARROW_START)
        return shapes.arrow(points, colour, edge, dash=dash)


def _ground(place: _Places, ink: Palette, tinted: Collection[int]) -> str:
    left, top, width, height = place.box()
    whole = element(
        "rect", x=left or None, y=top or None, width=width, height=height, fill=ink.rest
    )
    plain = (place.corner(square) for square in place.squares if square not in tinted)
    last = (place.corner(square) for square in place.squares if square in tinted)
    return "".join(
        (whole, shapes.squares(plain, fill=ink.ground), shapes.squares(last, fill=ink.last))
    )


def _lines(place: _Places, ink: Palette) -> str:
    """Return the lines between squares that are all of one colour."""
    left, top, width, height = place.box()
    across = (f"M{left} {row * SQUARE}h{width}" for row in place.rows[1:])
    down = (f"M{column * SQUARE} {top}v{height}" for column in place.columns[1:])
    path = "".join((*across, *down))
    return element("path", d=path, stroke=ink.line, stroke_width=_LINE)


def _frame(place: _Places, ink: Palette) -> str:
    left, top, width, height = place.frame()
    texts = (
        # Figures and small letters have their middle so far above the baseline.
        element("text", text, x=at.x, y=at.y + round(0.35 * _COORDINATE))
        for at, text in place.coordinates()
    )
    return element("rect", x=left, y=top, width=width, height=height, fill=ink.frame) + group(
        texts,
        fill=ink.coordinate,
        font_family=shapes.FONT,
        font_size=_COORDINATE,
        text_anchor="middle",
    )


def _numbers(
    place: _Places,
    ink: Palette,
    numbers: Collection[int],
    size: int,
    tinted: Collection[int],
    cornered: Collection[int],
) -> str:
    # Larger numbers move into the corner, to stay clear of the men; figures are 0.73 high.
    inset = max(2, shapes.NUMBER_INSET - (size - shapes.NUMBER_SIZE) // 3)
    height = round(0.73 * size)

    def texts(squares: Iterable[int]) -> Iterable[str]:
        for square in squares:
            x, y = place.corner(square)
            if square in cornered:
                # An arrow goes through this corner: the next one is free then.
                place_at = {"x": x + SQUARE - inset, "text_anchor": "end"}
            else:
                place_at = {"x": x + inset}
            yield element("text", place.names[square - 1], y=y + inset + height, **place_at)

    plain = [square for square in numbers if square not in tinted]
    last = [square for square in numbers if square in tinted]
    return group(
        (
            group(texts(plain), fill=ink.number),
            group(texts(last), fill=ink.number_last),
        ),
        font_family=shapes.FONT,
        font_size=size,
    )


def _edges(place: _Places, colour: str) -> str:
    path = "".join(
        f"M{shapes.number(a.x)} {shapes.number(a.y)}L{shapes.number(b.x)} {shapes.number(b.y)}"
        for a, b in place.edges()
    )
    # Half of the line falls outside the picture.
    return element("path", d=path, stroke=colour, stroke_width=2 * _EDGE) if path else ""


def _spoken(rules: Rules, standing: Mapping[int, str]) -> str:
    """Return what stands where in the fewest words: "white 30 K12, black 6"."""
    sides, name = [], labels(rules).name
    for colour, men in zip(rules.colours, ("wW", "bB"), strict=True):
        own = ((name(s), p.isupper()) for s, p in standing.items() if p in men)
        sides.append(" ".join((colour, *(f"K{s}" if is_king else s for s, is_king in own))))
    return ", ".join(sides)


def _document(place: _Places, parts: Iterable[str], size: int | None, title: str) -> str:
    if size is not None and not 0 < size <= MAX_SIZE:
        raise ValueError(f"a picture is 1 to {MAX_SIZE} pixels wide, not {size}")
    spoken: dict[str, str] = {"role": "img"} if title else {"aria_hidden": "true"}
    box = place.frame()
    height = None if size is None else size * box[3] / box[2]
    name = f"<title>{escape(title)}</title>" if title else ""
    return element(
        "svg",
        name + "".join(parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(map(str, box)),
        width=size,
        height=height,
        **spoken,
    )


def check_pieces(rules: Rules, pieces: str) -> None:
    """Raise ValueError unless `pieces` has one of "wbWB." for each square."""
    if len(pieces) != rules.square_count:
        raise ValueError(f"{rules.square_count} squares, not {len(pieces)}: {pieces!r}")
    if strange := set(pieces) - _PIECES:
        raise ValueError(f'a square holds one of "wbWB.", not {min(strange)!r}')
