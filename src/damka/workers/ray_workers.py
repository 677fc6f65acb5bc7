"""Workers that are actors of a Ray cluster, one for each processor that it has."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from damka.errors import PositionTooComplexError
from damka.ray_cluster import connect
from damka.workers.protocol import TaskFailedError, WorkerDiedError
from damka.workers.serving import Tasks, answer
from damka.workers.wire import Begin, Done, Failed, Found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka.workers.protocol import Told
    from damka.workers.tasks import Equipment

__all__ = ["RayWorkers"]

_START_SECONDS: Final = 60.0
_COUNT_SECONDS: Final = 10.0
"""How long the number of processors is believed: nodes come and go."""


class RayWorkers:
    """Workers on the cluster at `address`. Every node needs Damka.

    Raises ClusterError without Ray, and when nobody answers there.
    """

    def __init__(self, address: str, equipment: Equipment) -> None:
        connect(address)
        self._equipment: Final = equipment
        self._counted = 0.0
        self._count = 0

    @property
    def count(self) -> int:
        """How many processors the cluster has."""
        import ray  # noqa: PLC0415

        now = time.monotonic()
        if not self._count or now > self._counted + _COUNT_SECONDS:
            self._counted = now
            with contextlib.suppress(ray.exceptions.RayError):
                self._count = max(1, int(ray.cluster_resources().get("CPU", 1)))
        return self._count

    async def start(self, *, extra: bool) -> _RayWorker:
        """Start an actor; an extra one shares a processor. Raises WorkerDiedError."""
        import ray  # noqa: PLC0415

        kind = ray.remote(num_cpus=0 if extra else 1, max_concurrency=2)(Searcher)
        try:
            actor: Any = await asyncio.to_thread(kind.remote, self._equipment)
            async with asyncio.timeout(_START_SECONDS):
                await actor.ready.remote()
        except TimeoutError as error:
            raise WorkerDiedError("the Ray cluster has no processor to spare") from error
        except ray.exceptions.RayError as error:
            raise WorkerDiedError(f"the Ray cluster has failed: {error}") from error
        return _RayWorker(actor)


class Searcher:
    """What runs on the cluster: a thread for the task, another for what ends it."""

    def __init__(self, equipment: Equipment) -> None:
        self._engine: Final = equipment.engine()
        self._tasks: Final = Tasks()

    def ready(self) -> None:
        """Answer as soon as there is somebody to answer."""

    def ask(self, task: Begin) -> Iterator[Found | Done | Failed]:
        """Carry out a task; yield what is found on the way, at the end the result."""
        self._tasks.put(task)
        _, stop = self._tasks.take()
        said: queue.SimpleQueue[Found | Done | Failed] = queue.SimpleQueue()

        def work() -> None:
            tell = lambda far: said.put(Found(far))  # noqa: E731
            said.put(answer(task.task, self._engine, stop, tell))

        thread = threading.Thread(target=work)
        thread.start()
        while True:
            message = said.get()
            yield message
            if not isinstance(message, Found):
                break
        thread.join()

    def halt(self, number: int) -> None:
        """Let a task end early, also one that has not begun."""
        self._tasks.halt(number)


class _RayWorker:
    """An actor, as the pool sees it."""

    def __init__(self, actor: Any) -> None:
        self._actor: Final = actor
        self._number = 0
        self._asking = False

    async def ask(self, task: bytes, told: Told) -> bytes:
        """Return the result of a task, as `Worker` says."""
        import ray  # noqa: PLC0415

        self._number += 1
        self._asking = True
        try:
            said = self._actor.ask.options(num_returns="streaming").remote(
                Begin(self._number, task)
            )
            async for reference in said:
                match await reference:
                    case Found(result):
                        told(result)
                    case Done(result):
                        return bytes(result)
                    case Failed(message, too_complex):
                        raise (PositionTooComplexError if too_complex else TaskFailedError)(message)
        except ray.exceptions.RayTaskError as error:
            raise TaskFailedError(str(error)) from error
        except ray.exceptions.RayError as error:
            raise WorkerDiedError(f"a worker on the Ray cluster has ended: {error}") from error
        finally:
            self._asking = False
        raise WorkerDiedError("a worker on the Ray cluster gave no answer")

    def stop(self) -> None:
        """Let the task under way end early."""
        if self._asking:
            self._actor.halt.remote(self._number)

    def kill(self) -> None:
        """End the actor at once."""
        import ray  # noqa: PLC0415

        with contextlib.suppress(ray.exceptions.RayError):
            ray.kill(self._actor)

    async def close(self) -> None:
        """End the actor."""
        await asyncio.to_thread(self.kill)
