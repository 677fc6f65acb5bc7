"""Readers of single values of a rule set, with errors that list the valid values.

A reader takes a key and an external value, and returns the value in the type of `Rules`. It raises
RulesError with the key, the value and the expected values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from damka.errors import RulesError
from damka.locales import LANGUAGES
from damka.rules.material import Force, MaterialDraw
from damka.rules.openings import MAX_OPENING, list_names, numbered

__all__ = [
    "DEFAULT_THEME",
    "Reader",
    "ballots",
    "boolean",
    "colours",
    "integer",
    "material_draws",
    "name",
    "notation",
    "occurrence",
    "one_of",
    "subset_of",
    "texts",
    "theme",
    "translations",
]

MAX_NAME: Final = 40
MAX_TEXT: Final = 160
MAX_BALLOTS: Final = 3000
MAX_BALLOTS_LENGTH: Final = 500_000
"""Maximum characters of all openings together, because game files contain them."""
MAX_MATERIAL_DRAWS: Final = 12
MAX_PIECES: Final = 72
"""An upper bound of the pieces on any board."""

DEFAULT_THEME: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "light": "#efe4cb",
        "dark": "#79533a",
        "white": ("#fbf8f0", "#a99f84"),
        "black": ("#2c2c30", "#6a6a72"),
    }
)

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_NOTATION = re.compile(r"[NA][0-3]")
_COLOUR = re.compile(r"#[0-9a-f]{6}")

Reader = Callable[[str, Any], Any]


def one_of(*allowed: str) -> Reader:
    """Return a reader of one of several strings."""

    def read(key: str, value: Any) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise RulesError(key, value, "one of " + ", ".join(f'"{a}"' for a in allowed))
        return value

    return read


def integer(low: int, high: int, expected: str = "") -> Reader:
    """Return a reader of an integer from `low` to `high`."""

    def read(key: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise RulesError(key, value, expected or f"a whole number from {low} to {high}")
        return value

    return read


def boolean(key: str, value: Any) -> bool:
    """Read a boolean."""
    if not isinstance(value, bool):
        raise RulesError(key, value, "true or false")
    return value


def occurrence(key: str, value: Any) -> int:
    """Read the number of the occurrence of a position that ends a game; 0 for none."""
    number: int = integer(0, 100)(key, value)
    if number == 1:
        raise RulesError(key, value, "0 (off) or a whole number from 2 to 100")
    return number


def name(key: str, value: Any) -> str:
    """Read the name of a rule set."""
    if not isinstance(value, str) or len(value) > MAX_NAME or not _NAME.fullmatch(value):
        raise RulesError(
            key, value, f"1 to {MAX_NAME} lower-case letters, digits, hyphens and underscores"
        )
    return value


def _text(key: str, value: Any, limit: int = MAX_TEXT) -> str:
    if (
        not isinstance(value, str)
        or len(value) > limit
        or not value.strip()
        or not value.isprintable()
    ):
        raise RulesError(key, value, f"text of 1 to {limit} printable characters")
    return value


def colours(key: str, value: Any) -> tuple[str, str]:
    """Read the names of the two colours."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise RulesError(key, value, 'two names, such as ["white", "black"]')
    first, second = (_text(f"{key}[{i}]", each, 30) for i, each in enumerate(value))
    if first == second:
        raise RulesError(key, value, "two different names")
    return first, second


def subset_of(*allowed: str) -> Reader:
    """Return a reader of an ordered selection of strings, each at most once."""
    example = ", ".join(f'"{name}"' for name in allowed[:2])

    def read(key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise RulesError(key, value, f"a list, such as [{example}], or []")
        items = tuple(one_of(*allowed)(f"{key}[{i}]", item) for i, item in enumerate(value))
        if len(set(items)) != len(items):
            raise RulesError(key, list(items), "every key at most once")
        return items

    return read


def texts(max_items: int, max_length: int) -> Reader:
    """Return a reader of a list of strings."""

    def read(key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > max_items:
            raise RulesError(key, value, f"a list of at most {max_items} strings, or []")
        return tuple(_text(f"{key}[{i}]", item, max_length) for i, item in enumerate(value))

    return read


def ballots(key: str, value: Any) -> str | tuple[str, ...]:
    """Read balloted openings: a list of them, or the name of a shipped list."""
    if isinstance(value, str):
        if value not in list_names():
            names = ", ".join(f'"{name}"' for name in list_names())
            raise RulesError(key, value, f"one of {names}, or a list of openings")
        return value
    openings: tuple[str, ...] = texts(MAX_BALLOTS, MAX_OPENING)(key, value)
    if sum(map(len, openings)) > MAX_BALLOTS_LENGTH:
        raise RulesError(key, None, f"at most {MAX_BALLOTS_LENGTH} characters in total")
    try:
        numbered(openings)
    except RulesError as error:
        raise RulesError(f"{key}{error.key}", error.value, error.expected) from error
    return openings


def notation(key: str, value: Any) -> str:
    """Read the square names, as in PDN's GameType."""
    if not isinstance(value, str) or not _NOTATION.fullmatch(value):
        raise RulesError(key, value, '"N" or "A" and the digit 0, 1, 2 or 3, such as "N2"')
    return value


def _range(key: str, value: Any) -> tuple[int, int]:
    pair = value if isinstance(value, list | tuple) else (value, value)
    if (
        len(pair) != 2
        or any(isinstance(n, bool) or not isinstance(n, int) for n in pair)
        or not 0 <= pair[0] <= pair[1] <= MAX_PIECES
    ):
        raise RulesError(
            key, value, f"a number from 0 to {MAX_PIECES} or a pair [minimum, maximum]"
        )
    return pair[0], pair[1]


def _table(key: str, value: Any, readers: Mapping[str, Reader]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise RulesError(key, value, "a table with " + ", ".join(readers))
    for name in value:
        if name not in readers:
            raise RulesError(f"{key}.{name}", value[name], "one of " + ", ".join(readers))
    return {name: readers[name](f"{key}.{name}", item) for name, item in value.items()}


def _force(key: str, value: Any) -> Force:
    return Force(**_table(key, value, dict.fromkeys(("men", "kings", "pieces"), _range)))


_MATERIAL_DRAW: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        "moves": integer(0, 200),
        "strong": _force,
        "weak": _force,
        "pieces": _range,
        "main_road": boolean,
        "strong_main_road": boolean,
        "unchanged": boolean,
    }
)


def _material_draw(key: str, value: Any) -> MaterialDraw:
    if isinstance(value, MaterialDraw):
        return value
    table = _table(key, value, _MATERIAL_DRAW)
    if "moves" not in table:
        raise RulesError(f"{key}.moves", None, "a whole number from 0 to 200; the key is missing")
    return MaterialDraw(**table)


def material_draws(key: str, value: Any) -> tuple[MaterialDraw, ...]:
    """Read the draws by the remaining material."""
    if not isinstance(value, list | tuple) or len(value) > MAX_MATERIAL_DRAWS:
        raise RulesError(key, value, f"a list of at most {MAX_MATERIAL_DRAWS} tables, or []")
    return tuple(_material_draw(f"{key}[{i}]", draw) for i, draw in enumerate(value))


def translations(key: str, value: Any) -> Mapping[str, str]:
    """Read a table of text by language."""
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


def theme(key: str, value: Any) -> Mapping[str, Any]:
    """Read the colours of the drawing; missing ones are those of DEFAULT_THEME."""
    if not isinstance(value, Mapping):
        raise RulesError(key, value, "a table with light, dark, white and black")
    colours: dict[str, Any] = dict(DEFAULT_THEME)
    for part, colour in value.items():
        part_key = f"{key}.{part}"
        if part in ("light", "dark"):
            colours[part] = _colour(part_key, colour)
        elif part in ("white", "black"):
            if not isinstance(colour, list | tuple) or len(colour) != 2:
                raise RulesError(part_key, colour, "two colours: the face and the rim")
            colours[part] = tuple(_colour(f"{part_key}[{i}]", c) for i, c in enumerate(colour))
        else:
            raise RulesError(part_key, colour, "one of light, dark, white, black")
    return colours
