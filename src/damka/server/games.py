"""Games in the store: putting them there, and one rematch for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.live import setup
from damka.live.setup import Made
from damka.server.store import ConflictError

if TYPE_CHECKING:
    from damka.server.game_session import GameSession, GameSessions

__all__ = ["rematch", "store"]


async def store(sessions: GameSessions, made: Made) -> None:
    """Put a game into the store."""
    await sessions.in_store(
        lambda store: store.create(
            made.id,
            made.rules,
            made.seats,
            base=made.base,
            lot=made.lot,
            previous=made.previous,
        )
    )


async def rematch(sessions: GameSessions, session: GameSession, holder: str) -> Made:
    """Return the rematch of a game that is over, made now unless it was made before.

    Raises Problem when the game is still on or `holder` does not play in it.
    """
    made = await session.read(lambda live: setup.rematch(live, holder))
    try:
        await store(sessions, made)
    except ConflictError:
        there = await sessions.from_store(lambda store: store.rematch_of(session.live.id))
        stored = (
            None if there is None else await sessions.from_store(lambda store: store.load(there))
        )
        if stored is None:
            raise
        first = next(seat for seat in stored.seats if seat.player == 1)
        return Made(stored.id, stored.rules, made.seats, first.side, lot=stored.lot)
    await session.followed_by(made.id)
    return made
