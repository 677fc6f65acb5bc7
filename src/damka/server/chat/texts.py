"""What may be said: presets, which everybody reads in their own language, and free text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from damka import locales

__all__ = ["PRESETS", "BadTextError", "clean", "preset"]

PRESETS: Final = (
    "hello",
    "luck",
    "nice",
    "oops",
    "sorry",
    "moment",
    "back",
    "thanks",
    "good_game",
    "again",
    "bye",
)
"""The codes of the presets, in the order in which they are offered."""

_JOINER: Final = "\u200d"
"""It joins the parts of one emoji; alone it is not seen."""
_BLANK: Final = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "))
"""Letters and symbols that are not seen."""
_MARKS: Final = 2
"""Combining marks on one letter: more would cover the lines above."""
_SEEN: Final = frozenset("LNPS")
_MOST_RAW: Final = 8
"""A raw text may be so many times longer than a clean one."""


class BadTextError(ValueError):
    """A text that cannot be sent; `code` is "empty" or "long"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code: Final = code


def preset(code: str, language: str) -> str:
    """Return what a preset says in a language."""
    return locales.translate(language, f"chat.preset.{code}")


def clean(text: str, longest: int) -> str:
    """Return a text as it is kept: one line, without characters that steer how others are shown.

    Those are control characters, marks of direction and the like. Raises BadTextError for a text of
    which nothing is left, and for one longer than `longest` characters.
    """
    if len(text) > _MOST_RAW * longest:
        raise BadTextError("long")
    line = " ".join("".join(_allowed(unicodedata.normalize("NFC", text.translate(_BLANK)))).split())
    if not any(unicodedata.category(letter)[0] in _SEEN for letter in line):
        raise BadTextError("empty")
    if len(line) > longest:
        raise BadTextError("long")
    return line


def _allowed(text: str) -> Iterator[str]:
    for kind, letters in groupby(text, unicodedata.category):
        run = "".join(letters)
        if kind == "Mn":
            yield run[:_MARKS]
        elif kind in {"Cc", "Zl", "Zp", "Zs"}:
            yield " "
        elif kind == "Cf":
            yield _JOINER if _JOINER in run else ""
        elif kind[0] != "C":
            yield run
