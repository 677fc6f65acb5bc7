"""What sets one rule set apart from another, as the table that a file with a base would hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from damka import rules as rule_sets
from damka.rules import PARAMETERS, Rules

__all__ = ["LOOKS", "changes", "nearest"]

LOOKS: Final = frozenset({"name", "title", "summary", "readings", "sources", "theme", "game_type"})
"""The parameters that change nothing in the play nor in how it is written."""


def changes(box: Rules, base: Rules) -> dict[str, Any]:
    """Return the parameters of `box` that `base` has otherwise, as plain values, without looks."""
    ours, theirs = box.to_dict(), base.to_dict()
    return {key: ours[key] for key in PARAMETERS if key not in LOOKS and ours[key] != theirs[key]}


def nearest(box: Rules, among: Iterable[str] | None = None) -> Rules:
    """Return the shipped rule set from which the fewest parameters differ."""
    every = [rule_sets.load(name) for name in (among or rule_sets.names())]
    return min(every, key=lambda shipped: len(changes(box, shipped)))
