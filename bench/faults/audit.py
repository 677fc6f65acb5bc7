"""The clocks in the store beside the time that passed: what was charged to whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from damka.live import events
from damka.rules import SIDES, Side, other
from damka.server.store import connect
from damka.server.store.models import EventRow

__all__ = ["TOLERANCE_MS", "Audit", "Gap", "audited", "given_back"]

TOLERANCE_MS: Final = 100.0


class Gap(NamedTuple):
    """A time, by the wall clock, that is charged to nobody: at least the sure part of it."""

    begin: float
    end: float
    sure_begin: float
    sure_end: float


class Audit(NamedTuple):
    """What was found."""

    turns: int
    wrong: int
    over: float
    """Milliseconds by which a turn was charged too much at most."""
    under: float
    """The same for too little, without the lag that may have been given back."""

    def __str__(self) -> str:
        """Return it in words."""
        return (
            f"{self.turns} turns, {self.wrong} wrong, up to {self.over:.0f} ms too much and "
            f"{self.under:.0f} too little"
        )


def given_back(
    database_url: str, increment_ms: int, games: Iterable[str], first_ms: float
) -> float:
    """Return the milliseconds a move that one side of the games was given back at most.

    Of each side `first_ms` do not count: the quota begins with more than it grows by.
    """
    found = [0.0]
    chosen = set(games)
    for log in _logs(database_url, chosen):
        for side in SIDES:
            offs = [
                _off(before, after, (), increment_ms) or 0.0
                for before, after in pairwise(log)
                if isinstance(after.event, events.Moved) and after.event.side == side
            ]
            if offs:
                found.append((-sum(offs) - first_ms) / len(offs))
    return max(found)


class _Entry(NamedTuple):
    at: float
    event: events.Event
    left: dict[Side, int]
    spent: int


def audited(
    database_url: str,
    gaps: Sequence[Gap],
    increment_ms: int,
    games: Iterable[str],
    lag_ms: float = 0.0,
) -> Audit:
    """Check every turn of the games, which have a Fischer clock.

    `lag_ms` is what connections may have taken, as the server measures them: so much is given back.
    """
    chosen = set(games)
    turns = wrong = 0
    over = under = 0.0
    for log in _logs(database_url, chosen):
        for before, after in pairwise(log):
            off = _off(before, after, gaps, increment_ms)
            if off is not None:
                turns += 1
                late, early = max(0.0, off), max(0.0, -off - lag_ms)
                wrong += late > TOLERANCE_MS or early > TOLERANCE_MS
                over, under = max(over, late), max(under, early)
    return Audit(turns, wrong, over, under)


def _logs(database_url: str, games: set[str]) -> Iterator[list[_Entry]]:
    table: Any = EventRow.__table__
    with connect(database_url) as engine, engine.connect() as connection:
        rows = connection.execute(select(table).order_by(table.c.game_id, table.c.seq)).all()
    for game, log in groupby(rows, lambda row: row.game_id):
        if game in games:
            yield _entries(log)


def _entries(log: Iterable[Any]) -> list[_Entry]:
    """Return the entries from the one on after which the clocks run."""
    entries, moves = [], 0
    for row in log:
        event = events.read(row.kind, row.payload)
        moves += isinstance(event, events.Moved)
        if moves >= 2 and row.white_ms is not None:
            at: datetime = row.at
            left: dict[Side, int] = {"W": row.white_ms, "B": row.black_ms}
            entries.append(_Entry(at.timestamp(), event, left, row.spent_ms or 0))
    return entries


def _off(before: _Entry, after: _Entry, gaps: Sequence[Gap], increment_ms: int) -> float | None:
    """Return by how many milliseconds a turn was charged wrongly; None where it goes on."""
    passed = 1000 * (after.at - before.at)
    if isinstance(after.event, events.ClockResumed):
        charged = float(after.spent - before.spent)
        # Until the fault, and not until somebody took the game over.
        least = most = passed - sum(_overlap(before.at, after.at, g.begin, g.end) for g in gaps)
    elif isinstance(after.event, events.Moved):
        side = after.event.side
        charged = before.left[side] + increment_ms - after.left[side] - before.spent
        if after.left[other(side)] != before.left[other(side)]:
            return float(after.left[other(side)] - before.left[other(side)])
        least = passed - sum(_overlap(before.at, after.at, g.begin, g.end) for g in gaps)
        most = passed - sum(_overlap(before.at, after.at, g.sure_begin, g.sure_end) for g in gaps)
    else:
        return None
    if charged > most:
        return charged - most
    return min(0.0, charged - least)


def _overlap(begin: float, end: float, gap_begin: float, gap_end: float) -> float:
    return 1000 * max(0.0, min(end, gap_end) - max(begin, gap_begin))
