"""The worker process: runs one task after another, and ends with the server.

The server's end of the pipe closes when the server ends, for any reason; the reading thread then
ends this process, even during a search.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import sys
import threading
from typing import IO, TYPE_CHECKING, Final

from damka.engine import Stop
from damka.errors import PositionTooComplexError
from damka.workers import wire
from damka.workers.tasks import Equipment, perform

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    from collections.abc import Callable

    import msgspec

    from damka.engine import Engine

__all__ = ["Tasks", "lower_priority", "main", "run_task"]

log: Final = logging.getLogger(__name__)

_NICE: Final = 15
"""Priority of the background: games keep nearly the whole processor, but work never stops."""


class Tasks:
    """The queue of tasks and the current one, for two threads."""

    def __init__(self) -> None:
        self._waiting: Final[queue.SimpleQueue[wire.Begin]] = queue.SimpleQueue()
        self._lock: Final = threading.Lock()
        self._number = 0
        self._halted_up_to = 0
        self._stop = Stop()

    def put(self, task: wire.Begin) -> None:
        """Add a task."""
        self._waiting.put(task)

    def take(self) -> tuple[wire.Begin, Stop]:
        """Wait for the next task; return it with the token that stops its search."""
        task = self._waiting.get()
        with self._lock:
            self._number, self._stop = task.number, Stop()
            if self._halted_up_to >= task.number:
                self._stop.set()
            return task, self._stop

    def halt(self, number: int) -> None:
        """Stop the task of that number, even before it has started."""
        with self._lock:
            self._halted_up_to = max(self._halted_up_to, number)
            if number >= self._number:
                self._stop.set()


def main() -> None:
    """Serve until the server closes the pipe."""
    # Ctrl-C is handled by the server, which then ends its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    requests = sys.stdin.buffer
    equipment = _read(requests)
    if not isinstance(equipment, Equipment):
        return
    _limit_memory(equipment.memory_mb)
    if equipment.background:
        lower_priority()
    engine = equipment.engine()
    tasks = Tasks()
    threading.Thread(target=_receive_loop, args=(requests, tasks), daemon=True).start()

    def send(message: msgspec.Struct) -> None:
        data = wire.frame(message)
        while data:
            data = data[output.write(data) or 0 :]

    while True:
        task, stop = tasks.take()
        send(run_task(task.task, engine, stop, lambda partial: send(wire.Partial(partial))))


def run_task(
    task: bytes, engine: Engine, stop: Stop, on_partial: Callable[[bytes], object]
) -> wire.Done | wire.Failed:
    """Return the result of a task, or the error that it raises."""
    try:
        return wire.Done(perform(task, engine, stop, on_partial))
    except PositionTooComplexError as error:
        return wire.Failed(str(error), too_complex=True)
    except Exception as error:
        log.exception("task failed")
        return wire.Failed(f"{type(error).__name__}: {error}", too_complex=False)


def _receive_loop(requests: IO[bytes], tasks: Tasks) -> None:
    """Receive messages until the server closes the pipe; then end this process."""
    try:
        while (message := _read(requests)) is not None:
            if isinstance(message, wire.Begin):
                tasks.put(message)
            elif isinstance(message, wire.Halt):
                tasks.halt(message.number)
    finally:
        os._exit(0)


def _read(requests: IO[bytes]) -> Equipment | wire.Begin | wire.Halt | None:
    head = requests.read(wire.LENGTH.size)
    if len(head) < wire.LENGTH.size:
        return None
    (length,) = wire.LENGTH.unpack(head)
    data = requests.read(length)
    return None if len(data) < length else wire.to_worker(data)


def lower_priority() -> None:
    """Lower the priority of this process; on Windows its parent does so."""
    if sys.platform != "win32":
        os.nice(_NICE)


def _limit_memory(megabytes: int) -> None:
    """Limit the memory of this process; larger allocations fail with an error."""
    if megabytes and sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
