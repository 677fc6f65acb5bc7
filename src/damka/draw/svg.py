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

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from damka.draw import ground, shapes
from damka.draw.colours import THEMES, palette
from damka.draw.pieces import Discs, check_pieces, start_pieces
from damka.draw.places import Places
from damka.draw.shapes import element, group
from damka.notation import labels

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["THEMES", "board", "mini", "start_pieces"]

MAX_SIZE: Final = 10_000

_FRAME: Final = 36


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
    place = Places(rules, flip=flip, around=around)
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
    discs = Discs(place, ink, shadow=not print_style, crown=crown)
    arrow = _Arrows(place, frozenset(standing))
    document = (
        ground.frame(place, ink) if framed else "",
        ground.squares(place, ink, tinted),
        ground.lines(place, ink) if rules.squares == "all" else "",
        ground.numbers(
            place, ink, numbers, number_size, tinted, place.cornered((*arrows, *barred))
        ),
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
        ground.edges(place, ink.border) if print_style or around or framed else "",
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
    place = Places(rules, flip=flip)
    standing = {s: piece for s, piece in enumerate(pieces, start=1) if piece != "."}
    discs = Discs(place, ink, shadow=False, rim=shapes.MINI_RIM)
    lines = ground.lines(place, ink) if rules.squares == "all" else ""
    document = (ground.squares(place, ink, frozenset()), lines, discs.draw(standing))
    return _document(place, document, size, title)


class _Arrows:
    """Draws routes; an arrow begins at the rim of the piece that goes, not under it."""

    def __init__(self, place: Places, occupied: frozenset[int]) -> None:
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


def _spoken(rules: Rules, standing: Mapping[int, str]) -> str:
    """Return what stands where in the fewest words: "white 30 K12, black 6"."""
    sides, name = [], labels(rules).name
    for colour, men in zip(rules.colours, ("wW", "bB"), strict=True):
        own = ((name(s), p.isupper()) for s, p in standing.items() if p in men)
        sides.append(" ".join((colour, *(f"K{s}" if is_king else s for s, is_king in own))))
    return ", ".join(sides)


def _document(place: Places, parts: Iterable[str], size: int | None, title: str) -> str:
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
