"""Many games at once: the latency of moves, and that none is lost."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from bench.load.context import ENOUGH, Context
from bench.load.games import Outcome, client, play, sit_down
from bench.load.players import Ledger
from bench.load.report import Line, correct, figure, percentile
from bench.load.servers import Server, Usage, serving
from bench.load.services import Postgres, Redis
from bench.load.store_check import Verdict, compared

__all__ = ["cluster", "games", "steps"]

P99_MS: Final = 50.0


async def games(context: Context) -> list[Line]:
    """A thousand games in one process with SQLite."""
    sizes = context.sizes
    with context.server(2 * sizes.games + ENOUGH) as server:
        lines, ledger = await _play(context, [server], sizes.games, sizes.seconds)
    return [*lines, _stored(compared(server.database_url, ledger.games))]


async def cluster(context: Context) -> list[Line]:
    """The same in two processes with PostgreSQL and Redis or Valkey."""
    sizes = context.sizes
    with (
        Postgres() as database,
        Redis() as broker,
        serving(
            context.folder,
            count=2,
            database_url=database.url,
            limits={"connections": 2 * sizes.games + ENOUGH},
            environment={"DAMKA_BROKER_URL": broker.url},
        ) as servers,
    ):
        lines, ledger = await _play(context, servers, sizes.games, sizes.seconds)
        stored = _stored(compared(database.url, ledger.games))
    return [*lines, stored]


async def steps(context: Context) -> list[Line]:
    """More and more games in one process, until moves arrive too late."""
    sizes, lines = context.sizes, []
    for number, count in enumerate(sizes.steps):
        folder = context.folder / str(number)
        folder.mkdir()
        with serving(folder, limits={"connections": 2 * count + ENOUGH}) as (server,):
            found, ledger = await _play(context, [server], count, sizes.step_seconds)
        verdict = compared(server.database_url, ledger.games)
        p99 = percentile(ledger.to_other, 0.99)
        shares = ", ".join(line.value for line in found if "processor" in line.what)
        good = p99 <= P99_MS and not ledger.errors
        lines.append(
            Line(f"{count} games: to the other, p99", f"{p99:.1f} ms ({shares})", "≤ 50 ms", good)
        )
        lines.append(_stored(verdict))
        if not good:
            break
    return lines


async def _play(
    context: Context, servers: Sequence[Server], count: int, seconds: float
) -> tuple[list[Line], Ledger]:
    ledger = Ledger()
    ports = tuple(server.port for server in servers)
    async with client() as http:
        told = context.telling(f"{count} games begin")
        pairs = await sit_down(http, ports, count, ledger, told, mixed=True)
        ledger.to_other.clear()
        ledger.to_self.clear()
        used = [Usage(server.pid) for server in servers]
        own = Usage(os.getpid())
        told = context.telling(f"{count} games, seconds")
        outcome = await play(pairs, seconds, context.sizes.every, ledger, told)
        shares = [each.share() for each in used]
    lines = _lines(outcome, ledger)
    for server, share in zip(servers, shares, strict=True):
        lines.append(figure(f"processor of {server.log.stem}", 100 * share, "%"))
        lines.append(figure(f"memory of {server.log.stem}", server.memory / 2**20, "MiB"))
    lines.append(figure("processor of the generator", 100 * own.share(), "%"))
    errors = "".join(server.errors() for server in servers)
    lines.append(correct("lines in the server's log: no error", not errors, errors[-200:] or "0"))
    return lines, ledger


def _lines(outcome: Outcome, ledger: Ledger) -> list[Line]:
    other = ledger.to_other
    told = ", ".join(f"{error}: {count}" for error, count in ledger.errors.items() if count)
    return [
        Line("moves", f"{len(other)}, {len(other) / outcome.seconds:.0f} a second"),
        correct("errors", not told, told or "0"),
        figure("to the other player, median", percentile(other, 0.5), "ms"),
        figure("to the other player, p99", percentile(other, 0.99), "ms", P99_MS),
        figure("to the other player, longest", max(other, default=0.0), "ms"),
        figure("back to who moved, p99", percentile(ledger.to_self, 0.99), "ms"),
        figure("moves sent late", float(ledger.late), ""),
        figure("the generator's own delay, p99", percentile(outcome.loop_lag, 0.99), "ms"),
        figure("received by a player", ledger.bytes / max(1, 2 * len(other)) / 1000, "kB a move"),
    ]


def _stored(verdict: Verdict) -> Line:
    return correct("acknowledged and stored", verdict.is_good, str(verdict))
