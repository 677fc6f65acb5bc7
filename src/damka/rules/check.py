"""What may stand in a rule set: one table of parameters, and the check that walks it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from damka.errors import RulesError
from damka.rules.topics import TOPICS

__all__ = ["DEFAULT_THEME", "LANGUAGES", "PARAMETERS", "check"]

LANGUAGES: Final = ("bg", "en", "it", "sk")
MAX_NAME: Final = 40
MAX_WORDS: Final = 160

DEFAULT_THEME: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "light": "#efe4cb",
        "dark": "#79533a",
        "white": ("#fbf8f0", "#a99f84"),
        "black": ("#2c2c30", "#6a6a72"),
    }
)

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_COLOUR = re.compile(r"#[0-9a-f]{6}")

Check = Callable[[str, Any], Any]


def _one_of(*allowed: str) -> Check:
    def check_value(key: str, value: Any) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise RulesError(key, value, "one of " + ", ".join(f'"{a}"' for a in allowed))
        return value

    return check_value


def _whole(low: int, high: int, words: str = "") -> Check:
    def check_value(key: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise RulesError(key, value, words or f"a whole number from {low} to {high}")
        return value

    return check_value


def _true_or_false(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise RulesError(key, value, "true or false")
    return value


def _occurrence(key: str, value: Any) -> int:
    number: int = _whole(0, 100)(key, value)
    if number == 1:
        raise RulesError(key, value, "0 (off) or a whole number from 2 to 100")
    return number


def _name(key: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > MAX_NAME or not _NAME.fullmatch(value):
        raise RulesError(
            key, value, f"1 to {MAX_NAME} lower-case letters, digits, hyphens and underscores"
        )
    return value


def _text(key: str, value: Any, limit: int = MAX_WORDS) -> str:
    if (
        not isinstance(value, str)
        or len(value) > limit
        or not value.strip()
        or not value.isprintable()
    ):
        raise RulesError(key, value, f"a text of 1 to {limit} printable characters")
    return value


def _colours(key: str, value: Any) -> tuple[str, str]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise RulesError(key, value, 'two names, such as ["white", "black"]')
    first, second = (_text(f"{key}[{i}]", name, 30) for i, name in enumerate(value))
    if first == second:
        raise RulesError(key, value, "two different names")
    return first, second


def _some_of(*allowed: str) -> Check:
    example = ", ".join(f'"{each}"' for each in allowed[:2])

    def check_value(key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise RulesError(key, value, f"a list, such as [{example}], or []")
        items = tuple(_one_of(*allowed)(f"{key}[{i}]", item) for i, item in enumerate(value))
        if len(set(items)) != len(items):
            raise RulesError(key, list(items), "every key at most once")
        return items

    return check_value


def _words(key: str, value: Any) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise RulesError(key, value, "a table of language = text")
    for language in value:
        if language not in LANGUAGES:
            raise RulesError(f"{key}.{language}", value[language], "one of " + ", ".join(LANGUAGES))
    return {language: _text(f"{key}.{language}", text) for language, text in value.items()}


def _colour(key: str, value: Any) -> str:
    if not isinstance(value, str) or not _COLOUR.fullmatch(value.lower()):
        raise RulesError(key, value, 'a colour such as "#79533a"')
    return value.lower()


def _theme(key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise RulesError(key, value, "a table with light, dark, white and black")
    theme: dict[str, Any] = dict(DEFAULT_THEME)
    for name, colour in value.items():
        where = f"{key}.{name}"
        if name in ("light", "dark"):
            theme[name] = _colour(where, colour)
        elif name in ("white", "black"):
            if not isinstance(colour, list | tuple) or len(colour) != 2:
                raise RulesError(where, colour, "two colours: the face and the rim")
            theme[name] = tuple(_colour(f"{where}[{i}]", c) for i, c in enumerate(colour))
        else:
            raise RulesError(where, colour, "one of light, dark, white, black")
    return theme


_SIZE = _whole(8, 10, "8 or 10")

PARAMETERS: Final[Mapping[str, Check]] = MappingProxyType(
    {
        "name": _name,
        "width": _SIZE,
        "height": _SIZE,
        "rows": _whole(1, 5),
        "dark_corner": _one_of("left", "right"),
        "first": _one_of("W", "B"),
        "colours": _colours,
        "man_capture": _one_of("forward", "all"),
        "man_takes_king": _true_or_false,
        "king_range": _one_of("short", "flying"),
        "king_landing": _one_of("any", "adjacent"),
        "capture_lines": _one_of("diagonal"),
        "removal": _one_of("after", "immediate"),
        "u_turn": _true_or_false,
        "promotion": _one_of("stop", "pass", "go"),
        "precedence": _some_of("count", "with_king", "kings", "king_early"),
        "obligation": _one_of("forced", "huff"),
        "repetition": _occurrence,
        "same_move": _occurrence,
        "no_progress_moves": _whole(0, 200),
        "objective": _one_of("normal"),
        "rematch": _one_of("lots", "alternate"),
        "title": _words,
        "summary": _words,
        "readings": _some_of(*TOPICS),
        "theme": _theme,
    }
)
"""Every key a rule set may have, with the check that reads its value."""

OPTIONAL: Final = frozenset({"title", "summary", "readings", "theme"})


def _expected(key: str) -> str:
    """Return what may stand at a key, as its check says it of a value that never may."""
    try:
        PARAMETERS[key](key, None)
    except RulesError as error:
        return error.expected
    raise AssertionError(key)


def check(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked values of a whole rule set, in the record's types.

    Raises RulesError for an unknown key, a missing key, a value out of range, or values that do
    not fit together.
    """
    for key, value in raw.items():
        if key not in PARAMETERS:
            raise RulesError(key, value, "a key that exists: " + ", ".join(PARAMETERS))
    for key in PARAMETERS:
        if key not in raw and key not in OPTIONAL:
            raise RulesError(key, None, f"{_expected(key)}; the key is missing")
    checked = {key: PARAMETERS[key](key, value) for key, value in raw.items()}
    if checked["width"] % 2:
        raise RulesError("width", checked["width"], "8 or 10")
    if checked["height"] != checked["width"]:
        raise RulesError("height", checked["height"], f"{checked['width']}, the same as width")
    if 2 * checked["rows"] >= checked["height"]:
        most = (checked["height"] - 1) // 2
        raise RulesError("rows", checked["rows"], f"at most {most}, so that a row stays empty")
    return checked
