"""How much of a clock to spend on a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

__all__ = ["Budget", "Clock"]

_MOVES_LEFT: Final = 30
"""How long a game is expected to go on."""

_MANY: Final = 5
"""The most that a hard choice may take, in multiples of its share, …"""

_SHARE: Final = 0.4
"""… and as a fraction of the time left."""

_OVERHEAD: Final = 0.02
"""Seconds reserved for the delay between choosing a move and stopping the clock."""

_LEAST: Final = 0.001


class Budget(NamedTuple):
    """Seconds for a move: about `target`, never more than `limit`."""

    target: float
    limit: float


@dataclass(frozen=True, slots=True)
class Clock:
    """A player's clock, in seconds.

    `increment` is added after every move. `moves` is the number of moves to the next time control,
    the coming one included; None if the time left is for the rest of the game.

    >>> from damka.engine import Clock
    >>> Clock(60, increment=1).budget()
    Budget(target=2.9..., limit=14.9...)
    >>> Clock(0.01).budget()
    Budget(target=0.001, limit=0.001)
    """

    remaining: float
    increment: float = 0.0
    moves: int | None = None

    def __post_init__(self) -> None:
        if not self.remaining >= 0:
            raise ValueError(f"remaining: 0 or more, not {self.remaining}")
        if not self.increment >= 0:
            raise ValueError(f"increment: 0 or more, not {self.increment}")
        if self.moves is not None and self.moves < 1:
            raise ValueError(f"moves: 1 or more, not {self.moves}")

    def budget(self) -> Budget:
        """Return how many seconds the coming move may take."""
        left = self.remaining - _OVERHEAD
        moves = min(self.moves or _MOVES_LEFT, _MOVES_LEFT)
        if left <= 0:
            return Budget(_LEAST, _LEAST)
        most = left if moves == 1 else left * _SHARE + self.increment / 2
        target = min(left / moves + self.increment, most, left)
        limit = min(_MANY * target, most, left)
        return Budget(max(target, _LEAST), max(limit, _LEAST))
