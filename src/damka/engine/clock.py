"""Time management: seconds to spend on a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

__all__ = ["Budget", "Clock"]

_MOVES_LEFT: Final = 30
"""Expected number of remaining moves."""

_MAX_SHARES: Final = 5
"""Maximum time of a move, in multiples of the target, …"""

_MAX_FRACTION: Final = 0.1
"""… and as a fraction of the time left while more than `_LAST_MOVES` moves remain, …"""

_MAX_LAST_FRACTION: Final = 0.4
"""… or for the last moves, to which half the increment is added."""

_LAST_MOVES: Final = 10

_SAFE_FRACTION: Final = 0.9
"""Maximum time of any move, as a fraction of the available time."""

_OVERHEAD: Final = 0.02
"""Seconds reserved for the delay between choosing a move and stopping the clock."""

_MIN_SECONDS: Final = 0.001


class Budget(NamedTuple):
    """Seconds for a move: about `target`, at most `limit`."""

    target: float
    limit: float


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Clock:
    """A player's clock, in seconds.

    `increment` is added after every move, or before it with `increment_first`. `moves` is the
    number of moves to the next time control, including the coming one; None if the time left is for
    the rest of the game. While more than ten moves remain, each takes at most a tenth of the time
    left plus the increment.

    >>> from damka.engine import Clock
    >>> Clock(60, increment=1).budget()
    Budget(target=2.9..., limit=6.9...)
    >>> Clock(0.01).budget()
    Budget(target=0.001, limit=0.001)
    """

    remaining: float
    increment: float = 0.0
    moves: int | None = None
    increment_first: bool = False

    def __post_init__(self) -> None:
        if not self.remaining >= 0:
            raise ValueError(f"remaining: 0 or more, not {self.remaining}")
        if not self.increment >= 0:
            raise ValueError(f"increment: 0 or more, not {self.increment}")
        if self.moves is not None and self.moves < 1:
            raise ValueError(f"moves: 1 or more, not {self.moves}")

    def budget(self) -> Budget:
        """Return the time budget of the coming move."""
        left = self.remaining - _OVERHEAD
        available = left + (self.increment if self.increment_first else 0.0)
        if available <= 0:
            return Budget(_MIN_SECONDS, _MIN_SECONDS)
        moves = min(self.moves or _MOVES_LEFT, _MOVES_LEFT)
        share = max(left, 0.0) / moves
        if moves == 1:
            maximum = available
        elif moves <= _LAST_MOVES:
            maximum = left * _MAX_LAST_FRACTION + self.increment / 2
        else:
            maximum = max(self.remaining * _MAX_FRACTION + self.increment - _OVERHEAD, share)
        maximum = min(maximum, available * _SAFE_FRACTION)
        target = min(share + self.increment, maximum)
        limit = min(_MAX_SHARES * target, maximum)
        return Budget(max(target, _MIN_SECONDS), max(limit, _MIN_SECONDS))
