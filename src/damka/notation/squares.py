"""Names of squares: numbers 1..n from White's top-left, and letters and figures from a1.

a1 is White's bottom-left corner, whether or not it is a playing square; files go to the right,
ranks go up.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["SQUARE", "algebraic", "read"]

SQUARE: Final = r"[0-9]{1,3}|[A-La-l][0-9]{1,2}"
"""The pattern of a square's name, numeric or algebraic."""

_NUMERIC = re.compile(r"[0-9]{1,3}")
_ALGEBRAIC = re.compile(r"([A-La-l])([0-9]{1,2})")


def algebraic(rules: Rules, square: int) -> str:
    """Return the algebraic name of a playing square.

    >>> import damka
    >>> algebraic(damka.rules.load("dama64"), 22)
    'c3'
    """
    row, column = rules.cell(square)
    return f"{'abcdefghijkl'[column]}{rules.height - row}"


def read(rules: Rules, text: str) -> int | None:
    """Return the number of the playing square that `text` names, or None when it names none.

    >>> import damka
    >>> dama64 = damka.rules.load("dama64")
    >>> read(dama64, "c3"), read(dama64, "022"), read(dama64, "c4"), read(dama64, "33")
    (22, 22, None, None)
    """
    if _NUMERIC.fullmatch(text):
        number = int(text)
        return number if 1 <= number <= rules.square_count else None
    found = _ALGEBRAIC.fullmatch(text)
    if found is None:
        return None
    return rules.square_at(rules.height - int(found[2]), ord(found[1].lower()) - ord("a"))
