"""Games of a player: their list, the player's titles for them, and removal from the list."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Select, and_, case, exists, func, or_, select, update
from sqlalchemy.orm import aliased

from damka.live.own_games import OwnGame
from damka.server.store.account_models import AccountRow
from damka.server.store.models import EventRow, GameRow, SeatRow

__all__ = ["change", "exists_game", "games_of", "is_awaited", "own_games", "titles", "wins"]

_SEATS: Final[Any] = SeatRow.__table__
_MOVE: Final = "move"
"""Kind of the log entries with a move."""


def own_games(connection: Connection, holder: str, limit: int) -> list[OwnGame]:
    """Return the games in a holder's list, latest first.

    A game without a move is included only if it has a base, if it has a result other than
    "aborted", or while an opponent is awaited.
    """
    games, own_seat, other_seat = games_of(holder)
    has_moves = exists().where(EventRow.game_id == GameRow.id, EventRow.kind == _MOVE)
    is_other_person = and_(
        other_seat.kind == "person", other_seat.holder.is_distinct_from(own_seat.holder)
    )
    query = games.where(
        ~own_seat.removed,
        or_(
            has_moves,
            GameRow.base.is_not(None),
            and_(GameRow.reason.is_(None), is_other_person),
            and_(GameRow.reason.is_not(None), GameRow.reason != "aborted"),
        ),
    )
    return _read(connection, query, holder, limit)


def wins(connection: Connection, holder: str, limit: int) -> list[OwnGame]:
    """Return the games in a holder's list that were won against the computer, latest first."""
    games, own_seat, other_seat = games_of(holder)
    query = games.where(
        ~own_seat.removed,
        GameRow.winner == own_seat.side,
        other_seat.kind == "computer",
        other_seat.engine.is_(None),
    )
    return _read(connection, query, holder, limit)


def games_of(holder: str) -> tuple[Select[Any], type[SeatRow], type[SeatRow]]:
    """Return the query of a holder's games, latest first, and its own and other seats.

    A game in which the holder has both seats is included once; a title of either seat counts.
    """
    own_seat, other_seat = aliased(SeatRow), aliased(SeatRow)
    account = aliased(AccountRow)
    has_both = other_seat.holder == own_seat.holder
    query: Any = (
        select(
            GameRow.id,
            GameRow.winner,
            GameRow.reason,
            GameRow.created,
            GameRow.updated,
            own_seat.side,
            own_seat.removed,
            func.coalesce(own_seat.title, case((has_both, other_seat.title))).label("title"),
            other_seat.holder,
            other_seat.level,
            other_seat.engine,
            other_seat.name,
            account.name.label("account"),
        )
        .join(own_seat, own_seat.game_id == GameRow.id)
        .join(other_seat, and_(other_seat.game_id == GameRow.id, other_seat.side != own_seat.side))
        .outerjoin(account, and_(account.holder == other_seat.holder, account.closed.is_(None)))
        .where(own_seat.holder == holder)
        .where(or_(other_seat.holder.is_distinct_from(holder), own_seat.player == 1))
        .order_by(GameRow.updated.desc(), GameRow.id)
    )
    return query, own_seat, other_seat


def _read(connection: Connection, query: Select[Any], holder: str, limit: int) -> list[OwnGame]:
    query = query.add_columns(GameRow.rules["name"].as_string().label("rules")).limit(limit)
    return [
        OwnGame(
            id=row.id,
            rules=row.rules or "",
            side=None if row.holder == holder else row.side,
            level=None if row.engine is not None else row.level,
            # The account of a game at one screen is the holder's own.
            opponent=None if row.holder == holder else row.engine or row.account or row.name,
            title=row.title,
            winner=row.winner,
            reason=row.reason,
            updated=row.updated,
        )
        for row in connection.execute(query)
    ]


def titles(connection: Connection, holder: str, ids: list[str]) -> dict[str, str]:
    """Return the holder's titles of games, by id."""
    query = select(SeatRow.game_id, SeatRow.title).where(
        SeatRow.holder == holder, SeatRow.game_id.in_(ids), SeatRow.title.is_not(None)
    )
    return {row.game_id: row.title for row in connection.execute(query)}


def change(
    connection: Connection, game_id: str, holder: str, changes: dict[str, object]
) -> tuple[str | None, bool] | None:
    """Change the title or the removal of a holder's game; return both.

    Returns None, and changes nothing, if the holder does not play in it.
    """
    is_own = (_SEATS.c.game_id == game_id, _SEATS.c.holder == holder)
    if changes:
        connection.execute(update(_SEATS).where(*is_own).values(changes))
    rows = connection.execute(select(_SEATS.c.title, _SEATS.c.removed).where(*is_own)).all()
    if not rows:
        return None
    return next((row.title for row in rows if row.title), None), rows[0].removed


def is_awaited(connection: Connection, game_id: str, holder: str) -> bool:
    """Whether an unfinished game has another player than `holder`, or an open seat."""
    query = (
        select(GameRow.id)
        .join(SeatRow, SeatRow.game_id == GameRow.id)
        .where(GameRow.id == game_id, GameRow.reason.is_(None), SeatRow.kind == "person")
        .where(SeatRow.holder.is_distinct_from(holder))
    )
    return connection.execute(query).first() is not None


def exists_game(connection: Connection, game_id: str) -> bool:
    """Whether there is a game with this id."""
    return connection.execute(select(GameRow.id).where(GameRow.id == game_id)).first() is not None
