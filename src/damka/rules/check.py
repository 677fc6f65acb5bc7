"""Validation of a rule set: each value, and the values together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from damka.errors import RulesError
from damka.rules.conditions import holds
from damka.rules.parameters import BOARDS, DEFAULTS, PARAMETERS

__all__ = ["check", "precedence_fits", "value_errors"]


def _expected(key: str) -> str:
    """Return the text for the valid values of a key, from the error for an invalid value."""
    try:
        PARAMETERS[key].read(None)
    except RulesError as error:
        return error.expected
    raise AssertionError(key)


def check(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Validate a rule set; return its values in the types of `Rules`.

    Raises one RulesError for all unknown keys, missing keys, invalid values, and incompatible
    values.
    """
    values, errors = _read({**DEFAULTS, **raw})
    errors += [
        RulesError(key, None, f"{_expected(key)}; the key is missing")
        for key in PARAMETERS
        if key not in raw and key not in DEFAULTS
    ]
    for check_values in () if errors else (_check_board, _check_compatible, _check_precedence):
        try:
            check_values(values)
        except RulesError as error:
            errors.append(error)
    if errors:
        raise RulesError.of(errors)
    return values


def value_errors(raw: Mapping[str, Any]) -> list[RulesError]:
    """Validate each key and value of a possibly incomplete rule set; return the errors."""
    return _read(raw)[1]


def _read(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[RulesError]]:
    """Return the valid values, and an error for each invalid one."""
    values: dict[str, Any] = {}
    errors: list[RulesError] = []
    for key, value in raw.items():
        try:
            if key not in PARAMETERS:
                raise RulesError(key, value, f"a known key{_suggestions(key)}")
            values[key] = PARAMETERS[key].read(value)
        except RulesError as error:
            errors.append(error)
    return values, errors


def _suggestions(key: str) -> str:
    """Return a hint for an unknown key: similar keys, and how to list all keys."""
    from difflib import get_close_matches  # noqa: PLC0415  only errors need it

    similar = get_close_matches(key.lower()[:60], PARAMETERS, n=2)
    such_as = f", such as {' or '.join(similar)}" if similar else ""
    return f"{such_as}; damka.rules.PARAMETERS lists them"


def _check_board(values: Mapping[str, Any]) -> None:
    width, height = values["width"], values["height"]
    sizes = [(w, h) for squares, w, h in BOARDS if squares == values["squares"]]
    if width not in {w for w, _ in sizes}:
        raise RulesError("width", width, _join_or(w for w, _ in sizes))
    heights = [h for w, h in sizes if w == width]
    if height not in heights:
        raise RulesError("height", height, f"{_join_or(heights)} where width is {width}")
    rows, behind = values["rows"], values["rows_behind"]
    if 2 * (rows + behind) >= height:
        key = "rows" if 2 * rows >= height or not behind else "rows_behind"
        maximum = (height - 1) // 2 - (0 if key == "rows" else rows)
        raise RulesError(key, values[key], f"at most {maximum}, so that a row stays empty")


def _check_compatible(values: Mapping[str, Any]) -> None:
    for parameter in PARAMETERS.values():
        value = values[parameter.key]
        if not parameter.fits or holds(parameter.fits.get(value, ()), values.__getitem__):
            continue
        compatible = [
            f'"{candidate}"'
            for candidate in parameter.values
            if holds(parameter.fits.get(candidate, ()), values.__getitem__)
        ]
        reasons = " and ".join(
            f'{condition.key} = "{values[condition.key]}"'
            for clause in parameter.fits[value]
            for condition in clause
        )
        raise RulesError(parameter.key, value, f"{' or '.join(compatible)} where {reasons}")


def precedence_fits(keys: Iterable[str], capture_lines: str) -> bool:
    """Return whether the kernel can rank captures by this combination of criteria.

    Its rank for the order of captured kings leaves no bits for the value of a capture.
    """
    return "king_early" not in keys or (
        capture_lines == "diagonal" and not {"value", "points"} & {*keys}
    )


def _check_precedence(values: Mapping[str, Any]) -> None:
    keys = values["precedence"]
    if not precedence_fits(keys, values["capture_lines"]):
        raise RulesError(
            "precedence",
            list(keys),
            'king_early only without value and points, and with capture_lines = "diagonal"',
        )


def _join_or(numbers: Iterable[int]) -> str:
    *others, last = (str(n) for n in sorted(set(numbers)))
    return f"{', '.join(others)} or {last}" if others else last
