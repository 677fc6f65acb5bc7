"""The search for the levels of a course."""

from __future__ import annotations

import functools
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from damka.board import Board
from damka.study.lessons import inputs
from damka.study.lessons.contrasts import contrasts
from damka.study.lessons.exercises import Recipe, recipes
from damka.study.lessons.fingerprint import fingerprint
from damka.study.lessons.goal import Goal
from damka.study.lessons.level import Course, Level, level_id
from damka.study.lessons.positions import Positions
from damka.study.lessons.questions import ask
from damka.study.lessons.shape import shape
from damka.study.lessons.sketch import draw
from damka.study.lessons.verify import MAX_CHANCE, verify

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.study.lessons.questions import Answers

__all__ = ["generate"]

_ENOUGH: Final = 12
"""Candidates, of which the simplest is taken."""
_MAX_PIECES: Final = 9
_BEFORE_KINGS: Final = ("men", "capture", "must", "chains", "choice")
"""Stages in which no man becomes a king."""


class _Candidate(NamedTuple):
    """A position that shows what it should; the order prefers few pieces in usual places."""

    missing: int
    oddness: int
    number: int
    pieces: str
    goal: Goal
    lead: tuple[str, ...]
    right: Answers
    differs: frozenset[int]


def generate(rules: Rules) -> Course:
    """Search for the levels of a course; the same rules have the same course."""
    search = _Search(rules)
    for recipe in recipes(rules):
        search.add(recipe)
    return Course.of(rules, search.levels)


class _Search:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.levels: list[Level] = []
        self._seed = fingerprint(rules)
        self._root = Board(rules)
        self._shapes: set[object] = set()
        self._numbers: dict[tuple[str, str], int] = {}
        self._contrasts = functools.cache(functools.partial(contrasts, rules))
        self._shown: dict[tuple[str, str], set[int]] = {}

    def add(self, recipe: Recipe) -> None:
        """Add a level of this kind, if there is one."""
        number = self._numbers.get(recipe.teaches, 0) + 1
        name = level_id(recipe.teaches, number)
        shown = self._shown.setdefault(recipe.teaches, set())
        for found in sorted(self._candidates(recipe, Random(f"{self._seed} {name}"), shown)):
            level = Level(
                rules=self.rules,
                id=name,
                stage=recipe.stage,
                teaches=recipe.teaches,
                goal=found.goal,
                fen=self._root.with_pieces(found.pieces, recipe.turn).fen,
                lead=found.lead,
                solutions=found.right,
            )
            if verify(level):
                continue
            self._numbers[recipe.teaches] = number
            self._shapes.add(shape(self.rules, found.pieces))
            shown |= found.differs
            self.levels.append(level)
            return

    def _candidates(self, recipe: Recipe, rng: Random, shown: set[int]) -> list[_Candidate]:
        found: list[_Candidate] = []
        for number in range(recipe.tries):
            pieces = draw(rng, self.rules, recipe.sketch)
            if pieces is None:
                continue
            candidate = self._candidate(recipe, pieces, rng, shown, number)
            if candidate is not None:
                found.append(candidate)
                if len(found) == _ENOUGH:
                    break
        return found

    def _candidate(
        self, recipe: Recipe, pieces: str, rng: Random, shown: set[int], number: int
    ) -> _Candidate | None:
        pieces_count = len(pieces) - pieces.count(".")
        if pieces_count > _MAX_PIECES or not {"b", "B"} & {*pieces}:
            return None
        first = Positions.of(self._root.with_pieces(pieces, recipe.turn))
        lead = recipe.lead(first, rng)
        if lead is None:
            return None
        at = first.after(*lead)
        asked = [s for s, piece in enumerate(at.pieces, 1) if piece == recipe.piece]
        piece = rng.choice(asked) if asked else 0
        if recipe.piece and not piece:
            return None
        if recipe.stage in _BEFORE_KINGS and any(move.crowns for move in at.legal):
            return None
        if not recipe.wants(at, piece):
            return None
        right = ask(recipe.asks, at, piece)
        if not right:
            return None
        goal = Goal(
            kind=recipe.kind, asks=recipe.asks, piece=piece, options=_options(recipe, right)
        )
        if inputs.chance(at, goal, right) > MAX_CHANCE:
            return None
        if shape(self.rules, pieces) in self._shapes:
            return None
        others = self._contrasts(recipe.teaches)
        differs = frozenset(
            index
            for index, other in enumerate(others)
            if _differs(first, other, goal, lead, right)
            or (recipe.teaches[0] == "obligation" and _allows(at.under(other)) != _allows(at))
        )
        if others and not differs:
            return None
        missing = len(others) - len(shown | differs)
        return _Candidate(
            missing, pieces_count + self._strays(pieces), number, pieces, goal, lead, right, differs
        )

    def _strays(self, pieces: str) -> int:
        """Return the number of men who are far from home."""
        quarter = len(pieces) // 4
        return pieces[:quarter].count("w") + pieces[-quarter:].count("b")


def _differs(
    at: Positions, other: Rules, goal: Goal, lead: tuple[str, ...], right: Answers
) -> bool:
    """Whether the answers after `lead` are other ones under other rules."""
    try:
        there = at.under(other).after(*lead)
    except ValueError:
        return True
    return ask(goal.asks, there, goal.piece) != right


def _allows(at: Positions) -> Answers:
    return ask("allowed", at)


def _options(recipe: Recipe, right: Answers) -> tuple[int, ...]:
    """Return the numbers to choose from."""
    if recipe.kind != "count":
        return ()
    number = cast("int", right[0])
    if recipe.asks == "most":
        return tuple(range(1, max(4, number + 1) + 1))
    return tuple(sorted({number, number + 5, number * 2, max(number - 5, 2)}))
