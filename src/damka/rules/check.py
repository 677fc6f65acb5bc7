"""What may stand in a rule set: one table of parameters, and the check that walks it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, Final

from damka.errors import RulesError
from damka.locales import LANGUAGES
from damka.rules.material import Force, MaterialDraw
from damka.rules.openings import list_names
from damka.rules.topics import TOPICS

__all__ = ["DEFAULTS", "DEFAULT_THEME", "PARAMETERS", "check", "faults"]

MAX_NAME: Final = 40
MAX_WORDS: Final = 160
MAX_SOURCES: Final = 20
MAX_SOURCE: Final = 300
MAX_BALLOTS: Final = 1000
MAX_BALLOT: Final = 500
MAX_MATERIAL_DRAWS: Final = 12
MANY: Final = 72
"""More pieces than stand on any board."""

SIZES: Final[Mapping[str, tuple[tuple[int, int], ...]]] = MappingProxyType(
    {"dark": ((6, 6), (8, 8), (10, 10), (12, 12), (10, 8)), "all": ((8, 8),)}
)
"""The boards there are, (width, height), by the squares that are played on."""

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


def _texts(most: int, limit: int) -> Check:
    def check_value(key: str, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > most:
            raise RulesError(key, value, f"a list of at most {most} texts, or []")
        return tuple(_text(f"{key}[{i}]", item, limit) for i, item in enumerate(value))

    return check_value


def _ballots(key: str, value: Any) -> str | tuple[str, ...]:
    if isinstance(value, str):
        if value not in list_names():
            names = ", ".join(f'"{name}"' for name in list_names())
            raise RulesError(key, value, f"one of {names}, or a list of openings")
        return value
    openings: tuple[str, ...] = _texts(MAX_BALLOTS, MAX_BALLOT)(key, value)
    return openings


def _notation(key: str, value: Any) -> str:
    if not isinstance(value, str) or not _NOTATION.fullmatch(value):
        raise RulesError(key, value, '"N" or "A" and the digit 0, 1, 2 or 3, such as "N2"')
    return value


def _range(key: str, value: Any) -> tuple[int, int]:
    pair = value if isinstance(value, list | tuple) else (value, value)
    if (
        len(pair) != 2
        or any(isinstance(n, bool) or not isinstance(n, int) for n in pair)
        or not 0 <= pair[0] <= pair[1] <= MANY
    ):
        raise RulesError(key, value, f"a number from 0 to {MANY} or a pair [least, most]")
    return pair[0], pair[1]


def _table(key: str, value: Any, checks: Mapping[str, Check]) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise RulesError(key, value, "a table with " + ", ".join(checks))
    for name in value:
        if name not in checks:
            raise RulesError(f"{key}.{name}", value[name], "one of " + ", ".join(checks))
    return {name: checks[name](f"{key}.{name}", each) for name, each in value.items()}


def _force(key: str, value: Any) -> Force:
    return Force(**_table(key, value, dict.fromkeys(("men", "kings", "pieces"), _range)))


def _material_draw(key: str, value: Any) -> MaterialDraw:
    if isinstance(value, MaterialDraw):
        return value
    checks: dict[str, Check] = {
        "moves": _whole(0, 200),
        "strong": _force,
        "weak": _force,
        "pieces": _range,
        "main_road": _true_or_false,
        "unchanged": _true_or_false,
    }
    table = _table(key, value, checks)
    if "moves" not in table:
        raise RulesError(f"{key}.moves", None, "a whole number from 0 to 200; the key is missing")
    return MaterialDraw(**table)


def _material_draws(key: str, value: Any) -> tuple[MaterialDraw, ...]:
    if not isinstance(value, list | tuple) or len(value) > MAX_MATERIAL_DRAWS:
        raise RulesError(key, value, f"a list of at most {MAX_MATERIAL_DRAWS} tables, or []")
    return tuple(_material_draw(f"{key}[{i}]", each) for i, each in enumerate(value))


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


_SIZE = _whole(6, 12, "6, 8, 10 or 12")

PARAMETERS: Final[Mapping[str, Check]] = MappingProxyType(
    {
        "name": _name,
        "squares": _one_of("dark", "all"),
        "width": _SIZE,
        "height": _SIZE,
        "rows": _whole(1, 5),
        "rows_behind": _whole(0, 4),
        "dark_corner": _one_of("left", "right"),
        "first": _one_of("W", "B"),
        "ballots": _ballots,
        "colours": _colours,
        "move_lines": _one_of("diagonal", "orthogonal", "diagonal+orthogonal"),
        "man_capture": _one_of("forward", "all"),
        "man_takes_king": _true_or_false,
        "king_range": _one_of("short", "flying"),
        "king_landing": _one_of("any", "adjacent", "killer"),
        "capture_lines": _one_of("diagonal", "orthogonal", "diagonal+orthogonal"),
        "removal": _one_of("after", "immediate"),
        "u_turn": _true_or_false,
        "promotion": _one_of("stop", "pass", "go"),
        "king_streak": _whole(0, 9),
        "precedence": _some_of("count", "value", "with_king", "kings", "king_early"),
        "obligation": _one_of("forced", "huff", "free"),
        "repetition": _occurrence,
        "same_move": _occurrence,
        "no_progress_moves": _whole(0, 200),
        "material_draws": _material_draws,
        "objective": _one_of("normal", "losing", "breakthrough"),
        "rematch": _one_of("lots", "alternate"),
        "notation": _notation,
        "capture_sign": _one_of("x", ":", "-"),
        "game_type": _whole(0, 999),
        "title": _words,
        "summary": _words,
        "readings": _some_of(*TOPICS),
        "sources": _texts(MAX_SOURCES, MAX_SOURCE),
        "theme": _theme,
    }
)
"""Every key a rule set may have, with the check that reads its value."""

DEFAULTS: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "squares": "dark",
        "rows_behind": 0,
        "ballots": (),
        "move_lines": "diagonal",
        "king_streak": 0,
        "material_draws": (),
        "notation": "N2",
        "capture_sign": "x",
        "game_type": 0,
        "title": {},
        "summary": {},
        "readings": (),
        "sources": (),
        "theme": DEFAULT_THEME,
    }
)
"""What the keys are that a rule set may leave out."""


def _expected(key: str) -> str:
    """Return what may stand at a key, as its check says it of a value that never may."""
    try:
        PARAMETERS[key](key, None)
    except RulesError as error:
        return error.expected
    raise AssertionError(key)


def check(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked values of a whole rule set, in the record's types.

    Raises RulesError for unknown keys, missing keys, values out of range, or values that do not
    fit together; one for all that is wrong.
    """
    checked, errors = _read({**DEFAULTS, **raw})
    errors += [
        RulesError(key, None, f"{_expected(key)}; the key is missing")
        for key in PARAMETERS
        if key not in raw and key not in DEFAULTS
    ]
    for fits in () if errors else (_board_fits, _lines_fit, _precedence_fits):
        try:
            fits(checked)
        except RulesError as error:
            errors.append(error)
    if errors:
        raise RulesError.of(errors)
    return checked


def faults(raw: Mapping[str, Any]) -> list[RulesError]:
    """Return what is wrong with each key or value by itself, whatever else a rule set has."""
    return _read(raw)[1]


def _read(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[RulesError]]:
    """Return the values that may stand at their keys, and an error for each of the others."""
    checked: dict[str, Any] = {}
    errors: list[RulesError] = []
    for key, value in raw.items():
        try:
            if key not in PARAMETERS:
                raise RulesError(key, value, f"a key that exists{_near(key)}")
            checked[key] = PARAMETERS[key](key, value)
        except RulesError as error:
            errors.append(error)
    return checked, errors


def _near(key: str) -> str:
    """Return the names that were probably meant by a key, and where all of them are."""
    near = get_close_matches(key.lower()[:60], PARAMETERS, n=2)
    meant = f", such as {' or '.join(near)}" if near else ""
    return f"{meant}; docs/rules/parameters.md has them all"


def _board_fits(checked: Mapping[str, Any]) -> None:
    width, height = checked["width"], checked["height"]
    sizes = SIZES[checked["squares"]]
    if width not in {w for w, _ in sizes}:
        raise RulesError("width", width, _alternatives(w for w, _ in sizes))
    heights = [h for w, h in sizes if w == width]
    if height not in heights:
        raise RulesError("height", height, f"{_alternatives(heights)} where width is {width}")
    rows, behind = checked["rows"], checked["rows_behind"]
    if 2 * (rows + behind) >= height:
        key = "rows" if 2 * rows >= height or not behind else "rows_behind"
        most = (height - 1) // 2 - (0 if key == "rows" else rows)
        raise RulesError(key, checked[key], f"at most {most}, so that a row stays empty")


def _lines_fit(checked: Mapping[str, Any]) -> None:
    for key in ("move_lines", "capture_lines"):
        fitting = {
            ("dark", "move_lines"): ("diagonal",),
            ("dark", "capture_lines"): ("diagonal", "diagonal+orthogonal"),
        }.get((checked["squares"], key), ("orthogonal", "diagonal+orthogonal"))
        if checked[key] not in fitting:
            expected = " or ".join(f'"{each}"' for each in fitting)
            raise RulesError(
                key, checked[key], f'{expected} where squares = "{checked["squares"]}"'
            )


def _precedence_fits(checked: Mapping[str, Any]) -> None:
    keys = checked["precedence"]
    if "king_early" in keys and ("value" in keys or checked["capture_lines"] != "diagonal"):
        raise RulesError(
            "precedence",
            list(keys),
            'king_early only without value, and with capture_lines = "diagonal"',
        )


def _alternatives(numbers: Iterable[int]) -> str:
    *most, last = (str(n) for n in sorted(set(numbers)))
    return f"{', '.join(most)} or {last}" if most else last
