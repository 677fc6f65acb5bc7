"""Files of games, for code that reads none."""

from __future__ import annotations

from typing import Final

__all__ = ["MAX_GAMES", "MAX_NUMBER", "MEDIA_TYPE"]

MEDIA_TYPE: Final = "application/x-draughts-pdn"
MAX_GAMES: Final = 200
"""The most games of a file that are listed at a time."""
MAX_NUMBER: Final = 1_000_000
"""The largest number of a game in a file."""
