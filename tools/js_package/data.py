"""The table of parameters and the bundled rule sets, as a JavaScript module.

`js/rules_data.d.ts` has its types. Values common to most rule sets are stored once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from damka import locales, rules
from damka.engine.weights import shipped
from damka.errors import RulesError
from damka.rules import Rules
from damka.rules.conditions import Condition
from damka.rules.openings import list_names
from damka.rules.parameters import BOARDS, PARAMETERS, Parameter
from damka.rules.topics import TOPICS
from damka.rules.values import DEFAULT_THEME

__all__ = ["module", "parameters", "sets"]

LEFT_OUT: Final = frozenset({"summary", "readings", "sources"})
"""Descriptive fields of bundled rule sets that do not affect play: a quarter of the data."""
WORDS: Final = ("board", "cell_man", "cell_king", "cell_must", "cell_huff", "cell_target")


def module(weights: Mapping[str, str] | None = None) -> str:
    """Return the text of the module.

    `weights` are the addresses of the weight files, if they are not in `weights/` beside it.
    """
    usual, own = sets()
    words = {name: locales.catalogue("en", "page.")[f"page.{name}"] for name in WORDS}
    colours = {
        key.split(".")[1]: text
        for key, text in locales.catalogue("en", "colour.").items()
        if key.endswith(".side")
    }
    values = {
        "PARAMETERS": parameters(),
        "BOARDS": BOARDS,
        "DEFAULTS": usual,
        "SETS": own,
        "BALLOTS": list_names(),
        "LANGUAGES": locales.LANGUAGES,
        "TOPICS": TOPICS,
        "DEFAULT_THEME": dict(DEFAULT_THEME),
        "WORDS": words,
        "COLOURS": colours,
    }
    written = {name: _written(value) for name, value in values.items()}
    written["WEIGHTS"] = _weights(weights)
    lines = (f"export const {name} = {value};\n" for name, value in written.items())
    return "/** Generated from src/damka by tools/js_package/data.py. */\n" + "".join(lines)


def _weights(addresses: Mapping[str, str] | None) -> str:
    """Return the weight files with their rule sets, in a form that bundlers recognise."""
    entries = (
        f"[() => new URL({_written(addresses[file] if addresses else f'./weights/{file}')}, "
        f"import.meta.url), {_written(served)}]"
        for file, served in shipped.index()
    )
    return f"[{', '.join(entries)}]"


def parameters() -> list[dict[str, Any]]:
    """Return the table of parameters."""
    return [_entry(each) for each in PARAMETERS.values()]


def _entry(of: Parameter) -> dict[str, Any]:
    entry: dict[str, Any] = {"key": of.key, "kind": of.kind, "expected": _expected(of)}
    if not of.is_required:
        entry["default"] = dict(of.default) if isinstance(of.default, Mapping) else of.default
    if of.values:
        entry["values"] = of.values
    if of.bounds:
        entry["bounds"] = of.bounds
    if of.fits:
        entry["fits"] = [[value, _condition(when)] for value, when in of.fits.items()]
    if of.kernel:
        entry["kernel"] = [
            [field.name, list(field.numbers.items()) if field.numbers else None]
            for field in of.kernel
        ]
    if of.changes_play:
        equivalents = list(of.plays_like.values())
        entry["play"] = list(equivalents[0].items()) if equivalents else True
    return entry


def _condition(condition: Condition) -> list[list[list[Any]]]:
    """Convert a condition of a value; none of these is negated."""
    return [[[each.key, each.values] for each in clause] for clause in condition]


def _expected(of: Parameter) -> str:
    """Return the `expected` text of the check, from an invalid value."""
    try:
        of.read(None)
    except RulesError as error:
        return error.expected
    raise AssertionError(of.key)


def sets() -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the values common to most rule sets, and the differences of each."""
    every = {name: _plain(rules.load(name)) for name in rules.names()}
    usual: dict[str, Any] = {}
    for key in next(iter(every.values())):
        counted = Counter(_written(values[key]) for values in every.values())
        value, count = counted.most_common(1)[0]
        if count > 1:
            usual[key] = json.loads(value)
    own = {
        name: {key: value for key, value in values.items() if value != usual.get(key)}
        for name, values in every.items()
    }
    return usual, own


def _plain(of: Rules) -> dict[str, Any]:
    values = {key: value for key, value in of.to_dict().items() if key not in LEFT_OUT}
    plain: dict[str, Any] = json.loads(_written(values))
    return plain


def _written(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
