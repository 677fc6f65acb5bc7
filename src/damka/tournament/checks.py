"""What is checked in every value that may come from outside."""

from __future__ import annotations

from collections.abc import Sized
from typing import Final

from damka.errors import TournamentError

__all__ = [
    "MAX_PLAYERS",
    "MAX_RATING",
    "MAX_ROUNDS",
    "MAX_TEXT",
    "not_installed",
    "rating",
    "size",
    "text",
    "whole",
]

MAX_PLAYERS: Final = 2_000
MAX_ROUNDS: Final = 100
MAX_TEXT: Final = 100
"""The length of a name and of other texts, in characters."""
MAX_RATING: Final = 4_000


def text(where: str, value: object, least: int = 0, most: int = MAX_TEXT) -> None:
    """Check a text on one line: its length, in characters, and that all of it can be printed.

    Raises TournamentError.
    """
    if not isinstance(value, str) or not least <= len(value) <= most or not value.isprintable():
        count = f"{least} to {most}" if least else f"at most {most}"
        raise TournamentError(where, value, f"{count} printable characters")
    if value != value.strip():
        raise TournamentError(where, repr(value), "no blanks at its ends")


def whole(where: str, value: object, least: int, most: int) -> None:
    """Check a whole number. Raises TournamentError."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise TournamentError(where, value, f"a whole number from {least} to {most}")


def rating(where: str, value: object) -> None:
    """Check a rating: a whole number, 0 for none. Raises TournamentError."""
    whole(where, value, 0, MAX_RATING)


def size(where: str, values: Sized, most: int) -> None:
    """Check how many values there are. Raises TournamentError."""
    if len(values) > most:
        raise TournamentError(where, len(values), f"at most {most}")


def not_installed(error: ModuleNotFoundError) -> TournamentError:
    """Return the error that says what is to be installed."""
    return TournamentError("library", f"{error.name} is missing", "pip install 'damka[events]'")
