"""Searches that another worker carries out: it has the kernel and the weights, and no Python."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Protocol, TypeVar

from damka import _core
from damka.engine.levels import Question
from damka.engine.search import Analysis, analysis_of
from damka.engine.weights.shipped import shipped_file

__all__ = ["SearchFailedError", "Searcher", "StoppedError", "answered"]

T = TypeVar("T")

_search_task: Any = getattr(_core, "search_task", None)  # the browser's `_core` has it
_MANY = 2**64 - 1
_DEPTH = 100


class StoppedError(Exception):
    """The search was stopped because its answer is not needed any more."""


class SearchFailedError(Exception):
    """The worker that searches gave no answer: it has ended, or its files are damaged."""


class Searcher(Protocol):
    """The worker that searches, one position at a time."""

    async def search(self, rules: bytes, weights: str | None, task: bytes) -> bytes:
        """Return what `damka_search` writes for the task.

        Raises StoppedError, SearchFailedError.
        """

    def stop(self) -> None:
        """Stop the search under way, if there is one."""


async def answered(searcher: Searcher, thinking: Generator[Question, Analysis, T]) -> T:
    """Return what a level comes to when the searcher answers its questions."""
    try:
        question = next(thinking)
        while True:
            board, limits = question.board, question.limits
            path = shipped_file(board.rules)
            rules, task, read = _search_task(
                board,
                choices=question.moves,
                depth=limits.depth or _DEPTH,
                nodes=limits.nodes or _MANY,
                seconds=limits.seconds or float("inf"),
                handicap=question.handicap,
                contempt=question.contempt,
            )
            told = await searcher.search(rules, None if path is None else path.name, task)
            question = thinking.send(analysis_of(read(told)))
    except StopIteration as end:
        result: T = end.value
        return result
