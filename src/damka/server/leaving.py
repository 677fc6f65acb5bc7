"""What becomes of the games of somebody who leaves for good."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from damka.errors import DamkaError
from damka.live.events import Aborted, Resigned
from damka.live.live_game import LiveGame
from damka.live.problems import Refused

if TYPE_CHECKING:
    from damka.server.app_state import AppState

__all__ = ["give_up"]

log: Final = logging.getLogger(__name__)

_AT_ONCE: Final = 100


async def give_up(app_state: AppState, holder: str) -> None:
    """End every running game of a holder's in which somebody else plays or may sit down.

    Those that have begun are resigned, the others broken off. Two people at one screen had one
    holder: their game stays as it is, for nobody waits for it.
    """
    await app_state.lobby.leave_all(holder)
    done: set[str] = set()
    while True:
        running = await app_state.sessions.from_store(
            lambda store: store.running(holder, _AT_ONCE + len(done))
        )
        left = [game_id for game_id, _ in running if game_id not in done]
        if not left:
            return
        for game_id in left:
            done.add(game_id)
            try:
                await _end(app_state, game_id, holder)
            except DamkaError:
                # One game that cannot be shown must not keep an account from being closed.
                log.exception("game %s: it cannot be given up", game_id)


async def _end(app_state: AppState, game_id: str, holder: str) -> None:
    def end(live: LiveGame) -> Aborted | Resigned:
        you = live.sides_of(holder)
        if len(you) > 1:
            raise Refused("not_yours")
        if live.online and live.made < 2:
            return live.abort(you)
        return live.resign(you)

    async with app_state.sessions.enter(game_id) as session:
        if session is not None:
            with suppress(Refused):  # It has ended by itself.
                await session.act(end)
