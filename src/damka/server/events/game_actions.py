"""Actions of an event on running games: aborting them, and moving seats to other devices.

Only the process that serves a game may change it, so the action is broadcast to all processes.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import msgspec

from damka.errors import DamkaError
from damka.live.events import Aborted, Event, Reseated
from damka.live.live_game import LiveGame
from damka.live.problems import Refused
from damka.rules import Side
from damka.server.broadcast import Broadcast
from damka.server.fault_log import log_fault
from damka.server.store import SeatChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.server.cluster import Cluster
    from damka.server.game_sessions import GameSessions

__all__ = ["GameActions"]

log: Final = logging.getLogger(__name__)

TOPIC: Final = "event-games"


class _Action(msgspec.Struct, frozen=True):
    """An action on a game: with a holder its seats are transferred, otherwise it is aborted."""

    game: str
    holder: str | None = None
    before: str | None = None
    """Holder whose seats are transferred; None for both sides."""


class GameActions:
    """Changes running games for their events."""

    def __init__(self, sessions: GameSessions, cluster: Cluster) -> None:
        self._sessions: Final = sessions
        self._broadcast: Final = Broadcast(cluster, TOPIC, self._handle)

    def start(self) -> None:
        """Start handling actions from other processes."""
        self._broadcast.start()

    async def close(self) -> None:
        """Stop."""
        await self._broadcast.close()

    async def abort(self, game_id: str) -> None:
        """Abort a running game in the process that serves it."""
        await self._broadcast.publish(msgspec.json.encode(_Action(game_id)))

    async def reseat(self, game_id: str, holder: str, before: str | None = None) -> None:
        """Transfer seats of a game to another holder: those of `before`, or both."""
        action = _Action(game_id, holder, before)
        with suppress(TimeoutError):
            await self._broadcast.publish_and_wait(
                msgspec.json.encode(action), lambda: self._is_done(action)
            )

    async def _is_done(self, action: _Action) -> bool:
        stored = await self._sessions.database.read(lambda store: store.load(action.game))
        if stored is None:
            return True
        holders = {seat.holder for seat in stored.seats}
        return holders == {action.holder} if action.before is None else action.before not in holders

    async def _handle(self, message: bytes) -> None:
        try:
            action = msgspec.json.decode(message, type=_Action)
        except msgspec.MsgspecError:
            log.warning("invalid message about a tournament game")
            return
        try:
            async with self._sessions.enter(action.game) as session:
                if session is None:
                    return
                if action.holder is None:
                    await session.act(_abort)
                    return
                for side, seat in dict(session.live.seats).items():
                    is_transferred = action.before is None or seat.holder == action.before
                    if is_transferred and seat.holder != action.holder:
                        await session.change(_reseat(side, action.holder))
        except Refused:
            pass  # It has ended already, or another process serves it.
        except DamkaError as error:
            log_fault(log, error, "game %s: cannot change it for its tournament", action.game)


def _abort(live: LiveGame) -> Event:
    if live.result is not None:
        raise Refused("game_over")
    return Aborted(live.game.turn)


def _reseat(side: Side, holder: str) -> Callable[[LiveGame], tuple[Event, SeatChange | None]]:
    def change(live: LiveGame) -> tuple[Event, SeatChange | None]:
        seat = live.seats[side]
        if live.result is not None:
            raise Refused("game_over")
        return Reseated(side), SeatChange(replace(seat, holder=holder), expected=seat.holder)

    return change
