"""Many games that continue during a fault, and checks of their clocks and moves afterwards.

`DAMKA_FAULT_GAMES` sets the number: a few in the tests, hundreds in `python -m bench.faults`, which
also measures on an idle machine.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

from bench.load.context import percentile
from bench.load.games import Pairs, client, keep_playing, start_games
from bench.load.players import CLOCK, Ledger
from bench.load.store_check import compare_store
from bench.load.viewer import Frame
from sqlalchemy import select

from damka.live import events
from damka.rules import SIDES, Side, other
from damka.server.store import connect
from damka.server.store.models import EventRow
from tests.services import ServerProcess

__all__ = [
    "DOWN_SECONDS",
    "GAMES",
    "IS_LARGE_RUN",
    "SECONDS",
    "Games",
    "Gap",
    "max_compensation",
    "playing",
]

FEW: Final = 6
GAMES: Final = int(os.environ.get("DAMKA_FAULT_GAMES", FEW))
IS_LARGE_RUN: Final = GAMES > FEW
SECONDS: Final = 15.0 if IS_LARGE_RUN else 0.7
"""Seconds of play before a fault and after it."""
DOWN_SECONDS: Final = 2.0 if IS_LARGE_RUN else 1.0
"""Downtime of a killed process."""
TURN_SECONDS: Final = 2.0 if IS_LARGE_RUN else 0.3
TOLERANCE_MS: Final = 100.0 if IS_LARGE_RUN else 250.0
"""Allowed error of a clock. The tests run on busy machines."""
PATIENCE: Final = 30.0
INCREMENT_MS: Final = 1000 * int(CLOCK["increment"])


class Gap(NamedTuple):
    """A wall-clock interval that may not be charged to any player; the sure part never is."""

    begin: float
    end: float
    sure_begin: float
    sure_end: float


class Games:
    """Running games with clocks; `note` receives measurements by name."""

    def __init__(self, pairs: Pairs, ledger: Ledger, note: Callable[[str, object], None]) -> None:
        self.pairs: Final = pairs
        self.ledger: Final = ledger
        self.note: Final = note
        self._until = float("inf")
        self._has_ended = False
        self._tasks: Final = [
            asyncio.create_task(
                keep_playing(number, pair, lambda: self._until, TURN_SECONDS, ledger)
            )
            for number, pair in enumerate(pairs)
        ]

    async def stop_players(self) -> None:
        """Stop all players; raise the error of a failed one."""
        self._until = 0.0
        await asyncio.gather(*self._tasks)

    async def stop(self) -> None:
        """Continue the games for a while, then stop."""
        await asyncio.sleep(SECONDS)
        await self.stop_players()
        self._close_connections()

    async def disconnect(self) -> None:
        """Disconnect at once, in the middle of moves."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._close_connections()

    def _close_connections(self) -> None:
        for pair in () if self._has_ended else self.pairs:
            pair.end()
        self._has_ended = True

    async def all_move(
        self, measurement: str = "until all games continue", pairs: Pairs | None = None
    ) -> float:
        """Wait until each game has another move; return the seconds."""
        start = time.monotonic()
        before = [(pair, pair.moved_at) for pair in pairs or self.pairs]
        while any(pair.moved_at == last_move for pair, last_move in before):
            assert time.monotonic() < start + PATIENCE, "not all games continue"
            await asyncio.sleep(0.02)
        seconds = time.monotonic() - start
        self.note(measurement, f"{seconds:.1f} s")
        return seconds

    def refused_since(self, begin: float) -> list[tuple[float, Frame]]:
        """Return the errors since a wall-clock time, each with its time."""
        return [error for pair in self.pairs for error in pair.refused if error[0] >= begin]

    def check(self, database_url: str, *gaps: Gap, except_for: Collection[str] = ()) -> Audit:
        """Check that no acknowledged move is lost and no clock is wrong.

        The games must have been stopped.
        """
        comparison = compare_store(database_url, self.ledger.games)
        assert comparison.moves
        assert comparison.is_good, str(comparison)
        games = {game.id for game in self.ledger.games} - set(except_for)
        lag = percentile(self.ledger.to_self, 0.99)
        audit = audit_clocks(database_url, gaps, games, lag)
        assert audit.turns > 0
        assert not audit.wrong, str(audit)
        self.note("moves", str(comparison))
        self.note("clocks", str(audit))
        self.note("to the other player, p99", f"{percentile(self.ledger.to_other, 0.99):.0f} ms")
        return audit


@asynccontextmanager
async def playing(
    note: Callable[[str, object], None], *servers: ServerProcess
) -> AsyncIterator[Games]:
    """Start and continue all games; with several servers, opponents use different ones."""
    ledger = Ledger()
    async with client() as http:
        ports = tuple(server.port for server in servers)
        pairs = await start_games(http, ports, GAMES, ledger, lambda *_: None, persistent=True)
        games = Games(pairs, ledger, note)
        try:
            await asyncio.sleep(SECONDS)
            yield games
        finally:
            await games.disconnect()


# Clocks in the store, compared with the elapsed time


class Audit(NamedTuple):
    """Turns of some games, and errors of their clocks."""

    turns: int
    resumed: int
    """Turns that continued after a fault."""
    wrong: int
    over: float
    """Maximum overcharge of a turn, in milliseconds."""
    under: float
    """Maximum undercharge, without the allowed lag compensation."""

    def __str__(self) -> str:
        return (
            f"{self.turns} turns, {self.wrong} wrong, up to {self.over:.0f} ms too much and "
            f"{self.under:.0f} too little"
        )


class _Entry(NamedTuple):
    at: float
    event: events.Event
    left: dict[Side, int]
    spent: int


def audit_clocks(
    database_url: str, gaps: Sequence[Gap], games: Iterable[str], lag_ms: float = 0.0
) -> Audit:
    """Check every turn of the games.

    `lag_ms` is the latency that the server may have measured and compensated.
    """
    turns = resumed = wrong = 0
    over = under = 0.0
    for log in _logs(database_url, set(games)):
        for before, after in pairwise(log):
            error = _error(before, after, gaps)
            if error is not None:
                turns += 1
                resumed += isinstance(after.event, events.ClockResumed)
                late, early = max(0.0, error), max(0.0, -error - lag_ms)
                wrong += late > TOLERANCE_MS or early > TOLERANCE_MS
                over, under = max(over, late), max(under, early)
    return Audit(turns, resumed, wrong, over, under)


def max_compensation(database_url: str, games: Iterable[str], first_ms: float) -> float:
    """Return the maximum lag compensation of a side, in milliseconds per move.

    Ignores `first_ms` of each side: the quota starts above its increment.
    """
    maximum = 0.0
    for log in _logs(database_url, set(games)):
        for side in SIDES:
            errors = [
                _error(before, after, ()) or 0.0
                for before, after in pairwise(log)
                if isinstance(after.event, events.Moved) and after.event.side == side
            ]
            if errors:
                maximum = max(maximum, (-sum(errors) - first_ms) / len(errors))
    return maximum


def _logs(database_url: str, games: set[str]) -> Iterator[list[_Entry]]:
    table: Any = EventRow.__table__
    with connect(database_url) as engine, engine.connect() as connection:
        rows = connection.execute(select(table).order_by(table.c.game_id, table.c.seq)).all()
    for game, log in groupby(rows, lambda row: row.game_id):
        if game in games:
            yield _entries(log)


def _entries(log: Iterable[Any]) -> list[_Entry]:
    """Return the entries since the clocks started."""
    entries, moves = [], 0
    for row in log:
        event = events.read(row.kind, row.payload)
        moves += isinstance(event, events.Moved)
        if moves >= 2 and row.white_ms is not None:
            at: datetime = row.at
            left: dict[Side, int] = {"W": row.white_ms, "B": row.black_ms}
            entries.append(_Entry(at.timestamp(), event, left, row.spent_ms or 0))
    return entries


def _error(before: _Entry, after: _Entry, gaps: Sequence[Gap]) -> float | None:
    """Return the error of a turn's charge in milliseconds; None for an unfinished turn."""
    elapsed = 1000 * (after.at - before.at)
    if isinstance(after.event, events.ClockResumed):
        charged = float(after.spent - before.spent)
        # Charged until the fault, not until the takeover of the game.
        minimum = maximum = elapsed - sum(
            _overlap(before.at, after.at, g.begin, g.end) for g in gaps
        )
    elif isinstance(after.event, events.Moved):
        side = after.event.side
        charged = before.left[side] + INCREMENT_MS - after.left[side] - before.spent
        if after.left[other(side)] != before.left[other(side)]:
            return float(after.left[other(side)] - before.left[other(side)])
        minimum = elapsed - sum(_overlap(before.at, after.at, g.begin, g.end) for g in gaps)
        maximum = elapsed - sum(
            _overlap(before.at, after.at, g.sure_begin, g.sure_end) for g in gaps
        )
    else:
        return None
    if charged > maximum:
        return charged - maximum
    return min(0.0, charged - minimum)


def _overlap(begin: float, end: float, gap_begin: float, gap_end: float) -> float:
    return 1000 * max(0.0, min(end, gap_end) - max(begin, gap_begin))
