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
"""The answer that keeps the base's value."""

_NUMBER = re.compile(r"[0-9]{1,4}")


def answers(box: Rules) -> dict[str, tuple[str, ...]]:
    """Return the answers that describe a rule set, by form field."""
    result: dict[str, tuple[str, ...]] = {}
    for _, questions in GROUPS:
        for question in questions:
            key = question.key
            value = getattr(box, key, None)
            match question.kind:
                case "board":
                    result[key] = (f"{box.squares}-{box.width}-{box.height}",)
                case "order" | "colours":
                    result[key] = tuple(value or ())
                case "borrow":
                    result[key] = (OWN if value else "none",)
                case _:
                    result[key] = (plain(value),)
    return result


def read(base: Rules, form: Mapping[str, Sequence[str]], title: str = "") -> Rules:
    """Return the rules for a form; missing answers are taken from `base`.

    Raises RulesError for an invalid answer, or incompatible answers.
    """
    changed: dict[str, Any] = {}
    for _, questions in GROUPS:
        for question in questions:
            key = question.key
            if key in form:
                changed |= _parameters_of(base, question.kind, key, [*form[key]])
    title = title.strip()
    if len(title) > MAX_TITLE or (title and not title.isprintable()):
        raise RulesError("title", title, f"text of up to {MAX_TITLE} printable characters")
    # With a new name, `replace` drops the base's title and sources.
    changed["name"] = slug(title)
    box = base.replace(**changed)
    return box.replace(title={"en": title}) if title else box


def slug(title: str) -> str:
    """Return the name of a rule set, derived from its title."""
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
                minimum, maximum = NUMBERS[key]
                raise RulesError(key, first, f"a whole number from {minimum} to {maximum}")
            return {key: int(first)}
        case "order":
            return {key: [value for value in values if value and value != "none"]}
        case "colours":
            return {key: [value.strip() for value in values]}
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
