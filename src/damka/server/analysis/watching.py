"""Work that several viewers watch: each receives the latest state, and the last one ends it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final, Generic, TypeVar

__all__ = ["Shared", "Watch"]

T = TypeVar("T")


class Shared(Generic[T]):
    """Work in progress, with its latest state; `stop` is called when nobody watches it any more."""

    def __init__(self, stop: Callable[[], object]) -> None:
        self._stop: Final = stop
        self._watches: Final[set[Watch[T]]] = set()
        self.latest: T | None = None
        self.error: BaseException | None = None
        self.done = False

    @property
    def is_watched(self) -> bool:
        """Whether it has viewers."""
        return bool(self._watches)

    def watch(self) -> Watch[T]:
        """Add a viewer."""
        watch = Watch(self)
        self._watches.add(watch)
        return watch

    def update(self, state: T) -> None:
        """Show the viewers a new state."""
        self.latest = state
        self._wake()

    def finish(self, state: T | None = None, error: BaseException | None = None) -> None:
        """Show the viewers the last state, or the error."""
        self.done, self.error = True, error
        if state is not None:
            self.latest = state
        self._wake()

    def stop(self) -> None:
        """Stop the work."""
        if not self.done:
            self._stop()

    def leave(self, watch: Watch[T]) -> None:
        """Remove a viewer."""
        if watch in self._watches:
            self._watches.remove(watch)
            if not self._watches:
                self.stop()

    def _wake(self) -> None:
        for watch in self._watches:
            watch.changed.set()


class Watch(Generic[T]):
    """A viewer of shared work; `close` it when it leaves."""

    def __init__(self, shared: Shared[T]) -> None:
        self._shared: Final = shared
        self.changed: Final = asyncio.Event()
        self.changed.set()

    def close(self) -> None:
        """Leave."""
        self._shared.leave(self)

    async def states(self) -> AsyncIterator[tuple[T, bool]]:
        """Yield states, skipping those that were replaced, each with whether it is the last one.

        Raises the error of the work.
        """
        shared = self._shared
        while True:
            await self.changed.wait()
            self.changed.clear()
            done = shared.done
            if done and shared.error is not None:
                raise shared.error
            if shared.latest is not None:
                yield shared.latest, done
            if done:
                return
