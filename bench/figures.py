"""One measured figure, with the peer's and the goal beside it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Figure"]


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured; texts are ready to print.

    `ratio` is Damka's figure over the peer's, better when larger. `goal` says what is wanted and
    `met` whether that is so; None when nothing is wanted.
    """

    what: str
    ours: str
    peer: str = ""
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None

    @classmethod
    def against(cls, what: str, ours: str, peer: str, ratio: float, least: float) -> Figure:
        """Return a figure whose ratio is wanted to be `least` or more."""
        return cls(what, ours, peer, ratio, f"{least:g}×", ratio >= least)
