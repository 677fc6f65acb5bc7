"""Running tasks in worker processes, which exit with their parent."""

from __future__ import annotations

import os
import signal
import sys
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

__all__ = ["in_processes"]

Task = TypeVar("Task")
Result = TypeVar("Result")

_JOIN_SECONDS = 5.0  # seconds


def in_processes(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    count: int,
    *,
    prepare: Callable[[], object] | None = None,
) -> Generator[tuple[Task, Result]]:
    """Run the tasks in `count` processes; yield each with its result as it finishes.

    Every process calls `prepare` first. Closing the generator kills the processes without waiting
    for their tasks. Raises the errors of `function`, and BrokenProcessPool if a process dies.
    """
    pool = ProcessPoolExecutor(
        count, get_context("spawn"), initializer=_start_worker, initargs=(prepare,)
    )
    waiting = iter(tasks)
    running: dict[Future[Result], Task] = {}
    try:
        while True:
            # One more task than processes, so that none of them idles.
            for task in islice(waiting, count + 1 - len(running)):
                with _interrupts_blocked():
                    running[pool.submit(function, task)] = task
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
    finally:
        _kill(pool)


@contextmanager
def _interrupts_blocked() -> Generator[None]:
    """Start worker processes with Ctrl-C ignored, even before they reach `_start_worker`."""
    if sys.platform == "win32":  # has no signals to block
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_worker(prepare: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent handles Ctrl-C.
    if prepare is not None:
        prepare()
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent process exits, even if it was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _kill(pool: ProcessPoolExecutor) -> None:
    """Kill the processes without waiting for their tasks."""
    processes = list((pool._processes or {}).values())  # There is no public API.
    manager: Any = pool._executor_manager_thread  # A thread, or None before the first task.
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()
    if manager is not None:
        # At interpreter exit, the executor's hook writes to a pipe that this thread may close.
        manager.join(_JOIN_SECONDS)
