"""Square notations for relabelling a game: numbers, letters, or the rule set's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from damka import rules as rule_sets
from damka.notation import numbered

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Kind", "notation", "other_notation"]

Kind: TypeAlias = Literal["numeric", "algebraic", "rules"]
"""Numbers, letters, or the notation of the rule set's federation."""


def notation(rules: Rules, kind: Kind) -> str:
    """Return the notation of a kind for a game by `rules`.

    The game's own notation or the shipped rule set's is used if it is of that kind; otherwise
    numbers from White's top left, or letters with a1 at White's bottom left.

    >>> import damka
    >>> american = damka.rules.load("american")
    >>> notation(american, "algebraic"), notation(american, "rules")
    ('A3', 'N1')
    """
    usual = rules.notation
    if rules.name in rule_sets.names():
        shipped = rule_sets.load(rules.name)
        # The corner is relative to the player who begins.
        if shipped.first == rules.first:
            usual = shipped.notation
    if kind == "rules":
        return usual
    letter = "N" if kind == "numeric" else "A"
    for notation_code in (rules.notation, usual):
        if notation_code[0] == letter:
            return notation_code
    return other_notation(rules)


def other_notation(rules: Rules) -> str:
    """Return numbers for rules with letters and vice versa, as game records have them."""
    if rules.notation[0] == "A":
        return numbered(rules).notation
    return "A0" if rules.first == "W" else "A3"
