"""The interface between pool and workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from damka.errors import DamkaError

__all__ = ["Duty", "OnPartial", "TaskFailedError", "Worker", "WorkerDiedError", "Workers"]

OnPartial = Callable[[bytes], object]
"""Callback for partial results of a search; called in the event loop's thread."""

Duty = Literal["games", "short", "background"]
"""The tasks of a worker: those of games, only short ones, or only those that games precede."""


class WorkerDiedError(DamkaError):
    """The worker has ended without a result, or could not be started."""


class TaskFailedError(DamkaError):
    """The worker returned an error instead of a result; a retry would not help."""


class Worker(Protocol):
    """A process that runs one task at a time."""

    async def run(self, task: bytes, on_partial: OnPartial) -> bytes:
        """Run a task and return its result.

        Raises WorkerDiedError, TaskFailedError, PositionTooComplexError.
        """

    def stop(self) -> None:
        """Stop the current task early; its result is discarded."""

    def kill(self) -> None:
        """Kill the worker; a pending `run` raises WorkerDiedError."""

    async def close(self) -> None:
        """Shut the worker down and wait for its end."""


class Workers(Protocol):
    """A source of workers."""

    @property
    def count(self) -> int:
        """The maximum number of concurrent workers for games."""

    async def start(self, duty: Duty) -> Worker:
        """Start a worker; only those for games are counted. Raises WorkerDiedError.

        One for the background has a lower priority, where the system permits.
        """
