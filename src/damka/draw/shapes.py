"""The dimensions of a board drawing, and the SVG of each shape.

The page's board has the same dimensions (`tools/page_shapes.py`); `damka.draw.svg` documents them.
The functions return SVG in board units, `SQUARE` per square.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import hypot
from typing import Final, NamedTuple

__all__ = ["Point", "element", "group"]

SQUARE: Final = 100

MAN_RADIUS: Final = 36
RIM: Final = 5
SHADOW_RADIUS: Final = 37
SHADOW_DROP: Final = 4
SHADOW_OPACITY: Final = 0.2

# A king is two men, one below and one above the centre. The lower one has face and rim exchanged,
# so that its edge contrasts with the upper one.
KING_LOWER: Final = 10
KING_UPPER: Final = -9
CROWN: Final = "m-18 12v-24l9 10 9-14 9 14 9-10v24z"
"""A plain three-pointed crown around the centre of the upper man."""

# The selected piece is lifted above the board.
LIFT: Final = -6
LIFTED_SHADOW_RADIUS: Final = 40
LIFTED_SHADOW_DROP: Final = 10

FADED: Final = 0.35

LAST_CORNERS: Final = "m82 4h14v14m-92 64v14h14m64 0h14v-14"
"""Ticks in three corners of a square of the last move; the number is in the fourth."""
LAST_LINE: Final = 4

MUST_RADIUS: Final = 46
HUFF_DASH: Final = "18.9 10"
RING: Final = 6
DOT_RADIUS: Final = 18
DOT_EDGE: Final = 3
BRANCH_RADIUS: Final = 18
BRANCH_RING: Final = 8
REFUSED: Final = "m40 5h55v90h-90v-63"
"""The outline of a square from its corner, open at the number."""
REFUSED_LINE: Final = 6
CROSS: Final = 15
ARROW_SHAFT: Final = 10
ARROW_HEAD: Final = 30
ARROW_SPREAD: Final = 17
ARROW_EDGE: Final = 5
ARROW_EDGE_OPACITY: Final = 0.6

ARROW_START: Final = 34
BARRED_DASH: Final = "8 9"

MINI_RIM: Final = 6

NUMBER_SIZE: Final = 15
NUMBER_INSET: Final = 5
FONT: Final = "system-ui, Noto Sans, DejaVu Sans, sans-serif"


class Point(NamedTuple):
    """A point on the drawing, in board units from the top-left corner."""

    x: float
    y: float


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """Return an element; `stroke_width=4` becomes stroke-width="4", None is omitted.

    Attribute values are escaped, the content is not.
    """
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            text = number(value) if isinstance(value, int | float) else str(value)
            parts.append(f'{key.rstrip("_").replace("_", "-")}="{escape(text)}"')
    start = " ".join(parts)
    return f"<{start}>{content}</{name}>" if content else f"<{start}/>"


def group(parts: Iterable[str], /, **attributes: object) -> str:
    """Return the parts as a `<g>` element, or "" without parts."""
    content = "".join(parts)
    return element("g", content, **attributes) if content else ""


def number(value: float) -> str:
    """Return a coordinate in its shortest form: at most one decimal."""
    return f"{value:.1f}".removesuffix(".0") if value % 1 else str(int(value))


def squares(corners: Iterable[Point], **attributes: object) -> str:
    """Return filled squares, given by their top-left corners, as one path."""
    side = number(SQUARE)
    path = "".join(f"M{number(x)} {number(y)}h{side}v{side}h-{side}z" for x, y in corners)
    return element("path", d=path, **attributes) if path else ""


def circle(centre: Point, radius: float, dy: float = 0, /, **attributes: object) -> str:
    """Return a circle, `dy` below `centre`."""
    return element("circle", cx=centre.x, cy=centre.y + dy, r=radius, **attributes)


def ring(centre: Point, radius: float, colour: str, dash: str | None = None) -> str:
    """Return a ring around a piece."""
    return circle(
        centre, radius, fill="none", stroke=colour, stroke_width=RING, stroke_dasharray=dash
    )


def dashed_ring(centre: Point, radius: float, colour: str, case: str) -> str:
    """Return the dashed ring around a piece that may be huffed."""
    under = circle(centre, radius, fill="none", stroke=case, stroke_width=RING)
    return under + ring(centre, radius, colour, HUFF_DASH)


def last_corners(corners: Iterable[Point], colour: str) -> str:
    """Return the ticks in squares of the last move, given by their top-left corners."""
    path = "".join(f"M{number(x)} {number(y)}{LAST_CORNERS}" for x, y in corners)
    if not path:
        return ""
    return element("path", d=path, fill="none", stroke=colour, stroke_width=LAST_LINE)


def dot(centre: Point, mark: str, edge: str) -> str:
    """Return the dot on a target of the selected piece."""
    return circle(
        centre, DOT_RADIUS, fill=mark, stroke=edge, stroke_width=DOT_EDGE, stroke_opacity=0.5
    )


def branch(centre: Point, mark: str, edge: str) -> str:
    """Return the small ring on a square where capture routes branch."""
    wide = BRANCH_RING + 2 * DOT_EDGE
    return circle(
        centre, BRANCH_RADIUS, fill="none", stroke=edge, stroke_width=wide, stroke_opacity=0.5
    ) + circle(centre, BRANCH_RADIUS, fill="none", stroke=mark, stroke_width=BRANCH_RING)


def refused(corner: Point, colour: str, edge: str) -> str:
    """Return the outline of a square of a refused move."""
    path = {"d": f"M{number(corner.x)} {number(corner.y)}{REFUSED}", "fill": "none"}
    return element("path", **path, stroke=edge, stroke_width=REFUSED_LINE + 4) + element(
        "path", **path, stroke=colour, stroke_width=REFUSED_LINE
    )


def cross(centre: Point, colour: str, edge: str) -> str:
    """Return the cross on a forbidden target."""
    x, y = number(centre.x - CROSS), number(centre.y - CROSS)
    arm = number(2 * CROSS)
    path = f"M{x} {y}l{arm} {arm}m0-{arm}l-{arm} {arm}"
    line = {"d": path, "fill": "none", "stroke_linecap": "round"}
    return element("path", **line, stroke=edge, stroke_width=RING + 6) + element(
        "path", **line, stroke=colour, stroke_width=RING + 1
    )


def arrow(points: Sequence[Point], colour: str, edge: str, *, dash: str | None = None) -> str:
    """Return an arrow along the points, with its head at the last."""
    (x0, y0), (x1, y1) = points[-2], points[-1]
    length = hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    neck = Point(x1 - dx * ARROW_HEAD, y1 - dy * ARROW_HEAD)
    left = Point(neck.x - dy * ARROW_SPREAD, neck.y + dx * ARROW_SPREAD)
    right = Point(neck.x + dy * ARROW_SPREAD, neck.y - dx * ARROW_SPREAD)
    shaft = _line((*points[:-1], Point(neck.x + dx, neck.y + dy)))
    head = _line((left, points[-1], right)) + "z"
    under = group(
        (
            element("path", d=shaft, fill="none", stroke_width=ARROW_SHAFT + ARROW_EDGE),
            element("path", d=head, stroke_width=ARROW_EDGE, fill=edge),
        ),
        stroke=edge,
        stroke_linejoin="round",
        opacity=ARROW_EDGE_OPACITY,
    )
    body = element(
        "path",
        d=shaft,
        fill="none",
        stroke=colour,
        stroke_width=ARROW_SHAFT,
        stroke_linejoin="round",
        stroke_dasharray=dash,
    )
    return under + body + element("path", d=head, fill=colour)


def towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at `distance` from `start` towards `end`."""
    share = distance / hypot(end.x - start.x, end.y - start.y)
    return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)


def crown(centre: Point, colour: str) -> str:
    """Return a crown around `centre`, the centre of the upper man."""
    path = f"M{number(centre.x)} {number(centre.y)}{CROWN}"
    return element("path", d=path, fill=colour)


def _line(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
