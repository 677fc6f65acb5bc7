"""Marks and style of a drawing, for `damka.draw.svg` and `damka.draw.text`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from damka.draw import shapes

__all__ = ["Arrow", "Marks", "Style"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Arrow:
    """An arrow along a route: start, landing squares, end. A forbidden arrow is dashed.

    Raises ValueError for fewer than two squares, or the same square twice in a row.
    """

    route: tuple[int, ...]
    forbidden: bool = False

    def __post_init__(self) -> None:
        if len(self.route) < 2 or any(a == b for a, b in pairwise(self.route)):
            raise ValueError(f"an arrow needs at least two squares, no repeats: {self.route!r}")


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Marks:
    """Marked squares by purpose, and arrows."""

    last: Collection[int] = ()
    """The route of the last move."""
    must: Collection[int] = ()
    """The pieces that must capture."""
    huffable: Collection[int] = ()
    """The pieces that may be huffed."""
    chosen: int | None = None
    """The selected piece."""
    faded: Collection[int] = ()
    """Captured pieces that are still on the board."""
    targets: Collection[int] = ()
    """The targets of the selected piece."""
    branches: Collection[int] = ()
    """Squares where a multi-jump branches."""
    refused: Collection[int] = ()
    """Squares of a refused move."""
    crosses: Collection[int] = ()
    """Forbidden targets."""
    arrows: tuple[Arrow, ...] = ()


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Style:
    """The style of a drawing.

    The squares have the federation's labels: numbers in them, or letters and digits around the
    board. `numbers` may be the squares to label, or False for none; on a part of a board all labels
    are in the squares. `around` restricts the drawing to these squares and their surroundings, at
    least six by six, with a line at the edge of the board. `print_style` puts the pieces on light
    squares, legible in black and white. `size` is the width in pixels (default: the available
    space). `theme` overrides colours of the rule set; see `damka.draw.svg.THEMES`.
    """

    flip: bool = False
    """Whether White's side is at the top."""
    numbers: bool | Collection[int] = True
    number_size: int = shapes.NUMBER_SIZE
    around: Collection[int] = ()
    crown: bool = False
    """Whether a king has a crown in addition to the second man."""
    print_style: bool = False
    size: int | None = None
    theme: Mapping[str, Any] | None = None
