"""Ids of the levels of the shipped courses, for counting what is done."""

from __future__ import annotations

import functools
from typing import Any, Final

from damka import rules
from damka.study import lessons

__all__ = ["GAME", "as_json", "known", "mark"]

GAME: Final = "game"
"""Id of the guided game, which counts as a level."""


@functools.cache
def known() -> dict[str, tuple[str, ...]]:
    """Return the ids of each shipped course by its fingerprint."""
    shipped = (rules.load(name) for name in rules.names())
    return {lessons.fingerprint(of): _ids(of) for of in shipped}


def mark(name: str) -> str:
    """Return the fingerprint of a shipped course and the number of its levels: "0123…:47"."""
    of = rules.load(name)
    return f"{lessons.fingerprint(of)}:{len(_ids(of))}"


@functools.cache
def as_json() -> dict[str, Any]:
    """Return all ids, and the numbers of those of each course, by its fingerprint."""
    ids = sorted({each for course in known().values() for each in course})
    number = {each: i for i, each in enumerate(ids)}
    courses = {name: [number[each] for each in course] for name, course in known().items()}
    return {"ids": ids, "courses": courses}


def _ids(of: rules.Rules) -> tuple[str, ...]:
    return (*(level.id for level in lessons.course(of).levels), GAME)
