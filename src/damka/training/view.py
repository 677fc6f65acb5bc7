"""Who is told how a run goes."""

from __future__ import annotations

from typing import Protocol

__all__ = ["View"]


class View(Protocol):
    """Somebody who is told how a run goes."""

    def begin(self, stage: str, total: int, done: int) -> None:
        """A stage of `total` parts begins or goes on, `done` of them done."""

    def advance(self, parts: int, note: str) -> None:
        """So many parts more are done."""

    def tell(self, line: str) -> None:
        """Something has come to its end."""
