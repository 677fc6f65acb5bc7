"""The types of a course: stages and levels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

from damka import locales
from damka.board import Board
from damka.study.lessons import texts
from damka.study.lessons.positions import Positions, find, hub

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from damka.move import Move
    from damka.rules import Rules
    from damka.study.lessons.goal import Answer, Goal

__all__ = ["STAGES", "Course", "Level", "Stage", "StageId", "level_id", "numbered"]

StageId = Literal[
    "men", "capture", "must", "chains", "choice", "kings", "king_captures", "end", "special"
]
STAGES: Final[tuple[StageId, ...]] = get_args(StageId)
"""The stages of a course, in order; one with nothing to teach is left out."""


def level_id(teaches: tuple[str, str], number: int) -> str:
    """Return the id of the level with this number, from 1, of those that teach the same."""
    name = ".".join(teaches).replace("+", "-")
    return name if number == 1 else f"{name}.{number}"


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Level:
    """One exercise of a course, in which the learner plays White.

    `teaches` is a parameter and its value; for what is the same in every game of the family, a
    topic of the rule book and a name. `id` is made from it, so it is the same in every release.
    `lead` are the moves, in Hub notation, that are played from `fen` before the question, often
    none. `solutions` are the right answers, each of them sufficient. In a "sequence" the opponent
    has only one reply to each of the learner's moves.
    """

    rules: Rules = field(repr=False)
    id: str
    stage: StageId
    teaches: tuple[str, str]
    goal: Goal
    fen: str
    lead: tuple[str, ...] = ()
    solutions: tuple[Answer, ...]
    demonstration: bool = False
    """Whether there is only one possible answer: such a level has no stars."""

    @property
    def moves(self) -> int:
        """The number of answers for full marks: 1, or the learner's moves of a sequence."""
        line = self.solutions[0]
        return len(line) if self.goal.kind == "sequence" and isinstance(line, tuple) else 1

    @property
    def topic(self) -> str:
        """The id of the related rulebook paragraph."""
        return texts.topic(self.teaches[0], self.goal.asks)

    def board(self) -> Board:
        """Return the position of the question: that of `fen` after the moves of `lead`."""
        return self.positions().board

    def opening(self) -> tuple[Board, tuple[Move, ...]]:
        """Return the position of `fen`, and the moves of `lead`."""
        at = Positions.of(Board(self.rules, self.fen))
        moves = []
        for text in self.lead:
            moves.append(find(at.board, text))
            at = at.after(text)
        return Board(self.rules, self.fen), tuple(moves)

    def positions(self) -> Positions:
        """Return the position of the question, for asking about it."""
        return Positions.of(Board(self.rules, self.fen)).after(*self.lead)

    def after(self, played: tuple[str, ...]) -> Positions:
        """Return the position after right moves of a sequence and the replies to them."""
        at = self.positions()
        for move in played:
            at = at.after(move)
            at = at.after(*map(hub, at.board.legal_moves))
        return at

    def sentence(self, language: str) -> str:
        """Return the rule and the task, in one of `damka.locales.LANGUAGES`."""
        return f"{self.rule(language)} {self.task(language)}"

    def rule(self, language: str) -> str:
        """Return the rule that the level teaches, in one sentence."""
        return texts.rule(self.rules, *self.teaches, self.goal.asks, language)

    def task(self, language: str) -> str:
        """Return the task, in one sentence."""
        return texts.task(self.rules, self.goal, self.board(), language)

    def hints(self, language: str, played: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return hints, to be given one at a time; the last one is an answer, or a part of it.

        `played` are the right moves of a sequence so far.
        """
        board = self.after(played).board
        return texts.hints(self.rules, self.goal, board, self.answer(played), language)

    def answer(self, played: tuple[str, ...] = ()) -> str | int | tuple[int, ...]:
        """Return a right answer; in a sequence the move after those that are `played`."""
        if self.goal.kind != "sequence":
            return cast("str | int | tuple[int, ...]", self.solutions[0])
        lines = cast("tuple[tuple[str, ...], ...]", self.solutions)
        return next(line for line in lines if line[: len(played)] == played)[len(played)]


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Stage:
    """A part of a course, such as how men move; on the page one stone of the path."""

    id: StageId
    levels: tuple[Level, ...]

    def title(self, language: str) -> str:
        """Return the heading."""
        return locales.translate(language, f"lessons.stage.{self.id}")


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Course:
    """The lessons of one rule set: stages of levels."""

    rules: Rules = field(repr=False)
    stages: tuple[Stage, ...]

    @classmethod
    def of(cls, rules: Rules, levels: Collection[Level]) -> Course:
        """Return the course with these levels, in the order of their stages."""
        by_stage = {
            stage: tuple(each for each in levels if each.stage == stage) for stage in STAGES
        }
        stages = (Stage(id=stage, levels=found) for stage, found in by_stage.items() if found)
        return cls(rules=rules, stages=tuple(stages))

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of all stages, in order."""
        return tuple(level for stage in self.stages for level in stage.levels)

    def level(self, level_id: str) -> Level | None:
        """Return the level with this id, or None."""
        return next((level for level in self.levels if level.id == level_id), None)

    def about(self, topic: str) -> Level | None:
        """Return the first level for a paragraph of the rule book, or for a refusal's topic."""
        return next((level for level in self.levels if level.topic == topic), None)


def numbered(levels: Iterable[Level]) -> list[Level]:
    """Return levels with the ids that they have in this order."""
    numbers: Counter[tuple[str, str]] = Counter()
    found = []
    for level in levels:
        numbers[level.teaches] += 1
        found.append(replace(level, id=level_id(level.teaches, numbers[level.teaches])))
    return found
