"""What is wrong with a rule set, in words, and what was probably meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final

from damka import locales
from damka.box.answers import MAX_TITLE
from damka.box.questions import CHOICES, NUMBERS, plain
from damka.errors import RulesError
from damka.rules import PARAMETERS, names

__all__ = ["line_of", "meant", "said"]

_CLOSE: Final = 0.6


def said(error: RulesError, language: str) -> tuple[str, str]:
    """Return the question that an error is about ("" for none), and what is wrong, in words."""
    key = error.key.partition("[")[0].partition(".")[0]
    if key in ("rows", "rows_behind") and error.expected.startswith("at most"):
        return key, _problem(language, "rows")
    if key in ("board", "squares", "width", "height"):
        return "board", _problem(language, "board")
    if key in ("move_lines", "capture_lines", "colours"):
        return key, _problem(language, key)
    if key == "title":
        return key, _problem(language, "title", most=MAX_TITLE)
    if key == "precedence" and error.key == key:
        twice = "once" in error.expected
        return key, _problem(language, "precedence.twice" if twice else "precedence.king_early")
    if key == "ballots" and error.key != key and isinstance(error.value, str):
        return key, _problem(language, "ballots", opening=shortened(error.value))
    if key in ("repetition", "same_move"):
        return key, _problem(language, "times")
    if key in NUMBERS:
        least, most = NUMBERS[key]
        return key, _problem(language, "number", least=least, most=most)
    return key, _problem(language, "choice")


def meant(error: RulesError) -> str:
    """Return the key or value that was probably meant; "" where nothing is near."""
    if error.key == "base":
        return _near(error.value, names())
    key, _, inner = error.key.partition(".")
    key = key.partition("[")[0]
    if inner or not isinstance(error.value, str):
        return "" if key in PARAMETERS else _near(key, PARAMETERS)
    if key not in PARAMETERS:
        return _near(key, PARAMETERS)
    return _near(error.value, map(plain, CHOICES.get(key, ())))


def line_of(key: str, text: str) -> int | None:
    """Return the line of a TOML text, from 1, on which a key is given; None if it is not found."""
    whole, _, inner = key.partition(".")
    for name in filter(None, (inner, whole.partition("[")[0])):
        pattern = re.compile(rf"\s*\[*\s*\"?{re.escape(name)}\"?\s*[=\].]")
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.match(line):
                return number
    return None


def shortened(text: str, most: int = 60) -> str:
    """Return a text from outside on one line of at most `most` characters."""
    line = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _problem(language: str, key: str, **values: object) -> str:
    return locales.translate(language, f"box.problem.{key}", **values)


def _near(word: object, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(str(word).lower()[:60], [*known], n=1, cutoff=_CLOSE)
    return found[0] if found else ""
