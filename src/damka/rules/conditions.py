"""Conditions of parameters, as data for validation, the rule book, and the house rules form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["ALWAYS", "Condition", "Is", "all_of", "any_of", "holds", "unless", "where"]


@dataclass(frozen=True, slots=True)
class Is:
    """The condition that a parameter has one of some values, or if `negated`, none of them."""

    key: str
    values: tuple[Any, ...]
    negated: bool = False


Condition = tuple[tuple[Is, ...], ...]
"""A conjunction of disjunctions."""

ALWAYS: Final[Condition] = ()


def where(key: str, *values: Any) -> Condition:
    """Return the condition that a parameter has one of these values."""
    return ((Is(key, values),),)


def unless(key: str, *values: Any) -> Condition:
    """Return the condition that a parameter has none of these values."""
    return ((Is(key, values, negated=True),),)


def all_of(*conditions: Condition) -> Condition:
    """Return the conjunction of these conditions."""
    return tuple(clause for condition in conditions for clause in condition)


def any_of(*conditions: Condition) -> Condition:
    """Return the disjunction of these conditions; each must come from `where` or `unless`."""
    return (tuple(term for ((term,),) in conditions),)


def holds(condition: Condition, value_of: Callable[[str], Any]) -> bool:
    """Return whether a condition holds; `value_of` returns the value of a parameter."""
    return all(
        any((value_of(term.key) in term.values) is not term.negated for term in clause)
        for clause in condition
    )
