"""The search for the levels of a course."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from damka.board import Board
from damka.study.lessons import inputs
from damka.study.lessons.contrasts import contrasts, differences, needs, practises
from damka.study.lessons.exercises import Recipe, recipes
from damka.study.lessons.fingerprint import fingerprint
from damka.study.lessons.goal import Goal
from damka.study.lessons.level import Course, Level, level_id, numbered
from damka.study.lessons.positions import Positions
from damka.study.lessons.questions import ask
from damka.study.lessons.shape import shape
from damka.study.lessons.sketch import draw
from damka.study.lessons.verify import MAX_CHANCE, is_position_for, verify

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.study.lessons.questions import Answers

__all__ = ["POSITIONS", "generate"]

_ENOUGH: Final = 12
"""Candidates, of which the simplest is taken."""
_MAX_PIECES: Final = 9
POSITIONS: Final = 3
"""Positions of each capture rule, in levels about it or about rules taught later."""
_BEFORE_KINGS: Final = ("men", "capture", "must", "chains", "choice")
"""Stages in which no man becomes a king."""


class _Candidate(NamedTuple):
    """A position that shows what it should.

    The order prefers positions for other rules that need some, then few pieces in usual places.
    """

    missing: int
    not_practised: int
    oddness: int
    number: int
    pieces: str
    goal: Goal
    lead: tuple[str, ...]
    right: Answers
    differs: frozenset[int]


def generate(rules: Rules) -> Course:
    """Search for the levels of a course; the same rules have the same course."""
    planned = recipes(rules)
    search = _Search(rules, planned)
    for recipe in planned:
        if not recipe.spare:
            search.add(recipe)
    # Positions for a rule are also among the levels after its own, so the last rules come first.
    for recipe in sorted(planned, key=search.place, reverse=True):
        if recipe.spare and search.needs(recipe.teaches):
            search.add(recipe)
    return Course.of(rules, numbered(sorted(search.levels, key=search.place)))


class _Search:
    def __init__(self, rules: Rules, planned: list[Recipe]) -> None:
        self.rules = rules
        self.levels: list[Level] = []
        self._seed = fingerprint(rules)
        self._root = Board(rules)
        self._shapes: set[object] = set()
        self._moves: set[Answers] = set()
        """Answers that would be the same move, or the same squares, in another position."""
        self._numbers: dict[tuple[str, str], int] = {}
        self._shown: dict[tuple[str, str], set[int]] = {}
        backwards = [*enumerate(planned)][::-1]
        self._places = {(each.stage, each.teaches): place for place, each in backwards}
        self._first_places = {each.teaches: place for place, each in backwards}
        self._positions = {each.teaches: 0 for each in planned if each.spare}
        """The number of positions for each rule that should have some."""

    def place(self, level: Level | Recipe) -> int:
        """Return the place of a level in the course: a spare one is where its rule is taught."""
        return self._places[level.stage, level.teaches]

    def needs(self, rule: tuple[str, str]) -> bool:
        """Whether a capture rule has fewer positions than it should."""
        return self._positions[rule] < POSITIONS

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
            if recipe.kind != "count":
                self._moves.add(found.right)
            for rule in self._taught(recipe):
                self._positions[rule] += is_position_for(level, rule)
            self.levels.append(level)
            return

    def _taught(self, recipe: Recipe) -> list[tuple[str, str]]:
        """Return the capture rules that are taught up to a level."""
        place = self.place(recipe)
        return [rule for rule in self._positions if self._first_places[rule] <= place]

    def _untaught(self, recipe: Recipe, at: Positions) -> list[tuple[str, str]]:
        """Return the rules that are taught after a level with this position.

        Levels of the stage "men" have none, because they come before all captures.
        """
        if recipe.stage == "men":
            return []
        place = self.place(recipe)
        captures = any(move.captures for move in at.legal)
        return [rule for rule in self._first_places if self._taught_at(rule, captures) > place]

    def _taught_at(self, rule: tuple[str, str], captures: bool) -> int:
        """Return the place of the first level about a rule; for kings, about their captures."""
        first = self._first_places[rule]
        return self._places.get(("king_captures", rule), first) if captures else first

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
        right = ask(recipe.asks, at, piece) if recipe.wants(at, piece) else ()
        if not right:
            return None
        goal = Goal(
            kind=recipe.kind, asks=recipe.asks, piece=piece, options=_options(recipe, right)
        )
        if inputs.chance(at, goal, right) > MAX_CHANCE:
            return None
        if shape(self.rules, pieces) in self._shapes or right in self._moves:
            return None
        differs = differences(first, goal, lead, right, recipe.teaches)
        others = len(contrasts(self.rules, recipe.teaches))
        if others and not differs:
            return None
        if any(needs(first, goal, lead, right, rule) for rule in self._untaught(recipe, at)):
            return None
        # The first level of a rule is a simple one; the others practise what was taught before.
        is_first = all(self.place(level) != self.place(recipe) for level in self.levels)
        practised = sum(
            practises(first, goal, lead, rule)
            for rule in self._taught(recipe)
            if not is_first and rule != recipe.teaches and self.needs(rule)
        )
        return _Candidate(
            others - len(shown | differs),
            -practised,
            pieces_count + self._strays(pieces),
            number,
            pieces,
            goal,
            lead,
            right,
            differs,
        )

    def _strays(self, pieces: str) -> int:
        """Return the number of men who are far from home."""
        quarter = len(pieces) // 4
        return pieces[:quarter].count("w") + pieces[-quarter:].count("b")


def _options(recipe: Recipe, right: Answers) -> tuple[int, ...]:
    """Return the numbers to choose from."""
    if recipe.kind != "count":
        return ()
    number = cast("int", right[0])
    if recipe.asks == "most":
        return tuple(range(1, max(4, number + 1) + 1))
    return tuple(sorted({number, number + 5, number * 2, max(number - 5, 2)}))
