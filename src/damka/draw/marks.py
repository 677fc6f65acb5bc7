"""What a drawing shows beside the pieces, and how: values for `damka.draw.svg` and `.text`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from damka.draw import shapes

__all__ = ["Arrow", "Marks", "Style"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Arrow:
    """An arrow along a route: start, landing squares, end. One that is forbidden is dashed.

    Raises ValueError for a route of less than two squares, or with one twice in succession.
    """

    route: tuple[int, ...]
    forbidden: bool = False

    def __post_init__(self) -> None:
        if len(self.route) < 2 or any(a == b for a, b in pairwise(self.route)):
            raise ValueError(f"an arrow needs at least two squares, each another: {self.route!r}")


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Marks:
    """The squares that are marked, by what for, and the arrows."""

    last: Collection[int] = ()
    """The route of the last move."""
    must: Collection[int] = ()
    """The pieces that must capture."""
    huffable: Collection[int] = ()
    """The pieces that may be huffed."""
    chosen: int | None = None
    """The piece that has been picked up."""
    faded: Collection[int] = ()
    """Captured pieces that still stand there."""
    targets: Collection[int] = ()
    """Where the chosen piece may go."""
    branches: Collection[int] = ()
    """Where a multi-jump may go on in several ways."""
    refused: Collection[int] = ()
    """Squares of a move that was refused."""
    crosses: Collection[int] = ()
    """Squares where nothing may go."""
    arrows: tuple[Arrow, ...] = ()


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Style:
    """How a position is drawn.

    The squares are labelled as the federation prints them: with numbers in them, or with letters
    and digits around the board. `numbers` may instead name the squares in which their labels are to
    stand, or be False for none; a part of a board has them in the squares. With `around` only the
    part of the board about these squares is drawn, at least six by six, with a line where the board
    itself ends. `print_style` puts the pieces on light squares, legible in black and white. `size`
    is the width in pixels (else the picture fills its place). `theme` overrides colours of the rule
    set's own; `damka.draw.svg.THEMES` has some.
    """

    flip: bool = False
    """Whether White's side is at the top."""
    numbers: bool | Collection[int] = True
    number_size: int = shapes.NUMBER_SIZE
    around: Collection[int] = ()
    crown: bool = False
    """Whether a king has a crown besides the second man."""
    print_style: bool = False
    size: int | None = None
    theme: Mapping[str, Any] | None = None
