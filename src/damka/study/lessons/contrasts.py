"""The rules with another value of what a level teaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from damka.errors import RulesError
from damka.rules.parameters import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.rules import Rules

__all__ = ["contrasts"]

_TOPICS: Final[Mapping[str, tuple[dict[str, Any], ...]]] = {
    "no_moves": ({"objective": "losing"}, {"objective": "normal"}),
    "huffing": ({"obligation": "forced"},),
    "land_on": ({"king_landing": "adjacent"},),
}
"""What decides about topics that are not parameters; the others are the same in every game."""


def contrasts(rules: Rules, teaches: tuple[str, str]) -> tuple[Rules, ...]:
    """Return the rules with each other value of what a level teaches; none if it has no other."""
    found = []
    for change in _changes(rules, *teaches):
        if any(rules.value_of(key) != value for key, value in change.items()):
            try:
                found.append(rules.replace(**change))
            except RulesError:
                # The value does not fit the others.
                continue
    return tuple(found)


def _changes(rules: Rules, key: str, value: str) -> tuple[dict[str, Any], ...]:
    if key not in PARAMETERS:
        return _TOPICS.get(key, ())
    parameter = PARAMETERS[key]
    if parameter.kind == "number":
        return ({key: 0},)
    if parameter.kind != "order":
        return tuple({key: other} for other in parameter.values)
    if value == "free":
        return tuple({key: (each,)} for each in ("count", "with_king"))
    return ({key: tuple(each for each in rules.precedence if each != value)},)
