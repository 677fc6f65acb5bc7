"""Rated games: the players' ratings before a game, and the changes by its result.

`damka.rating` computes the ratings; the tables belong to the accounts. A game is rated in the
transaction that stores its end, so it is rated once or not at all.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import Connection, select, update
from sqlalchemy.orm import aliased

from damka.live.problems import Problem
from damka.rating import Game, Rating, aged, updated
from damka.server.accounts import history
from damka.server.accounts.history import NEW, Strength
from damka.server.accounts.values import shown_name
from damka.server.store.account_models import AccountRow, RatingRow
from damka.server.store.models import EventRow, GameRow, SeatRow

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.live.setup import GameSetup
    from damka.live.stored_game import Seat
    from damka.rules import Side
    from damka.server.accounts import Accounts
    from damka.server.store import InTransaction

__all__ = [
    "Standing",
    "rate",
    "rating_update",
    "require_members",
    "standings",
    "with_rating",
    "with_ratings",
]

_COMPARED_PLIES: Final = 20
_COMPARED_GAMES: Final = 2
"""Number of previous games with which a game against a bot is compared.

It is not rated if one of them has the same first plies and the same winner, because such games
repeat a known win.
"""
_MIN_PLIES: Final = 2
"""Minimum number of plies of a rated game: both sides have moved."""


class Standing(NamedTuple):
    """A member's rating by one rule set."""

    account_id: str
    name: str
    strength: Strength
    """Rating; its deviation has grown since the last rated game."""

    @property
    def rating(self) -> int:
        """Rating for display."""
        return round(self.strength.rating)

    @property
    def provisional(self) -> bool:
        """Whether the rating is provisional."""
        return Rating(*self.strength).is_provisional

    @property
    def text(self) -> str:
        """Rating for display, with "?" while it is provisional."""
        return f"{self.rating}{'?' if self.provisional else ''}"


def rate(
    first: Strength, second: Strength, score: float, days: tuple[float, float]
) -> tuple[Strength, Strength]:
    """Return the ratings of two players after a game, each computed from both ratings before it."""
    one, two = Rating(*first), Rating(*second)
    after = (
        updated(one, [Game(aged(two, days[1]), score)], days[0]),
        updated(two, [Game(aged(one, days[0]), 1 - score)], days[1]),
    )
    first_after, second_after = (
        Strength(each.rating, each.deviation, each.volatility) for each in after
    )
    return first_after, second_after


def standings(
    connection: Connection, pairs: Collection[tuple[str, str]]
) -> dict[tuple[str, str], Standing]:
    """Return the ratings of those holders in (holder, rules) pairs who are members."""
    holders = {holder for holder, _ in pairs}
    account_rows = connection.execute(
        select(AccountRow.id, AccountRow.name, AccountRow.holder, AccountRow.bot).where(
            AccountRow.holder.in_(holders), AccountRow.closed.is_(None)
        )
    ).all()
    accounts = {row.holder: row for row in account_rows}
    table: Any = RatingRow.__table__
    rows = connection.execute(
        select(table).where(
            RatingRow.account_id.in_({row.id for row in account_rows}),
            RatingRow.rules.in_({rules for _, rules in pairs}),
        )
    )
    ratings = {(row.account_id, row.rules): row for row in rows}
    now = datetime.now(UTC)
    result = {}
    for holder, rules in pairs:
        account = accounts.get(holder)
        if account is None:
            continue
        row = ratings.get((account.id, rules))
        strength = NEW
        if row is not None:
            days = max(0.0, (now - row.last).total_seconds() / 86400)
            current = aged(Rating(row.rating, row.deviation, row.volatility), days)
            strength = Strength(current.rating, current.deviation, current.volatility)
        result[holder, rules] = Standing(
            account.id, shown_name(account.name, account.bot), strength
        )
    return result


async def require_members(accounts: Accounts, rules: str, *holders: str) -> dict[str, Standing]:
    """Return the ratings of some holders. Raises Problem when one is not a member."""
    pairs = [(holder, rules) for holder in holders]
    members = await accounts.read(lambda connection: standings(connection, pairs))
    if len(members) < len(set(pairs)):
        raise Problem(403, "rated_members")
    return {holder: members[holder, rules] for holder in holders}


def with_rating(seat: Seat, standing: Standing) -> Seat:
    """Return a seat with the name and rating of its member."""
    return replace(
        seat, name=standing.name, rating=standing.rating, provisional=standing.provisional
    )


async def with_ratings(accounts: Accounts, game_setup: GameSetup) -> GameSetup:
    """Add the players' ratings to a rated game.

    Raises Problem when a player is not a member.
    """
    if not game_setup.rated:
        return game_setup
    holders = [seat.holder for seat in game_setup.seats if seat.holder is not None]
    members = await require_members(accounts, game_setup.rules["name"], *holders)
    one, two = (
        seat if seat.holder is None else with_rating(seat, members[seat.holder])
        for seat in game_setup.seats
    )
    return replace(game_setup, seats=(one, two))


def rating_update(live: LiveGame, ended: datetime) -> InTransaction | None:
    """Return a function that rates a game that has just ended; None for an unrated game."""
    result = live.result
    if not live.rated or result is None or result[1] == "aborted" or live.plies_played < _MIN_PLIES:
        return None
    winner, game_id, rules = result[0], live.id, live.rules.name
    holders = {side: seat.holder or "" for side, seat in live.seats.items()}

    def rate_game(connection: Connection) -> None:
        _update_ratings(connection, (game_id, rules, ended), holders, winner)

    return rate_game


def _update_ratings(
    connection: Connection,
    game: tuple[str, str, datetime],
    holders: dict[Side, str],
    winner: Side | None,
) -> None:
    """Rate a game, unless an account has been closed in the meantime."""
    locked = connection.execute(
        select(AccountRow.id, AccountRow.holder, AccountRow.bot)
        .where(AccountRow.holder.in_(holders.values()), AccountRow.closed.is_(None))
        # Fixed lock order: two games of one player may end at the same time, in two processes.
        .order_by(AccountRow.id)
        .with_for_update()
    ).all()
    accounts = {row.holder: row for row in locked}
    if len(accounts) < len(holders):
        return
    sides: tuple[Side, Side] = ("W", "B")
    white, black = (accounts[holders[side]] for side in sides)
    game_id, rules, _ = game
    winning_holder = None if winner is None else holders[winner]
    if (white.bot or black.bot) and _is_repeated(
        connection, game_id, (holders["W"], holders["B"]), winning_holder
    ):
        return
    before = [_rating(connection, each.id, rules) for each in (white, black)]
    score = 0.5 if winner is None else float(winner == "W")
    history.record(connection, rate, game, (white.id, black.id), score)
    after = [_rating(connection, each.id, rules) for each in (white, black)]
    for side, old, new in zip(sides, before, after, strict=True):
        connection.execute(
            update(SeatRow)
            .where(SeatRow.game_id == game_id, SeatRow.side == side)
            .values(rating_diff=round(new) - round(old))
        )


def _rating(connection: Connection, account_id: str, rules: str) -> float:
    query = select(RatingRow.rating).where(
        RatingRow.account_id == account_id, RatingRow.rules == rules
    )
    row = connection.scalar(query)
    return NEW.rating if row is None else row


def _is_repeated(
    connection: Connection, game_id: str, holders: tuple[str, str], winner: str | None
) -> bool:
    """Return whether one of the players' latest games has the same first plies and winner."""
    one, two = aliased(SeatRow), aliased(SeatRow)
    earlier = connection.execute(
        select(GameRow.id, GameRow.winner)
        .join(one, one.game_id == GameRow.id)
        .join(two, two.game_id == GameRow.id)
        .where(one.holder == holders[0], two.holder == holders[1])
        .where(GameRow.rated, GameRow.reason.is_not(None), GameRow.reason != "aborted")
        .where(GameRow.id != game_id)
        .order_by(GameRow.updated.desc(), GameRow.id)
        .limit(_COMPARED_GAMES)
    ).all()
    plies = _first_moves(connection, game_id)
    for row in earlier:
        earlier_winner = connection.scalar(
            select(SeatRow.holder).where(SeatRow.game_id == row.id, SeatRow.side == row.winner)
        )
        if earlier_winner == winner and _first_moves(connection, row.id) == plies:
            return True
    return False


def _first_moves(connection: Connection, game_id: str) -> list[Any]:
    """Return the first moves of a rated game, in which there are no takebacks."""
    query = (
        select(EventRow.payload)
        .where(EventRow.game_id == game_id, EventRow.kind == "move")
        .order_by(EventRow.seq)
        .limit(_COMPARED_PLIES)
    )
    return list(connection.execute(query).scalars())
