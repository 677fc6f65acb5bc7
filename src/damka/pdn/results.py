"""Normalization of results: "1 : 0" and "½–½" become "1-0" and "1/2-1/2"."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["contradict", "normalize"]

_POINTS: Final = r"([0-9]{1,3}(?:[.,][0-9])?|1 ?/ ?2|½)"
_SIGNS: Final = r"[-:\u2010-\u2015\u2212\u2236\ufe58\ufe63\uff0d\uff1a]"
_RESULT: Final = re.compile(rf"{_POINTS}\s*{_SIGNS}\s*{_POINTS}")


def normalize(text: str) -> str:
    """Return a result in the usual spelling, any other text unchanged.

    >>> normalize(" ½ – ½ "), normalize("2:0"), normalize("White wins")
    ('1/2-1/2', '2-0', 'White wins')
    """
    text = text.strip()
    match = _RESULT.fullmatch(text)
    return text if match is None else f"{_points(match[1])}-{_points(match[2])}"


def contradict(tag: str, ending: str) -> bool:
    """Return whether a Result tag and the result after the moves name different outcomes.

    As the end of the moves, `*` separates the game from the next one and states no result. Texts
    that are not points contradict nothing.

    >>> contradict("1-0", "0-1"), contradict("2-0", "1-0"), contradict("1-0", "*")
    (True, False, False)
    """
    after = _outcome(ending)
    if after is None:
        return False
    stated = _outcome(tag)
    return tag.strip() == "*" if stated is None else stated != after


def _outcome(text: str) -> int | None:
    """Return 1 for a win of White, -1 for one of Black, 0 for equal points, None for other text."""
    match = _RESULT.fullmatch(text.strip())
    if match is None:
        return None
    white, black = (float(_points(each).replace("1/2", "0.5")) for each in match.groups())
    return (white > black) - (white < black)


def _points(text: str) -> str:
    return text.replace(" ", "").replace("½", "1/2").replace(",", ".")
