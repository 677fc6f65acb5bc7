"""Topics of the rule book, to which refusals and rule sets refer."""

from __future__ import annotations

from typing import Final

__all__ = ["TOPICS"]

TOPICS: Final = (
    "goal",
    "start",
    "first",
    "ballots",
    "your_turn",
    "man_move",
    "man_capture",
    "chain",
    "removal",
    "promotion",
    "king_move",
    "king_streak",
    "king_capture",
    "king_landing",
    "man_takes_king",
    "precedence",
    "obligation",
    "huffing",
    "no_moves",
    "agreement",
    "repetition",
    "same_move",
    "no_progress",
    "material_draws",
    "notation",
    "how_to_move",
)
"""Every topic, in the order of the rule book."""
