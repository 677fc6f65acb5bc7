"""The empty board of a drawing: squares, lines, and labels in or around it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from damka.draw import shapes
from damka.draw.colours import Palette
from damka.draw.layout import Layout
from damka.draw.shapes import SQUARE, element, group

__all__ = ["edges", "frame", "lines", "numbers", "squares"]

_EDGE: Final = 3
_COORDINATE: Final = 24
_LINE: Final = 3


def squares(layout: Layout, ink: Palette, tinted: Collection[int]) -> str:
    """Return the squares of both colours, with the last move tinted and ticked."""
    left, top, width, height = layout.box()
    whole = element(
        "rect", x=left or None, y=top or None, width=width, height=height, fill=ink.rest
    )
    plain = (layout.corner(square) for square in layout.squares if square not in tinted)
    last = [layout.corner(square) for square in layout.squares if square in tinted]
    return "".join(
        (
            whole,
            shapes.squares(plain, fill=ink.ground),
            shapes.squares(last, fill=ink.last),
            shapes.last_corners(last, ink.tick),
        )
    )


def lines(layout: Layout, ink: Palette) -> str:
    """Return the lines between squares on a board of one colour."""
    left, top, width, height = layout.box()
    across = (f"M{left} {row * SQUARE}h{width}" for row in layout.rows[1:])
    down = (f"M{column * SQUARE} {top}v{height}" for column in layout.columns[1:])
    path = "".join((*across, *down))
    return element("path", d=path, stroke=ink.line, stroke_width=_LINE)


def frame(layout: Layout, ink: Palette) -> str:
    """Return the frame with the letters and digits in it."""
    left, top, width, height = layout.frame()
    texts = (
        # The middle of digits and lower-case letters relative to the baseline.
        element("text", text, x=at.x, y=at.y + round(0.35 * _COORDINATE))
        for at, text in layout.coordinates()
    )
    return element("rect", x=left, y=top, width=width, height=height, fill=ink.frame) + group(
        texts,
        fill=ink.coordinate,
        font_family=shapes.FONT,
        font_size=_COORDINATE,
        text_anchor="middle",
    )


def numbers(
    layout: Layout,
    ink: Palette,
    numbers: Collection[int],
    size: int,
    tinted: Collection[int],
    crossed_corners: Collection[int],
) -> str:
    """Return the labels of these squares, in the right corner for `crossed_corners`."""
    # Larger numbers move towards the corner, away from the men; digits are 0.73 high.
    inset = max(2, shapes.NUMBER_INSET - (size - shapes.NUMBER_SIZE) // 3)
    height = round(0.73 * size)

    def texts(squares: Iterable[int]) -> Iterable[str]:
        for square in squares:
            x, y = layout.corner(square)
            if square in crossed_corners:
                # An arrow crosses this corner, so the label moves to the next one.
                position = {"x": x + SQUARE - inset, "text_anchor": "end"}
            else:
                position = {"x": x + inset}
            yield element("text", layout.names[square - 1], y=y + inset + height, **position)

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


def edges(layout: Layout, colour: str) -> str:
    """Return a line along the visible edges of the board."""
    path = "".join(
        f"M{shapes.number(a.x)} {shapes.number(a.y)}L{shapes.number(b.x)} {shapes.number(b.y)}"
        for a, b in layout.edges()
    )
    # Half of the line is outside the picture.
    return element("path", d=path, stroke=colour, stroke_width=2 * _EDGE) if path else ""
