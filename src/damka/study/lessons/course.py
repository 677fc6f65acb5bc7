"""The course of a rule set."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import msgspec

from damka.rules import from_dict
from damka.study.lessons import shipped

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.study.lessons.level import Course

__all__ = ["course"]


def course(rules: Rules) -> Course:
    """Return the course of these rules, which is the same in every run.

    The first call for house rules searches for its positions, which takes about a second.
    """
    return _course(msgspec.json.encode(rules.to_dict()))


# Rules are equal without their notation, which a course has in its sentences.
@functools.lru_cache(32)
def _course(written: bytes) -> Course:
    from damka.study.lessons.generate import generate  # noqa: PLC0415  seldom needed

    rules = from_dict(msgspec.json.decode(written))
    return shipped.read(rules) or generate(rules)
