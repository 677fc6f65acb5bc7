"""The interface for the progress of a run."""

from __future__ import annotations

from typing import Protocol

__all__ = ["View"]


class View(Protocol):
    """Shows the progress of a run."""

    def begin(self, stage: str, total: int, done: int) -> None:
        """Start or resume a stage of `total` parts, of which `done` are finished."""

    def advance(self, parts: int, note: str) -> None:
        """Report that `parts` more of the stage are finished."""

    def log(self, line: str) -> None:
        """Show a line about a finished stage."""
