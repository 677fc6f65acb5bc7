"""Validation of untrusted values."""

from __future__ import annotations

from collections.abc import Sized
from typing import Final

from damka.errors import TournamentError

__all__ = [
    "MAX_PLAYERS",
    "MAX_RATING",
    "MAX_ROUNDS",
    "MAX_TEXT",
    "integer",
    "not_installed",
    "rating",
    "size",
    "text",
]

MAX_PLAYERS: Final = 2_000
MAX_ROUNDS: Final = 100
MAX_TEXT: Final = 100
"""Maximum length of a name or other text, in characters."""
MAX_RATING: Final = 4_000


def text(where: str, value: object, minimum: int = 0, maximum: int = MAX_TEXT) -> None:
    """Validate a single-line printable text and its length in characters.

    Raises TournamentError.
    """
    if (
        not isinstance(value, str)
        or not minimum <= len(value) <= maximum
        or not value.isprintable()
    ):
        count = f"{minimum} to {maximum}" if minimum else f"at most {maximum}"
        raise TournamentError(where, value, f"{count} printable characters")
    if value != value.strip():
        raise TournamentError(where, repr(value), "no leading or trailing blanks")


def integer(where: str, value: object, minimum: int, maximum: int) -> None:
    """Validate an integer. Raises TournamentError."""
    if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
        raise TournamentError(where, value, f"a whole number from {minimum} to {maximum}")


def rating(where: str, value: object) -> None:
    """Validate a rating: an integer, 0 for none. Raises TournamentError."""
    integer(where, value, 0, MAX_RATING)


def size(where: str, values: Sized, maximum: int) -> None:
    """Validate the number of values. Raises TournamentError."""
    if len(values) > maximum:
        raise TournamentError(where, len(values), f"at most {maximum}")


def not_installed(error: ModuleNotFoundError) -> TournamentError:
    """Return an error with instructions to install the missing library."""
    return TournamentError("library", f"{error.name} is missing", "pip install 'damka[events]'")
