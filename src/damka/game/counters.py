"""The counters of the draw rules, which can be taken back."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from damka.game import material
from damka.game.record import Counter, Result

if TYPE_CHECKING:
    from damka.game.record import Situation
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["Clocks", "DrawCounters"]

_T = TypeVar("_T")


class Clocks(NamedTuple):
    """What is counted in plies: those without progress, and those of each material draw."""

    no_progress: int
    material: material.Counts


class DrawCounters:
    """Counts situations, the moves made in them, and the plies that draw rules count.

    A situation is counted when a turn begins in it; a game's first situation is its occurrence 1.
    """

    def __init__(self, rules: Rules, start: Situation) -> None:
        self._rules = rules
        self._stood = collections.Counter([start])
        self._made: dict[Situation, collections.Counter[Move]] = {}
        self.clocks = Clocks(0, material.counts_anew(rules, start.pieces))

    def copy(self) -> DrawCounters:
        """Return counters that go on by themselves."""
        other = object.__new__(DrawCounters)
        other._rules = self._rules
        other._stood = self._stood.copy()
        other._made = {key: made.copy() for key, made in self._made.items()}
        other.clocks = self.clocks
        return other

    def move(self, before: Situation, move: Move, after: Situation) -> None:
        """Count a ply."""
        self._made.setdefault(before, collections.Counter())[move] += 1
        self._stood[after] += 1
        self.clocks = Clocks(
            self.clocks.no_progress + 1 if move.is_king and not move.is_capture else 0,
            material.counts_after(self._rules, self.clocks.material, move, after.pieces),
        )

    def unmove(self, before: Situation, move: Move, after: Situation) -> None:
        """Take a ply back, all but the clocks."""
        _discount(self._stood, after)
        _discount(self._made[before], move)
        if not self._made[before]:
            del self._made[before]

    def huff(self, after: Situation) -> None:
        """Count a huff: what is counted in plies begins anew."""
        self.clocks = Clocks(0, material.counts_anew(self._rules, after.pieces))

    def draw_by_move(self, before: Situation, move: Move, after: Situation) -> Result | None:
        """Return the draw that the ply just counted makes, if any but one by material."""
        rules = self._rules
        if rules.repetition and self._stood[after] >= rules.repetition:
            return Result(None, "repetition")
        if rules.same_move and self._made[before][move] >= rules.same_move:
            return Result(None, "same_move")
        if rules.no_progress_moves and self.clocks.no_progress >= 2 * rules.no_progress_moves:
            return Result(None, "no_progress")
        return None

    def draw_by_material(self, *, quiet: bool) -> Result | None:
        """Return the draw by material, if any.

        `quiet` says that the side to move has neither a capture nor a piece to huff.
        """
        for draw, count in zip(self._rules.material_draws, self.clocks.material, strict=True):
            if count is not None and (count >= 2 * draw.moves if draw.moves else quiet):
                return Result(None, "material")
        return None

    def counters(self, now: Situation) -> tuple[Counter, ...]:
        """Return the counters of the rules that are on."""
        rules = self._rules
        made = self._made.get(now, collections.Counter())
        n, limit = material.nearest(rules, self.clocks.material) or (0, 0)
        counters = (
            Counter("no_progress", self.clocks.no_progress, 2 * rules.no_progress_moves),
            Counter("material", n, limit),
            Counter("repetition", self._stood[now], rules.repetition),
            Counter("same_move", max(made.values(), default=0), rules.same_move),
        )
        return tuple(counter for counter in counters if counter.limit)


def _discount(counts: collections.Counter[_T], key: _T) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
