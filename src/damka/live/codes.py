"""Codes that give a seat: of invitations, of players and arbiters of events, of operators.

Whoever has such a code has the seat, so nobody may guess one. They are long enough for that by
themselves: a limit on guesses from all addresses together would lock out those who hold a valid
code. `chance` is the arithmetic.

>>> chance(per_second=2_000, seats=50_000) < 1e-6
True
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

__all__ = ["LENGTH", "LETTERS", "STORED", "chance", "grouped", "new", "of_game", "same", "typed"]

LETTERS: Final = "BCDFGHJKMNPQRSTVWXYZ23456789"
"""No vowels, so that they make no words, and nothing that looks like something else."""
LENGTH: Final = 14
STORED: Final = 8
"""The part by which an invitation is looked up; the rest of its code follows from the game's id."""
_LONGEST: Final = 40
_DAY: Final = 24 * 3600


def chance(per_second: float, seats: float) -> float:
    """Return the most likely it can be that somebody guesses any code within a day.

    `per_second` guesses are made, from whatever addresses, and `seats` codes are valid.
    """
    return per_second * _DAY * seats / len(LETTERS) ** LENGTH


def new(length: int = LENGTH) -> str:
    """Return a code by lot."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def of_game(stored: str, game_id: str) -> str:
    """Return the code of an invitation; one that an earlier Damka has issued is as it was.

    The id of a game has 132 random bits, so the part that follows from it cannot be guessed.
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


def typed(text: str) -> str:
    """Return a code as it is kept, however it was typed; "" for what cannot be one."""
    code = text[:_LONGEST].strip().upper().replace(" ", "").replace("-", "")
    return code if set(code) <= set(LETTERS) else ""


def grouped(code: str) -> str:
    """Return a code as it is shown.

    >>> grouped("BKRTDFGHJ23456"), grouped("BKRTDF"), grouped("BKRT")
    ('BKRTD-FGHJ2-3456', 'BKR-TDF', 'BKRT')
    """
    size = 5 if len(code) == LENGTH else 4 if len(code) in {4, 8} else 3
    return "-".join(code[start : start + size] for start in range(0, len(code), size))


def same(one: str, other: str) -> bool:
    """Compare two codes in a time that tells nothing of either, whatever characters they have."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
