"""Conversion between form answers and rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Final

from damka import rules as rule_sets
from damka.box.questions import CHOICES, GROUPS, NUMBERS, plain
from damka.errors import RulesError
from damka.rules import Rules
from damka.rules.parameters import BOARDS

__all__ = ["MAX_TITLE", "OWN", "answers", "read", "slug"]

MAX_TITLE: Final = 60
OWN: Final = "own"
"""The answer that retains the previous value."""

_NUMBER = re.compile(r"[0-9]{1,4}")


def answers(box: Rules) -> dict[str, tuple[str, ...]]:
    """Return the answers that describe a rule set, by form field."""
    result: dict[str, tuple[str, ...]] = {}
    for _, questions in GROUPS:
        for each in questions:
            value = getattr(box, each.key, None)
            match each.kind:
                case "board":
                    result[each.key] = (f"{box.squares}-{box.width}-{box.height}",)
                case "order" | "colours":
                    result[each.key] = tuple(value or ())
                case "borrow":
                    result[each.key] = (OWN if value else "none",)
                case _:
                    result[each.key] = (plain(value),)
    return result


def read(base: Rules, form: Mapping[str, Sequence[str]], title: str = "") -> Rules:
    """Return the rules for a form; missing answers are taken from `base`.

    Raises RulesError for an invalid answer, or incompatible answers.
    """
    changed: dict[str, Any] = {}
    for _, questions in GROUPS:
        for each in questions:
            if each.key in form:
                changed |= _parameters_of(base, each.kind, each.key, [*form[each.key]])
    title = title.strip()
    if len(title) > MAX_TITLE or (title and not title.isprintable()):
        raise RulesError("title", title, f"a text of up to {MAX_TITLE} printable characters")
    # A new name, since the base's title and sources do not apply.
    changed["name"] = slug(title)
    box = base.replace(**changed)
    return box.replace(title={"en": title}) if title else box


def slug(title: str) -> str:
    """Return a name for a box, derived from its title."""
    ascii_title = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", ascii_title).strip("-")[:40].strip("-")
    return name if name and name not in rule_sets.names() else "my-box"


def _parameters_of(base: Rules, kind: str, key: str, values: list[str]) -> dict[str, Any]:
    first = values[0] if values else ""
    match kind:
        case "board":
            for squares, width, height in BOARDS:
                if first == f"{squares}-{width}-{height}":
                    return {"squares": squares, "width": width, "height": height}
            raise RulesError("board", first, "one of the supported boards")
        case "number":
            if not _NUMBER.fullmatch(first):
                least, most = NUMBERS[key]
                raise RulesError(key, first, f"a whole number from {least} to {most}")
            return {key: int(first)}
        case "order":
            return {key: [each for each in values if each != "none" and each]}
        case "colours":
            return {key: [each.strip() for each in values]}
        case "borrow":
            return _borrow(base, key, first)
    for value in CHOICES[key]:
        if first == plain(value):
            return {key: value}
    expected = "one of " + ", ".join(map(plain, CHOICES[key]))
    raise RulesError(key, first, expected)


def _borrow(base: Rules, key: str, choice: str) -> dict[str, Any]:
    if choice == "none":
        return {key: ()}
    if choice == OWN:
        return {key: getattr(base, key)}
    if choice in rule_sets.names():
        return {key: getattr(rule_sets.load(choice), key)}
    raise RulesError(key, choice, "none, own or the name of a rule set")
