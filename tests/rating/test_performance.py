"""Performance ratings."""

from __future__ import annotations

from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka.rating import difference, performance


@pytest.mark.parametrize(
    ("share", "points"), [(0.5, 0), (0.57, 50), (0.66, 117), (0.67, 125), (0.92, 401), (1, 800)]
)
def test_differences_match_the_fide_table(share: float, points: int) -> None:
    """FIDE Rating Regulations B.02, table 8.1.1."""
    assert difference(share) == points
    assert difference(1 - share) == -points


@pytest.mark.parametrize("percent", range(50, 96))
def test_the_table_approximates_a_normal_distribution(percent: int) -> None:
    # Elo's deviation for the difference of two players is 2000/7.
    exact = NormalDist(0, 2000 / 7).inv_cdf(percent / 100)
    assert difference(percent / 100) == pytest.approx(exact, abs=2)


@given(st.lists(st.integers(600, 3000), min_size=1), st.floats(0, 1))
def test_performance_increases_with_the_score(opponents: list[int], share: float) -> None:
    low, high = performance(opponents, share / 2), performance(opponents, share)
    assert low is not None
    assert high is not None
    assert low <= high <= max(opponents) + 801


def test_performance_without_opponents_and_invalid_scores() -> None:
    assert performance([], 0.5) is None
    assert performance([1500, 1601], 0.5) == 1551
    with pytest.raises(ValueError, match="share"):
        difference(1.01)
