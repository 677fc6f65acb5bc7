"""The interface that shows the progress of a run."""

from __future__ import annotations

from typing import Protocol

__all__ = ["View"]


class View(Protocol):
    """Shows the progress of a run."""

    def begin(self, stage: str, total: int, done: int) -> None:
        """A stage of `total` parts starts or continues, `done` of them done."""

    def advance(self, parts: int, note: str) -> None:
        """Another `parts` of the stage are done."""

    def log(self, line: str) -> None:
        """Show a line about a finished step."""
