"""Limits of game files, for code that does not parse them."""

from __future__ import annotations

from typing import Final

__all__ = ["MAX_GAMES", "MAX_NUMBER", "MEDIA_TYPE"]

MEDIA_TYPE: Final = "application/x-draughts-pdn"
MAX_GAMES: Final = 200
"""Maximum number of games in one listing of a file."""
MAX_NUMBER: Final = 1_000_000
"""The largest number of a game in a file."""
