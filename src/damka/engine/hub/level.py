"""What a `level` line allows a search: depth, nodes, a time for the move, or a clock."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from damka.engine.clock import Budget, Clock
from damka.engine.hub.line import HubError
from damka.engine.search import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Level", "read"]

_MOST_NODES: Final = 10**15
_MOST_SECONDS: Final = 10.0**7
_MOST_MOVES: Final = 10**4
_AT_LEAST: Final = 0.001


@dataclass(frozen=True, slots=True)
class Level:
    """The limits of a search, each None when there is none; times are in seconds.

    `time` is what is left on the clock, `inc` what every move adds to it, and `moves` the number
    of moves to be made in that time.
    """

    depth: int | None = None
    nodes: int | None = None
    move_time: float | None = None
    time: float | None = None
    inc: float = 0.0
    moves: int | None = None

    def clock(self) -> Clock | None:
        """Return the clock, if there is one."""
        return None if self.time is None else Clock(self.time, self.inc, self.moves)

    def seconds(self) -> float | None:
        """Return the time for the move, if one is set; always above 0."""
        return None if self.move_time is None else max(self.move_time, _AT_LEAST)

    def budget(self) -> Budget | None:
        """Return how many seconds the move may take, or None for no limit."""
        clock, seconds = self.clock(), self.seconds()
        if clock is None:
            return None if seconds is None else Budget(math.inf, seconds)
        target, limit = clock.budget()
        return Budget(target, limit if seconds is None else min(limit, seconds))


def read(arguments: Mapping[str, str]) -> Level:
    """Return what the arguments of a `level` line say; names it does not know are ignored.

    A depth or time beyond the engine's limits is reduced to them. Raises HubError.
    """
    depth = _integer(arguments, "depth", _MOST_NODES)
    return Level(
        depth=depth and min(depth, MAX_DEPTH),
        nodes=_integer(arguments, "nodes", _MOST_NODES),
        move_time=_real(arguments, "move-time"),
        time=_real(arguments, "time"),
        inc=_real(arguments, "inc") or 0.0,
        moves=_integer(arguments, "moves", _MOST_MOVES),
    )


def _integer(arguments: Mapping[str, str], name: str, most: int) -> int | None:
    text = arguments.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 20 and 1 <= int(text) <= most):
        raise HubError(f"level {name} is a whole number from 1 to {most}, not {text[:40]!r}")
    return int(text)


def _real(arguments: Mapping[str, str], name: str) -> float | None:
    text = arguments.get(name)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value >= 0:
        raise HubError(f"level {name} is a number of seconds, not {text[:40]!r}")
    return min(value, _MOST_SECONDS)
