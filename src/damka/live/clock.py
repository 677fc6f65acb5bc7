"""Game clocks as pure values: settings, remaining times, and the effect of a move on them.

The module never reads the time. The caller measures how long a turn has lasted and passes that in.
Times are whole milliseconds.

The kinds are

- "sudden": sudden death, the time for the whole game
- "fischer": the increment is added after each move
- "delay": the US delay (simple delay): each turn the clock waits for `increment` seconds before it
  runs; unused delay is lost
- "days": correspondence, `seconds` for each move
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from damka.rules import Side, other

__all__ = ["DAY", "Clock", "ClockSettings", "Speed", "start"]

DAY: Final = 24 * 3600
MAX_SECONDS: Final = 3 * 3600
"""The longest clock, in seconds, that is not a correspondence clock."""
MAX_DAYS: Final = 14
MIN_START: Final = 3
"""Seconds on the clock at the start where the settings give none."""

Speed = Literal["ultrabullet", "bullet", "blitz", "rapid", "classical", "days"]

_SPEEDS: Final[tuple[tuple[int, Speed], ...]] = (
    (30, "ultrabullet"),
    (180, "bullet"),
    (480, "blitz"),
    (1500, "rapid"),
)
_FIRST_MOVE: Final[dict[Speed, int]] = {
    "ultrabullet": 15,
    "bullet": 20,
    "blitz": 25,
    "rapid": 30,
    "classical": 35,
}
_AWAY_FACTOR: Final[dict[Speed, int]] = {"rapid": 2, "classical": 3}
_AWAY_SECONDS: Final = 120
_PAGE_CLOSED_SECONDS: Final = 10
_MIN_AWAY_SECONDS: Final = 12
_ESTIMATED_MOVES: Final = 50


class ClockSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time control that the two sides have agreed on."""

    kind: Literal["sudden", "fischer", "delay", "days"]
    seconds: Annotated[int, Meta(ge=0, le=MAX_DAYS * DAY)]
    """Seconds for the whole game; for "days", seconds for each move."""
    increment: Annotated[int, Meta(ge=0, le=180)] = 0
    """Seconds added after each move, or the delay of each turn."""
    first_seconds: Annotated[int, Meta(ge=5, le=3600)] | None = None
    """Seconds for each side's first move where an event overrides the default of the speed."""

    def fault(self) -> str | None:
        """Return the name of the field that does not fit the kind, or None.

        `first_seconds` is rejected: players cannot choose it.
        """
        if self.first_seconds is not None:
            return "first_seconds"
        least, most = (DAY, MAX_DAYS * DAY) if self.kind == "days" else (1, MAX_SECONDS)
        if self.kind == "fischer":
            least = 0
        if not least <= self.seconds <= most:
            return "seconds"
        if (self.increment > 0) != (self.kind in ("fischer", "delay")):
            return "increment"
        return None

    @property
    def initial(self) -> int:
        """Initial time of each side, in milliseconds."""
        return 1000 * (self.seconds or max(MIN_START, self.increment))

    @property
    def estimated_seconds(self) -> int:
        """Expected duration of the game for one side, in seconds."""
        return self.seconds + _ESTIMATED_MOVES * self.increment

    @property
    def speed(self) -> Speed:
        """Speed class of the clock."""
        if self.kind == "days":
            return "days"
        speeds = (speed for most, speed in _SPEEDS if self.estimated_seconds < most)
        return next(speeds, "classical")

    @property
    def first_move(self) -> int | None:
        """Time limit of each side's first move, before the clocks run; None for no limit."""
        seconds = self.first_seconds or _FIRST_MOVE.get(self.speed)
        return None if seconds is None else 1000 * seconds

    def away(self, *, left: bool) -> int | None:
        """Return how long a player may be away before the opponent may claim; None for no limit.

        `left` means that the page was closed, not that its connection broke.
        """
        if self.kind == "days":
            return None
        factor = _AWAY_FACTOR.get(self.speed, 1)
        seconds = (_PAGE_CLOSED_SECONDS if left else _AWAY_SECONDS) * factor
        return 1000 * max(_MIN_AWAY_SECONDS, seconds)

    @property
    def text(self) -> str:
        """Usual notation of the clock: "5+3", "10+0", "10 d5" with a delay; "" for days."""
        if self.kind == "days":
            return ""
        minutes, seconds = divmod(self.seconds, 60)
        time = f"{minutes}:{seconds:02}" if seconds else f"{minutes}"
        return f"{time} d{self.increment}" if self.kind == "delay" else f"{time}+{self.increment}"


@dataclass(frozen=True, slots=True)
class Clock:
    """Remaining times at the beginning of the turn, and how much of the turn has passed."""

    settings: ClockSettings
    white: int
    black: int
    spent: int = 0
    """Duration of the turn so far when the value was taken."""

    def left(self, side: Side, used: int) -> int:
        """Return the time that `side` has left after `used` of its turn; never below 0."""
        remaining = self.white if side == "W" else self.black
        if self.settings.kind == "delay":
            used = max(0, used - 1000 * self.settings.increment)
        return max(0, remaining - used)

    def turn_limit(self, side: Side) -> int:
        """Return how long a turn of `side` may last before its flag falls."""
        remaining = self.white if side == "W" else self.black
        return remaining + (1000 * self.settings.increment if self.settings.kind == "delay" else 0)

    def settled(self, side: Side, used: int) -> Clock:
        """Return the clock when the turn of `side` ends after `used` without a move."""
        return self._with(side, self.left(side, used))

    def moved(self, side: Side, used: int) -> Clock:
        """Return the clock after a move of `side` whose turn has lasted `used`."""
        settings = self.settings
        if settings.kind == "days":
            return start(settings)
        gained = 1000 * settings.increment if settings.kind == "fischer" else 0
        return self._with(side, self.left(side, used) + gained)

    def with_added_time(self, side: Side, more: int) -> Clock:
        """Return the clock with `more` time for `side`."""
        clock = self._with(side, (self.white if side == "W" else self.black) + more)
        return replace(clock, spent=self.spent)

    def at(self, spent: int) -> Clock:
        """Return the clock when the turn has lasted `spent`."""
        return replace(self, spent=spent)

    def remaining(self, turn: Side | None, used: int) -> dict[Side, int]:
        """Return the times left to both sides when the turn of `turn` has lasted `used`."""
        if turn is None:
            return {"W": self.white, "B": self.black}
        waiting: Side = other(turn)
        return {turn: self.left(turn, used), waiting: self.left(waiting, 0)}

    def _with(self, side: Side, remaining: int) -> Clock:
        white = remaining if side == "W" else self.white
        black = remaining if side == "B" else self.black
        return Clock(self.settings, white, black)


def start(settings: ClockSettings) -> Clock:
    """Return the clock at the start of a game."""
    return Clock(settings, settings.initial, settings.initial)
