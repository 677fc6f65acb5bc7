"""One measured figure, next to that of another program and the goal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Figure", "Say"]

Say = Callable[[str], object]
"""Receives what is being measured."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement; its texts are ready to print.

    `ratio` is Damka's figure over the peer's; larger is better. `met` says whether
    the `goal` is met, None without one.
    """

    what: str
    ours: str
    peer: str = ""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None

    @classmethod
    def against(cls, what: str, ours: str, peer: str, ratio: float, least: float | None) -> Figure:
        """Return a figure whose goal is a ratio of `least` or more; without it, it has none."""
        if least is None:
            return cls(what, ours, peer, ratio)
        return cls(what, ours, peer, ratio, f"{least:g}×", ratio >= least)
