"""Explanations of errors in a rule set, with suggestions."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterable
from typing import Final

from damka import locales
from damka.box.answers import MAX_TITLE
from damka.box.questions import CHOICES, NUMBERS, plain
from damka.errors import RulesError, one_line
from damka.rules import PARAMETERS, names

__all__ = ["explain_error", "line_of", "suggestion"]

_MIN_SIMILARITY: Final = 0.6
_NO_PLAY: Final = ("not end the game", "a legal move", "both sides have pieces")
"""Ends of the "expected …" text for openings that end the game."""
_LIST: Final = "or a list of openings"
"""Part of the "expected …" text for an unknown name."""
_SENTENCES: Final = {
    **{key: key for key in ("move_lines", "capture_lines", "colours", "title")},
    **dict.fromkeys(("repetition", "same_move"), "times"),
}
"""Parameters with one sentence for all their errors."""
_TOML_ERRORS: Final = {
    "a value": "value",
    "every key once": "twice",
    "nothing more": "rest",
    "the end of a list": "list",
}
"""Sentences for TOML errors, by the start of their "expected …" text."""
_BOARD: Final = ("squares", "width", "height")
_INDEX: Final = re.compile(r"[a-z_]+\[(\d{1,5})\]")
_IN_LIST: Final = re.compile(r"""#[^\n]*|(?P<text>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(?P<end>\])""")
"""Tokens of a TOML list of strings: comments, strings, and the end."""


def explain_error(error: RulesError, language: str) -> tuple[str, str]:
    """Return the key of the question that an error belongs to ("" for none), and a sentence."""
    key = error.key.partition("[")[0].partition(".")[0]
    if not key:
        return key, _syntax_error(error, language)
    if error.key == "ballots" and "missing" not in error.expected and _LIST not in error.expected:
        return key, _problem(language, "openings")
    if error.value is None and key == error.key:
        return ("board" if key in _BOARD else key), _problem(
            language, "base" if key == "base" else "missing"
        )
    if key in ("rows", "rows_behind") and error.expected.startswith("at most"):
        return key, _problem(language, "rows")
    if key in ("board", *_BOARD):
        return "board", _problem(language, "board")
    if key in _SENTENCES:
        return key, _problem(language, _SENTENCES[key], most=MAX_TITLE)
    if (key == "precedence") == (error.key == key) and (
        sentence := _list_error(error, key, language)
    ):
        return key, sentence
    if key in NUMBERS:
        minimum, maximum = NUMBERS[key]
        return key, _problem(language, "number", least=minimum, most=maximum)
    return key, _problem(language, "choice")


def _list_error(error: RulesError, key: str, language: str) -> str:
    """Return the sentence for an error in the precedence or in one of the openings."""
    if key == "ballots" and isinstance(error.value, str):
        unplayable = "legal" in error.expected or error.expected.endswith(_NO_PLAY)
        name = "ballots" if unplayable else "opening"
        return _problem(language, name, opening=one_line(error.value))
    if key != "precedence":
        return ""
    if isinstance(error.value, str):
        return _problem(language, "list", example='["count"]')
    return _problem(language, f"precedence.{'twice' if 'once' in error.expected else 'king_early'}")


def suggestion(error: RulesError) -> str:
    """Return the key or value that was probably meant; "" if none is similar."""
    if error.key == "base":
        return _closest(error.value, names())
    key, _, inner = error.key.partition(".")
    key = key.partition("[")[0]
    if inner or not isinstance(error.value, str):
        return "" if key in PARAMETERS else _closest(key, PARAMETERS)
    if key not in PARAMETERS:
        return _closest(key, PARAMETERS)
    closest = _closest(error.value, map(plain, CHOICES.get(key, ())))
    if key == "precedence" and error.key == key:
        return f'["{closest}"]' if closest else ""
    # The value may be valid but incompatible with the others.
    return closest if closest != error.value else ""


def line_of(key: str, text: str) -> int | None:
    """Return the line of a key in a TOML text, from 1; None if it is missing.

    For an item of a list, such as "ballots[2]", it is the line of that item.
    """
    parameter, _, inner = key.partition(".")
    for name in filter(None, (inner, parameter.partition("[")[0])):
        pattern = re.compile(rf"[ \t]*\[*[ \t]*\"?{re.escape(name)}\"?[ \t]*[=\].]", re.MULTILINE)
        if key_match := pattern.search(text):
            at = _item_offset(text, key_match.end(), key) or key_match.start()
            return text.count("\n", 0, at) + 1
    return None


def _item_offset(text: str, at: int, key: str) -> int | None:
    """Return the offset of the item with the index in `key`, in the list after `at`."""
    index = _INDEX.fullmatch(key)
    if index is None or not text[at:].lstrip().startswith("["):
        return None
    tokens = (token for token in _IN_LIST.finditer(text, at) if token["text"] or token["end"])
    token = next(itertools.islice(tokens, int(index[1]), None), None)
    return None if token is None or token["end"] else token.start()


def _syntax_error(error: RulesError, language: str) -> str:
    """Return the sentence for a syntax error, or "" for an error elsewhere."""
    if error.line is None:
        return ""
    for start, key in _TOML_ERRORS.items():
        if error.expected.startswith(start):
            return _problem(language, f"toml.{key}")
    return _problem(language, "toml.line")


def _problem(language: str, key: str, **values: object) -> str:
    return locales.translate(language, f"box.problem.{key}", **values)


def _closest(word: object, candidates: Iterable[str]) -> str:
    matches = difflib.get_close_matches(
        str(word).lower()[:60], [*candidates], n=1, cutoff=_MIN_SIMILARITY
    )
    return matches[0] if matches else ""
