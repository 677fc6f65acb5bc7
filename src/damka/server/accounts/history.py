"""Games and ratings of an account, in the database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Connection, delete, exists, insert, or_, select

from damka.rules import Side
from damka.server.store.account_models import RatingHistoryRow, RatingRow
from damka.server.store.models import EventRow, GameRow
from damka.server.store.own_games import games_of

__all__ = [
    "PlayedGame",
    "Point",
    "Rate",
    "Rating",
    "Strength",
    "games",
    "points",
    "ratings",
    "record",
]

Scope = Literal["all", "public"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedGame:
    """A game of an account, as shown in a list."""

    id: str
    rules: dict[str, Any]
    side: Side | None
    """The account's side; None for a game of two people at one screen."""
    opponent: str | None
    """Name of the opponent's account; None for a guest, a closed account or the computer."""
    level: int | None
    """Level of the computer, if it was the opponent."""
    engine: str | None
    winner: Side | None
    reason: str | None
    """Reason of the result; None while the game is running."""
    created: datetime
    updated: datetime
    title: str | None
    """The account's own title of the game."""
    removed: bool
    """Whether the game was removed from the account's list."""


class Strength(NamedTuple):
    """Glicko-2 rating, with its deviation and volatility."""

    rating: float
    deviation: float
    volatility: float


Rate = Callable[[Strength, Strength, float, tuple[float, float]], tuple[Strength, Strength]]
"""`rate(first, second, score, days)` returns the ratings of both players after a game. `score` is
the first player's, 0 to 1; `days` are the days since each player's last rated game."""

NEW: Final = Strength(1500.0, 350.0, 0.06)
"""Rating of a new player."""


class Rating(NamedTuple):
    """Rating of an account by one rule set."""

    rules: str
    strength: Strength
    games: int
    last: datetime


class Point(NamedTuple):
    """A point of a rating chart."""

    at: datetime
    rating: float
    game_id: str


def games(
    connection: Connection,
    holder: str,
    scope: Scope,
    limit: int,
    before: datetime | None = None,
) -> list[PlayedGame]:
    """Return the started games of a holder, latest first.

    The scope "public" has finished games against another player or the computer. With `before`,
    only games last played before that time are returned.
    """
    query, own_seat, other_seat = games_of(holder)
    if scope == "public":
        query = query.where(
            GameRow.reason.is_not(None), other_seat.holder.is_distinct_from(own_seat.holder)
        )
    else:
        has_moves = exists().where(EventRow.game_id == GameRow.id)
        query = query.where(or_(GameRow.reason.is_not(None), has_moves))
    if before is not None:
        query = query.where(GameRow.updated < before)
    rows = connection.execute(query.add_columns(GameRow.rules).limit(limit))
    return [
        PlayedGame(
            id=row.id,
            rules=row.rules,
            side=None if row.holder == holder else row.side,
            opponent=None if row.holder == holder else row.account or None,
            level=row.level,
            engine=row.engine,
            winner=row.winner,
            reason=row.reason,
            created=row.created,
            updated=row.updated,
            title=row.title,
            removed=row.removed,
        )
        for row in rows
    ]


def ratings(connection: Connection, account_id: str) -> list[Rating]:
    """Return the ratings of an account, most played rules first."""
    table: Any = RatingRow.__table__
    query = select(table).where(RatingRow.account_id == account_id)
    return [
        Rating(row.rules, Strength(row.rating, row.deviation, row.volatility), row.games, row.last)
        for row in connection.execute(query.order_by(RatingRow.games.desc(), RatingRow.rules))
    ]


def points(connection: Connection, account_id: str, rules: str, limit: int) -> list[Point]:
    """Return the last ratings of an account by one rule set, oldest first."""
    query = (
        select(RatingHistoryRow.at, RatingHistoryRow.rating, RatingHistoryRow.game_id)
        .where(RatingHistoryRow.account_id == account_id, RatingHistoryRow.rules == rules)
        .order_by(RatingHistoryRow.at.desc(), RatingHistoryRow.id.desc())
        .limit(limit)
    )
    return [Point(*row) for row in connection.execute(query)][::-1]


def record(
    connection: Connection,
    rate: Rate,
    game: tuple[str, str, datetime],
    players: tuple[str, str],
    score: float,
) -> None:
    """Rate a finished game and store the ratings.

    `game` is its id, the name of its rules and its end time. `players` are account ids, `score` is
    the first player's: 1, ½ or 0. A second call for the same game raises IntegrityError.
    """
    game_id, rules, ended = game
    before = [_rating(connection, each, rules) for each in players]
    strengths = [NEW if each is None else each.strength for each in before]
    days = [_days(each, ended) for each in before]
    after = rate(strengths[0], strengths[1], score, (days[0], days[1]))
    for account_id, old, new in zip(players, before, after, strict=True):
        connection.execute(
            delete(RatingRow).where(RatingRow.account_id == account_id, RatingRow.rules == rules)
        )
        row_key = {"account_id": account_id, "rules": rules}
        row = {**new._asdict(), "games": 1 + (0 if old is None else old.games), "last": ended}
        connection.execute(insert(RatingRow), {**row_key, **row})
        point = {"game_id": game_id, "rating": new.rating, "deviation": new.deviation, "at": ended}
        connection.execute(insert(RatingHistoryRow), {**row_key, **point})


def _rating(connection: Connection, account_id: str, rules: str) -> Rating | None:
    matching = [each for each in ratings(connection, account_id) if each.rules == rules]
    return matching[0] if matching else None


def _days(rating: Rating | None, now: datetime) -> float:
    return 0.0 if rating is None else max(0.0, (now - rating.last).total_seconds() / 86400)
