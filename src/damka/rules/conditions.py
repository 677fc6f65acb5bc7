"""When a parameter matters, as data: the same condition is read by the checker, the rule book, the
form of a box and the page that shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["ALWAYS", "Condition", "Is", "all_of", "any_of", "holds", "where"]


@dataclass(frozen=True, slots=True)
class Is:
    """A parameter has one of some values."""

    key: str
    values: tuple[Any, ...]


Condition = tuple[tuple[Is, ...], ...]
"""All of these must hold, and of each at least one alternative."""

ALWAYS: Final[Condition] = ()


def where(key: str, *values: Any) -> Condition:
    """Return the condition that a parameter has one of these values."""
    return ((Is(key, values),),)


def all_of(*conditions: Condition) -> Condition:
    """Return the condition that all of these hold."""
    return tuple(clause for condition in conditions for clause in condition)


def any_of(*conditions: Condition) -> Condition:
    """Return the condition that one of these holds; each is one made by `where`."""
    return (tuple(each for ((each,),) in conditions),)


def holds(condition: Condition, value_of: Callable[[str], Any]) -> bool:
    """Say whether a condition holds; `value_of` returns the value of a parameter."""
    return all(any(value_of(each.key) in each.values for each in clause) for clause in condition)
