"""The worker pool: scheduling of tasks, worker lifetimes, and retries after a worker's death.

Everything runs in one event loop. Workers start on demand and end after idle time. A short task
never waits for long ones: if all workers are busy, an extra worker takes it, which runs only short
tasks. Nor does a task for a game wait for those in the background, which have workers of their own
with a lower priority.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from damka.errors import PositionTooComplexError
from damka.workers.fair_queue import FairQueue, JobKind, Requester
from damka.workers.protocol import TaskFailedError, WorkerDiedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.workers.protocol import Duty, OnPartial, Worker, Workers

__all__ = ["WorkerPool"]

log: Final = logging.getLogger(__name__)

_ATTEMPTS: Final = 2
_STOP_SECONDS: Final = 1.0
"""Grace period after a stop request, before the worker is killed."""
_MAX_CACHED: Final = 256
"""Number of cached results."""
_DUTIES: Final[tuple[Duty, ...]] = ("games", "short", "background")
_LONG: Final[frozenset[Duty]] = frozenset({"games"})
_SHORT: Final[frozenset[Duty]] = frozenset({"games", "short"})
_BACKGROUND: Final[frozenset[Duty]] = frozenset({"background"})


class _Job:
    """A task and the callers that wait for its result."""

    def __init__(
        self, task: Callable[[], bytes], key: bytes | None, duties: frozenset[Duty]
    ) -> None:
        self.task: Final = task
        self.key: Final = key
        self.duties: Final = duties
        """The duties of workers that may run it."""
        self.result: Final[asyncio.Future[bytes]] = asyncio.get_running_loop().create_future()
        self.listeners: Final[list[OnPartial]] = []
        self.latest: bytes | None = None
        self.waiting = 0
        self.slot: _Slot | None = None

    def report(self, result: bytes) -> None:
        """Forward a partial result to the callers."""
        self.latest = result
        for listener in tuple(self.listeners):
            listener(result)


class _Slot:
    """A slot for a worker."""

    def __init__(self, duty: Duty) -> None:
        self.duty: Final = duty
        self.worker: Worker | None = None
        self.job: _Job | None = None
        self.running: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        """The pending timeout: an idle worker ends, an unresponsive one is killed."""

    def set_timer(self, seconds: float | None, call: Callable[[], object] = lambda: None) -> None:
        """Call after a delay; replaces the previous timer."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if seconds is not None:
            self.timer = asyncio.get_running_loop().call_later(seconds, call)


class WorkerPool:
    """Workers with a fair queue.

    At most `at_once` long tasks of one requester run at a time, and at most `background` tasks in
    the background. A worker ends after `idle_seconds` without tasks.
    """

    def __init__(
        self,
        workers: Workers,
        *,
        at_once: int,
        background: int = 1,
        idle_seconds: float = 600.0,
    ) -> None:
        self._workers: Final = workers
        self._background: Final = background
        self._idle_seconds: Final = idle_seconds
        self._queue: Final[FairQueue[_Job]] = FairQueue(at_once)
        self._slots: Final[list[_Slot]] = []
        self._shared: Final[dict[bytes, _Job]] = {}
        self._results: Final[OrderedDict[bytes, bytes]] = OrderedDict()
        self._closing: Final[set[asyncio.Task[None]]] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """The number of waiting tasks."""
        return len(self._queue)

    @property
    def workers(self) -> tuple[Worker, ...]:
        """The current workers."""
        return tuple(slot.worker for slot in self._slots if slot.worker is not None)

    async def submit(
        self,
        task: Callable[[], bytes],
        requester: Requester,
        kind: JobKind,
        cost: float,
        *,
        short: bool = False,
        background: bool = False,
        key: bytes | None = None,
        on_partial: OnPartial | None = None,
    ) -> bytes:
        """Return the result of a task; cancelling the last caller stops the task.

        `task` creates the message for the worker, in a thread. `short` promises that it takes well
        under a second; tasks in the `background` leave the other workers to games. Tasks with the
        same `key` run once, and the result is cached. `on_partial` receives partial results.

        Raises WorkerDiedError after the death of two workers, TaskFailedError,
        PositionTooComplexError.
        """
        if key is not None and (cached := self._results.get(key)) is not None:
            self._results.move_to_end(key)
            return cached
        job = None if key is None else self._shared.get(key)
        if job is None:
            job = _Job(task, key, _BACKGROUND if background else _SHORT if short else _LONG)
            if key is not None:
                self._shared[key] = job
            self._queue.put(job, requester, kind, cost)
            self._dispatch()
        job.waiting += 1
        if on_partial is not None:
            job.listeners.append(on_partial)
            if job.latest is not None:
                on_partial(job.latest)
        try:
            return await asyncio.shield(job.result)
        finally:
            job.waiting -= 1
            if on_partial is not None:
                job.listeners.remove(on_partial)
            if not job.waiting and not job.result.done():
                self._abandon(job)

    def warm(self) -> None:
        """Start a worker in advance, unless one exists."""
        self._start_first("games")

    def _start_first(self, duty: Duty) -> None:
        """Start the first worker with a duty, unless it exists."""
        if self._closed or any(slot.duty == duty for slot in self._slots):
            return
        slot = _Slot(duty)
        self._slots.append(slot)
        slot.running = asyncio.get_running_loop().create_task(self._start(slot))

    async def close(self) -> None:
        """Stop all tasks and workers."""
        self._closed = True
        for slot in self._slots:
            slot.set_timer(None)
            if slot.job is not None:
                slot.job.result.cancel()
            if slot.worker is not None:
                slot.worker.kill()
        running = [slot.running for slot in self._slots if slot.running is not None]
        await asyncio.gather(*running, *self._closing, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self.workers), return_exceptions=True)
        self._slots.clear()

    def _abandon(self, job: _Job) -> None:
        self._unshare(job)
        job.result.cancel()
        self._queue.discard(job)
        slot = job.slot
        if slot is not None and slot.worker is not None:
            slot.worker.stop()
            slot.set_timer(_STOP_SECONDS, slot.worker.kill)

    def _unshare(self, job: _Job) -> None:
        if job.key is not None and self._shared.get(job.key) is job:
            del self._shared[job.key]

    def _dispatch(self) -> None:
        """Assign tasks to free workers."""
        while not self._closed and any(map(self._assign, _DUTIES)):
            pass
        if any(not job.duties.isdisjoint(_LONG) for job in self._queue.items()):
            # The next task may be a short one.
            self._start_first("short")

    def _assign(self, duty: Duty) -> bool:
        """Assign a task to a free worker with a duty; False without a task or a worker."""
        slot = self._free_slot(duty)
        job = None if slot is None else self._queue.take(lambda job: duty in job.duties)
        if slot is None or job is None:
            return False
        if slot not in self._slots:
            self._slots.append(slot)
        slot.job, job.slot = job, slot
        slot.set_timer(None)
        slot.running = asyncio.get_running_loop().create_task(self._run(slot, job))
        return True

    def _free_slot(self, duty: Duty) -> _Slot | None:
        """Return a free slot, preferably with a worker, or None."""
        slots = [slot for slot in self._slots if slot.duty == duty]
        free = [slot for slot in slots if slot.running is None]
        if free:
            return max(free, key=lambda slot: slot.worker is not None)
        return _Slot(duty) if len(slots) < self._limit(duty) else None

    def _limit(self, duty: Duty) -> int:
        if duty == "short":
            return 1
        return max(1, self._background if duty == "background" else self._workers.count)

    async def _start(self, slot: _Slot) -> None:
        try:
            slot.worker = await self._workers.start(slot.duty)
        except WorkerDiedError as error:
            log.error("%s", error)
        finally:
            self._release(slot)

    async def _run(self, slot: _Slot, job: _Job) -> None:
        try:
            result = await self._run_with_retry(slot, job)
        except asyncio.CancelledError:
            job.result.cancel()
            raise
        except (WorkerDiedError, TaskFailedError, PositionTooComplexError) as error:
            if not job.result.done():
                job.result.set_exception(error)
        except Exception as error:
            log.exception("task not assigned to a worker")
            if not job.result.done():
                job.result.set_exception(TaskFailedError(str(error)))
        else:
            if not job.result.done():
                job.result.set_result(result)
                self._cache(job, result)
        finally:
            self._unshare(job)
            self._queue.done(job)
            slot.job = job.slot = None
            self._release(slot)

    async def _run_with_retry(self, slot: _Slot, job: _Job) -> bytes:
        """Run the task; retry once with another worker if its worker dies."""
        task = await asyncio.to_thread(job.task)
        for attempt in range(1, _ATTEMPTS + 1):
            if job.result.done():
                raise WorkerDiedError("the task was cancelled")
            try:
                if slot.worker is None:
                    slot.worker = await self._workers.start(slot.duty)
                if job.result.done():
                    raise TaskFailedError("the task was cancelled")
                return await slot.worker.run(task, job.report)
            except WorkerDiedError as error:
                dead, slot.worker = slot.worker, None
                if dead is not None:
                    self._close_worker(dead)
                if not job.result.done():
                    log.error("%s (attempt %d of %d)", error, attempt, _ATTEMPTS)
                    if attempt == _ATTEMPTS:
                        raise
        raise AssertionError("every attempt returns or raises")

    def _cache(self, job: _Job, result: bytes) -> None:
        if job.key is not None:
            self._results[job.key] = result
            while len(self._results) > _MAX_CACHED:
                self._results.popitem(last=False)

    def _release(self, slot: _Slot) -> None:
        """Free a slot for the next task."""
        slot.running = None
        slot.set_timer(None)
        if self._closed:
            return
        slot.set_timer(self._idle_seconds, lambda: self._retire(slot))
        self._dispatch()

    def _retire(self, slot: _Slot) -> None:
        worker, slot.worker = slot.worker, None
        self._slots.remove(slot)
        if worker is not None:
            self._close_worker(worker)

    def _close_worker(self, worker: Worker) -> None:
        """Close a worker."""
        task = asyncio.get_running_loop().create_task(worker.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
