"""Moves in Hub notation: "22-18", "22x15x18" (from, to, captured squares ascending).

Source: the Hub protocol, version 2. The parser accepts captured squares in any order. Two moves can
have the same text only under `promotion = "go"`: one crowns the man, the other does not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from damka._former import former_names

if TYPE_CHECKING:
    from damka.move import Move

__all__ = ["MAX_LENGTH", "HubMove", "format", "read"]


def __dir__() -> list[str]:
    return __all__


MAX_LENGTH: Final = 200

_QUIET = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_CAPTURE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})((?:x[0-9]{1,3})+)")


class HubMove(NamedTuple):
    """The numbers in a Hub text; captured squares are in ascending order."""

    start: int
    end: int
    captures: tuple[int, ...]


def format(move: Move) -> str:  # noqa: A001  the pair of read
    """Return the Hub text of a move, which is `move.hub()`."""
    return move.hub()


def read(text: str) -> HubMove | None:
    """Parse a move; return None if it is not Hub text.

    >>> from damka.notation.hub import read
    >>> read("22x15x18")
    HubMove(start=22, end=15, captures=(18,))
    """
    if len(text) > MAX_LENGTH:
        return None
    if match := _QUIET.fullmatch(text):
        return HubMove(int(match[1]), int(match[2]), ())
    if match := _CAPTURE.fullmatch(text):
        captures = sorted(map(int, match[3].split("x")[1:]))
        return HubMove(int(match[1]), int(match[2]), tuple(captures))
    return None


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Written": "HubMove"})
