"""Games in the store: adding them, and one rematch for each."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from damka.live import setup
from damka.live.live_game import LiveGame
from damka.live.problems import Problem, Refused
from damka.live.setup import GameSetup
from damka.server.ratings import seated
from damka.server.store import ConflictError

if TYPE_CHECKING:
    from damka.server.accounts import Accounts
    from damka.server.game_session import GameSession
    from damka.server.game_sessions import GameSessions
    from damka.server.store import Also, Store

__all__ = ["offer_rematch", "rematch", "require_meeting", "store"]


async def store(
    sessions: GameSessions, made: GameSetup, code: str | None = None, *, also: Also | None = None
) -> None:
    """Add a game to the store; `code` is that of its invitation.

    `also` writes more in the same transaction. Raises Problem when the inviting player has reached
    the limit of open invitations.
    """
    most = sessions.settings.limits.invitations_per_holder
    holder = next(seat.holder for seat in made.seats if seat.player == 1)

    def create(store: Store) -> None:
        # Only one thread writes, so of two concurrent requests the second sees the first.
        if code is not None and holder is not None and store.open_invitations(holder) >= most:
            raise Problem(429, "too_many_invitations")
        store.create(
            made.id,
            made.rules,
            made.seats,
            base=made.base,
            lot=made.lot,
            previous=made.previous,
            clock=made.clock,
            no_draw_before=made.no_draw_before,
            code=code,
            rated=made.rated,
            also=also,
        )

    await sessions.database.write(create)
    for told in sessions.creation_listeners:
        told(made)


async def require_meeting(session: GameSession, accounts: Accounts, holder: str | None) -> None:
    """Raise Problem when a player of the game has blocked `holder`, or the other way round."""
    others = await session.read(lambda live: {seat.holder for seat in live.seats.values()})
    for each in others - {None, holder}:
        if holder is not None and not await accounts.may_meet(str(each), holder):
            raise Problem(403, "no_meeting")


async def offer_rematch(session: GameSession, holder: str) -> bool:
    """Offer a rematch if the other side has to agree; return False if it has, or need not.

    Raises Problem when the game is not over or `holder` does not play in it.
    """

    def asked(live: LiveGame) -> bool:
        you = live.sides_of(holder)
        if not you:
            raise Problem(403, "not_yours")
        if live.result is None:
            raise Problem(409, "not_over")
        if live.in_event:
            raise Problem(409, "event_rematch")
        agreed = live.rematch_offer is not None and live.rematch_offer not in you
        return live.online and not agreed and live.next_id is None

    if not await session.read(asked):
        return False
    with suppress(Refused):  # it was offered before
        await session.act(lambda live: live.offer_rematch(live.sides_of(holder)))
    return True


async def rematch(
    sessions: GameSessions, accounts: Accounts, session: GameSession, holder: str
) -> GameSetup:
    """Return the rematch of a finished game, created on the first call.

    Raises Problem when the game is not over or `holder` does not play in it.
    """
    made = await session.read(lambda live: setup.rematch(live, holder))
    made = await seated(accounts, made)
    try:
        await store(sessions, made)
    except ConflictError:
        there = await sessions.database.read(lambda store: store.rematch_of(session.live.id))
        stored = (
            None if there is None else await sessions.database.read(lambda store: store.load(there))
        )
        if stored is None:
            raise
        first = next(seat for seat in stored.seats if seat.player == 1)
        return GameSetup(stored.id, stored.rules, made.seats, first.side, lot=stored.lot)
    await session.link_rematch(made.id)
    return made
