"""The courses of the shipped rule sets, from the file that `python -m tools.lessons` writes.

Each line is the course of one fingerprint. It is only a cache: without its line, a course is
searched for, and is the same.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from damka.study.lessons.fingerprint import fingerprint
from damka.study.lessons.level import Course, numbered
from damka.study.lessons.rows import LevelRow

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["FILE", "fingerprints", "line", "read"]

FILE: Final = Path(__file__).with_name("shipped.txt")


def line(course: Course) -> str:
    """Return the line of a course."""
    rows = [LevelRow.of(level) for level in course.levels]
    return f"{fingerprint(course.rules)} {msgspec.json.encode(rows).decode()}\n"


@functools.cache
def fingerprints() -> frozenset[str]:
    """Return the fingerprints of the courses in the file."""
    if not FILE.exists():
        return frozenset()
    with FILE.open(encoding="utf-8") as file:
        return frozenset(each.partition(" ")[0] for each in file)


def read(rules: Rules) -> Course | None:
    """Return the course of these rules if the file has it."""
    if not FILE.exists():
        return None
    name = fingerprint(rules)
    with FILE.open(encoding="utf-8") as file:
        found = next((each for each in file if each.startswith(name)), None)
    if found is None:
        return None
    rows = msgspec.json.decode(found[len(name) :], type=list[LevelRow])
    return Course.of(rules, numbered(row.level(rules, "") for row in rows))
