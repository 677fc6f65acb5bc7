"""The courses of the shipped rule sets, from the file that `python -m tools.lessons` writes.

Each line is the course of one fingerprint. It is only a cache: without its line, a course is
searched for, and is the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import msgspec

from damka.study.lessons.fingerprint import fingerprint
from damka.study.lessons.goal import Goal, Kind
from damka.study.lessons.level import Course, Level, StageId, level_id

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.study.lessons.goal import Answer

__all__ = ["FILE", "line", "read"]

FILE: Final = Path(__file__).with_name("shipped.txt")


class _Row(msgspec.Struct, array_like=True, frozen=True):
    """A level as it is written."""

    stage: StageId
    key: str
    value: str
    kind: Kind
    asks: str
    piece: int
    options: tuple[int, ...]
    fen: str
    lead: tuple[str, ...]
    solutions: tuple[str | int | tuple[str | int, ...], ...]


def line(course: Course) -> str:
    """Return the line of a course."""
    rows = [
        _Row(
            level.stage,
            *level.teaches,
            level.goal.kind,
            level.goal.asks,
            level.goal.piece,
            level.goal.options,
            level.fen,
            level.lead,
            level.solutions,
        )
        for level in course.levels
    ]
    return f"{fingerprint(course.rules)} {msgspec.json.encode(rows).decode()}\n"


def read(rules: Rules) -> Course | None:
    """Return the course of these rules if the file has it."""
    if not FILE.exists():
        return None
    name = fingerprint(rules)
    with FILE.open(encoding="utf-8") as file:
        found = next((each for each in file if each.startswith(name)), None)
    if found is None:
        return None
    numbers: dict[tuple[str, str], int] = {}
    levels = []
    for row in msgspec.json.decode(found[len(name) :], type=list[_Row]):
        teaches = (row.key, row.value)
        numbers[teaches] = numbers.get(teaches, 0) + 1
        levels.append(
            Level(
                rules=rules,
                id=level_id(teaches, numbers[teaches]),
                stage=row.stage,
                teaches=teaches,
                goal=Goal(kind=row.kind, asks=row.asks, piece=row.piece, options=row.options),
                fen=row.fen,
                lead=row.lead,
                solutions=cast("tuple[Answer, ...]", row.solutions),
            )
        )
    return Course.of(rules, levels)
