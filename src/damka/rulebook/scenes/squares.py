"""Squares near c3, where many scenes have a man."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["ahead_of_c3", "beside_c3"]


def ahead_of_c3(rules: Rules) -> tuple[str, str]:
    """Return where a piece stands that c3 can take, and where it lands behind it."""
    return ("c4", "c5") if rules.capture_lines == "orthogonal" else ("d4", "e5")


def beside_c3(rules: Rules) -> str:
    """Return a move of another man, which takes nothing."""
    return "g3-g4" if rules.move_lines == "orthogonal" else "g3-h4"
