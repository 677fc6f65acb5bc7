"""Runs tasks in worker processes, which end with the process that started them."""

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
Done = TypeVar("Done")

_PATIENCE = 5.0  # seconds


def in_processes(
    do: Callable[[Task], Done],
    tasks: Iterable[Task],
    count: int,
    *,
    prepare: Callable[[], object] | None = None,
) -> Generator[tuple[Task, Done]]:
    """Do the tasks in `count` processes; yield each with its result as it ends.

    Every process first calls `prepare`. Closing the generator ends them without waiting for what
    they do. Raises what `do` raises, and BrokenProcessPool when a process dies.
    """
    pool = ProcessPoolExecutor(count, get_context("spawn"), initializer=_begin, initargs=(prepare,))
    waiting = iter(tasks)
    running: dict[Future[Done], Task] = {}
    try:
        while True:
            # One task more than processes, so that none of them has to wait.
            for task in islice(waiting, count + 1 - len(running)):
                with _undisturbed():
                    running[pool.submit(do, task)] = task
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), future.result()
    finally:
        _stop(pool)


@contextmanager
def _undisturbed() -> Generator[None]:
    """Start worker processes with Ctrl-C ignored, even before they reach `_begin`."""
    if sys.platform == "win32":  # has no signals to block
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(prepare: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the first process.
    if prepare is not None:
        prepare()
    threading.Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    """End this process when its parent is gone, even if the parent was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the processes without waiting for their tasks."""
    processes = list((pool._processes or {}).values())  # There is no public way.
    manager: Any = pool._executor_manager_thread  # A thread, or None before the first task.
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()
    if manager is not None:
        # Until it has ended, the end of this program would meet it halfway: it closes what is
        # written to then.
        manager.join(_PATIENCE)
