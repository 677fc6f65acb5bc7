"""Strategies of Hypothesis: random rule sets, and positions with interesting captures."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from hypothesis import assume
from hypothesis import strategies as st
from tools.prove import random_positions

from damka import reference
from damka.rules import Force, MaterialDraw, Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["endings", "material_draws", "positions", "rule_sets", "situations"]

T = TypeVar("T")

MAX_ROUTES = 500
"""More captures than these are not drawn: the reference rules walk each of them, in Python."""


class Drawn:
    """Random choices drawn, and shrunk, by Hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def choice(self, among: Sequence[T]) -> T:
        return self._draw(st.sampled_from(among))

    def sample(self, among: Sequence[int], least: int, most: int) -> list[int]:
        some = st.lists(st.sampled_from(among), unique=True, min_size=least, max_size=most)
        return self._draw(some)

    def below(self, limit: int) -> int:
        return self._draw(st.integers(0, limit - 1))


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Any combination of the parameters that decide which moves are legal."""
    return random_positions.rule_set(Drawn(draw))


@st.composite
def positions(draw: st.DrawFn, rules: Rules) -> reference.Position:
    """A position that a game could have, of one of several kinds, either side to move."""
    position = random_positions.position(rules, Drawn(draw))
    routes = reference._complete_captures(rules, position)
    assume(next(islice(routes, MAX_ROUTES, None), None) is None)
    return position


@st.composite
def endings(draw: st.DrawFn, rules: Rules) -> reference.Position:
    """A man and one or two kings of each side, with room to move."""
    return random_positions.ending(rules, Drawn(draw))


@st.composite
def situations(draw: st.DrawFn) -> tuple[Rules, reference.Position]:
    """A rule set of any kind and a position of it."""
    rules = draw(rule_sets())
    return rules, draw(positions(rules))


@st.composite
def material_draws(draw: st.DrawFn) -> MaterialDraw:
    """A material draw whose condition most positions with few pieces fulfil."""

    def some() -> tuple[int, int]:
        return draw(st.sampled_from(((0, 72), (0, 72), (0, 2), (1, 9), (2, 6), (1, 1))))

    return MaterialDraw(
        moves=draw(st.integers(0, 4)),
        strong=Force(men=some(), kings=some()),
        weak=Force(kings=some(), pieces=some()),
        pieces=draw(st.sampled_from(((0, 72), (0, 8), (3, 20)))),
        main_road=draw(st.sampled_from((False, False, True))),
        strong_main_road=draw(st.sampled_from((False, False, True))),
        unchanged=draw(st.booleans()),
    )
