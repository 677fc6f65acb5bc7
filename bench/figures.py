"""A measured figure, with another program's figure and the goal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Figure", "Say"]

Say = Callable[[str], object]
"""Callback for the current measurement."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement; its texts are ready to print.

    `ratio` is Damka's figure over the peer's; larger is better. `met` says whether
    the `goal` is met, None if there is none.
    """

    what: str
    ours: str
    peer: str = ""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None

    @classmethod
    def against(cls, what: str, ours: str, peer: str, ratio: float, least: float | None) -> Figure:
        """Return a figure with a minimum ratio of `least` as its goal, if given."""
        if least is None:
            return cls(what, ours, peer, ratio)
        return cls(what, ours, peer, ratio, f"{least:g}×", ratio >= least)
