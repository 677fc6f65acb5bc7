"""Clock of an open game: the start of the turn, and lag compensation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from damka.live import messages
from damka.live.clock import Clock
from damka.live.events import ClockResumed, Event, Flagged, Joined, Moved, TimeGiven, Undone
from damka.live.lag import Quota
from damka.live.stored_game import EntryTime
from damka.rules import Side, other

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.live.live_game import LiveGame
    from damka.server.timekeeper import Timekeeper

__all__ = ["ClockBefore", "SessionClock"]

_GRACE_MS: Final = 1000
"""Tolerance for a late first move."""

Lags = dict[Side, int]
"""Estimated lag of each side, in milliseconds."""


class ClockBefore:
    """Clock-related state of a game before a log entry is applied."""

    __slots__ = ("clock", "running", "turn")

    def __init__(self, live: LiveGame) -> None:
        self.clock: Final = live.clock
        self.running: Final = live.running
        self.turn: Final = live.game.turn


class SessionClock:
    """Measures the turns of one game; times are seconds of the monotonic clock."""

    def __init__(self, live: LiveGame, keeper: Timekeeper) -> None:
        self._keeper: Final = keeper
        self.turn_start = keeper.now()
        """Effective start of the turn, from which the used time is measured."""
        self._stored = self.turn_start
        """Start of the turn according to the store; outdated while an entry is being written."""
        self._uncharged = 0.0
        """Unstored uncharged seconds of this turn."""
        self._unstored = 0.0
        """The part of them after the entry that is being stored."""
        self._gap = (-math.inf, -math.inf)
        """The latest uncharged interval."""
        self._quotas: dict[Side, Quota] = {}
        if live.clock is not None:
            self._quotas = {side: Quota(live.clock.settings) for side in live.seats}
            self.read(live)

    def read(self, live: LiveGame) -> None:
        """Set the start of the turn from a loaded game."""
        if live.clock is None:
            return
        if not live.times:
            # The turn of a rematch starts when the rematch is created.
            self.turn_start = min(
                self.turn_start, self._keeper.monotonic(live.started_at or self._keeper.wall())
            )
        else:
            written = self._keeper.monotonic(live.times[-1].at)
            self.turn_start = written - live.clock.spent / 1000 + self._uncharged
        self._stored = self.turn_start

    def mark_stored(self) -> None:
        """Record that the current clock was stored."""
        self._uncharged, self._unstored, self._stored = self._unstored, 0.0, self.turn_start

    def skip(self, since: float) -> None:
        """Do not charge the time since `since`."""
        now = self._keeper.now()
        self._gap = (max(since, self._stored), now)
        seconds = max(0.0, now - self._gap[0])
        self._uncharged += seconds
        self._stored += seconds
        turn_start = min(now, self.turn_start + seconds)
        self._unstored += turn_start - self.turn_start
        self.turn_start = turn_start

    def used(self, now: float) -> int:
        """Return the duration of the turn, in milliseconds."""
        since, end = self._gap
        if now < end:
            # The message arrived in the uncharged interval and waited until its end.
            now = end - max(0.0, since - now)
        return max(0, int((now - self.turn_start) * 1000))

    def is_over(self, live: LiveGame, now: float, lags: Lags) -> bool:
        """Return whether the running side's flag has fallen, after lag compensation."""
        side, clock = live.running, live.clock
        if side is None or clock is None:
            return False
        return self.used(now) - self._allowed(side, lags) >= clock.turn_limit(side)

    def is_first_move_overdue(self, live: LiveGame, now: float) -> bool:
        """Return whether the first move is overdue."""
        limit = _first_move_limit(live)
        return limit is not None and self.used(now) >= limit + _GRACE_MS

    def deadline(self, live: LiveGame, lags: Lags) -> float | None:
        """Return the time of the next clock check; None if no clock runs."""
        side, clock = live.running, live.clock
        if side is not None and clock is not None:
            return self.turn_start + (clock.turn_limit(side) + self._allowed(side, lags) + 1) / 1000
        limit = _first_move_limit(live)
        return None if limit is None else self.turn_start + (limit + _GRACE_MS + 1) / 1000

    def entry(
        self, live: LiveGame, event: Event, before: ClockBefore, now: float, lags: Lags
    ) -> EntryTime:
        """Set the game's clock after `event`, which was just applied; return the entry's time.

        An event that arrived in an uncharged interval takes effect at its end: the opponent is not
        charged for the rest of it.
        """
        event_time = max(now, self._gap[1])
        at = self._keeper.wall(event_time)
        clock = before.clock
        if clock is None or live.clock is None:
            return EntryTime(at)
        clock = self._clock_after(live, clock, event, before, self.used(now), lags)
        live.clock = clock
        self.turn_start = event_time - clock.spent / 1000
        self._unstored = 0.0
        return EntryTime(at, clock.white, clock.black, clock.spent)

    def _clock_after(
        self,
        live: LiveGame,
        clock: Clock,
        event: Event,
        before: ClockBefore,
        used: int,
        lags: Lags,
    ) -> Clock:
        running = before.running
        match event:
            case ClockResumed():
                return clock
            case Joined():
                return clock.at(0)
            case Moved(side) if running is None:
                return clock.at(0)
            case Moved(side):
                lag = min(used, lags.get(side, 0))
                return clock.moved(side, used - self._quotas[side].take(lag))
            case Flagged(side):
                return clock.settled(side, max(used, clock.turn_limit(side)))
            case TimeGiven(side, seconds):
                return clock.with_added_time(other(side), 1000 * seconds).at(used)
        turn_ended = live.result is not None or (
            isinstance(event, Undone) and live.game.turn != before.turn
        )
        if turn_ended:
            return clock.at(0) if running is None else clock.settled(running, used)
        return clock.at(used)

    def info(self, live: LiveGame, now: float) -> messages.ClockInfo | None:
        """Return the clock for the pages."""
        clock = live.clock
        if clock is None:
            return None
        used, running = self.used(now), live.running
        delay = 1000 * clock.settings.increment if clock.settings.kind == "delay" else 0
        limit = _first_move_limit(live)
        return messages.ClockInfo(
            clock.settings.kind,
            clock.settings.text,
            clock.remaining(running, used),
            running,
            max(0, delay - used) if running else 0,
            None if limit is None else max(0, limit - used),
        )

    def _allowed(self, side: Side, lags: Mapping[Side, int]) -> int:
        return self._quotas[side].allows(lags.get(side, 0))


def _first_move_limit(live: LiveGame) -> int | None:
    """Return the time limit of the first move in milliseconds; None if none is due."""
    awaits_first_move = live.clock is not None and live.running is None
    if (
        not awaits_first_move
        or live.result is not None
        or live.open_side is not None
        or live.clock is None
    ):
        return None
    return live.clock.settings.first_move
