"""Random positions of few pieces, in which captures of a certain shape are likely."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

    from damka.rules import Rules

__all__ = ["Path", "Sketch", "draw", "lines", "rows"]

Direction = tuple[int, int]
_ALL: Final[tuple[Direction, ...]] = (
    *((-1, -1), (-1, 1), (1, -1), (1, 1)),
    *((-1, 0), (0, -1), (0, 1), (1, 0)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """A capture to build: a piece of the learner and pieces in its way.

    `ranks` are the possible ranks of the piece, `victims` those of the pieces to take. `jumps` is
    the least and the greatest number of pieces. `row` is where the piece is, from 0 at the top.
    With the ranks exchanged it is a capture by the opponent.
    """

    ranks: str = "w"
    victims: str = "b"
    jumps: tuple[int, int] = (1, 1)
    row: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A kind of position: captures, and pieces besides.

    `others` has the ranks of the pieces besides, from which the least and the greatest number are
    taken at random.
    """

    paths: tuple[Path, ...] = ()
    others: str = "wb"
    number: tuple[int, int] = (0, 2)
    needs: str = ""
    """Pieces that are always there besides."""
    row: int | None = None
    """The row of the learner's men besides, if it matters."""
    blocks: bool = False
    """Whether there is, mostly, a man of the opponent that may be left without a move."""
    gives: bool = False
    """Whether one of the pieces to take must first be made to come there, by a sacrifice."""


@functools.lru_cache(64)
def lines(rules: Rules, kind: str) -> dict[int, tuple[tuple[int, ...], ...]]:
    """Return the squares of each line that starts at a square, without it, by square.

    `kind` is a value of `capture_lines` or `move_lines`. Only the board counts, not the rules.
    """
    kinds = kind.split("+")
    found: dict[int, tuple[tuple[int, ...], ...]] = {}
    for square in range(1, rules.square_count + 1):
        row, column = rules.cell(square)
        rays = []
        for down, right in _ALL:
            if ("orthogonal" if 0 in (down, right) else "diagonal") not in kinds:
                continue
            steps = range(1, max(rules.width, rules.height))
            cells = (rules.square_at(row + down * n, column + right * n) for n in steps)
            ray = tuple(s for s in cells if s is not None)
            if ray:
                rays.append(ray)
        found[square] = tuple(rays)
    return found


@functools.lru_cache(64)
def rows(rules: Rules) -> tuple[int, ...]:
    """Return the row of each square, from 0 at the top; the first item belongs to no square."""
    return (-1, *(rules.cell(square)[0] for square in range(1, rules.square_count + 1)))


def draw(rng: Random, rules: Rules, sketch: Sketch) -> str | None:
    """Return random pieces of this kind, as in `Board.pieces`, or None if they do not fit."""
    drawing = _Drawing(rng, rules)
    if sketch.blocks and rng.random() < 0.5 and not drawing.block():
        return None
    if not all(drawing.path(path) for path in sketch.paths):
        return None
    if sketch.gives and not drawing.give():
        return None
    besides = sketch.needs + "".join(
        rng.choice(sketch.others) for _ in range(rng.randint(*sketch.number))
    )
    if not all(drawing.piece(rank, sketch.row) for rank in besides):
        return None
    return drawing.pieces()


class _Drawing:
    def __init__(self, rng: Random, rules: Rules) -> None:
        self.rng = rng
        self.rules = rules
        self.rows = rows(rules)
        self.at: dict[int, str] = {}
        self.kept: set[int] = set()  # squares of paths that stay empty

    def pieces(self) -> str:
        squares = range(1, self.rules.square_count + 1)
        return "".join(self.at.get(square, ".") for square in squares)

    def path(self, path: Path) -> bool:
        """Place a piece and others in its way."""
        rng = self.rng
        rank = rng.choice(path.ranks)
        start = self._free(rank, path.row)
        if start is None:
            return False
        self.at[start] = rank
        flies = rank.isupper() and self.rules.king_range == "flying"
        rays = lines(self.rules, self.rules.capture_lines)
        square = start
        for _ in range(rng.randint(*path.jumps)):
            landed = self._jump(rays[square], path.victims, start, flies=flies)
            if landed is None:
                return False
            square = landed
        return True

    def _jump(
        self, rays: tuple[tuple[int, ...], ...], victims: str, start: int, *, flies: bool
    ) -> int | None:
        """Place a piece on one of the lines, and return a square behind it."""
        rng = self.rng
        ray = rng.choice(rays)
        far = rng.randint(0, 2) if flies else 0
        behind = rng.choice((1, 1, 2)) if flies else 1
        if len(ray) <= far + behind:
            return None
        victim, end = ray[far], ray[far + behind]
        way = (*ray[:far], *ray[far + 1 : far + behind + 1])
        if victim in self.at or victim in self.kept or victim == start:
            return None
        if any(square in self.at and square != start for square in way):
            return None
        rank = rng.choice(victims)
        if self._is_misplaced(rank, victim):
            return None
        self.at[victim] = rank
        self.kept.update(way)
        return end

    def block(self) -> bool:
        """Surround a man of the opponent, and take back the last piece by a step."""
        rules, rng = self.rules, self.rng
        near_end = rng.randint(rules.height - 4, rules.height - 2)
        square = self._free("b", near_end)
        if square is None:
            return False
        self.at[square] = "b"
        beside = []
        for ray in lines(rules, rules.move_lines)[square]:
            if self.rows[ray[0]] >= self.rows[square]:
                beside.append(ray[0])
        wall = {*beside}
        for ray in lines(rules, rules.capture_lines)[square]:
            back = rules.man_capture == "forward" and self.rows[ray[0]] < self.rows[square]
            if len(ray) > 1 and ray[0] in wall and not back:
                wall.add(ray[1])
        last = rng.choice(beside)
        from_squares = [
            ray[0]
            for ray in lines(rules, rules.move_lines)[last]
            if self.rows[ray[0]] >= self.rows[last] and ray[0] not in wall and ray[0] != square
        ]
        if not from_squares:
            return False
        self.at.update(dict.fromkeys(wall, "w"))
        self.at[rng.choice(from_squares)] = self.at.pop(last)
        self.kept.add(last)
        return True

    def give(self) -> bool:
        """Take back a capture by the opponent, and the step of the piece that is captured."""
        rules, rng = self.rules, self.rng
        came = rng.choice([square for square, piece in self.at.items() if piece == "b"])
        rays = [ray for ray in lines(rules, rules.capture_lines)[came] if len(ray) > 1]
        ray = rng.choice(rays)
        given, start = ray[:2]
        steps = [each[0] for each in lines(rules, rules.move_lines)[given]]
        before = rng.choice([step for step in steps if self.rows[step] >= self.rows[given]] or [0])
        taken = {*self.at, *self.kept}
        if not before or taken & {given, start, before} or self._is_misplaced("b", start):
            return False
        del self.at[came]
        self.kept.update((came, given))
        self.at[start] = "b"
        self.at[before] = "w"
        return True

    def piece(self, rank: str, row: int | None) -> bool:
        """Place a piece besides."""
        square = self._free(rank, row if rank == "w" else None)
        if square is None:
            return False
        self.at[square] = rank
        return True

    def _free(self, rank: str, row: int | None) -> int | None:
        """Return a free square for a piece of this rank."""
        length = self.rules.row_length
        for _ in range(8):
            square = self.rng.randint(1, self.rules.square_count)
            if row is not None:
                square = row * length + (square - 1) % length + 1
            if square not in self.at and square not in self.kept:
                return None if self._is_misplaced(rank, square) else square
        return None

    def _is_misplaced(self, rank: str, square: int) -> bool:
        """Whether it is a man on its crowning row."""
        return (rank, self.rows[square]) in (("w", 0), ("b", self.rules.height - 1))
