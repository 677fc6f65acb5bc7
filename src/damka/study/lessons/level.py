"""The types of a course: stages, levels and what a level asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from damka import locales
from damka.board import Board
from damka.study.lessons import texts
from damka.study.lessons.positions import Positions

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["KINDS", "STAGES", "Answer", "Course", "Goal", "Kind", "Level", "Stage", "StageId"]

StageId = Literal["men", "capture", "must", "chains", "choice", "kings", "end", "special"]
STAGES: Final[tuple[StageId, ...]] = get_args(StageId)
"""The stages of a course, in order; one with nothing to teach is left out."""

Kind = Literal["move", "sequence", "select", "count", "land", "huff", "draw", "win"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""What a level asks for: a move ("move", "draw", "win"), several moves with scripted replies
("sequence"), squares ("select" pieces, "land" on), a number ("count"), or a piece to "huff"."""

Answer: TypeAlias = "str | int | tuple[int, ...] | tuple[str, ...]"
"""A right answer: a move in Hub notation, a number, ascending squares, or the learner's moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What a level asks for.

    `asks` is the question, which `damka.study.lessons.questions` answers. `piece` is the square of
    the piece that is asked about, or 0. `options` are the numbers to choose from, if it is one.
    """

    kind: Kind
    asks: str
    piece: int = 0
    options: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One exercise of a course, in which the learner plays White.

    `teaches` is a parameter and its value; for what is the same in every game of the family, a
    topic of the rule book and a name. `id` is made from it, so it is the same in every release.
    `lead` are the moves, in Hub notation, that are played from `fen` before the question, often
    none. `solutions` are the right answers, each of them sufficient. In a "sequence", `replies`
    are the opponent's moves after the learner's.
    """

    rules: Rules = field(repr=False)
    id: str
    stage: StageId
    teaches: tuple[str, str]
    goal: Goal
    fen: str
    lead: tuple[str, ...] = ()
    solutions: tuple[Answer, ...]
    replies: tuple[str, ...] = ()
    demonstration: bool = False
    """Whether there is only one possible answer: such a level has no stars."""

    @property
    def moves(self) -> int:
        """The number of answers for full marks: 1, or the learner's moves of a sequence."""
        return len(self.replies) + 1 if self.goal.kind == "sequence" else 1

    @property
    def topic(self) -> str:
        """The id of the related rulebook paragraph."""
        return texts.topic(self.teaches[0])

    def board(self) -> Board:
        """Return the position of the question: that of `fen` after the moves of `lead`."""
        return self.positions().board

    def positions(self) -> Positions:
        """Return the position of the question, for asking about it."""
        return Positions.of(Board(self.rules, self.fen)).after(*self.lead)

    def sentence(self, language: str) -> str:
        """Return the rule and the task, in one of `damka.locales.LANGUAGES`."""
        return f"{self.rule(language)} {self.task(language)}"

    def rule(self, language: str) -> str:
        """Return the rule that the level teaches, in one sentence."""
        return texts.rule(self.rules, *self.teaches, self.goal.asks, language)

    def task(self, language: str) -> str:
        """Return the task, in one sentence."""
        return texts.task(self.rules, self.goal, self.board(), language)

    def hints(self, language: str) -> tuple[str, ...]:
        """Return hints, to be given one at a time; the last one is an answer, or a part of it."""
        return texts.hints(self.rules, self.goal, self.solutions[0], language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A part of a course, such as how men move; on the page one stone of the path."""

    id: StageId
    levels: tuple[Level, ...]

    def title(self, language: str) -> str:
        """Return the heading."""
        return locales.translate(language, f"lessons.stage.{self.id}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The lessons of one rule set: stages of levels."""

    rules: Rules = field(repr=False)
    stages: tuple[Stage, ...]

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of all stages, in order."""
        return tuple(level for stage in self.stages for level in stage.levels)

    def level(self, level_id: str) -> Level | None:
        """Return the level with this id, or None."""
        return next((level for level in self.levels if level.id == level_id), None)
