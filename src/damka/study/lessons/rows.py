"""Levels as rows, for files and stored games."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import msgspec

from damka.study.lessons.goal import Goal, Kind
from damka.study.lessons.level import Level, StageId

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.study.lessons.goal import Answer

__all__ = ["LevelRow"]


class LevelRow(msgspec.Struct, array_like=True, frozen=True, weakref=True):
    """A level without its rules and its id."""

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

    @classmethod
    def of(cls, level: Level) -> LevelRow:
        """Return the row of a level."""
        return cls(
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

    def level(self, rules: Rules, level_id: str) -> Level:
        """Return the level with these rules and this id."""
        return Level(
            rules=rules,
            id=level_id,
            stage=self.stage,
            teaches=(self.key, self.value),
            goal=Goal(kind=self.kind, asks=self.asks, piece=self.piece, options=self.options),
            fen=self.fen,
            lead=self.lead,
            solutions=cast("tuple[Answer, ...]", self.solutions),
        )
