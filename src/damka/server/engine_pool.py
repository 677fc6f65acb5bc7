"""Searches for games, hints and analyses, run by the workers.

Workers are separate processes (`damka.workers`), so that the server stays responsive during a
search and survives a crash of one. Moves for games are always queued (at most one for each open
session); hints and analyses are rejected when too many are waiting. Analyses run in the background,
in workers of their own with a lower priority, so that no game waits for one.
"""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from damka.engine import Analysis, SearchLimits, Stop, levels
from damka.engine.external import EngineEndError, EngineError
from damka.errors import DamkaError
from damka.game import Decision, Game
from damka.live.events import EngineLost, Event
from damka.live.search_request import SearchRequest, decide_guided
from damka.server.external_engines import ExternalEngines
from damka.workers import (
    Advise,
    Analyse,
    Decide,
    FairQueue,
    JobKind,
    Requester,
    TaskFailedError,
    WorkerDiedError,
    WorkerPool,
    Workers,
    analysis_of,
    decision_of,
    encode_task,
    events_of,
    key_of,
    pack_game,
)

if TYPE_CHECKING:
    from damka.board import Board
    from damka.move import Move

__all__ = ["BusyError", "EnginePool", "Reply", "Requester", "SearchFailedError", "StoppedError"]

log: Final = logging.getLogger(__name__)

T = TypeVar("T")

_NODES_PER_SECOND: Final = 1_000_000
"""Rough speed of a search, to weigh one against another."""

_QUICK_LEVEL: Final = 7
"""Highest level that answers in well under a second: it searches at most 10,000 positions."""


_SHARES: Final = 8
"""One member, or the guests of an address, may have this part of the waiting searches, but at least
a few."""
_ADDRESS_SHARES: Final = 2
"""All members and guests of an address together may have this part."""
_LEAST_SHARE: Final = 4


class BusyError(DamkaError):
    """Too many searches are waiting."""


class StoppedError(DamkaError):
    """The search was stopped, because its result is no longer needed."""


class SearchFailedError(DamkaError):
    """The search failed: two workers crashed in it, or it ended with an error."""


class Reply(Generic[T]):
    """Pending result of a search."""

    def __init__(self, search: Coroutine[Any, Any, T]) -> None:
        self._task: Final = asyncio.get_running_loop().create_task(search)
        self._stopped = False

    def stop(self) -> None:
        """Stop the search; waiting callers get StoppedError."""
        self._stopped = True
        self._task.cancel()

    @property
    def done(self) -> bool:
        """Whether the search has ended, with or without a result."""
        return self._task.done()

    def when_done(self, call: Callable[[], object]) -> None:
        """Call `call` when the search ends, with or without a result."""
        self._task.add_done_callback(lambda _: call())

    async def answer(self) -> T:
        """Wait for the result and return it.

        Raises StoppedError, SearchFailedError and PositionTooComplexError.
        """
        try:
            answer = await self._task
        except asyncio.CancelledError:
            waiter = asyncio.current_task()
            if self._stopped and not (waiter and waiter.cancelling()):
                raise StoppedError("the search was stopped") from None
            raise
        except (WorkerDiedError, TaskFailedError) as error:
            raise SearchFailedError(str(error)) from error
        if self._stopped:
            raise StoppedError("the search was stopped")
        return answer


class EnginePool:
    """The computer's searches, run by `workers` or by the operator's `engines`.

    At most `at_once` long searches of one address or member run at a time, and at most `analyses`
    analyses; at most `waiting` hints, and as many analyses, are queued, and a part of them for one
    member or address. Call every method from the event loop.
    """

    def __init__(
        self,
        workers: Workers,
        engines: ExternalEngines,
        *,
        at_once: int,
        waiting: int,
        analyses: int = 1,
    ) -> None:
        self._pool: Final = WorkerPool(workers, at_once=at_once, background=analyses)
        self._external_turns: Final = _ExternalTurns(engines, at_once)
        self._hint_limit: Final = _QueueLimit(waiting)
        self._analysis_limit: Final = _QueueLimit(waiting)
        self._replies: Final[set[Reply[Any]]] = set()

    def decide(
        self,
        request: SearchRequest,
        requester: Requester = Requester(),  # noqa: B008
    ) -> Reply[tuple[Event, ...]]:
        """Search for the computer's next log entries, on behalf of `requester`."""
        if request.is_guided:
            # It takes a few milliseconds, and no worker knows the course.
            return self._reply(asyncio.to_thread(decide_guided, request))
        if request.engine is not None and not request.about_draw:
            return self._reply(self._choose_external(request, requester))
        return self._reply(self._decide(request, requester))

    def hint(self, game: Game, level: int, requester: Requester = Requester()) -> Reply[Decision]:  # noqa: B008
        """Search for a good move. Raises BusyError when too many searches are waiting."""
        self._hint_limit.acquire(requester)
        reply = self._reply(self._advise(game, level, requester, "hint", key_of(game, level)))
        reply.when_done(lambda: self._hint_limit.release(requester))
        return reply

    def analyse(
        self,
        game: Game | Board,
        limits: SearchLimits,
        requester: Requester = Requester(),  # noqa: B008
        *,
        lines: int = 1,
        moves: Iterable[Move] | None = None,
        key: bytes | None = None,
        unique: bool = False,
        on_depth: Callable[[Analysis], object] | None = None,
    ) -> Reply[Analysis]:
        """Search for the best lines; `on_depth` receives them after every depth.

        `moves` are the first moves to choose from. Searches with the same `key`, by default that of
        the game and these arguments, run once; a `unique` one has no key.

        Raises BusyError when too many searches are waiting, ValueError without a limit.
        """
        if limits.depth is None and limits.nodes is None and limits.seconds is None:
            raise ValueError("an analysis needs a limit: depth, nodes or seconds")
        self._analysis_limit.acquire(requester)
        choices = None if moves is None else tuple(move.hub() for move in moves)
        if not unique and key is None:
            key = key_of(game, limits.depth, limits.nodes, limits.seconds, lines, choices)
        search = self._analyse(game, limits, requester, lines, choices, key, on_depth)
        reply = self._reply(search)
        reply.when_done(lambda: self._analysis_limit.release(requester))
        return reply

    def warm(self) -> None:
        """Start the workers before the first search is requested."""
        self._pool.warm()

    @property
    def waiting(self) -> int:
        """Number of searches that wait for a worker."""
        return self._pool.waiting

    def stop(self) -> None:
        """Stop every running or waiting search."""
        for reply in tuple(self._replies):
            reply.stop()

    async def close(self) -> None:
        """Stop every search and wait for the workers to end."""
        self.stop()
        await self._pool.close()
        await self._external_turns.close()

    def _reply(self, search: Coroutine[Any, Any, T]) -> Reply[T]:
        reply = Reply(search)
        self._replies.add(reply)
        reply.when_done(lambda: self._replies.discard(reply))
        return reply

    async def _decide(self, request: SearchRequest, requester: Requester) -> tuple[Event, ...]:
        seed = secrets.randbits(63)  # the mistakes of a level must be unpredictable

        def task() -> bytes:
            return encode_task(
                Decide(
                    pack_game(request.game),
                    request.side,
                    request.level,
                    request.about_draw,
                    request.may_offer_draw,
                    seed,
                )
            )

        quick = request.level <= _QUICK_LEVEL
        result = await self._pool.submit(
            task, requester, "quick" if quick else "slow", _cost(request.level), short=quick
        )
        return events_of(result)

    async def _advise(
        self, game: Game, level: int, requester: Requester, kind: JobKind, key: bytes | None = None
    ) -> Decision:
        result = await self._pool.submit(
            lambda: encode_task(Advise(pack_game(game), level, secrets.randbits(63))),
            requester,
            kind,
            _cost(level),
            short=level <= _QUICK_LEVEL,
            key=key,
        )
        return decision_of(result)

    async def _analyse(
        self,
        game: Game | Board,
        limits: SearchLimits,
        requester: Requester,
        lines: int,
        choices: tuple[str, ...] | None,
        key: bytes | None,
        on_depth: Callable[[Analysis], object] | None,
    ) -> Analysis:
        depth, nodes, seconds = limits.depth, limits.nodes, limits.seconds
        result = await self._pool.submit(
            lambda: encode_task(Analyse(pack_game(game), depth, nodes, seconds, lines, choices)),
            requester,
            "analysis",
            _cost(levels.LEVELS[-1]) * _seconds(limits) / 3.0,
            background=True,
            key=key,
            on_partial=None if on_depth is None else lambda result: on_depth(analysis_of(result)),
        )
        return analysis_of(result)

    async def _choose_external(
        self, request: SearchRequest, requester: Requester
    ) -> tuple[Event, ...]:
        """Let the operator's engine move; a level decides about huffs, which engines cannot."""
        game, side, name = request.game, request.side, request.engine or ""
        entries: list[Event] = []
        if game.offences:
            advice = await self._advise(game, request.level, requester, "quick")
            entries += game.apply(Decision(huff=advice.huff))
        if game.result is None:
            try:
                decision = Decision(move=await self._external_turns.choose(name, game, requester))
            except EngineError as error:
                if not (isinstance(error, EngineEndError) and error.resigns):
                    log.error("engine %s failed, Damka continues the game: %s", name, error)
                    return (*entries, EngineLost(side))
                decision = Decision(resign=True)
            entries += game.apply(decision)
        return tuple(entries)


class _QueueLimit:
    """Limit on the number of searches in progress, and on those of one person and address."""

    def __init__(self, size: int) -> None:
        self.free = size
        self._share: Final = max(_LEAST_SHARE, size // _SHARES)
        self._address_share: Final = max(_LEAST_SHARE, size // _ADDRESS_SHARES)
        self._counts: Final[Counter[str]] = Counter()

    def acquire(self, requester: Requester) -> None:
        """Count one more search. Raises BusyError at a limit."""
        shares = self._shares_of(requester)
        if self.free <= 0 or any(self._counts[key] >= share for key, share in shares.items()):
            raise BusyError("too many searches are waiting")
        self.free -= 1
        self._counts.update(shares.keys())

    def release(self, requester: Requester) -> None:
        """Count one search less."""
        self.free += 1
        for key in self._shares_of(requester):
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]

    def _shares_of(self, requester: Requester) -> dict[str, int]:
        """Return the limits of the member, or of the guests of the address, and of the address."""
        shares = {}
        if requester.address:
            shares[f"address {requester.address}"] = self._address_share
        if person := requester.account or requester.address:
            shares[f"person {person}"] = self._share
        return shares


class _ExternalTurns:
    """Fair queue for the operator's engines, which run in separate processes."""

    def __init__(self, engines: ExternalEngines, at_once: int) -> None:
        self._engines: Final = engines
        self._queue: Final[FairQueue[asyncio.Event]] = FairQueue(at_once)
        self.free = engines.at_once
        self._threads: Final = ThreadPoolExecutor(
            engines.at_once, thread_name_prefix="damka-external"
        )
        self._stops: Final[set[Stop]] = set()

    async def choose(self, name: str, game: Game, requester: Requester) -> Move:
        """Return an engine's move. Raises EngineError."""
        turn = asyncio.Event()
        self._queue.put(turn, requester, "slow", 1.0)
        self._start_next()
        try:
            await turn.wait()
        except BaseException:
            if self._queue.discard(turn):
                raise
            self._end_turn(turn)
            raise
        stop = Stop()
        self._stops.add(stop)
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, self._engines.choose, name, game, stop
        )
        work.add_done_callback(lambda _: self._end_turn(turn, stop))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            stop.set()
            work.add_done_callback(lambda work: work.cancelled() or work.exception())
            raise

    async def close(self) -> None:
        """Stop every engine and wait until all have ended."""
        for stop in self._stops:
            stop.set()
        await asyncio.to_thread(self._threads.shutdown)

    def _start_next(self) -> None:
        while self.free and (turn := self._queue.take()) is not None:
            self.free -= 1
            turn.set()

    def _end_turn(self, turn: asyncio.Event, stop: Stop | None = None) -> None:
        if stop is not None:
            self._stops.discard(stop)
        self.free += 1
        self._queue.done(turn)
        self._start_next()


def _seconds(limits: SearchLimits) -> float:
    """Return the estimated duration of a search."""
    by_nodes = math.inf if limits.nodes is None else limits.nodes / _NODES_PER_SECOND
    by_time = math.inf if limits.seconds is None else limits.seconds
    shortest = min(by_nodes, by_time)
    return 3.0 if math.isinf(shortest) else shortest


def _cost(level: int) -> float:
    """Return the relative cost of a search at a level: each level costs twice the one below."""
    return 2.0**level
