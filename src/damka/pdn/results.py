"""Normalization of results: "1 : 0" and "½–½" become "1-0" and "1/2-1/2"."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["normalize"]

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


def _points(text: str) -> str:
    return text.replace(" ", "").replace("½", "1/2").replace(",", ".")
