"""The course of a rule set."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from damka.study.lessons.generate import generate

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.study.lessons.level import Course

__all__ = ["course"]


@functools.lru_cache(16)
def course(rules: Rules) -> Course:
    """Return the course of these rules."""
    return generate(rules)
