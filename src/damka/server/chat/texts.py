"""Permitted messages: presets, which are shown in the reader's language, and free text."""

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
"""Codes of the presets, in display order."""

_JOINER: Final = "\u200d"
"""Zero-width joiner of emoji sequences; invisible when isolated."""
_BLANK: Final = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "))
"""Blank letters and symbols."""
_MARKS: Final = 2
"""Maximum number of combining marks on one letter; more would cover the lines above."""
_VISIBLE_CATEGORIES: Final = frozenset("LNPS")
_MAX_RAW_FACTOR: Final = 8
"""Maximum ratio of the lengths of a raw and a clean text."""


class BadTextError(ValueError):
    """A message that cannot be sent; `code` is "empty" or "long"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code: Final = code


def preset(code: str, language: str) -> str:
    """Return the text of a preset in a language."""
    return locales.translate(language, f"chat.preset.{code}")


def clean(text: str, longest: int) -> str:
    """Normalise text to one line, without characters that affect the display of other characters.

    It removes control characters, direction marks and similar. Raises BadTextError for text that
    becomes empty, or is longer than `longest` characters.
    """
    if len(text) > _MAX_RAW_FACTOR * longest:
        raise BadTextError("long")
    line = " ".join("".join(_allowed(unicodedata.normalize("NFC", text.translate(_BLANK)))).split())
    if not any(unicodedata.category(letter)[0] in _VISIBLE_CATEGORIES for letter in line):
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
