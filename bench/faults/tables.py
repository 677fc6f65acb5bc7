"""Two hundred games with clocks that go on through a fault, and what is checked afterwards."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Final

from bench.faults.audit import Gap, audited
from bench.load.context import Context
from bench.load.games import Table, client, keep_playing, sit_down
from bench.load.players import CLOCK, Ledger
from bench.load.report import Line, correct, figure, percentile
from bench.load.store_check import compared

__all__ = ["Room", "room"]


class Room:
    """The running games, until they are stopped."""

    def __init__(self, context: Context, pairs: Table, ledger: Ledger) -> None:
        self.pairs: Final = pairs
        self.ledger: Final = ledger
        self._context: Final = context
        self._until = float("inf")
        every = context.sizes.every / 2
        self._tasks: Final = [
            asyncio.create_task(keep_playing(number, pair, lambda: self._until, every, ledger))
            for number, pair in enumerate(pairs)
        ]

    async def wait(self, seconds: float, what: str) -> None:
        """Let them play for some seconds."""
        whole = max(1, round(seconds))
        for done in range(whole):
            self._context.told(what, done, whole)
            await asyncio.sleep(seconds / whole)

    async def stop(self) -> list[str]:
        """End all games; return what went wrong."""
        self._until = 0.0
        answers = await asyncio.gather(*self._tasks, return_exceptions=True)
        for pair in self.pairs:
            pair.end()
        return [f"{type(each).__name__}: {each}" for each in answers if isinstance(each, Exception)]

    async def give_up(self) -> None:
        """Stop at once, in the middle of moves."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for pair in self.pairs:
            pair.end()

    async def all_move(self, seconds: float) -> float:
        """Wait until every game had a move after now; return the seconds, at most those."""
        began = time.monotonic()
        before = [pair.moved_at for pair in self.pairs]
        while time.monotonic() < began + seconds:
            going = sum(
                pair.moved_at != then for pair, then in zip(self.pairs, before, strict=True)
            )
            self._context.told("games go on", going, len(self.pairs))
            if going == len(self.pairs):
                break
            await asyncio.sleep(0.05)
        return time.monotonic() - began


@asynccontextmanager
async def room(context: Context, ports: Sequence[int]) -> AsyncIterator[Room]:
    """Let all games begin at servers, and go on."""
    ledger = Ledger()
    async with client() as http:
        told = context.telling("games begin")
        pairs = await sit_down(http, tuple(ports), context.sizes.games, ledger, told, lasting=True)
        opened = Room(context, pairs, ledger)
        try:
            yield opened
        finally:
            await opened.give_up()


def kept(
    database_url: str,
    ledger: Ledger,
    gaps: Sequence[Gap],
    failed: list[str],
    *,
    but: Collection[str] = (),
) -> list[Line]:
    """Return what must hold after every fault; `but` are games whose clocks are another matter."""
    verdict = compared(database_url, ledger.games)
    audit = [game.id for game in ledger.games if game.id not in but]
    lag = percentile(ledger.to_self, 0.99)
    clocks = audited(database_url, gaps, 1000 * CLOCK["increment"], audit, lag)
    return [
        correct("players who gave up: no error", not failed, failed[0][:80] if failed else "0"),
        correct("acknowledged and stored", verdict.is_good, str(verdict)),
        correct("clocks within 100 ms", clocks.turns > 0 and not clocks.wrong, str(clocks)),
    ]


def late(ledger: Ledger) -> Line:
    """Return how long moves took all the while."""
    return figure("to the other player, p99", percentile(ledger.to_other, 0.99), "ms")
