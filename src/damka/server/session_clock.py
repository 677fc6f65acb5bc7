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

__all__ = ["Before", "SessionClock"]

_GRACE_MS: Final = 1000
"""Tolerance for a late first move."""

Lags = dict[Side, int]
"""Estimated lag of each side, in milliseconds."""


class Before:
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
        self.began = keeper.now()
        """Effective start of the turn: earlier when the turn has had other log entries."""
        self._stored = self.began
        """Start of the turn as stored: it lags behind while an entry is being written."""
        self._nobodys = 0.0
        """Uncharged seconds of this turn that are not yet stored."""
        self._unstored = 0.0
        """The part of them that accrued after the entry that is being stored."""
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
            self.began = min(self.began, self._keeper.monotonic(live.begun or self._keeper.wall()))
        else:
            written = self._keeper.monotonic(live.times[-1].at)
            self.began = written - live.clock.spent / 1000 + self._nobodys
        self._stored = self.began

    def kept(self) -> None:
        """Record that the current clock has been stored."""
        self._nobodys, self._unstored, self._stored = self._unstored, 0.0, self.began

    def skip(self, since: float) -> None:
        """Exclude the time since `since` from this turn."""
        now = self._keeper.now()
        self._gap = (max(since, self._stored), now)
        seconds = max(0.0, now - self._gap[0])
        self._nobodys += seconds
        self._stored += seconds
        began = min(now, self.began + seconds)
        self._unstored += began - self.began
        self.began = began

    def used(self, now: float) -> int:
        """Return the duration of the turn, in milliseconds."""
        since, end = self._gap
        if now < end:
            # The message arrived during the uncharged interval and waited for its end.
            now = end - max(0.0, since - now)
        return max(0, int((now - self.began) * 1000))

    def is_over(self, live: LiveGame, now: float, lags: Lags) -> bool:
        """Return whether the running side's flag has fallen, after lag compensation."""
        side, clock = live.running, live.clock
        if side is None or clock is None:
            return False
        return self.used(now) - self._allowed(side, lags) >= clock.lasts(side)

    def is_unbegun(self, live: LiveGame, now: float) -> bool:
        """Return whether the first move is overdue."""
        due = _due(live)
        return due is not None and self.used(now) >= due + _GRACE_MS

    def deadline(self, live: LiveGame, lags: Lags) -> float | None:
        """Return the time of the next clock check, if the clock runs."""
        side, clock = live.running, live.clock
        if side is not None and clock is not None:
            return self.began + (clock.lasts(side) + self._allowed(side, lags) + 1) / 1000
        due = _due(live)
        return None if due is None else self.began + (due + _GRACE_MS + 1) / 1000

    def entry(
        self, live: LiveGame, event: Event, before: Before, now: float, lags: Lags
    ) -> EntryTime:
        """Set the game's clock after `event`, which was just applied; return the entry's time.

        An event that arrived during an uncharged interval happens at the end of it: the other side
        is not charged for the rest.
        """
        happens = max(now, self._gap[1])
        at = self._keeper.wall(happens)
        clock = before.clock
        if clock is None or live.clock is None:
            return EntryTime(at)
        clock = self._after(live, clock, event, before, self.used(now), lags)
        live.clock = clock
        self.began = happens - clock.spent / 1000
        self._unstored = 0.0
        return EntryTime(at, clock.white, clock.black, clock.spent)

    def _after(
        self,
        live: LiveGame,
        clock: Clock,
        event: Event,
        before: Before,
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
                return clock.settled(side, max(used, clock.lasts(side)))
            case TimeGiven(side, seconds):
                return clock.given(other(side), 1000 * seconds).at(used)
        ends = live.result is not None or (
            isinstance(event, Undone) and live.game.turn != before.turn
        )
        if ends:
            return clock.at(0) if running is None else clock.settled(running, used)
        return clock.at(used)

    def info(self, live: LiveGame, now: float) -> messages.ClockInfo | None:
        """Return the clock for the pages."""
        clock = live.clock
        if clock is None:
            return None
        used, running = self.used(now), live.running
        delay = 1000 * clock.settings.increment if clock.settings.kind == "delay" else 0
        due = _due(live)
        return messages.ClockInfo(
            clock.settings.kind,
            clock.settings.text,
            clock.remaining(running, used),
            running,
            max(0, delay - used) if running else 0,
            None if due is None else max(0, due - used),
        )

    def _allowed(self, side: Side, lags: Mapping[Side, int]) -> int:
        return self._quotas[side].allows(lags.get(side, 0))


def _due(live: LiveGame) -> int | None:
    """Return the time limit of the next first move, if one is due."""
    waits = live.clock is not None and live.running is None
    if not waits or live.result is not None or live.open_side is not None or live.clock is None:
        return None
    return live.clock.settings.first_move
