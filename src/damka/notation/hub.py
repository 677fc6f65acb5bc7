"""Moves in Hub notation: "22-18", "22x15x18" (from, to, captured squares ascending).

Source: the Hub protocol, version 2. Captured squares are accepted in any order. Two moves can share
a text only under `promotion = "go"`: one that crowns the man and one that does not.
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
    """The numbers in a Hub text; the captured squares ascend."""

    start: int
    end: int
    captures: tuple[int, ...]


def format(move: Move) -> str:  # noqa: A001  the pair of read
    """Return the Hub text of a move, which is `move.hub()`."""
    return move.hub()


def read(text: str) -> HubMove | None:
    """Parse a text; return None if it is not Hub text.

    >>> from damka.notation.hub import read
    >>> read("22x15x18")
    HubMove(start=22, end=15, captures=(18,))
    """
    if len(text) > MAX_LENGTH:
        return None
    if match := _QUIET.fullmatch(text):
        return HubMove(int(match[1]), int(match[2]), ())
    if match := _CAPTURE.fullmatch(text):
        captured = sorted(map(int, match[3].split("x")[1:]))
        return HubMove(int(match[1]), int(match[2]), tuple(captured))
    return None


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Written": "HubMove"})
