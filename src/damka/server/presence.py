"""Presence of the players of a game between two devices, by their connections."""

from __future__ import annotations

from typing import Final

from damka.live import messages
from damka.live.clock import ClockSettings
from damka.rules import SIDES, Side

__all__ = ["Presence"]


class _Player:
    __slots__ = ("connections", "left_at", "page_closed")

    def __init__(self, now: float) -> None:
        self.connections = 0
        self.left_at = now
        self.page_closed = False


class Presence:
    """Presence of both players of a game; times are seconds of the monotonic clock."""

    def __init__(self, now: float) -> None:
        self._players: Final[dict[Side, _Player]] = {side: _Player(now) for side in SIDES}

    def enter(self, side: Side) -> bool:
        """Count a player's connection; return whether it is the first one."""
        player = self._players[side]
        player.connections += 1
        return player.connections == 1

    def leave(self, side: Side, now: float, *, page_closed: bool) -> bool:
        """Remove a connection; return whether it was the last one.

        `page_closed` means that the page was closed, not that its connection broke.
        """
        player = self._players[side]
        player.connections -= 1
        player.left_at, player.page_closed = now, page_closed
        return player.connections == 0

    def claim_time(self, side: Side, settings: ClockSettings | None) -> float | None:
        """Return the time from which the opponent of an absent player may claim; None for never."""
        player = self._players[side]
        limit = None if settings is None else settings.away(left=player.page_closed)
        if player.connections > 0 or limit is None:
            return None
        return player.left_at + limit / 1000

    def info(self, now: float, settings: ClockSettings | None) -> dict[Side, messages.Presence]:
        """Return the presence of both sides for the pages."""
        claim_times = {side: self.claim_time(side, settings) for side in SIDES}
        return {
            side: messages.Presence(
                self._players[side].connections > 0,
                None
                if (claim_time := claim_times[side]) is None
                else max(0, int((claim_time - now) * 1000)),
            )
            for side in SIDES
        }
