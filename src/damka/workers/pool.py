"""The pool: who asks, whose task is next, which worker has it, and what if that worker dies.

Everything happens in one event loop. Workers are started when they are first needed, and ended
when nobody has needed them for a while. A short task never waits for long ones: where all workers
are busy, an extra one takes it, which has short tasks only.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from damka.errors import PositionTooComplexError
from damka.workers.fair_queue import Band, FairQueue, Payer
from damka.workers.protocol import TaskFailedError, WorkerDiedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.workers.protocol import Told, Worker, Workers

__all__ = ["WorkerPool"]

log: Final = logging.getLogger(__name__)

_ATTEMPTS: Final = 2
_HALT_SECONDS: Final = 1.0
"""How long a worker may go on after it was told to stop, before it is killed."""
_REMEMBERED: Final = 256
"""Results that are kept for those who ask the same."""


class _Job:
    """A task, and those who wait for its result."""

    def __init__(self, task: Callable[[], bytes], key: bytes | None, *, short: bool) -> None:
        self.task: Final = task
        self.key: Final = key
        self.short: Final = short
        self.result: Final[asyncio.Future[bytes]] = asyncio.get_running_loop().create_future()
        self.listeners: Final[list[Told]] = []
        self.latest: bytes | None = None
        self.waiting = 0
        self.place: _Place | None = None

    def tell(self, result: bytes) -> None:
        """Pass on what has been found so far."""
        self.latest = result
        for told in tuple(self.listeners):
            told(result)


class _Place:
    """Where a worker may be at work."""

    def __init__(self, *, extra: bool) -> None:
        self.extra: Final = extra
        self.worker: Worker | None = None
        self.job: _Job | None = None
        self.running: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        """What happens next if nothing else does: an idle worker ends, a disobedient one dies."""

    def set_timer(self, seconds: float | None, call: Callable[[], object] = lambda: None) -> None:
        """Call after that time, in place of what was set before."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if seconds is not None:
            self.timer = asyncio.get_running_loop().call_later(seconds, call)


class WorkerPool:
    """The workers, and the queue before them.

    Of one payer at most `at_once` long tasks are under way at a time. A worker that has had
    nothing to do for `idle_seconds` ends.
    """

    def __init__(self, workers: Workers, *, at_once: int, idle_seconds: float = 600.0) -> None:
        self._workers: Final = workers
        self._idle_seconds: Final = idle_seconds
        self._queue: Final[FairQueue[_Job]] = FairQueue(at_once)
        self._places: Final[list[_Place]] = []
        self._shared: Final[dict[bytes, _Job]] = {}
        self._results: Final[OrderedDict[bytes, bytes]] = OrderedDict()
        self._closing: Final[set[asyncio.Task[None]]] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many tasks wait for a worker."""
        return len(self._queue)

    @property
    def workers(self) -> tuple[Worker, ...]:
        """The workers that there are now."""
        return tuple(place.worker for place in self._places if place.worker is not None)

    async def ask(
        self,
        task: Callable[[], bytes],
        payer: Payer,
        band: Band,
        cost: float,
        *,
        short: bool = False,
        key: bytes | None = None,
        told: Told | None = None,
    ) -> bytes:
        """Return the result of a task; when this is cancelled and nobody else waits, it ends.

        `task` makes the message for the worker, in a thread. `short` tells that it takes well
        under a second. Tasks of the same `key` are one, and its result is kept. `told` gets what
        has been found so far.

        Raises WorkerDiedError when two workers have died over it, TaskFailedError,
        PositionTooComplexError.
        """
        if key is not None and (known := self._results.get(key)) is not None:
            self._results.move_to_end(key)
            return known
        job = None if key is None else self._shared.get(key)
        if job is None:
            job = _Job(task, key, short=short)
            if key is not None:
                self._shared[key] = job
            self._queue.put(job, payer, band, cost)
            self._dispatch()
        job.waiting += 1
        if told is not None:
            job.listeners.append(told)
            if job.latest is not None:
                told(job.latest)
        try:
            return await asyncio.shield(job.result)
        finally:
            job.waiting -= 1
            if told is not None:
                job.listeners.remove(told)
            if not job.waiting and not job.result.done():
                self._abandon(job)

    def warm(self) -> None:
        """Start a worker, if there is none, because a task will come soon."""
        self._begin(extra=False)

    def _begin(self, *, extra: bool) -> None:
        """Start the first worker, or the extra one, if it is not there."""
        if self._closed or any(place.extra == extra for place in self._places):
            return
        place = _Place(extra=extra)
        self._places.append(place)
        place.running = asyncio.get_running_loop().create_task(self._start(place))

    async def close(self) -> None:
        """End every task and every worker."""
        self._closed = True
        for place in self._places:
            place.set_timer(None)
            if place.job is not None:
                place.job.result.cancel()
            if place.worker is not None:
                place.worker.kill()
        running = [place.running for place in self._places if place.running is not None]
        await asyncio.gather(*running, *self._closing, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self.workers), return_exceptions=True)
        self._places.clear()

    def _abandon(self, job: _Job) -> None:
        self._forget(job)
        job.result.cancel()
        self._queue.discard(job)
        place = job.place
        if place is not None and place.worker is not None:
            place.worker.stop()
            place.set_timer(_HALT_SECONDS, place.worker.kill)

    def _forget(self, job: _Job) -> None:
        if job.key is not None and self._shared.get(job.key) is job:
            del self._shared[job.key]

    def _dispatch(self) -> None:
        """Give tasks to workers, as long as there are both."""
        while not self._closed:
            place = self._free(extra=False)
            job = None if place is None else self._queue.take()
            if job is None:
                place = self._free(extra=True)
                job = None if place is None else self._queue.take(lambda job: job.short)
            if place is None or job is None:
                break
            if place not in self._places:
                self._places.append(place)
            place.job, job.place = job, place
            place.set_timer(None)
            place.running = asyncio.get_running_loop().create_task(self._run(place, job))
        if len(self._queue):
            # Somebody with a short task may come next.
            self._begin(extra=True)

    def _free(self, *, extra: bool) -> _Place | None:
        """Return a place without a task, rather one with a worker; None when all are taken."""
        alike = [place for place in self._places if place.extra == extra]
        free = [place for place in alike if place.running is None]
        if free:
            return max(free, key=lambda place: place.worker is not None)
        most = 1 if extra else max(1, self._workers.count)
        return _Place(extra=extra) if len(alike) < most else None

    async def _start(self, place: _Place) -> None:
        try:
            place.worker = await self._workers.start(extra=place.extra)
        except WorkerDiedError as error:
            log.error("%s", error)
        finally:
            self._leave(place)

    async def _run(self, place: _Place, job: _Job) -> None:
        try:
            result = await self._result(place, job)
        except asyncio.CancelledError:
            job.result.cancel()
            raise
        except (WorkerDiedError, TaskFailedError, PositionTooComplexError) as error:
            if not job.result.done():
                job.result.set_exception(error)
        except Exception as error:
            log.exception("a task could not be given to a worker")
            if not job.result.done():
                job.result.set_exception(TaskFailedError(str(error)))
        else:
            if not job.result.done():
                job.result.set_result(result)
                self._keep(job, result)
        finally:
            self._forget(job)
            self._queue.done(job)
            place.job = job.place = None
            self._leave(place)

    async def _result(self, place: _Place, job: _Job) -> bytes:
        """Have the task carried out; if its worker dies, once more by another."""
        task = await asyncio.to_thread(job.task)
        for attempt in range(1, _ATTEMPTS + 1):
            if job.result.done():
                raise WorkerDiedError("nobody waits for it any more")
            try:
                if place.worker is None:
                    place.worker = await self._workers.start(extra=place.extra)
                if job.result.done():
                    raise TaskFailedError("nobody waits for it any more")
                return await place.worker.ask(task, job.tell)
            except WorkerDiedError as error:
                dead, place.worker = place.worker, None
                if dead is not None:
                    self._part(dead)
                if not job.result.done():
                    log.error("%s (attempt %d of %d)", error, attempt, _ATTEMPTS)
                    if attempt == _ATTEMPTS:
                        raise
        raise AssertionError("every attempt returns or raises")

    def _keep(self, job: _Job, result: bytes) -> None:
        if job.key is not None:
            self._results[job.key] = result
            while len(self._results) > _REMEMBERED:
                self._results.popitem(last=False)

    def _leave(self, place: _Place) -> None:
        """Make a place free for the next task."""
        place.running = None
        place.set_timer(None)
        if self._closed:
            return
        place.set_timer(self._idle_seconds, lambda: self._retire(place))
        self._dispatch()

    def _retire(self, place: _Place) -> None:
        worker, place.worker = place.worker, None
        self._places.remove(place)
        if worker is not None:
            self._part(worker)

    def _part(self, worker: Worker) -> None:
        """Let a worker go."""
        task = asyncio.get_running_loop().create_task(worker.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
