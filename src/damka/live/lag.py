"""How much of a player's time a slow connection has taken, and how much of it is given back.

The server measures round trips by pings of its own; what a page says of its lag is not asked for.
The estimate is the least of the last few round trips: delaying a single answer gains nothing. What
is given back for a move is bounded by a quota that grows with each move, so delaying every answer
gains no more than that.
"""

from __future__ import annotations

from typing import Final

from damka.live.clock import ClockSettings

__all__ = ["Quota", "RoundTrips"]

_WINDOW: Final = 8
_FULL_GAIN: Final = 1000
_LEAST_GAIN: Final = 350
_FIRST_GAINS: Final = 3
_MOST_GAINS: Final = 7


class RoundTrips:
    """The round trips of one connection that were measured last, in milliseconds."""

    def __init__(self) -> None:
        # Most connections are spectators', of whom nothing is measured.
        self._measured: tuple[float, ...] = ()
        self.estimate = 0
        """The estimate; 0 before anything was measured."""

    def add(self, milliseconds: float) -> None:
        """Add a measurement."""
        self._measured = (*self._measured, max(0.0, milliseconds))[-_WINDOW:]
        self.estimate = round(min(self._measured))


class Quota:
    """What may still be given back to one side of a game with a clock."""

    def __init__(self, settings: ClockSettings) -> None:
        self.gain: Final = _gain(settings)
        self.left = _FIRST_GAINS * self.gain

    def allows(self, estimate: int) -> int:
        """Return what would be given back of a lag now."""
        return max(0, min(estimate, self.left))

    def take(self, estimate: int) -> int:
        """Give time back for a move: return how much, and count it."""
        given = self.allows(estimate)
        self.left = min(_MOST_GAINS * self.gain, self.left - given + self.gain)
        return given


def _gain(settings: ClockSettings) -> int:
    """Return by how much the quota grows with a move."""
    seconds = settings.estimated_seconds
    if settings.kind == "days":
        return 0
    if seconds >= 180:
        return _FULL_GAIN
    if seconds <= 15:
        return _LEAST_GAIN
    return min(_FULL_GAIN, 10 * seconds // 3 + 400)
