"""What the levels of each stage teach, and positions in which to look for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka.study.lessons.exercises import beginning, endings, kings
from damka.study.lessons.exercises.recipe import Recipe

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Recipe", "recipes"]

_STAGES: Final = (
    *(beginning.men, beginning.capture, beginning.must, beginning.chains, beginning.choice),
    *(kings.kings, kings.king_captures, endings.end, endings.special),
)


def recipes(rules: Rules) -> list[Recipe]:
    """Return what to look for under these rules, in the order of a course."""
    return [recipe for stage in _STAGES for recipe in stage(rules)]
