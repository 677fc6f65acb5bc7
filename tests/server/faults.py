"""Many games that go on through a fault, and what must hold afterwards.

`DAMKA_FAULT_GAMES` sets how many: a few in the tests, hundreds in `python -m bench.faults`, which
also measures on a quiet machine.
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
from bench.load.games import Table, client, keep_playing, sit_down
from bench.load.players import CLOCK, Ledger
from bench.load.store_check import compared
from bench.load.viewer import Frame
from sqlalchemy import select

from damka.live import events
from damka.rules import SIDES, Side, other
from damka.server.store import connect
from damka.server.store.models import EventRow
from tests.services import ServerProcess

__all__ = ["DOWN_SECONDS", "GAMES", "MANY", "SECONDS", "Games", "Gap", "given_back", "playing"]

FEW: Final = 6
GAMES: Final = int(os.environ.get("DAMKA_FAULT_GAMES", FEW))
MANY: Final = GAMES > FEW
SECONDS: Final = 15.0 if MANY else 0.7
"""Time in which all play, before a fault and after it."""
DOWN_SECONDS: Final = 2.0 if MANY else 1.0
"""How long a part that was killed stays away."""
TURN_SECONDS: Final = 2.0 if MANY else 0.3
TOLERANCE_MS: Final = 100.0 if MANY else 250.0
"""Error of a clock. The tests run on machines that are busy elsewhere."""
PATIENCE: Final = 30.0
INCREMENT_MS: Final = 1000 * int(CLOCK["increment"])


class Gap(NamedTuple):
    """A time, by the wall clock, that is charged to nobody: at least the sure part of it."""

    begin: float
    end: float
    sure_begin: float
    sure_end: float


class Games:
    """Running games with clocks, until they are stopped; `note` receives figures by name."""

    def __init__(self, pairs: Table, ledger: Ledger, note: Callable[[str, object], None]) -> None:
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

    async def rest(self) -> None:
        """Let nobody move any more; check that no player has given up."""
        self._until = 0.0
        await asyncio.gather(*self._tasks)

    async def stop(self) -> None:
        """Play on for some time, and leave."""
        await asyncio.sleep(SECONDS)
        await self.rest()
        self._leave()

    async def give_up(self) -> None:
        """Leave at once, in the middle of moves."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._leave()

    def _leave(self) -> None:
        for pair in () if self._has_ended else self.pairs:
            pair.end()
        self._has_ended = True

    async def all_move(
        self, what: str = "until all play again", pairs: Table | None = None
    ) -> float:
        """Wait until every game, or each of some, had a move after now; return the seconds."""
        began = time.monotonic()
        before = [(pair, pair.moved_at) for pair in pairs or self.pairs]
        while any(pair.moved_at == then for pair, then in before):
            assert time.monotonic() < began + PATIENCE, "not all games go on"
            await asyncio.sleep(0.02)
        took = time.monotonic() - began
        self.note(what, f"{took:.1f} s")
        return took

    def refused_since(self, begin: float) -> list[tuple[float, Frame]]:
        """Return the errors since a time by the wall clock, each with its time."""
        return [error for pair in self.pairs for error in pair.refused if error[0] >= begin]

    def check(self, database_url: str, *gaps: Gap, but: Collection[str] = ()) -> Audit:
        """Check that no acknowledged move is lost and no clock wrong, but for those of some games.

        The games must have been stopped.
        """
        verdict = compared(database_url, self.ledger.games)
        assert verdict.moves
        assert verdict.is_good, str(verdict)
        chosen = {game.id for game in self.ledger.games} - set(but)
        lag = percentile(self.ledger.to_self, 0.99)
        audit = audited(database_url, gaps, chosen, lag)
        assert audit.turns > 0
        assert not audit.wrong, str(audit)
        self.note("moves", str(verdict))
        self.note("clocks", str(audit))
        self.note("to the other player, p99", f"{percentile(self.ledger.to_other, 0.99):.0f} ms")
        return audit


@asynccontextmanager
async def playing(
    note: Callable[[str, object], None], *servers: ServerProcess
) -> AsyncIterator[Games]:
    """Let all games begin and go on; of several servers the two players have different ones."""
    ledger = Ledger()
    async with client() as http:
        ports = tuple(server.port for server in servers)
        pairs = await sit_down(http, ports, GAMES, ledger, lambda *_: None, lasting=True)
        games = Games(pairs, ledger, note)
        try:
            await asyncio.sleep(SECONDS)
            yield games
        finally:
            await games.give_up()


# Clocks in the store, compared with the time that passed


class Audit(NamedTuple):
    """The turns of some games, and errors of their clocks."""

    turns: int
    resumed: int
    """Turns that went on after a fault."""
    wrong: int
    over: float
    """Milliseconds by which a turn was charged too much at most."""
    under: float
    """The same for too little, without the lag that may have been given back."""

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


def audited(
    database_url: str, gaps: Sequence[Gap], games: Iterable[str], lag_ms: float = 0.0
) -> Audit:
    """Check every turn of the games.

    `lag_ms` is what connections may have taken, as the server measures them: so much is given back.
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


def given_back(database_url: str, games: Iterable[str], first_ms: float) -> float:
    """Return the milliseconds a move that one side of the games was given back at most.

    Of each side `first_ms` do not count: the quota begins with more than it grows by.
    """
    most = 0.0
    for log in _logs(database_url, set(games)):
        for side in SIDES:
            errors = [
                _error(before, after, ()) or 0.0
                for before, after in pairwise(log)
                if isinstance(after.event, events.Moved) and after.event.side == side
            ]
            if errors:
                most = max(most, (-sum(errors) - first_ms) / len(errors))
    return most


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


def _error(before: _Entry, after: _Entry, gaps: Sequence[Gap]) -> float | None:
    """Return by how many milliseconds a turn was charged wrongly; None where it goes on."""
    passed = 1000 * (after.at - before.at)
    if isinstance(after.event, events.ClockResumed):
        charged = float(after.spent - before.spent)
        # Until the fault, and not until somebody took the game over.
        least = most = passed - sum(_overlap(before.at, after.at, g.begin, g.end) for g in gaps)
    elif isinstance(after.event, events.Moved):
        side = after.event.side
        charged = before.left[side] + INCREMENT_MS - after.left[side] - before.spent
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
