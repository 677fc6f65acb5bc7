"""Database access for events. Calls block, as those of `Store` do.

Every function takes the connection of a transaction (`Store.transaction`), so that related rows are
written together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, cast

from sqlalchemy import Connection, delete, exists, insert, select, update

from damka.live import codes
from damka.rules import Side
from damka.server.events.values import (
    EventState,
    EventSummary,
    LogRecord,
    StoredEvent,
    dump,
    parse,
)
from damka.server.store.event_models import (
    OperatorCodeRow,
    TournamentGameRow,
    TournamentLogRow,
    TournamentRow,
)
from damka.server.store.models import GameRow

__all__ = [
    "FinishedGame",
    "add_log_record",
    "create",
    "event_of",
    "find_by_code",
    "games_of",
    "is_operator_code",
    "load",
    "log_records",
    "missing_games",
    "new_operator_code",
    "new_results",
    "place_of",
    "summaries",
    "unfinished",
    "update_times",
    "version_of",
    "with_new_results",
    "write",
    "write_games",
    "written_games",
]

_CODE_LIFETIME: Final = timedelta(days=365)
_GAMES: Final = select(TournamentGameRow.round, TournamentGameRow.board, TournamentGameRow.game_id)


class FinishedGame(NamedTuple):
    """A finished game whose result the event has not recorded yet."""

    round: int
    board: int
    game_id: str
    winner: Side | None
    reason: str


def create(connection: Connection, event_id: str, code: str, state: EventState) -> None:
    """Store a new event. Raises IntegrityError when another event has the code."""
    now = datetime.now(UTC)
    row = {
        "id": event_id,
        "code": code,
        "name": state.setup.name,
        "kind": state.setup.kind,
        "rules": str(state.setup.rules.get("name", ""))[:64],
        "created": now,
        "version": 1,
        **_columns(state, now),
    }
    connection.execute(insert(TournamentRow), row)


def write(
    connection: Connection,
    event_id: str,
    version: int,
    state: EventState,
    over: Iterable[tuple[int, int]] = (),
) -> bool:
    """Replace the state of a version; return False when another change came first.

    `over` lists the games, by round and board, whose results the new state has.
    """
    values = {"version": version + 1, **_columns(state, datetime.now(UTC))}
    if state.status == "over":
        values["code"] = None
    query = update(TournamentRow).where(
        TournamentRow.id == event_id, TournamentRow.version == version
    )
    if connection.execute(query.values(values)).rowcount != 1:
        return False
    for number, board in over:
        connection.execute(
            update(TournamentGameRow)
            .where(
                TournamentGameRow.tournament_id == event_id,
                TournamentGameRow.round == number,
                TournamentGameRow.board == board,
            )
            .values(over=True)
        )
    return True


def _columns(state: EventState, now: datetime) -> dict[str, Any]:
    return {
        "status": state.status,
        "players": len(state.entrants),
        "starts": state.setup.starts,
        "updated": now,
        "state": dump(state),
    }


def version_of(connection: Connection, event_id: str) -> int | None:
    """Return the version of an event; None when there is no such event."""
    query = select(TournamentRow.version).where(TournamentRow.id == event_id)
    return connection.execute(query).scalar_one_or_none()


def load(connection: Connection, event_id: str) -> StoredEvent | None:
    """Return an event, or None."""
    query = select(TournamentRow.code, TournamentRow.version, TournamentRow.state)
    row = connection.execute(query.where(TournamentRow.id == event_id)).one_or_none()
    if row is None:
        return None
    return StoredEvent(
        event_id, row.code, row.version, parse(row.state), games_of(connection, event_id)
    )


def games_of(connection: Connection, event_id: str) -> dict[tuple[int, int], str]:
    """Return the ids of an event's stored games by round and board."""
    query = _GAMES.join(GameRow, GameRow.id == TournamentGameRow.game_id)
    rows = connection.execute(query.where(TournamentGameRow.tournament_id == event_id))
    return {(row.round, row.board): row.game_id for row in rows}


def written_games(connection: Connection, event_id: str) -> dict[tuple[int, int], str]:
    """Return the ids of an event's games by round and board, including games not yet created."""
    rows = connection.execute(_GAMES.where(TournamentGameRow.tournament_id == event_id))
    return {(row.round, row.board): row.game_id for row in rows}


def write_games(
    connection: Connection, event_id: str, games: Collection[tuple[int, int, str]]
) -> None:
    """Store the games to begin: round, board and id. Fails when one of them is already stored."""
    rows = [
        {"tournament_id": event_id, "round": number, "board": board, "game_id": game, "over": False}
        for number, board, game in games
    ]
    if rows:
        connection.execute(insert(TournamentGameRow), rows)


def new_results(connection: Connection, event_id: str) -> list[FinishedGame]:
    """Return the finished games whose results the event has not recorded."""
    query = (
        select(
            TournamentGameRow.round,
            TournamentGameRow.board,
            TournamentGameRow.game_id,
            GameRow.winner,
            GameRow.reason,
        )
        .join(GameRow, GameRow.id == TournamentGameRow.game_id)
        .where(TournamentGameRow.tournament_id == event_id, TournamentGameRow.over.is_(False))
        .where(GameRow.reason.is_not(None))
    )
    return [
        FinishedGame(
            row.round, row.board, row.game_id, cast("Side | None", row.winner), str(row.reason)
        )
        for row in connection.execute(query)
    ]


def update_times(connection: Connection, games: Collection[str]) -> dict[str, datetime]:
    """Return when each of the games last changed."""
    query = select(GameRow.id, GameRow.updated).where(GameRow.id.in_(games))
    return {row.id: row.updated for row in connection.execute(query)}


def missing_games(connection: Connection, games: Collection[str]) -> set[str]:
    """Return the games that are not stored."""
    query = select(GameRow.id).where(GameRow.id.in_(games))
    return set(games) - set(connection.execute(query).scalars())


def with_new_results(connection: Connection) -> set[str]:
    """Return the ids of the events with finished games that are not recorded."""
    query = (
        select(TournamentGameRow.tournament_id)
        .join(GameRow, GameRow.id == TournamentGameRow.game_id)
        .where(TournamentGameRow.over.is_(False), GameRow.reason.is_not(None))
    )
    return set(connection.execute(query.distinct()).scalars())


def unfinished(connection: Connection, now: datetime) -> dict[str, int]:
    """Return the versions by id of the events that are running or should have started."""
    starts = (TournamentRow.status == "soon") & (TournamentRow.starts <= now)
    query = select(TournamentRow.id, TournamentRow.version).where(
        (TournamentRow.status == "running") | starts
    )
    rows = connection.execute(query.order_by(TournamentRow.created))
    return {row.id: row.version for row in rows}


def summaries(connection: Connection, statuses: Collection[str], limit: int) -> list[EventSummary]:
    """Return events with these statuses, latest first."""
    query = (
        select(
            TournamentRow.id,
            TournamentRow.name,
            TournamentRow.kind,
            TournamentRow.rules,
            TournamentRow.status,
            TournamentRow.players,
            TournamentRow.starts,
            TournamentRow.created,
        )
        .where(TournamentRow.status.in_(statuses))
        .order_by(TournamentRow.created.desc(), TournamentRow.id)
        .limit(limit)
    )
    return [EventSummary(*row) for row in connection.execute(query)]


def find_by_code(connection: Connection, code: str) -> str | None:
    """Return the id of the event with a code."""
    query = select(TournamentRow.id).where(TournamentRow.code == code)
    return connection.execute(query).scalar_one_or_none()


def event_of(connection: Connection, game_id: str) -> tuple[str, str] | None:
    """Return the id and the name of a game's event, or None."""
    query = (
        select(TournamentRow.id, TournamentRow.name)
        .join(TournamentGameRow, TournamentGameRow.tournament_id == TournamentRow.id)
        .where(TournamentGameRow.game_id == game_id)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.id, row.name)


def place_of(connection: Connection, game_id: str) -> tuple[str, int, int] | None:
    """Return the event id, round and board of a game, or None."""
    query = select(
        TournamentGameRow.tournament_id, TournamentGameRow.round, TournamentGameRow.board
    ).where(TournamentGameRow.game_id == game_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.tournament_id, row.round, row.board)


# Log


def add_log_record(
    connection: Connection, event_id: str, actor: str, action: str, details: dict[str, Any]
) -> None:
    """Add a log entry."""
    row = {
        "tournament_id": event_id,
        "at": datetime.now(UTC),
        "actor": actor[:100],
        "action": action,
        "details": details,
    }
    connection.execute(insert(TournamentLogRow), row)


def log_records(connection: Connection, event_id: str, limit: int) -> list[LogRecord]:
    """Return the log entries, latest first."""
    query = (
        select(
            TournamentLogRow.at,
            TournamentLogRow.actor,
            TournamentLogRow.action,
            TournamentLogRow.details,
        )
        .where(TournamentLogRow.tournament_id == event_id)
        .order_by(TournamentLogRow.id.desc())
        .limit(limit)
    )
    return [LogRecord(*row) for row in connection.execute(query)]


# Operator codes


def new_operator_code(connection: Connection) -> str:
    """Create a code with which events can be created for one year."""
    now = datetime.now(UTC)
    connection.execute(delete(OperatorCodeRow).where(OperatorCodeRow.expires < now))
    code = codes.new()
    row = {"hash": _hash(code), "created": now, "expires": now + _CODE_LIFETIME}
    connection.execute(insert(OperatorCodeRow), row)
    return code


def is_operator_code(connection: Connection, code: str) -> bool:
    """Whether a code is an operator code."""
    query = exists().where(
        OperatorCodeRow.hash == _hash(code), OperatorCodeRow.expires > datetime.now(UTC)
    )
    return bool(connection.scalar(select(query)))


def _hash(code: str) -> str:
    """Return the hash under which a code is stored."""
    return hashlib.sha256(f"damka operator {code}".encode("utf-8", "replace")).hexdigest()
