"""Workers as actors of a Ray cluster, one per processor."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from damka.errors import PositionTooComplexError
from damka.ray_cluster import connect
from damka.workers.protocol import TaskFailedError, WorkerDiedError
from damka.workers.serving import Tasks, lower_priority, run_task
from damka.workers.wire import Begin, Done, Failed, Partial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.workers.protocol import Duty, OnPartial
    from damka.workers.tasks import Equipment

__all__ = ["RayWorkers"]

_START_SECONDS: Final = 60.0
_COUNT_SECONDS: Final = 10.0
"""Cache time of the number of processors, since nodes come and go."""


class RayWorkers:
    """Workers on the cluster at `address`. Every node needs Damka.

    Raises ClusterError without Ray, or if the cluster does not answer.
    """

    def __init__(self, address: str, equipment: Equipment) -> None:
        connect(address)
        self._equipment: Final = equipment
        self._counted_at = 0.0
        self._count = 0

    @property
    def count(self) -> int:
        """The number of processors in the cluster."""
        import ray  # noqa: PLC0415

        now = time.monotonic()
        if not self._count or now > self._counted_at + _COUNT_SECONDS:
            self._counted_at = now
            with contextlib.suppress(ray.exceptions.RayError):
                self._count = max(1, int(ray.cluster_resources().get("CPU", 1)))
        return self._count

    async def start(self, duty: Duty) -> _RayWorker:
        """Start an actor; only those for games reserve a processor. Raises WorkerDiedError."""
        import ray  # noqa: PLC0415

        kind = ray.remote(num_cpus=1 if duty == "games" else 0, max_concurrency=2)(SearchActor)
        try:
            equipment = replace(self._equipment, background=duty == "background")
            actor: Any = await asyncio.to_thread(kind.remote, equipment)
            async with asyncio.timeout(_START_SECONDS):
                await actor.ready.remote()
        except TimeoutError as error:
            raise WorkerDiedError("the Ray cluster has no free processor") from error
        except ray.exceptions.RayError as error:
            raise WorkerDiedError(f"the Ray cluster has failed: {error}") from error
        return _RayWorker(actor)


class SearchActor:
    """The actor: one thread for the task, another for stop requests."""

    def __init__(self, equipment: Equipment) -> None:
        if equipment.background:
            lower_priority()
        self._engine: Final = equipment.engine()
        self._tasks: Final = Tasks()

    def ready(self) -> None:
        """Return once the actor is running."""

    def run(self, task: Begin) -> Iterator[Partial | Done | Failed]:
        """Run a task; yield partial results, and finally the result."""
        self._tasks.put(task)
        _, stop = self._tasks.take()
        messages: queue.SimpleQueue[Partial | Done | Failed] = queue.SimpleQueue()

        def work() -> None:
            on_partial = lambda partial: messages.put(Partial(partial))  # noqa: E731
            messages.put(run_task(task.task, self._engine, stop, on_partial))

        thread = threading.Thread(target=work)
        thread.start()
        while True:
            message = messages.get()
            yield message
            if not isinstance(message, Partial):
                break
        thread.join()

    def halt(self, number: int) -> None:
        """Stop a task early, even before it has started."""
        self._tasks.halt(number)


class _RayWorker:
    """The pool's view of an actor."""

    def __init__(self, actor: Any) -> None:
        self._actor: Final = actor
        self._number = 0
        self._is_running = False

    async def run(self, task: bytes, on_partial: OnPartial) -> bytes:
        """See `Worker.run`."""
        import ray  # noqa: PLC0415

        self._number += 1
        self._is_running = True
        try:
            messages = self._actor.run.options(num_returns="streaming").remote(
                Begin(self._number, task)
            )
            async for reference in messages:
                match await reference:
                    case Partial(result):
                        on_partial(result)
                    case Done(result):
                        return bytes(result)
                    case Failed(message, too_complex):
                        raise (PositionTooComplexError if too_complex else TaskFailedError)(message)
        except ray.exceptions.RayTaskError as error:
            raise TaskFailedError(str(error)) from error
        except ray.exceptions.RayError as error:
            raise WorkerDiedError(f"a worker on the Ray cluster has ended: {error}") from error
        finally:
            self._is_running = False
        raise WorkerDiedError("a worker on the Ray cluster returned no result")

    def stop(self) -> None:
        """Stop the current task early."""
        if self._is_running:
            self._actor.halt.remote(self._number)

    def kill(self) -> None:
        """Kill the actor."""
        import ray  # noqa: PLC0415

        with contextlib.suppress(ray.exceptions.RayError):
            ray.kill(self._actor)

    async def close(self) -> None:
        """Shut the actor down."""
        await asyncio.to_thread(self.kill)
