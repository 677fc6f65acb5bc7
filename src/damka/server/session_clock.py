"""The clock of an open game: since when a turn lasts, and what lag is given back."""

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
"""How much later than its time a first move may come."""

Lags = dict[Side, int]
"""The estimated lag of each side, in milliseconds."""


class Before:
    """What a clock needs to know of a game before an entry of its log is applied."""

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
        """When the turn began; earlier where other entries of the log have come since."""
        self._stored = self.began
        """When the turn began by what is stored: an entry may not have got that far yet."""
        self._nobodys = 0.0
        """Seconds of this turn that are charged to nobody, beyond what is stored."""
        self._unstored = 0.0
        """Those of them that came after the entry which is being stored."""
        self._gap = (-math.inf, -math.inf)
        """The last time that was charged to nobody."""
        self._quotas: dict[Side, Quota] = {}
        if live.clock is not None:
            self._quotas = {side: Quota(live.clock.settings) for side in live.seats}
            self.read(live)

    def read(self, live: LiveGame) -> None:
        """Take over when the turn began from a game that was loaded."""
        if live.clock is None:
            return
        if not live.times:
            # A rematch begins when it is made.
            self.began = min(self.began, self._keeper.monotonic(live.begun or self._keeper.wall()))
        else:
            written = self._keeper.monotonic(live.times[-1].at)
            self.began = written - live.clock.spent / 1000 + self._nobodys
        self._stored = self.began

    def kept(self) -> None:
        """Take note that the clock as it is now was stored."""
        self._nobodys, self._unstored, self._stored = self._unstored, 0.0, self.began

    def skip(self, since: float) -> None:
        """Charge what there is of this turn since then to nobody."""
        now = self._keeper.now()
        self._gap = (max(since, self._stored), now)
        seconds = max(0.0, now - self._gap[0])
        self._nobodys += seconds
        self._stored += seconds
        began = min(now, self.began + seconds)
        self._unstored += began - self.began
        self.began = began

    def used(self, now: float) -> int:
        """Return how long the turn has lasted, in milliseconds."""
        since, end = self._gap
        if now < end:
            # It came before the end of what is charged to nobody, and waited for it.
            now = end - max(0.0, since - now)
        return max(0, int((now - self.began) * 1000))

    def is_over(self, live: LiveGame, now: float, lags: Lags) -> bool:
        """Tell whether the time of the running side is over, with the lag that is given back."""
        side, clock = live.running, live.clock
        if side is None or clock is None:
            return False
        return self.used(now) - self._allowed(side, lags) >= clock.lasts(side)

    def is_unbegun(self, live: LiveGame, now: float) -> bool:
        """Tell whether a first move did not come in time."""
        due = _due(live)
        return due is not None and self.used(now) >= due + _GRACE_MS

    def deadline(self, live: LiveGame, lags: Lags) -> float | None:
        """Return when the clock has to be looked at, if nothing happens before."""
        side, clock = live.running, live.clock
        if side is not None and clock is not None:
            return self.began + (clock.lasts(side) + self._allowed(side, lags) + 1) / 1000
        due = _due(live)
        return None if due is None else self.began + (due + _GRACE_MS + 1) / 1000

    def entry(
        self, live: LiveGame, event: Event, before: Before, now: float, lags: Lags
    ) -> EntryTime:
        """Set the clock of the game to what it is after `event`, which was applied just now.

        What came while nobody was charged happens at the end of that time: the other side is not
        charged for the rest of it.
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
        """Return what a page is told of the clock."""
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
    """Return the time for the first move that is to be made, if one is."""
    waits = live.clock is not None and live.running is None
    if not waits or live.result is not None or live.open_side is not None or live.clock is None:
        return None
    return live.clock.settings.first_move
