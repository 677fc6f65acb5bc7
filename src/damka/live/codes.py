"""Secret codes that give a seat: of invitations, of event players and arbiters, of operators.

A valid code is all that a seat requires, so codes must be impossible to guess. Their length alone
ensures that: a rate limit over all addresses together would lock out holders of valid codes.
`guess_probability` computes the probability of a guess.

>>> guess_probability(per_second=2_000, seats=50_000) < 1e-6
True
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

__all__ = [
    "LENGTH",
    "LETTERS",
    "STORED",
    "are_equal",
    "format_code",
    "full_code",
    "guess_probability",
    "new",
    "normalise",
]

LETTERS: Final = "BCDFGHJKMNPQRSTVWXYZ23456789"
"""No vowels, so that codes form no words, and no characters that are easily confused."""
LENGTH: Final = 14
STORED: Final = 8
"""Length of the stored prefix that identifies an invitation; the rest derives from the game id."""
_MAX_TYPED: Final = 40
_DAY: Final = 24 * 3600


def guess_probability(per_second: float, seats: float) -> float:
    """Return an upper bound of the probability that any code is guessed within a day.

    `per_second` guesses are made, from all addresses together, and `seats` codes are valid.
    """
    return per_second * _DAY * seats / len(LETTERS) ** LENGTH


def new(length: int = LENGTH) -> str:
    """Return a random code."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def full_code(stored: str, game_id: str) -> str:
    """Return the full code of an invitation.

    The short codes of old versions are complete as stored. The id of a game has 128 random bits, so
    the derived part cannot be guessed.
    """
    if len(stored) < STORED:
        return stored
    digest = hashlib.sha256(f"damka invitation {stored} {game_id}".encode()).digest()
    number = int.from_bytes(digest)
    rest = ""
    for _ in range(LENGTH - STORED):
        number, letter = divmod(number, len(LETTERS))
        rest += LETTERS[letter]
    return stored + rest


def normalise(text: str) -> str:
    """Normalise a typed code to its stored form; "" if it cannot be a code."""
    code = text[:_MAX_TYPED].strip().upper().replace(" ", "").replace("-", "")
    return code if set(code) <= set(LETTERS) else ""


def format_code(code: str) -> str:
    """Format a code in groups for display.

    >>> format_code("BKRTDFGHJ23456"), format_code("BKRTDF"), format_code("BKRT")
    ('BKRTD-FGHJ2-3456', 'BKR-TDF', 'BKRT')
    """
    size = 5 if len(code) == LENGTH else 4 if len(code) in {4, 8} else 3
    return "-".join(code[start : start + size] for start in range(0, len(code), size))


def are_equal(one: str, other: str) -> bool:
    """Compare two codes in constant time, whatever characters they have."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
