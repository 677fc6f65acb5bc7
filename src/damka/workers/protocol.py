"""What a worker is to the pool, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from damka.errors import DamkaError

__all__ = ["TaskFailedError", "Told", "Worker", "WorkerDiedError", "Workers"]

Told = Callable[[bytes], object]
"""Takes what a search has found so far; called in the event loop's thread."""


class WorkerDiedError(DamkaError):
    """The worker has ended without an answer, or could not be started."""


class TaskFailedError(DamkaError):
    """The worker answers with an error instead of a result; asking again would not help."""


class Worker(Protocol):
    """A process that carries out one task at a time."""

    async def ask(self, task: bytes, told: Told) -> bytes:
        """Return the result of a task.

        Raises WorkerDiedError, TaskFailedError, PositionTooComplexError.
        """

    def stop(self) -> None:
        """Let the task under way end early; what it then answers is of no use."""

    def kill(self) -> None:
        """End the worker at once; what is asked raises WorkerDiedError."""

    async def close(self) -> None:
        """End the worker and wait until it is gone."""


class Workers(Protocol):
    """Where workers come from."""

    @property
    def count(self) -> int:
        """How many may be at work at a time."""

    async def start(self, *, extra: bool) -> Worker:
        """Start a worker; an `extra` one goes beyond `count`. Raises WorkerDiedError."""
