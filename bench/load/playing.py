"""Many concurrent games: latency and completeness of moves."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.services import Broker, PostgreSql, ServerProcess, fleet

from bench.load.context import ENOUGH, Context, Line, correct, figure, percentile
from bench.load.games import client, play, start_games
from bench.load.players import Ledger
from bench.load.store_check import StoreReport, compare_store

__all__ = ["cluster", "games", "resident_bytes", "steps"]

P99_MS: Final = 50.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Usage:
    """CPU time of a process from its start. Linux only."""

    def __init__(self, pid: int) -> None:
        self._pid: Final = pid
        self._since: Final = time.monotonic()
        self._used: Final = self._seconds()

    def share(self) -> float:
        """Return the share of one CPU used since the start."""
        return (self._seconds() - self._used) / max(0.001, time.monotonic() - self._since)

    def _seconds(self) -> float:
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


def resident_bytes(server: ServerProcess) -> int:
    """Return the resident memory of a server."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * _PAGE


async def games(context: Context) -> list[Line]:
    """A thousand games in one process with SQLite."""
    sizes = context.sizes
    with context.server(2 * sizes.games + ENOUGH) as server:
        lines, ledger = await _play(context, [server], sizes.games, sizes.seconds)
    return [*lines, _stored(compare_store(server.database_url, ledger.games))]


async def cluster(context: Context) -> list[Line]:
    """The same in two processes with PostgreSQL and Redis or Valkey."""
    sizes = context.sizes
    with (
        PostgreSql(durable=True) as database,
        Broker() as broker,
        fleet(
            database.new_database(),
            broker.url,
            count=2,
            limits={"connections": 2 * sizes.games + ENOUGH},
        ) as servers,
    ):
        lines, ledger = await _play(context, servers, sizes.games, sizes.seconds)
        stored = _stored(compare_store(servers[0].database_url, ledger.games))
    return [*lines, stored]


async def steps(context: Context) -> list[Line]:
    """An increasing number of games in one process, until moves arrive too late."""
    sizes, lines = context.sizes, []
    for number, count in enumerate(sizes.steps):
        url = f"sqlite:///{context.folder / f'{number}.sqlite3'}"
        with fleet(url, limits={"connections": 2 * count + ENOUGH}) as servers:
            results, ledger = await _play(context, servers, count, sizes.step_seconds)
        verdict = compare_store(url, ledger.games)
        p99 = percentile(ledger.to_other, 0.99)
        shares = ", ".join(line.value for line in results if "CPU" in line.what)
        good = p99 <= P99_MS and not ledger.errors
        lines.append(
            Line(f"{count} games: to the other, p99", f"{p99:.1f} ms ({shares})", "≤ 50 ms", good)
        )
        lines.append(_stored(verdict))
        if not good:
            break
    return lines


async def _play(
    context: Context, servers: Sequence[ServerProcess], count: int, seconds: float
) -> tuple[list[Line], Ledger]:
    ledger = Ledger()
    ports = tuple(server.port for server in servers)
    async with client() as http:
        progress = context.part(f"{count} games starting")
        pairs = await start_games(http, ports, count, ledger, progress, mixed=True)
        ledger.to_other.clear()
        ledger.to_self.clear()
        used = [Usage(server.process.pid) for server in servers]
        own = Usage(os.getpid())
        progress = context.part(f"{count} games, seconds")
        lasted, lags = await play(pairs, seconds, context.sizes.every, ledger, progress)
        shares = [each.share() for each in used]
    lines = _lines(ledger, lasted, lags)
    for number, (server, share) in enumerate(zip(servers, shares, strict=True), 1):
        lines.append(figure(f"CPU of server {number}", 100 * share, "%"))
        lines.append(figure(f"memory of server {number}", resident_bytes(server) / 2**20, "MiB"))
    lines.append(figure("CPU of the generator", 100 * own.share(), "%"))
    errors = "".join(server.errors() for server in servers)
    lines.append(correct("lines in the server's log: no error", not errors, errors[-200:] or "0"))
    return lines, ledger


def _lines(ledger: Ledger, seconds: float, lags: list[float]) -> list[Line]:
    other = ledger.to_other
    errors = ", ".join(f"{error}: {count}" for error, count in ledger.errors.items() if count)
    return [
        Line("moves", f"{len(other)}, {len(other) / seconds:.0f} a second"),
        correct("errors", not errors, errors or "0"),
        figure("to the other player, median", percentile(other, 0.5), "ms"),
        figure("to the other player, p99", percentile(other, 0.99), "ms", P99_MS),
        figure("to the other player, longest", max(other, default=0.0), "ms"),
        figure("back to who moved, p99", percentile(ledger.to_self, 0.99), "ms"),
        figure("moves sent late", float(ledger.late), ""),
        figure("the generator's own delay, p99", percentile(lags, 0.99), "ms"),
        figure("received by a player", ledger.bytes / max(1, 2 * len(other)) / 1000, "kB a move"),
    ]


def _stored(verdict: StoreReport) -> Line:
    return correct("acknowledged and stored", verdict.is_good, str(verdict))
