"""The computer's side: a bounded pool of engine threads.

The kernel searches without Python's lock, so the server goes on answering meanwhile. Every search
gets a game of its own and can be stopped. Moves that games wait for are always queued (there is
one of them at most for each open session); hints are refused when too many wait already. Addresses
share the threads fairly, and cheap levels go before expensive ones (`damka.server.fair_queue`).
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from damka.engine import Analysis, Engine, Stop, levels
from damka.engine.external import EngineEndError, EngineError
from damka.errors import DamkaError
from damka.game import Decision, Game
from damka.live.events import EngineLost, Event
from damka.live.search_request import SearchRequest, decide
from damka.server.external_engines import ExternalEngines
from damka.server.fair_queue import FairQueue

__all__ = ["BusyError", "EnginePool", "Reply", "StoppedError"]

log: Final = logging.getLogger(__name__)

T = TypeVar("T")


class BusyError(DamkaError):
    """Too many searches wait already."""


class StoppedError(DamkaError):
    """The search was stopped because its answer is not needed any more."""


class Reply(Generic[T]):
    """The answer to come."""

    def __init__(self, future: Future[T], stop: Stop) -> None:
        self._future: Final = future
        self._stop: Final = stop
        self._stopped = False

    def stop(self) -> None:
        """Stop the search; waiting callers get StoppedError."""
        self._stopped = True
        self._stop.set()
        self._future.cancel()

    @property
    def done(self) -> bool:
        """Whether there is an answer, or none to come."""
        return self._future.done()

    def when_done(self, call: Callable[[], object]) -> None:
        """Call when there is an answer, or none to come; in whatever thread that is."""
        self._future.add_done_callback(lambda _: call())

    async def answer(self) -> T:
        """Return the answer when it is there. Raises StoppedError when it was given up."""
        try:
            answer = await asyncio.wrap_future(self._future)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if self._stopped and not (task and task.cancelling()):
                raise StoppedError("the search was stopped") from None
            self.stop()
            raise
        if self._stopped:
            raise StoppedError("the search was stopped")
        return answer


class EnginePool:
    """`threads` engines with `hash_mb` MiB each; at most `waiting` hints in the queue.

    Of one address at most `at_once` searches are under way at a time. `engines` are the operator's
    engines, `tablebases` the folder of endgame tables, if any.
    """

    def __init__(
        self,
        threads: int,
        hash_mb: int,
        waiting: int,
        engines: ExternalEngines,
        tablebases: Path | None = None,
        *,
        at_once: int = 1,
    ) -> None:
        self._queue: Final[FairQueue[_Job]] = FairQueue(at_once)
        self._hash_mb: Final = hash_mb
        self._tablebases: Final = tablebases
        self._engines: Final = engines
        self._hints: Final = threading.BoundedSemaphore(waiting)
        self._replies: Final[set[Reply[Any]]] = set()
        self._threads: Final = [
            threading.Thread(target=self._work, name=f"damka-engine-{n}") for n in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def decide(self, question: SearchRequest, address: str = "") -> Reply[tuple[Event, ...]]:
        """Ask for the entries with which the computer answers somebody at `address`."""
        cost = _cost(question.level)
        if question.engine is not None and not question.about_draw:
            return self._submit(
                address, cost, lambda engine, stop: _ask(self._engines, engine, stop, question)
            )
        return self._submit(address, cost, lambda engine, stop: _decide(engine, stop, question))

    def hint(self, game: Game, level: int, address: str = "") -> Reply[Decision]:
        """Ask for a good move. Raises BusyError when too many wait."""
        if not self._hints.acquire(blocking=False):
            raise BusyError("too many searches wait")
        reply = self._submit(
            address,
            _cost(level),
            lambda engine, stop: levels.choose(engine, game, level, _rng(), stop=stop),
        )
        reply.when_done(self._hints.release)
        return reply

    def analyse(
        self, game: Game, payer: str, *, seconds: float, depth: int | None, lines: int
    ) -> Reply[Analysis]:
        """Ask what a game is worth, and for the best moves. Raises BusyError when too many wait.

        `payer` is who shares the engines with others: an address, or an account.
        """
        if not self._hints.acquire(blocking=False):
            raise BusyError("too many searches wait")
        # A level that thinks for about a second costs as much.
        reply = self._submit(
            payer,
            _cost(7) * seconds,
            lambda engine, stop: engine.search(
                game, seconds=seconds, depth=depth, multi_pv=lines, stop=stop
            ),
        )
        reply.when_done(self._hints.release)
        return reply

    @property
    def waiting(self) -> int:
        """How many searches wait for an engine."""
        return len(self._queue)

    def stop(self) -> None:
        """Stop every search that is under way or waits."""
        for reply in tuple(self._replies):
            reply.stop()

    def close(self) -> None:
        """Stop every search and wait for the threads to end."""
        self.stop()
        self._queue.close()
        for thread in self._threads:
            thread.join()

    def _submit(self, address: str, cost: float, search: Callable[[Engine, Stop], T]) -> Reply[T]:
        stop = Stop()
        future: Future[T] = Future()
        job = _Job(future, lambda engine: search(engine, stop))
        reply = Reply(future, stop)
        self._replies.add(reply)
        reply.when_done(lambda: self._replies.discard(reply))
        reply.when_done(lambda: self._queue.discard(job))
        self._queue.put(address, cost, job)
        return reply

    def _work(self) -> None:
        """Search for one after the other, with one engine, until the queue is closed."""
        engine: Engine | None = None
        while (taken := self._queue.take()) is not None:
            address, job = taken
            try:
                if not job.future.set_running_or_notify_cancel():
                    continue
                try:
                    engine = engine or Engine(hash_mb=self._hash_mb, tablebases=self._tablebases)
                    job.future.set_result(job.search(engine))
                except BaseException as error:
                    job.future.set_exception(error)
            finally:
                self._queue.done(address)


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    future: Future[Any]
    search: Callable[[Engine], Any]


def _cost(level: int) -> float:
    """Return about how long a level thinks, beside the others: twice as long as the one below."""
    return 2.0**level


def _decide(engine: Engine, stop: Stop, question: SearchRequest) -> tuple[Event, ...]:
    return decide(engine, question, _rng(), stop)


def _ask(
    engines: ExternalEngines, engine: Engine, stop: Stop, question: SearchRequest
) -> tuple[Event, ...]:
    """Let the operator's engine move; what it cannot tell, a huff, is decided here."""
    game, side = question.game, question.side
    entries: list[Event] = []
    if game.offences:
        huff = levels.choose(engine, game, question.level, _rng(), stop=stop).huff
        entries += game.apply(Decision(huff=huff))
    if game.result is None:
        try:
            decision = Decision(move=engines.choose(question.engine or "", game, stop))
        except EngineError as error:
            if stop.is_set:
                return ()
            if not (isinstance(error, EngineEndError) and error.resigns):
                log.error("the engine %s plays no more: %s", question.engine, error)
                return (*entries, EngineLost(side))
            decision = Decision(resign=True)
        entries += game.apply(decision)
    return tuple(entries)


def _rng() -> random.Random:
    """Return the random generator of a level's mistakes, which must not be predictable."""
    return random.Random(secrets.randbits(64))
