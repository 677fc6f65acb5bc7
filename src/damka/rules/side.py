"""The two sides of a game."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

__all__ = ["SIDES", "Side", "other"]

Side: TypeAlias = Literal["W", "B"]
"""White ("W"), at the bottom of the board, or Black ("B"), at the top."""

SIDES: Final[tuple[Side, ...]] = ("W", "B")


def other(side: Side) -> Side:
    """Return the opponent of a side."""
    return "B" if side == "W" else "W"
