"""The geometry of a drawing, which may show only a part of the board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from damka.draw.shapes import SQUARE, Point
from damka.notation import labels, squares

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Layout"]

_SMALLEST_PART: Final = 6


class Layout:
    """Places of the squares on a drawing, which may show only a part of the board."""

    frame_width = 0

    def __init__(self, rules: Rules, *, flip: bool, around: Collection[int] = ()) -> None:
        self._rules = rules
        self._flip = flip
        self.names = labels(rules).names
        rows, columns = range(rules.height), range(rules.width)
        if around:
            cells = [self._view_cell(square) for square in around]
            side = max(_window_side(indices) for indices in zip(*cells, strict=True))
            rows = _window([row for row, _ in cells], side, rules.height)
            columns = _window([column for _, column in cells], side, rules.width)
        self.rows, self.columns = rows, columns
        self.squares = [s for s in range(1, rules.square_count + 1) if self._is_visible(s)]

    @property
    def is_full_board(self) -> bool:
        """Whether the whole board is shown."""
        return len(self.rows) == self._rules.height and len(self.columns) == self._rules.width

    def corner(self, square: int) -> Point:
        """Return the top-left corner of a square."""
        row, column = self._view_cell(square)
        return Point(column * SQUARE, row * SQUARE)

    def centre(self, square: int) -> Point:
        """Return the centre of a square."""
        x, y = self.corner(square)
        return Point(x + SQUARE / 2, y + SQUARE / 2)

    def box(self) -> tuple[int, int, int, int]:
        """Return the visible part: left, top, width and height."""
        rows, columns = self.rows, self.columns
        sides = (columns.start, rows.start, len(columns), len(rows))
        left, top, width, height = (side * SQUARE for side in sides)
        return left, top, width, height

    def frame(self) -> tuple[int, int, int, int]:
        """Return the visible part with the frame around it."""
        left, top, width, height = self.box()
        border = 2 * self.frame_width
        return left - self.frame_width, top - self.frame_width, width + border, height + border

    def coordinates(self) -> Iterator[tuple[Point, str]]:
        """Yield the letters below and the digits on the left, each with its centre."""
        left, top, _, height = self.box()
        files, ranks = squares.coordinates(self._rules, flip=self._flip)
        for column in self.columns:
            x, y = (column + 0.5) * SQUARE, top + height + self.frame_width / 2
            yield Point(x, y), files[column]
        for row in self.rows:
            yield Point(left - self.frame_width / 2, (row + 0.5) * SQUARE), ranks[row]

    def edges(self) -> Iterator[tuple[Point, Point]]:
        """Yield the visible edges of the board as lines."""
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

    def crossed_corners(self, routes: Iterable[Sequence[int]]) -> set[int]:
        """Return the squares whose top-left corner, where the number is, an arrow crosses."""
        squares_crossed = set()
        for one, other in chain.from_iterable(map(pairwise, routes)):
            start, end = sorted((self._view_cell(one), self._view_cell(other)))
            if end[0] - start[0] == end[1] - start[1]:
                passed = {(start[0] + i, start[1] + i) for i in range(1, end[0] - start[0] + 1)}
                squares_crossed |= {
                    square for square in self.squares if self._view_cell(square) in passed
                }
        return squares_crossed

    def _view_cell(self, square: int) -> tuple[int, int]:
        """Return the row and column of a square on the drawing."""
        row, column = self._rules.cell(square)
        if self._flip:
            return self._rules.height - 1 - row, self._rules.width - 1 - column
        return row, column

    def _is_visible(self, square: int) -> bool:
        row, column = self._view_cell(square)
        return row in self.rows and column in self.columns


def _window_side(indices: Sequence[int]) -> int:
    """Return the number of rows or columns to show: those at `indices` and one on each side."""
    return max(_SMALLEST_PART, max(indices) - min(indices) + 3)


def _window(indices: Sequence[int], side: int, board_side: int) -> range:
    """Return the `side` visible rows or columns, with those at `indices` in the middle."""
    side = min(side, board_side)
    start = (min(indices) + max(indices) + 1 - side) // 2
    start = min(max(start, 0), board_side - side)
    return range(start, start + side)
