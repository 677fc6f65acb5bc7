"""Analysis of positions for viewers: one search for all of a position, and stored results."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from damka.engine import Analysis, SearchLimits
from damka.errors import DamkaError, PositionTooComplexError
from damka.live.evaluations import Evaluation, evaluation_json
from damka.live.problems import Problem
from damka.server.analysis import rows
from damka.server.analysis.messages import AnalysisLines, analysis_lines
from damka.server.analysis.positions import key_of
from damka.server.analysis.watching import Shared, Watch
from damka.server.engine_pool import BusyError, Requester, SearchFailedError, StoppedError
from damka.server.fault_log import log_fault

if TYPE_CHECKING:
    from damka.board import Board
    from damka.server.analysis.budgets import Budgets, InTransaction, Payer, Reservation
    from damka.server.analysis.tables import EndgameTables
    from damka.server.engine_pool import EnginePool
    from damka.server.observe import Metrics
    from damka.server.observe.metrics import AnalysisSource
    from damka.server.settings import Limits

__all__ = ["LEAST_CHARGE", "Analyses", "OpenAnalysis"]

log: Final = logging.getLogger(__name__)

LEAST_CHARGE: Final = 10_000
"""Nodes charged for a search that was stopped at once: starting it costs as much."""


class OpenAnalysis(NamedTuple):
    """A viewer's analysis: the limit of its search, and whether its result is stored already."""

    nodes: int
    cached: bool
    watch: Watch[AnalysisLines]


class _Search(NamedTuple):
    nodes: int
    shared: Shared[AnalysisLines]


class Analyses:
    """The analyses of one process; `read` and `write` run a call in a transaction."""

    def __init__(
        self,
        limits: Limits,
        engine_pool: EnginePool,
        tables: EndgameTables,
        budgets: Budgets,
        metrics: Metrics,
        read: InTransaction,
        write: InTransaction,
    ) -> None:
        self._limits: Final = limits
        self._engine_pool: Final = engine_pool
        self._tables: Final = tables
        self._budgets: Final = budgets
        self._metrics: Final = metrics
        self._read: Final = read
        self._write: Final = write
        self._searches: Final[dict[str, _Search]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._touched: Final[set[str]] = set()

    @property
    def running(self) -> int:
        """The number of searches that run or wait."""
        return len(self._searches)

    async def open(
        self,
        board: Board,
        lines: int,
        nodes: int | None,
        payer: Payer,
        requester: Requester,
        *,
        tables_only: bool = False,
    ) -> OpenAnalysis:
        """Begin or join the analysis of a position. Close the watch after it.

        Raises Problem when the budget is used up or too many searches are waiting, and with
        `tables_only` if the tables lack the position.
        """
        limit = min(nodes or self._limits.analysis_nodes, self._limits.analysis_nodes)
        truth = await asyncio.to_thread(self._tables.truth, board, lines)
        if truth is not None:
            final = analysis_lines(truth.evaluation, final=True, only=truth.only)
            return self._finished("table", 0, final)
        if tables_only:
            raise Problem(404, "no_table")
        # Tables change what a search finds, so that results without them are stored apart.
        key = await asyncio.to_thread(key_of, board, "analysis", lines, self._tables.exist)
        if (joined := self._join(key, limit)) is not None:
            return joined
        stored = await self._read(lambda connection: rows.analysis(connection, key))
        if stored is not None and stored.nodes >= limit:
            evaluation = msgspec.json.decode(stored.body, type=Evaluation)
            self._touch(key)
            return self._finished("stored", stored.nodes, analysis_lines(evaluation, final=True))
        reservation = await self._budgets.reserve(payer, limit)
        # Another viewer may have begun it in the meantime.
        if (joined := self._join(key, limit)) is not None:
            reservation.settle(0)
            return joined
        return self._begin(key, board, lines, limit, requester, reservation)

    async def close(self) -> None:
        """Stop all searches."""
        while self._tasks:
            for search in tuple(self._searches.values()):
                search.shared.stop()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _join(self, key: str, limit: int) -> OpenAnalysis | None:
        search = self._searches.get(key)
        if search is None or search.nodes < limit or not search.shared.is_watched:
            return None
        self._metrics.count_analysis("shared")
        return OpenAnalysis(search.nodes, False, search.shared.watch())

    def _finished(self, source: AnalysisSource, nodes: int, final: AnalysisLines) -> OpenAnalysis:
        self._metrics.count_analysis(source)
        shared: Shared[AnalysisLines] = Shared(lambda: None)
        shared.finish(final)
        return OpenAnalysis(nodes, True, shared.watch())

    def _begin(
        self,
        key: str,
        board: Board,
        lines: int,
        limit: int,
        requester: Requester,
        reservation: Reservation,
    ) -> OpenAnalysis:
        latest: list[Analysis] = []

        def on_depth(analysis: Analysis) -> None:
            latest[:] = [analysis]
            shared.update(_lines(board, analysis, final=False))

        try:
            reply = self._engine_pool.analyse(
                board,
                SearchLimits(nodes=limit),
                requester,
                lines=lines,
                key=f"{key} {limit}".encode(),
                on_depth=on_depth,
            )
        except BusyError as error:
            reservation.settle(0)
            raise Problem(503, "busy") from error
        shared: Shared[AnalysisLines] = Shared(reply.stop)
        search = self._searches[key] = _Search(limit, shared)
        self._metrics.count_analysis("searched")

        async def run() -> None:
            nodes = LEAST_CHARGE
            try:
                analysis = await reply.answer()
                nodes = analysis.nodes
                shared.finish(_lines(board, analysis, final=True))
                self._spawn(self._store(key, limit, board, analysis))
            except (DamkaError, asyncio.CancelledError) as error:
                shared.finish(error=_problem(error))
                nodes = max(LEAST_CHARGE, latest[0].nodes if latest else 0)
            except Exception as error:
                log_fault(log, error, "an analysis failed")
                shared.finish(error=Problem(500, "internal"))
            finally:
                if self._searches.get(key) is search:
                    del self._searches[key]
                reservation.settle(nodes)
                self._metrics.count_nodes(nodes)

        self._spawn(run())
        return OpenAnalysis(limit, False, shared.watch())

    async def _store(self, key: str, limit: int, board: Board, analysis: Analysis) -> None:
        body = msgspec.json.encode(evaluation_json(board, analysis))
        result, now = rows.StoredAnalysis(limit, body), self._budgets.now()
        most = self._limits.analyses_stored
        with suppress(DamkaError):
            await self._write(lambda c: rows.store_analysis(c, key, result, now, most))

    def _touch(self, key: str) -> None:
        """Record a use of a stored analysis; uses during a write are recorded by the next one."""
        self._touched.add(key)
        if len(self._touched) == 1:
            self._spawn(self._write_touched())

    async def _write_touched(self) -> None:
        while self._touched:
            keys, now = set(self._touched), self._budgets.now()
            try:
                await self._write(lambda c: rows.touch_analyses(c, keys, now))  # noqa: B023
            except DamkaError as error:
                log_fault(log, error, "the use of an analysis cannot be recorded")
                self._touched.clear()
                return
            self._touched.difference_update(keys)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _lines(board: Board, analysis: Analysis, *, final: bool) -> AnalysisLines:
    evaluation = msgspec.convert(evaluation_json(board, analysis), Evaluation)
    return analysis_lines(evaluation, final=final)


def _problem(error: BaseException) -> Problem:
    """Return the problem of a failed search."""
    if isinstance(error, PositionTooComplexError):
        return Problem(422, "too_complex")
    if not isinstance(error, SearchFailedError | StoppedError | asyncio.CancelledError):
        log_fault(log, error, "an analysis failed")
    return Problem(503, "busy")
