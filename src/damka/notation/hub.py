"""Moves in Hub notation: "22-18", "22x15x18" (from, to, captured squares ascending).

Source: the Hub protocol, version 2. Captured squares are accepted in any order. Two moves can share
a text only under `promotion = "go"`: one that crowns the man and one that does not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from damka.move import Move

__all__ = ["MAX_LENGTH", "Written", "format", "read"]


def __dir__() -> list[str]:
    return __all__


MAX_LENGTH: Final = 200

_QUIET = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_CAPTURE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})((?:x[0-9]{1,3})+)")


class Written(NamedTuple):
    """The numbers in a Hub text; the captured squares ascend."""

    start: int
    end: int
    captures: tuple[int, ...]


def format(move: Move) -> str:  # noqa: A001  the pair of read
    """Return the Hub text of a move, which is `move.hub()`."""
    return move.hub()


def read(text: str) -> Written | None:
    """Parse a text; return None if it is not Hub text.

    >>> from damka.notation.hub import read
    >>> read("22x15x18")
    Written(start=22, end=15, captures=(18,))
    """
    if len(text) > MAX_LENGTH:
        return None
    if found := _QUIET.fullmatch(text):
        return Written(int(found[1]), int(found[2]), ())
    if found := _CAPTURE.fullmatch(text):
        taken = sorted(map(int, found[3].split("x")[1:]))
        return Written(int(found[1]), int(found[2]), tuple(taken))
    return None
