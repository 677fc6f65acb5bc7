"""Lag compensation: the delay of a player's connection, and how much of it is credited back.

The server measures round trips by its own pings and does not trust a page's figures. The estimate
is the minimum of the last few round trips, so delaying a single pong gains nothing. The credit for
a move is bounded by a quota that grows with each move, which limits the gain from delaying every
pong.
"""

from __future__ import annotations

from typing import Final

from damka.live.clock import ClockSettings

__all__ = ["Quota", "RoundTrips"]

_WINDOW: Final = 8
_FULL_GAIN: Final = 1000
_MIN_GAIN: Final = 350
_FIRST_GAINS: Final = 3
_MAX_GAINS: Final = 7


class RoundTrips:
    """Latest round-trip times of one connection, in milliseconds."""

    def __init__(self) -> None:
        # Most connections are spectators, which are not measured.
        self._measured: tuple[float, ...] = ()
        self.estimate = 0
        """The estimate; 0 before the first measurement."""

    def add(self, milliseconds: float) -> None:
        """Add a measurement."""
        self._measured = (*self._measured, max(0.0, milliseconds))[-_WINDOW:]
        self.estimate = round(min(self._measured))


class Quota:
    """Lag compensation still available to one side of a game with a clock."""

    def __init__(self, settings: ClockSettings) -> None:
        self.gain: Final = _gain(settings)
        self.left = _FIRST_GAINS * self.gain

    def allows(self, estimate: int) -> int:
        """Return the compensation for a lag, without using it up."""
        return max(0, min(estimate, self.left))

    def take(self, estimate: int) -> int:
        """Use up the compensation for a move and return it."""
        compensation = self.allows(estimate)
        self.left = min(_MAX_GAINS * self.gain, self.left - compensation + self.gain)
        return compensation


def _gain(settings: ClockSettings) -> int:
    """Return the growth of the quota per move."""
    seconds = settings.estimated_seconds
    if settings.kind == "days":
        return 0
    if seconds >= 180:
        return _FULL_GAIN
    if seconds <= 15:
        return _MIN_GAIN
    return min(_FULL_GAIN, 10 * seconds // 3 + 400)
