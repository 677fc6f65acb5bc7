"""Validation of values from outside."""

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
"""Maximum length of a name and of other texts, in characters."""
MAX_RATING: Final = 4_000


def text(where: str, value: object, least: int = 0, most: int = MAX_TEXT) -> None:
    """Validate a single-line printable text and its length in characters.

    Raises TournamentError.
    """
    if not isinstance(value, str) or not least <= len(value) <= most or not value.isprintable():
        count = f"{least} to {most}" if least else f"at most {most}"
        raise TournamentError(where, value, f"{count} printable characters")
    if value != value.strip():
        raise TournamentError(where, repr(value), "no blanks at its ends")


def whole(where: str, value: object, least: int, most: int) -> None:
    """Validate an integer. Raises TournamentError."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise TournamentError(where, value, f"a whole number from {least} to {most}")


def rating(where: str, value: object) -> None:
    """Validate a rating: an integer, 0 for none. Raises TournamentError."""
    whole(where, value, 0, MAX_RATING)


def size(where: str, values: Sized, most: int) -> None:
    """Validate the number of values. Raises TournamentError."""
    if len(values) > most:
        raise TournamentError(where, len(values), f"at most {most}")


def not_installed(error: ModuleNotFoundError) -> TournamentError:
    """Return an error with instructions to install the missing library."""
    return TournamentError("library", f"{error.name} is missing", "pip install 'damka[events]'")
