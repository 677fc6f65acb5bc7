"""The limits of a search in the Hub protocol: depth, nodes, a time for the move, or a clock.

`level` lines accumulate: each changes only the limits that it names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from damka.engine.clock import Budget, Clock
from damka.engine.hub.line import HubError
from damka.engine.search import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NAMES", "Level", "read"]

NAMES: Final = frozenset({"depth", "nodes", "move-time", "moves", "time", "inc", "infinite"})
"""The arguments of a `level` line."""

_MAX_NODES: Final = 10**15
_MAX_SECONDS: Final = 10.0**7
_MAX_MOVES: Final = 10**4
_MIN_SECONDS: Final = 0.001
_DEFAULT_SECONDS: Final = 30.0
"""Time left, in seconds, for a `level` line that has only moves or an increment."""


@dataclass(frozen=True, slots=True)
class Level:
    """The limits of a search, None for no limit; times are in seconds.

    `time` is the time left on the clock, `inc` the increment before every move, and `moves`
    the number of moves to the time control. A client that has subtracted the increment from the
    time may send a negative time.
    """

    depth: int | None = None
    nodes: int | None = None
    move_time: float | None = None
    time: float | None = None
    inc: float | None = None
    moves: int | None = None

    def clock(self) -> Clock | None:
        """Return the clock, or None."""
        if self.time is None and self.inc is None and self.moves is None:
            return None
        time, inc = _DEFAULT_SECONDS if self.time is None else self.time, self.inc or 0.0
        if time < 0:
            time, inc = 0.0, max(inc + time, 0.0)
        return Clock(time, inc, self.moves or None, increment_first=True)

    def seconds(self) -> float | None:
        """Return the time for the move, always above 0, or None."""
        return None if self.move_time is None else max(self.move_time, _MIN_SECONDS)

    def budget(self) -> Budget | None:
        """Return the time budget of the move, or None for no limit."""
        clock, seconds = self.clock(), self.seconds()
        if clock is None:
            return None if seconds is None else Budget(math.inf, seconds)
        target, limit = clock.budget()
        return Budget(target, limit if seconds is None else min(limit, seconds))


def read(arguments: Mapping[str, str], base: Level = Level()) -> Level:
    """Return `base` updated with the arguments of a `level` line; unknown names are ignored.

    A time may be negative only with an increment, and `moves` may be 0 (the rest of the game) only
    with a time. Limits beyond the engine's are reduced to these. Raises HubError.

    >>> from damka.engine.hub.level import read
    >>> read({"nodes": "5000"}, read({"depth": "9"}))
    Level(depth=9, nodes=5000, move_time=None, time=None, inc=None, moves=None)
    """
    changes: dict[str, Any] = {}
    if "depth" in arguments:
        changes["depth"] = min(_integer(arguments, "depth", 1, _MAX_NODES), MAX_DEPTH)
    if "nodes" in arguments:
        changes["nodes"] = _integer(arguments, "nodes", 1, _MAX_NODES)
    if "move-time" in arguments:
        changes["move_time"] = _seconds(arguments, "move-time", 0)
    if "time" in arguments:
        changes["time"] = _seconds(arguments, "time", -_MAX_SECONDS)
    if "inc" in arguments:
        changes["inc"] = _seconds(arguments, "inc", 0)
    if "moves" in arguments:
        changes["moves"] = _integer(arguments, "moves", 0, _MAX_MOVES)
    level = replace(base, **changes)
    if level.time is not None and level.time < 0 and not level.inc:
        raise HubError(f"level time without inc must be 0 or more, not {level.time:g}")
    if level.moves == 0 and level.time is None:
        raise HubError("level moves without time must be 1 or more, not 0")
    return level


def _integer(arguments: Mapping[str, str], name: str, minimum: int, maximum: int) -> int:
    text = arguments[name]
    value = _number(text)
    if not (value.is_integer() and minimum <= value <= maximum):
        raise HubError(
            f"level {name} must be a whole number from {minimum} to {maximum}, not {text[:40]!r}"
        )
    return int(value)


def _seconds(arguments: Mapping[str, str], name: str, minimum: float) -> float:
    text = arguments[name]
    value = _number(text)
    if not (math.isfinite(value) and value >= minimum):
        bound = f", {minimum} or more" if minimum == 0 else ""
        raise HubError(f"level {name} must be a number of seconds{bound}, not {text[:40]!r}")
    return min(value, _MAX_SECONDS)


def _number(text: str) -> float:
    """Parse a number; return NaN if it is invalid."""
    try:
        return float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        return math.nan
