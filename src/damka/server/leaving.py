"""Ending the games of a member who closes the account.

A game is ended by the process that serves it, so all processes are notified.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, or_, select
from sqlalchemy.orm import aliased

from damka.errors import DamkaError
from damka.live.events import Event
from damka.live.live_game import LiveGame
from damka.live.problems import Refused
from damka.server.broadcast import Broadcast
from damka.server.fault_log import log_fault
from damka.server.store import SeatChange
from damka.server.store.models import GameRow, SeatRow

if TYPE_CHECKING:
    from damka.server.accounts import Accounts
    from damka.server.cluster import Cluster
    from damka.server.game_sessions import GameSessions

__all__ = ["Leaving"]

log: Final = logging.getLogger(__name__)

TOPIC: Final = "leaving"


class Leaving:
    """Ends the running games of closed accounts."""

    def __init__(self, sessions: GameSessions, accounts: Accounts, cluster: Cluster) -> None:
        self._sessions: Final = sessions
        self._accounts: Final = accounts
        self._broadcast: Final = Broadcast(cluster, TOPIC, self._on_message)

    def start(self) -> None:
        """Start handling the messages of other processes."""
        self._broadcast.start()

    async def close(self) -> None:
        """Stop handling messages."""
        await self._broadcast.close()

    async def end_games(self, holder: str) -> None:
        """Resign or abort every running game of a holder that has another player or an open seat.

        Games at one screen and games against the computer remain: no opponent is waiting.
        """
        if not await self._running_games(holder):
            return

        async def is_done() -> bool:
            return not await self._running_games(holder)

        try:
            await self._broadcast.publish_and_wait(holder.encode("ascii"), is_done)
        except TimeoutError:
            # The broker may be unreachable: this process takes over the games.
            await self._end_all(holder, take_over=True)
            if await self._running_games(holder):
                # An account must be closable even if one of its games cannot be loaded.
                log.warning("an account was closed, but some of its games are still running")

    async def _running_games(self, holder: str) -> list[str]:
        return await self._accounts.read(lambda connection: _games_with_others(connection, holder))

    async def _on_message(self, message: bytes) -> None:
        await self._end_all(message.decode("ascii"))

    async def _end_all(self, holder: str, *, take_over: bool = False) -> None:
        for game_id in await self._running_games(holder):
            try:
                async with self._sessions.enter(game_id) as session:
                    if session is not None and (session.owned or take_over):
                        await session.change(lambda live: _end(live, holder))
            except Refused:
                pass  # It has already ended, or another process serves it.
            except DamkaError as error:
                log_fault(log, error, "game %s: cannot resign or abort it", game_id)


def _end(live: LiveGame, holder: str) -> tuple[Event, SeatChange | None]:
    side = live.open_side
    if side is not None and live.seat_freed:
        # Give the seat back to the screen at which the game began.
        seat = live.seats[side]
        return live.join(seat.name or ""), SeatChange(replace(seat, holder=holder), expected=None)
    you = live.sides_of(holder)
    with suppress(Refused):
        return live.abort(you), None
    return live.resign(you), None


def _games_with_others(connection: Connection, holder: str) -> list[str]:
    """Return the unfinished games of a holder that have an open seat or another player."""
    own_seat, other_seat = aliased(SeatRow), aliased(SeatRow)
    query = (
        select(GameRow.id)
        .join(own_seat, own_seat.game_id == GameRow.id)
        .join(other_seat, (other_seat.game_id == GameRow.id) & (other_seat.side != own_seat.side))
        .where(own_seat.holder == holder, GameRow.reason.is_(None), other_seat.kind == "person")
        .where(or_(other_seat.holder.is_(None), other_seat.holder != holder))
    )
    return list(connection.execute(query).scalars())
