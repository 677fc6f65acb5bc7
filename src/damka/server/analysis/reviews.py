"""Reviews of games for viewers: one review for all of a game, and stored results.

The searches are jobs of the engine pool, so that other users take turns with a long review. What is
stored are the searches: the review follows from them in any language.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import zlib
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from damka.engine import SearchLimits
from damka.errors import DamkaError, PositionTooComplexError
from damka.live import reviews as json_of
from damka.live.evaluations import evaluation_json
from damka.live.problems import Problem
from damka.server.analysis import rows
from damka.server.analysis.messages import ReviewLine
from damka.server.analysis.positions import rules_fingerprint
from damka.server.analysis.service import LEAST_CHARGE
from damka.server.analysis.watching import Shared, Watch
from damka.server.engine_pool import BusyError, Requester, SearchFailedError, StoppedError
from damka.server.fault_log import log_fault
from damka.study.review import Reviewer

if TYPE_CHECKING:
    from damka.board import Board
    from damka.engine import Analysis
    from damka.game import Game
    from damka.rules import Side
    from damka.server.analysis.budgets import Budgets, InTransaction, Payer, Reservation
    from damka.server.engine_pool import EnginePool, Reply
    from damka.server.observe import Metrics
    from damka.server.rule_threads import RuleThreads
    from damka.server.settings import Limits
    from damka.study.review import Request

__all__ = ["OpenReview", "Reviews"]

log: Final = logging.getLogger(__name__)

_INTERVAL: Final = 0.5
"""Seconds between two states of a review."""
_WAIT: Final = 0.5
"""Seconds until a search is tried again for which the queue had no place."""
_SHARES: Final = 4
"""One person may have about this part of the places for reviews."""
_SHARE: Final = 2
"""A review takes about this share of its nodes for each ply."""

_encoder: Final = msgspec.json.Encoder()


class OpenReview(NamedTuple):
    """A viewer's review, and whether it is stored already."""

    work: ReviewWork
    stored: bool
    watch: Watch[int]
    """Its states are the number of searches."""


class ReviewWork:
    """A review in progress or stored."""

    def __init__(self, reviewer: Reviewer, rule_threads: RuleThreads) -> None:
        self._reviewer: Final = reviewer
        self._rule_threads: Final = rule_threads
        self._lock: Final = asyncio.Lock()
        self._searches: Final[list[dict[str, Any]]] = []
        self._shown: dict[tuple[int, str, Side | None], dict[str, Any]] = {}

    @property
    def searched(self) -> int:
        """The number of searches so far."""
        return len(self._searches)

    def board(self, request: Request) -> Board:
        """Return the position of a request."""
        return self._reviewer.timeline.board(request.ply, request.huff)

    async def next(self) -> Request | None:
        """Return the next search, or None at the end."""
        async with self._lock:
            return await self._rule_threads.run(self._reviewer.next)

    async def receive(self, request: Request, analysis: Analysis) -> None:
        """Take the analysis of a request."""

        def receive() -> None:
            board = self.board(request)
            self._reviewer.receive(request, analysis)
            self._searches.append(
                {
                    "request": json_of.request_json(self._reviewer, request),
                    "evaluation": evaluation_json(board, analysis),
                }
            )

        async with self._lock:
            await self._rule_threads.run(receive)

    async def line(self, language: str, reader: Side | None, *, final: bool) -> ReviewLine:
        """Return the review so far."""
        async with self._lock:
            key = self.searched, language, reader
            if key not in self._shown:
                self._shown = {each: self._shown[each] for each in self._shown if each[0] == key[0]}
                self._shown[key] = await self._rule_threads.run(
                    lambda: json_of.review_json(
                        self._reviewer, self._reviewer.review(), language, reader
                    )
                )
            shown = self._shown[key]
        return ReviewLine(shown["moments"], shown["accuracy"], shown["graph"], self.searched, final)

    async def packed(self) -> bytes:
        """Return the searches, to be stored."""
        return await self._rule_threads.run(
            lambda: zlib.compress(_encoder.encode(self._searches), 6)
        )

    async def unpack(self, body: bytes) -> None:
        """Take the stored searches."""

        def unpack() -> None:
            searches = msgspec.json.decode(
                zlib.decompress(body), type=list[json_of.Evaluated], strict=False
            )
            json_of.receive(self._reviewer, searches)
            self._searches.extend(msgspec.to_builtins(searches))

        async with self._lock:
            await self._rule_threads.run(unpack)


class _Search(NamedTuple):
    work: ReviewWork
    shared: Shared[int]
    person: str
    """The account that began it, or a guest's address."""


class Reviews:
    """The reviews of one process; `read` and `write` run a call in a transaction."""

    def __init__(
        self,
        limits: Limits,
        engine_pool: EnginePool,
        rule_threads: RuleThreads,
        budgets: Budgets,
        metrics: Metrics,
        read: InTransaction,
        write: InTransaction,
    ) -> None:
        self._limits: Final = limits
        self._engine_pool: Final = engine_pool
        self._rule_threads: Final = rule_threads
        self._budgets: Final = budgets
        self._metrics: Final = metrics
        self._read: Final = read
        self._write: Final = write
        self._running: Final[dict[str, _Search]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    @property
    def running(self) -> int:
        """The number of reviews in progress."""
        return len(self._running)

    async def open(
        self,
        game: Game,
        nodes: int | None,
        payer: Payer,
        requester: Requester,
        game_id: str | None = None,
    ) -> OpenReview:
        """Begin or join the review of a game, or return the stored one. Close the watch after it.

        Raises Problem when the budget is used up or too many reviews are in progress.
        """
        limit = min(nodes or self._limits.review_nodes, self._limits.review_nodes)
        reviewer = await self._rule_threads.run(lambda: Reviewer(game, limit))
        key = await self._rule_threads.run(lambda: _key(game, limit))
        if (joined := self._join(key)) is not None:
            return joined
        stored = await self._read(lambda connection: rows.review(connection, key))
        work = ReviewWork(reviewer, self._rule_threads)
        if stored is not None:
            await work.unpack(stored)
            self._metrics.count_review("stored")
            self._spawn(self._touch(key))
            shared: Shared[int] = Shared(lambda: None)
            shared.finish(work.searched)
            return OpenReview(work, True, shared.watch())
        self._require_place(_person(requester))
        plies = reviewer.timeline.count + 1
        reservation = await self._budgets.reserve(payer, plies * limit // _SHARE)
        if (joined := self._join(key)) is not None:
            reservation.settle(0)
            return joined
        try:
            # Others may have begun in the meantime.
            self._require_place(_person(requester))
        except Problem:
            reservation.settle(0)
            raise
        return self._begin(key, game_id, work, requester, reservation)

    async def close(self) -> None:
        """Stop all reviews."""
        for search in tuple(self._running.values()):
            search.shared.stop()
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _require_place(self, person: str) -> None:
        """Raise Problem for too many reviews, or too many of one person."""
        most = self._limits.reviews_at_once
        if len(self._running) >= most:
            raise Problem(503, "busy")
        own = sum(each.person == person for each in self._running.values())
        if own >= max(1, most // _SHARES):
            raise Problem(429, "too_many_analyses")

    def _join(self, key: str) -> OpenReview | None:
        search = self._running.get(key)
        if search is None or not search.shared.is_watched:
            return None
        self._metrics.count_review("shared")
        return OpenReview(search.work, False, search.shared.watch())

    def _begin(
        self,
        key: str,
        game_id: str | None,
        work: ReviewWork,
        requester: Requester,
        reservation: Reservation,
    ) -> OpenReview:
        shared: Shared[int] = Shared(lambda: task.cancel())  # noqa: PLW0108  task is assigned later
        search = self._running[key] = _Search(work, shared, _person(requester))
        self._metrics.count_review("searched")
        nodes = [LEAST_CHARGE]

        async def run() -> None:
            try:
                await self._run(work, shared, requester, nodes)
            except (DamkaError, asyncio.CancelledError) as error:
                shared.finish(error=_problem(error))
            except Exception as error:
                log_fault(log, error, "a review failed")
                shared.finish(error=Problem(500, "internal"))
            else:
                shared.finish(work.searched)
                self._spawn(self._store(key, game_id, work))

        def end(_: asyncio.Task[None]) -> None:
            # Not in `run`, which never begins if its viewer leaves at once.
            if self._running.get(key) is search:
                del self._running[key]
            reservation.settle(nodes[0])
            self._metrics.count_nodes(nodes[0])

        task = self._spawn(run())
        task.add_done_callback(end)
        return OpenReview(work, False, shared.watch())

    async def _run(
        self, work: ReviewWork, shared: Shared[int], requester: Requester, nodes: list[int]
    ) -> None:
        loop = asyncio.get_running_loop()
        shown = loop.time()
        while (request := await work.next()) is not None:
            analysis = await self._search(work, request, requester)
            nodes[0] += analysis.nodes
            await work.receive(request, analysis)
            if loop.time() >= shown + _INTERVAL:
                shown = loop.time()
                shared.update(work.searched)

    async def _search(self, work: ReviewWork, request: Request, requester: Requester) -> Analysis:
        while True:
            try:
                reply: Reply[Analysis] = self._engine_pool.analyse(
                    work.board(request),
                    SearchLimits(nodes=request.nodes),
                    requester,
                    lines=request.lines,
                    moves=request.moves,
                    unique=True,
                )
            except BusyError:
                await asyncio.sleep(_WAIT)
                continue
            try:
                return await reply.answer()
            except asyncio.CancelledError:
                reply.stop()
                raise

    async def _store(self, key: str, game_id: str | None, work: ReviewWork) -> None:
        body, now, most = await work.packed(), self._budgets.now(), self._limits.reviews_stored
        try:
            await self._write(lambda c: rows.store_review(c, key, game_id, body, now, most))
        except DamkaError as error:
            log_fault(log, error, "a review cannot be stored")

    async def _touch(self, key: str) -> None:
        now = self._budgets.now()
        try:
            await self._write(lambda connection: rows.touch_review(connection, key, now))
        except DamkaError as error:
            log_fault(log, error, "the use of a review cannot be recorded")

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _person(requester: Requester) -> str:
    return requester.account or requester.address


def _key(game: Game, nodes: int) -> str:
    """Return the key of a review: equal for games with equal moves."""
    moves = json_of.game_moves(game)
    what = _encoder.encode((moves["fen"], moves["moves"], nodes))
    return hashlib.sha256(rules_fingerprint(game.rules) + what).hexdigest()


def _problem(error: BaseException) -> Problem:
    """Return the problem of a failed review."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, PositionTooComplexError):
        return Problem(422, "too_complex")
    if not isinstance(error, SearchFailedError | StoppedError | asyncio.CancelledError):
        log_fault(log, error, "a review failed")
    return Problem(503, "busy")
