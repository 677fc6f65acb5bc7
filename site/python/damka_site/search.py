"""Client of the search worker, which has the kernel and the weights, but no Python."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol, TypeVar

from damka import _core
from damka.engine.levels import SearchTask
from damka.engine.search import Analysis, analysis_of
from damka.engine.weights.shipped import shipped_file

__all__ = ["SearchFailedError", "Searcher", "StoppedError", "run_search"]

T = TypeVar("T")

_search_task: Any = getattr(_core, "search_task", None)  # exists only in the browser's `_core`
_NO_LIMIT = 2**64 - 1
_DEPTH = 100


class StoppedError(Exception):
    """The search was stopped because its result is no longer needed."""


class SearchFailedError(Exception):
    """The search worker did not respond: it has ended, or its files are damaged."""


class Searcher(Protocol):
    """Interface of the search worker, which searches one position at a time."""

    async def search(self, rules: bytes, weights: str | None, task: bytes) -> bytes:
        """Return the output of `damka_search` for the task.

        Raises StoppedError, SearchFailedError.
        """

    def stop(self) -> None:
        """Stop the running search, if any."""


async def run_search(searcher: Searcher, steps: Generator[SearchTask, Analysis, T]) -> T:
    """Run the decision steps of a level with the searcher; return the decision."""
    try:
        step = next(steps)
        while True:
            board, limits = step.board, step.limits
            path = shipped_file(board.rules)
            rules, task, read = _search_task(
                board,
                choices=step.moves,
                depth=limits.depth or _DEPTH,
                nodes=limits.nodes or _NO_LIMIT,
                seconds=limits.seconds or float("inf"),
                handicap=step.handicap,
                contempt=step.contempt,
            )
            output = await searcher.search(rules, None if path is None else path.name, task)
            step = steps.send(analysis_of(read(output)))
    except StopIteration as end:
        result: T = end.value
        return result
