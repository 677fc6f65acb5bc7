"""Squares near c3, where many scenes have a man."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["ahead_of_c3", "beside_c3"]


def ahead_of_c3(rules: Rules) -> tuple[str, str]:
    """Return the square of a piece that a man on c3 can capture, and the landing square."""
    return ("c4", "c5") if rules.capture_lines == "orthogonal" else ("d4", "e5")


def beside_c3(rules: Rules) -> str:
    """Return a quiet move of a man on g3."""
    return "g3-g4" if rules.move_lines == "orthogonal" else "g3-h4"
