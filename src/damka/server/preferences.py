"""Preferences stored with an account: `language`, `theme` and the switches in `board`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["BOARD", "board_of"]

BOARD: Final[Mapping[str, bool]] = {
    "sound": True,
    "numbers": True,
    "quick": False,
    "confirm": False,
    "sure": True,
    "warn": True,
    "pace": True,
    "turn": False,
    "crown": False,
    "plain": False,
    "swap": False,
    "chat": True,
}
"""Defaults of the board switches; the page has them in prefs.js."""


def board_of(preferences: Mapping[str, Any]) -> dict[str, bool]:
    """Return all board switches of a member, with defaults."""
    stored = preferences.get("board", {})
    return {name: bool(stored.get(name, default)) for name, default in BOARD.items()}
