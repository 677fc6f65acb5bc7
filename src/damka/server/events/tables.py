"""Events in the database. Calls block, as those of `Store` do.

Every function takes the connection of a transaction (`Store.transaction`), so that what belongs
together is written together.
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
    Listed,
    Logged,
    Stored,
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
    "Ended",
    "create",
    "event_of",
    "find",
    "games_of",
    "is_operator_code",
    "listed",
    "load",
    "log",
    "logged",
    "missing",
    "new_operator_code",
    "place_of",
    "results",
    "stamps",
    "unfinished",
    "version_of",
    "with_results",
    "write",
    "write_games",
    "written_games",
]

_CODE_LASTS: Final = timedelta(days=365)
_GAMES: Final = select(TournamentGameRow.round, TournamentGameRow.board, TournamentGameRow.game_id)


class Ended(NamedTuple):
    """A game that is over, of which the event does not know yet."""

    round: int
    board: int
    game_id: str
    winner: Side | None
    reason: str


def create(connection: Connection, event_id: str, code: str, state: EventState) -> None:
    """Store a new event. The code fails with IntegrityError where another event has it."""
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
    """Put a state in the place of that of a version; False where another has come first.

    `over` are the games, by round and board, whose results the state now has.
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
    """Return the version of an event; None where there is no such event."""
    query = select(TournamentRow.version).where(TournamentRow.id == event_id)
    return connection.execute(query).scalar_one_or_none()


def load(connection: Connection, event_id: str) -> Stored | None:
    """Return an event, or None."""
    query = select(TournamentRow.code, TournamentRow.version, TournamentRow.state)
    row = connection.execute(query.where(TournamentRow.id == event_id)).one_or_none()
    if row is None:
        return None
    return Stored(event_id, row.code, row.version, parse(row.state), games_of(connection, event_id))


def games_of(connection: Connection, event_id: str) -> dict[tuple[int, int], str]:
    """Return the ids of an event's games by round and board, of those that are stored."""
    query = _GAMES.join(GameRow, GameRow.id == TournamentGameRow.game_id)
    found = connection.execute(query.where(TournamentGameRow.tournament_id == event_id))
    return {(row.round, row.board): row.game_id for row in found}


def written_games(connection: Connection, event_id: str) -> dict[tuple[int, int], str]:
    """Return the ids that an event's games have or will have, by round and board."""
    found = connection.execute(_GAMES.where(TournamentGameRow.tournament_id == event_id))
    return {(row.round, row.board): row.game_id for row in found}


def write_games(
    connection: Connection, event_id: str, games: Collection[tuple[int, int, str]]
) -> None:
    """Write down which games are to begin: round, board and id. Fails where one was before."""
    rows = [
        {"tournament_id": event_id, "round": number, "board": board, "game_id": game, "over": False}
        for number, board, game in games
    ]
    if rows:
        connection.execute(insert(TournamentGameRow), rows)


def results(connection: Connection, event_id: str) -> list[Ended]:
    """Return the games that are over and whose results the event does not have."""
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
        Ended(row.round, row.board, row.game_id, cast("Side | None", row.winner), str(row.reason))
        for row in connection.execute(query)
    ]


def stamps(connection: Connection, games: Collection[str]) -> dict[str, datetime]:
    """Return when some games have changed."""
    query = select(GameRow.id, GameRow.updated).where(GameRow.id.in_(games))
    return {row.id: row.updated for row in connection.execute(query)}


def missing(connection: Connection, games: Collection[str]) -> set[str]:
    """Return which of some games are not stored."""
    query = select(GameRow.id).where(GameRow.id.in_(games))
    return set(games) - set(connection.execute(query).scalars())


def with_results(connection: Connection) -> set[str]:
    """Return the ids of the events that do not have all results of their games."""
    query = (
        select(TournamentGameRow.tournament_id)
        .join(GameRow, GameRow.id == TournamentGameRow.game_id)
        .where(TournamentGameRow.over.is_(False), GameRow.reason.is_not(None))
    )
    return set(connection.execute(query.distinct()).scalars())


def unfinished(connection: Connection, now: datetime) -> dict[str, int]:
    """Return the events that run, or are to start by now: their versions by id."""
    starts = (TournamentRow.status == "soon") & (TournamentRow.starts <= now)
    query = select(TournamentRow.id, TournamentRow.version).where(
        (TournamentRow.status == "running") | starts
    )
    found = connection.execute(query.order_by(TournamentRow.created))
    return {row.id: row.version for row in found}


def listed(connection: Connection, statuses: Collection[str], limit: int) -> list[Listed]:
    """Return events of some statuses, the latest first."""
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
    return [Listed(*row) for row in connection.execute(query)]


def find(connection: Connection, code: str) -> str | None:
    """Return the id of the event that has a code."""
    query = select(TournamentRow.id).where(TournamentRow.code == code)
    return connection.execute(query).scalar_one_or_none()


def event_of(connection: Connection, game_id: str) -> tuple[str, str] | None:
    """Return the id and the name of the event that a game belongs to, or None."""
    query = (
        select(TournamentRow.id, TournamentRow.name)
        .join(TournamentGameRow, TournamentGameRow.tournament_id == TournamentRow.id)
        .where(TournamentGameRow.game_id == game_id)
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.id, row.name)


def place_of(connection: Connection, game_id: str) -> tuple[str, int, int] | None:
    """Return the event that a game belongs to, by id, with its round and board there; or None."""
    query = select(
        TournamentGameRow.tournament_id, TournamentGameRow.round, TournamentGameRow.board
    ).where(TournamentGameRow.game_id == game_id)
    row = connection.execute(query).one_or_none()
    return None if row is None else (row.tournament_id, row.round, row.board)


# The log


def log(
    connection: Connection, event_id: str, actor: str, action: str, details: dict[str, Any]
) -> None:
    """Write down what was done."""
    row = {
        "tournament_id": event_id,
        "at": datetime.now(UTC),
        "actor": actor[:100],
        "action": action,
        "details": details,
    }
    connection.execute(insert(TournamentLogRow), row)


def logged(connection: Connection, event_id: str, limit: int) -> list[Logged]:
    """Return what was done, the latest first."""
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
    return [Logged(*row) for row in connection.execute(query)]


# Codes of the operator


def new_operator_code(connection: Connection) -> str:
    """Return a new code with which events can be made for a year."""
    now = datetime.now(UTC)
    connection.execute(delete(OperatorCodeRow).where(OperatorCodeRow.expires < now))
    code = codes.new()
    row = {"hash": _hash(code), "created": now, "expires": now + _CODE_LASTS}
    connection.execute(insert(OperatorCodeRow), row)
    return code


def is_operator_code(connection: Connection, code: str) -> bool:
    """Tell whether a code is one of the operator's."""
    query = exists().where(
        OperatorCodeRow.hash == _hash(code), OperatorCodeRow.expires > datetime.now(UTC)
    )
    return bool(connection.scalar(select(query)))


def _hash(code: str) -> str:
    """Return the hash under which a code is stored."""
    return hashlib.sha256(f"damka operator {code}".encode("utf-8", "replace")).hexdigest()
