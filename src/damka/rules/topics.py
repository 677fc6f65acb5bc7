"""Topics of the rule book, to which refusals and rule sets refer."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["TOPICS", "TOPIC_GROUPS"]

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
    "move_limit",
    "material_draws",
    "notation",
    "how_to_move",
)
"""Every topic, in the order of the rule book."""

TOPIC_GROUPS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "board": ("start", "first", "ballots", "your_turn", "notation", "how_to_move"),
        "men": ("man_move", "promotion"),
        "capturing": (
            "man_capture",
            "chain",
            "removal",
            "obligation",
            "precedence",
            "huffing",
            "man_takes_king",
        ),
        "kings": ("king_move", "king_streak", "king_capture", "king_landing"),
        "end": (
            "goal",
            "no_moves",
            "agreement",
            "repetition",
            "same_move",
            "no_progress",
            "move_limit",
            "material_draws",
        ),
    }
)
"""The topics in groups, for readers who look for one; each in the order of reading."""
