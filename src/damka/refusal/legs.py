"""Leg-by-leg check of a route that no legal move takes.

The refusal is that of the first invalid leg. Whether a capture is complete, and whether another one
takes precedence, is not checked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

from damka.refusal.record import Refusal

if TYPE_CHECKING:
    from damka.rules import Rules, Side

__all__ = ["between", "captures", "judge", "known_lines", "slides_then_turns"]

Line: TypeAlias = Literal["diagonal", "orthogonal"]


def judge(rules: Rules, pieces: str, turn: Side, route: Sequence[int]) -> Refusal | None:
    """Return the refusal for the first invalid leg of `route`, or None if all legs are valid.

    The route starts on a piece of the side to move and has at least two squares.
    """
    route_check = _RouteCheck(rules, pieces, turn, route[0], route[-1], len(route) == 2)
    for start, end in pairwise(route):
        if refusal := route_check.leg(start, end):
            return refusal
    return None


def captures(rules: Rules, pieces: str, turn: Side, route: Sequence[int]) -> tuple[int, ...]:
    """Return the captured pieces of a route of valid legs, in order."""
    route_check = _RouteCheck(rules, pieces, turn, route[0], route[-1], len(route) == 2)
    for start, end in pairwise(route):
        route_check.leg(start, end)
    return tuple(route_check.taken)


def slides_then_turns(rules: Rules, pieces: str, turn: Side, start: int, end: int) -> bool:
    """Whether a flying king could reach `end` by sliding to a square and capturing from it."""
    if not (pieces[start - 1].isupper() and rules.king_range == "flying"):
        return False
    without_king = f"{pieces[: start - 1]}.{pieces[start:]}"
    for corner in range(1, rules.square_count + 1):
        path = between(rules, start, corner, rules.move_lines)
        if path is None or corner in (start, end) or without_king[corner - 1] != ".":
            continue
        if any(without_king[square - 1] != "." for square in path):
            continue
        king_on_corner = f"{without_king[: corner - 1]}{pieces[start - 1]}{without_king[corner:]}"
        route_check = _RouteCheck(rules, king_on_corner, turn, corner, end, single_leg=True)
        if route_check.leg(corner, end) is None and route_check.taken:
            return True
    return False


def between(rules: Rules, start: int, end: int, lines: str) -> list[int] | None:
    """Return the playing squares between two squares on a line, or None if they share none.

    `lines` are the kinds of lines to consider, as in the rules' `move_lines`.
    """
    kind = _line(rules, start, end)
    if kind is None or kind not in lines.split("+"):
        return None
    (row, column), (last_row, last_column) = rules.cell(start), rules.cell(end)
    down, right = last_row - row, last_column - column
    # If only the dark squares are played on, those of a row or column are two cells apart.
    return [
        square
        for i in range(1, max(abs(down), abs(right)))
        if (square := rules.square_at(row + i * _sign(down), column + i * _sign(right))) is not None
    ]


def known_lines(rules: Rules) -> str:
    """Return the kinds of lines on which pieces move or capture, as in `move_lines`."""
    return f"{rules.move_lines}+{rules.capture_lines}"


def _line(rules: Rules, start: int, end: int) -> Line | None:
    """Return the kind of line through two different squares, or None."""
    (row, column), (last_row, last_column) = rules.cell(start), rules.cell(end)
    down, right = abs(last_row - row), abs(last_column - column)
    if down == right != 0:
        return "diagonal"
    return "orthogonal" if (down == 0) != (right == 0) else None


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@dataclass(slots=True)
class _RouteCheck:
    """The state of a piece on its route, with the captured pieces so far."""

    rules: Rules
    pieces: str
    turn: Side
    origin: int
    goal: int
    single_leg: bool
    """Whether the route has one leg, like a quiet move."""
    is_king: bool = field(init=False)
    taken: list[int] = field(init=False, default_factory=list)
    heading: tuple[int, int] = field(init=False, default=(0, 0))
    stopped: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.is_king = self.pieces[self.origin - 1].isupper()

    @property
    def piece(self) -> str:
        return "king" if self.is_king else "man"

    @property
    def flies(self) -> bool:
        return self.is_king and self.rules.king_range == "flying"

    def at(self, square: int) -> str:
        """Return the current contents of a square; the moving piece counts as lifted."""
        removed = self.rules.removal == "immediate" and square in self.taken
        return "." if square == self.origin or removed else self.pieces[square - 1]

    def is_own(self, square: int) -> bool:
        return self.at(square).upper() == self.turn

    def refuse(self, code: str, **args: object) -> Refusal:
        return Refusal(code, {"piece": self.piece, **args})

    def leg(self, start: int, end: int) -> Refusal | None:
        """Move the piece to the next square, or return the refusal."""
        if self.stopped:
            return self.refuse("crowning_ends", square=start)
        if start == end:
            return self.refuse("target_occupied", square=end, kind="itself")
        if self.at(end) != ".":
            kind = "own" if self.is_own(end) else "opponents"
            return self.refuse("target_occupied", square=end, kind=kind)
        way = between(self.rules, start, end, known_lines(self.rules))
        line = _line(self.rules, start, end)
        moving, capturing = self.rules.move_lines.split("+"), self.rules.capture_lines.split("+")
        if way is None:
            return self._refuse_off_line(start, end)
        in_the_way = [square for square in way if self.at(square) != "."]
        if in_the_way and line not in capturing:
            refusal: Refusal | None = self.refuse("line_not_captured_on")
        elif in_the_way:
            refusal = self._check_jump(start, end, way, in_the_way)
        elif line not in moving:
            refusal = self.refuse("line_not_moved_on", kind=line)
        else:
            refusal = self._check_step(start, end, len(way) + 1)
        if refusal is None:
            self._finish_leg(start, end)
        return refusal

    def _refuse_off_line(self, start: int, end: int) -> Refusal:
        lines = known_lines(self.rules)
        if "orthogonal" not in lines:
            return self.refuse("not_diagonal", start=start, end=end)
        kind = "all" if "diagonal" in lines else "orthogonal"
        return self.refuse("not_on_a_line", start=start, end=end, kind=kind)

    def _check_step(self, start: int, end: int, distance: int) -> Refusal | None:
        """Check a leg over empty squares."""
        far = distance > 1 or not self.single_leg
        if not self.is_king:
            if far:
                return self.refuse("man_one_square", start=start, end=self.goal)
            if self._backwards(start, end):
                return self.refuse("man_backwards", start=start, end=end)
        elif not self.flies and far:
            return self.refuse("king_one_square", start=start, end=self.goal)
        elif not self.single_leg:
            return self.refuse("king_turn", kind="slide")
        return None

    def _check_jump(
        self, start: int, end: int, way: list[int], in_the_way: list[int]
    ) -> Refusal | None:
        """Check a leg over pieces."""
        over = in_the_way[0]
        if not self.flies and len(in_the_way) < len(way):
            return self.refuse(f"{self.piece}_one_square", start=start, end=end)
        refusal = self._check_crossed(start, end, way, in_the_way)
        if refusal is not None:
            return refusal
        if not self.is_king:
            if self.rules.man_capture == "forward" and self._backwards(start, end):
                return self.refuse("man_captures_backwards", over=over)
            if not self.rules.man_takes_king and self.at(over).isupper():
                return self.refuse("man_takes_king", over=over)
        behind = (*way, end)[way.index(over) + 1]
        if self.rules.king_landing == "adjacent" and end != behind:
            kind = "king" if self.at(over).isupper() else "man"
            return self.refuse("king_landing", over=over, where=(behind,), kind=kind)
        if self.is_king and not self.rules.u_turn:
            down, right = self._direction(start, end)
            if self.heading == (-down, -right):
                return self.refuse("king_turn", kind="back")
        self.taken.append(over)
        return None

    def _check_crossed(
        self, start: int, end: int, way: list[int], in_the_way: list[int]
    ) -> Refusal | None:
        """Check that exactly one piece is crossed, and that it may be jumped."""
        own_pieces = [square for square in in_the_way if self.is_own(square)]
        if own_pieces:
            return self.refuse("own_piece_jumped", over=own_pieces[0])
        taken_before = [square for square in in_the_way if square in self.taken]
        rows = [
            pair for pair in pairwise(in_the_way) if way.index(pair[1]) == way.index(pair[0]) + 1
        ]
        if rows and not taken_before:
            return self.refuse("two_in_a_row", squares=rows[0])
        if taken_before:
            return self.refuse("jumped_twice", over=taken_before[0])
        if len(in_the_way) > 1:
            return self.refuse(
                "way_blocked", start=start, end=end, squares=tuple(in_the_way), kind="between"
            )
        return None

    def _finish_leg(self, start: int, end: int) -> None:
        self.heading = self._direction(start, end)
        if not self.is_king and self.rules.cell(end)[0] == self.rules.crowning_row(self.turn):
            self.is_king = self.rules.promotion == "go"
            self.stopped = self.rules.promotion == "stop"

    def _direction(self, start: int, end: int) -> tuple[int, int]:
        (row, column), (last_row, last_column) = self.rules.cell(start), self.rules.cell(end)
        return _sign(last_row - row), _sign(last_column - column)

    def _backwards(self, start: int, end: int) -> bool:
        down, _ = self._direction(start, end)
        return down == (1 if self.turn == "W" else -1)
