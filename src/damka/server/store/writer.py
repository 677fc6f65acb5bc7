"""The single writer thread of the store, with group commit.

SQLite allows only one writer, and calls must keep their order. Log entries that are queued together
are written in one transaction: a commit waits for the disk, which takes longer than writing many
rows.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from damka.server.store.store import Append, Store

__all__ = ["Writer"]

T = TypeVar("T")

MAX_ENTRIES: Final = 64
"""Maximum number of entries in a transaction; they are all acknowledged at its end."""

_Job = tuple[Callable[[Store], Any] | Append, "Future[Any]"]


class Writer:
    """Runs write calls one after the other in its own thread."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store
        self._jobs: Final[deque[_Job]] = deque()
        self._changed: Final = threading.Condition()
        self._closed = False
        self._thread: Final = threading.Thread(target=self._work, name="damka-store", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Number of queued calls and entries."""
        return len(self._jobs)

    def run(self, call: Callable[[Store], T]) -> Future[T]:
        """Run `call` with the store, after all earlier calls and entries."""
        return self._add(call)

    def append(self, entry: Append) -> Future[None]:
        """Append an entry to its game's log, grouped with other queued ones; see `Store.append`."""
        return self._add(entry)

    def close(self) -> None:
        """Process the queue, and stop the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _add(self, what: Callable[[Store], Any] | Append) -> Future[Any]:
        future: Future[Any] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("the store is closed")
            self._jobs.append((what, future))
            self._changed.notify()
        return future

    def _work(self) -> None:
        while jobs := self._next():
            first, future = jobs[0]
            if isinstance(first, Append):
                self._append([(what, f) for what, f in jobs if isinstance(what, Append)])
            elif future.set_running_or_notify_cancel():
                self._call(first, future)

    def _next(self) -> list[_Job]:
        """Return a call, or all entries queued before the next call; nothing at the end."""
        with self._changed:
            while not self._jobs and not self._closed:
                self._changed.wait()
            jobs: list[_Job] = []
            while self._jobs and len(jobs) < MAX_ENTRIES:
                if jobs and not isinstance(self._jobs[0][0], Append):
                    break
                jobs.append(self._jobs.popleft())
                if not isinstance(jobs[0][0], Append):
                    break
            return jobs

    def _call(self, call: Callable[[Store], Any], future: Future[Any]) -> None:
        try:
            with self._store.writing():
                result = call(self._store)
        except BaseException as error:
            # The caller gets the error from its future.
            future.set_exception(error)
        else:
            future.set_result(result)

    def _append(self, jobs: list[tuple[Append, Future[Any]]]) -> None:
        jobs = [job for job in jobs if job[1].set_running_or_notify_cancel()]
        outcomes: list[BaseException | None]
        try:
            outcomes = self._store.append_all([entry for entry, _ in jobs])
        except BaseException as error:
            outcomes = [error] * len(jobs)
        for (_, future), outcome in zip(jobs, outcomes, strict=True):
            if outcome is None:
                future.set_result(None)
            else:
                future.set_exception(outcome)
