"""Matching at minimum cost: the search and the library agree."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from damka.tournament.matching import Costs, cheapest, match, search


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, Costs]:
    count = draw(st.integers(0, 8))
    pairs = list(combinations(range(count), 2))
    some = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return count, {pair: draw(st.integers(-500, 500)) for pair in some}


@given(problems())
@settings(deadline=None)  # the first call loads the library
def test_the_search_and_the_library_agree(problem: tuple[int, Costs]) -> None:
    count, costs = problem
    one, other = search(count, costs), match(count, costs)
    assert len(one) == len(other)
    assert sum(costs[pair] for pair in one) == sum(costs[pair] for pair in other)


@given(problems())
@settings(deadline=None)  # the first call loads the library
def test_pairs_are_allowed_and_disjoint(problem: tuple[int, Costs]) -> None:
    count, costs = problem
    found = cheapest(count, costs)
    assert set(found) <= costs.keys()
    placed = [n for pair in found for n in pair]
    assert len(placed) == len(set(placed))


def test_more_pairs_come_before_cheaper_ones() -> None:
    costs = {(0, 1): 1, (1, 2): -100, (2, 3): 1}
    assert search(4, costs) == match(4, costs) == [(0, 1), (2, 3)]
