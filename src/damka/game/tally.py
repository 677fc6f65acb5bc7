"""What the draw rules count, forwards and back."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, TypeVar

from damka.game.record import Counter, Result

if TYPE_CHECKING:
    from damka.game.record import Situation
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["Tally"]

_T = TypeVar("_T")


class Tally:
    """How often situations stood and moves were made in them, and plies without progress.

    A situation is counted when a turn begins in it; a game's first situation is its occurrence 1.
    """

    def __init__(self, rules: Rules, start: Situation) -> None:
        self._rules = rules
        self._stood = collections.Counter([start])
        self._made: dict[Situation, collections.Counter[Move]] = {}
        self.no_progress = 0

    def copy(self) -> Tally:
        """Return a tally that counts on by itself."""
        other = object.__new__(Tally)
        other._rules = self._rules
        other._stood = self._stood.copy()
        other._made = {key: made.copy() for key, made in self._made.items()}
        other.no_progress = self.no_progress
        return other

    def move(self, before: Situation, move: Move, after: Situation) -> Result | None:
        """Count a ply; return the draw that it makes, if any."""
        made = self._made.setdefault(before, collections.Counter())
        made[move] += 1
        self._stood[after] += 1
        self.no_progress = self.no_progress + 1 if move.is_king and not move.is_capture else 0
        rules = self._rules
        if rules.repetition and self._stood[after] >= rules.repetition:
            return Result(None, "repetition")
        if rules.same_move and made[move] >= rules.same_move:
            return Result(None, "same_move")
        if rules.no_progress_moves and self.no_progress >= 2 * rules.no_progress_moves:
            return Result(None, "no_progress")
        return None

    def unmove(self, before: Situation, move: Move, after: Situation, no_progress: int) -> None:
        """Take a ply back; `no_progress` is what it was before."""
        _discount(self._stood, after)
        _discount(self._made[before], move)
        if not self._made[before]:
            del self._made[before]
        self.no_progress = no_progress

    def counters(self, now: Situation) -> tuple[Counter, ...]:
        """Return the counters of the rules that are on."""
        rules = self._rules
        made = self._made.get(now, collections.Counter())
        counters = (
            Counter("no_progress", self.no_progress, 2 * rules.no_progress_moves),
            Counter("repetition", self._stood[now], rules.repetition),
            Counter("same_move", max(made.values(), default=0), rules.same_move),
        )
        return tuple(counter for counter in counters if counter.limit)


def _discount(counts: collections.Counter[_T], key: _T) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
