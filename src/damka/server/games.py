"""Storing new games and rematches; a game has at most one rematch."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from damka.live import setup
from damka.live.guided import is_same_course
from damka.live.live_game import LiveGame
from damka.live.problems import Problem, Refused
from damka.live.setup import GameSetup
from damka.server.ratings import with_ratings
from damka.server.store import ConflictError

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.server.accounts import Accounts
    from damka.server.game_session import GameSession
    from damka.server.game_sessions import GameSessions
    from damka.server.store import InTransaction, Store

__all__ = ["offer_rematch", "rematch", "require_not_blocked", "running_guided", "store"]


async def store(
    sessions: GameSessions,
    game_setup: GameSetup,
    code: str | None = None,
    *,
    in_transaction: InTransaction | None = None,
) -> None:
    """Add a game to the store; `code` is its invitation code.

    `in_transaction` is called in the same transaction. Raises Problem when the inviting player has
    reached the limit of open invitations.
    """
    limit = sessions.settings.limits.invitations_per_holder
    holder = next(seat.holder for seat in game_setup.seats if seat.player == 1)

    def create(store: Store) -> None:
        # Only one thread writes, so the second of two concurrent requests sees the first.
        if code is not None and holder is not None and store.open_invitations(holder) >= limit:
            raise Problem(429, "too_many_invitations")
        store.create(
            game_setup.id,
            game_setup.rules,
            game_setup.seats,
            base=game_setup.base,
            lot=game_setup.lot,
            previous=game_setup.previous,
            clock=game_setup.clock,
            no_draw_before=game_setup.no_draw_before,
            code=code,
            rated=game_setup.rated,
            guide=game_setup.guide,
            in_transaction=in_transaction,
        )

    await sessions.database.write(create)
    for notify in sessions.creation_listeners:
        notify(game_setup)


async def running_guided(sessions: GameSessions, of: Rules, holder: str) -> str | None:
    """Return the id of a holder's unfinished guided game of the course of some rules, or None."""
    games = await sessions.database.read(lambda store: store.running_guided(holder))
    return next((game_id for game_id, guide in games if is_same_course(guide, of)), None)


async def require_not_blocked(session: GameSession, accounts: Accounts, holder: str | None) -> None:
    """Raise Problem when a player of the game has blocked `holder`, or is blocked by it."""
    others = await session.read(lambda live: {seat.holder for seat in live.seats.values()})
    for each in others - {None, holder}:
        if holder is not None and not await accounts.may_play(str(each), holder):
            raise Problem(403, "no_meeting")


async def offer_rematch(session: GameSession, holder: str) -> bool:
    """Offer a rematch if the opponent has to agree; return False if no offer is needed.

    Raises Problem when the game is not over or `holder` does not play in it.
    """

    def needs_offer(live: LiveGame) -> bool:
        you = live.sides_of(holder)
        if not you:
            raise Problem(403, "not_yours")
        if live.result is None:
            raise Problem(409, "not_over")
        if live.in_event:
            raise Problem(409, "event_rematch")
        is_agreed = live.rematch_offer is not None and live.rematch_offer not in you
        return live.online and not is_agreed and live.next_id is None

    if not await session.read(needs_offer):
        return False
    with suppress(Refused):  # already offered
        await session.act(lambda live: live.offer_rematch(live.sides_of(holder)))
    return True


async def rematch(
    sessions: GameSessions, accounts: Accounts, session: GameSession, holder: str
) -> GameSetup:
    """Return the rematch of a finished game, created on the first call.

    Raises Problem when the game is not over or `holder` does not play in it.
    """
    game_setup = await session.read(lambda live: setup.rematch(live, holder))
    game_setup = await with_ratings(accounts, game_setup)
    try:
        await store(sessions, game_setup)
    except ConflictError:
        rematch_id = await sessions.database.read(lambda store: store.rematch_of(session.live.id))
        stored = (
            None
            if rematch_id is None
            else await sessions.database.read(lambda store: store.load(rematch_id))
        )
        if stored is None:
            raise
        first = next(seat for seat in stored.seats if seat.player == 1)
        return GameSetup(stored.id, stored.rules, game_setup.seats, first.side, lot=stored.lot)
    await session.link_rematch(game_setup.id)
    return game_setup
