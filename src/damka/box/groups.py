"""Groups of rule sets for long lists."""

from __future__ import annotations

import functools
from typing import Final

from damka import rules as rule_sets
from damka.rules import Rules

__all__ = ["GROUPS", "rule_groups"]

GROUPS: Final = ("boxes", "s64", "s100", "other", "aims", "learning")
"""The toy boxes, then the other games: by board, with another objective, for learning."""

BOXES: Final = 3
"""The number of boxes at the head of the list of rule sets."""


@functools.cache
def rule_groups() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (group, names) for each non-empty group, in the order of GROUPS."""
    names = rule_sets.names()
    groups: dict[str, list[str]] = {group: [] for group in GROUPS}
    groups["boxes"] = [*names[:BOXES]]
    for name in names[BOXES:]:
        groups[_group(rule_sets.load(name))].append(name)
    return tuple((group, tuple(members)) for group, members in groups.items() if members)


def _group(rules: Rules) -> str:
    size = (rules.squares, rules.width, rules.height)
    if rules.objective != "normal":
        return "aims"
    if rules.height < 8:
        return "learning"
    return {("dark", 8, 8): "s64", ("dark", 10, 10): "s100"}.get(size, "other")
