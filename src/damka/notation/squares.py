"""Square names in the library: numbers 1..n from White's top left, and letters with digits.

Letters are those of the rule set's notation if it prints letters ("A0"). Otherwise a1 is White's
bottom left corner, even if it is not a playing square; files increase to the right and ranks
upwards. `damka.notation.labels` has the labels that a federation prints.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["SQUARE", "Corner", "algebraic", "coordinates", "corner", "from_corner", "read"]


def __dir__() -> list[str]:
    return __all__


SQUARE: Final = r"[0-9]{1,3}|[A-La-l][0-9]{1,2}"
"""The pattern of a square's name, numeric or algebraic."""

FILES: Final = "abcdefghijkl"

_NUMERIC = re.compile(r"[0-9]{1,3}")
_ALGEBRAIC = re.compile(r"([A-La-l])([0-9]{1,2})")


class Corner(NamedTuple):
    """A corner of the board from White's view."""

    bottom: bool
    left: bool


def corner(rules: Rules, digit: int) -> Corner:
    """Return the corner for a digit of the notation.

    From the view of the player who begins, it is 0 for bottom left, 1 bottom right, 2 top left and
    3 top right.
    """
    white_begins = rules.first == "W"
    return Corner((digit < 2) is white_begins, (digit % 2 == 0) is white_begins)


def from_corner(rules: Rules, square: int, start: Corner) -> tuple[int, int]:
    """Return the columns and rows between a playing square and a corner, both from 0."""
    row, column = rules.cell(square)
    return (
        column if start.left else rules.width - 1 - column,
        rules.height - 1 - row if start.bottom else row,
    )


def algebraic(rules: Rules, square: int) -> str:
    """Return the algebraic name of a playing square.

    >>> import damka
    >>> from damka.notation.squares import algebraic
    >>> algebraic(damka.rules.load("dama64"), 22)
    'c3'
    """
    file, rank = from_corner(rules, square, _a1(rules))
    return f"{FILES[file]}{rank + 1}"


def coordinates(rules: Rules, *, flip: bool = False) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters along the board from left to right and the digits from top to bottom.

    They are in White's view, or with `flip` in Black's.
    """
    start = _a1(rules)
    files = FILES[: rules.width]
    ranks = [str(rank + 1) for rank in range(rules.height)]
    # Letters start on the side of a1, and so do digits.
    return (
        tuple(files if start.left is not flip else reversed(files)),
        tuple(ranks if start.bottom is flip else reversed(ranks)),
    )


def read(rules: Rules, text: str) -> int | None:
    """Return the number of the playing square called `text`, or None.

    >>> import damka
    >>> from damka.notation.squares import read
    >>> dama64 = damka.rules.load("dama64")
    >>> read(dama64, "c3"), read(dama64, "022"), read(dama64, "c4"), read(dama64, "33")
    (22, 22, None, None)
    """
    if _NUMERIC.fullmatch(text):
        number = int(text)
        return number if 1 <= number <= rules.square_count else None
    match = _ALGEBRAIC.fullmatch(text)
    if match is None:
        return None
    start = _a1(rules)
    file, rank = FILES.index(match[1].lower()), int(match[2]) - 1
    return rules.square_at(
        rules.height - 1 - rank if start.bottom else rank,
        file if start.left else rules.width - 1 - file,
    )


def _a1(rules: Rules) -> Corner:
    """Return the corner from which letters and digits are counted."""
    if rules.notation[0] == "A":
        return corner(rules, int(rules.notation[1]))
    return Corner(bottom=True, left=True)
