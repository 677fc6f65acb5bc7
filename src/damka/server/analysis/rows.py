"""Statements for analyses, reviews and budgets. Each function runs in a transaction."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from damka.server.store.analysis_models import AnalysisRow, BudgetRow, ReviewRow
from damka.server.store.models import GameRow, SeatRow

__all__ = [
    "DAY",
    "RunningGame",
    "StoredAnalysis",
    "analysis",
    "charge",
    "review",
    "running_games",
    "store_analysis",
    "store_review",
    "touch_analyses",
    "touch_review",
    "used",
]

DAY: Final = timedelta(days=1)
_SLACK: Final = 64
"""Rows over the bound before the oldest are deleted, so that this is not done at every write."""


class StoredAnalysis(NamedTuple):
    """An analysis, and the limit of its search."""

    nodes: int
    body: bytes


class RunningGame(NamedTuple):
    """A running game against another person."""

    id: str
    has_clock: bool
    updated: datetime


# Analyses


def analysis(connection: Connection, key: str) -> StoredAnalysis | None:
    """Return a stored analysis, or None."""
    row = connection.execute(
        select(AnalysisRow.nodes, AnalysisRow.body).where(AnalysisRow.key == key)
    ).first()
    return None if row is None else StoredAnalysis(row.nodes, row.body)


def store_analysis(
    connection: Connection, key: str, result: StoredAnalysis, now: datetime, limit: int
) -> None:
    """Store an analysis, unless a deeper one is stored; keep at most about `limit` rows."""
    stored = analysis(connection, key)
    if stored is not None and stored.nodes > result.nodes:
        return
    _put(connection, AnalysisRow, key, {"nodes": result.nodes, "body": result.body, "used": now})
    _trim(connection, AnalysisRow, limit)


def touch_analyses(connection: Connection, keys: set[str], now: datetime) -> None:
    """Record a use of these analyses."""
    connection.execute(update(AnalysisRow).where(AnalysisRow.key.in_(keys)).values(used=now))


# Reviews


def review(connection: Connection, key: str) -> bytes | None:
    """Return a stored review, or None."""
    return connection.execute(select(ReviewRow.body).where(ReviewRow.key == key)).scalar()


def store_review(
    connection: Connection, key: str, game_id: str | None, body: bytes, now: datetime, limit: int
) -> None:
    """Store a review; keep at most about `limit` rows."""
    _put(connection, ReviewRow, key, {"game_id": game_id, "body": body, "used": now})
    _trim(connection, ReviewRow, limit)


def touch_review(connection: Connection, key: str, now: datetime) -> None:
    """Record a use of a review."""
    connection.execute(update(ReviewRow).where(ReviewRow.key == key).values(used=now))


# Budgets


def used(connection: Connection, capacities: Mapping[str, int], now: datetime) -> dict[str, int]:
    """Return the used nodes of each key. `capacities` are restored within a day."""
    query = select(BudgetRow.key, BudgetRow.used, BudgetRow.at).where(BudgetRow.key.in_(capacities))
    return {
        row.key: _remaining(row.used, row.at, now, capacities[row.key])
        for row in connection.execute(query)
    }


def charge(
    connection: Connection,
    nodes: Mapping[str, int],
    capacities: Mapping[str, int],
    now: datetime,
) -> None:
    """Add to the used nodes of each key; delete the rows of which nothing is left."""
    before = used(connection, capacities, now)
    for key, count in nodes.items():
        _put(connection, BudgetRow, key, {"used": before.get(key, 0) + count, "at": now})
    connection.execute(delete(BudgetRow).where(BudgetRow.at < now - 2 * DAY))


def _remaining(used: int, at: datetime, now: datetime, capacity: int) -> int:
    """Return the used nodes after the time since `at`; never more, if the clock was set back."""
    restored = max(0.0, (now - at) / DAY) * capacity
    return max(0, used - int(restored))


# Running games


def running_games(connection: Connection, holder: str, limit: int) -> list[RunningGame]:
    """Return the running games of a holder against another person, latest first."""
    own = select(SeatRow.game_id).where(SeatRow.holder == holder)
    other = select(SeatRow.game_id).where(
        SeatRow.game_id == GameRow.id, SeatRow.kind == "person", SeatRow.holder != holder
    )
    query = (
        select(GameRow.id, GameRow.clock.is_not(None).label("has_clock"), GameRow.updated)
        .where(GameRow.id.in_(own), GameRow.reason.is_(None), other.exists())
        .order_by(GameRow.updated.desc(), GameRow.id)
        .limit(limit)
    )
    return [
        RunningGame(row.id, bool(row.has_clock), row.updated) for row in connection.execute(query)
    ]


def _put(connection: Connection, model: Any, key: str, values: Mapping[str, object]) -> None:
    """Insert or update a row; the store's lock keeps other processes from doing so meanwhile."""
    changed = connection.execute(update(model).where(model.key == key).values(values))
    if changed.rowcount == 0:
        connection.execute(insert(model), {"key": key, **values})


def _trim(connection: Connection, model: Any, limit: int) -> None:
    """Delete the rows used least recently."""
    count = connection.execute(select(func.count()).select_from(model)).scalar_one()
    slack = min(_SLACK, limit // 8)
    if count <= limit + slack:
        return
    oldest = select(model.key).order_by(model.used, model.key).limit(count - limit)
    connection.execute(delete(model).where(model.key.in_(oldest)))
