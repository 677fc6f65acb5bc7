"""A game ends early only where both players agree."""

from __future__ import annotations

import pytest

from damka.match import Adjudicator, Clear, Verdict

CLEAR = Clear(score=500, moves=2, even=10, even_moves=3, even_plies=20, plies=50)


def judged(scores: list[int | None], begin: int = 0) -> tuple[int, Verdict] | None:
    """Tell the scores by turns, White's first, each as its player sees it; say when it ended."""
    judge = Adjudicator(CLEAR)
    for number, score in enumerate(scores, start=1):
        verdict = judge.judge("W" if number % 2 else "B", score, begin + number)
        if verdict is not None:
            return number, verdict
    return None


def test_both_see_the_win() -> None:
    assert judged([500, -500, 500, -500]) == (4, Verdict("W", "score"))
    assert judged([-600, 900, -600, 29_000]) == (4, Verdict("B", "score"))


@pytest.mark.parametrize(
    "scores",
    [
        [900, -100] * 8,  # one alone sees it
        [900, 900] * 8,  # both think that they win
        [900, None] * 8,  # the other says nothing
        [900, -900, 900, 0, 900, -900, 900, 0],  # not twice, one after the other
        [499, -499] * 8,
    ],
)
def test_without_agreement_the_game_goes_on(scores: list[int | None]) -> None:
    assert judged(scores) is None


def test_who_falls_silent_takes_its_agreement_back() -> None:
    assert judged([900, -900, 900, None, 900, -900, 900]) is None
    assert judged([900, -900, 900, None, 900, -900, 900, -900]) == (8, Verdict("W", "score"))


def test_even_for_long_is_a_draw_late_in_a_game_only() -> None:
    assert judged([10, -10] * 3, begin=20) == (6, Verdict(None, "even"))
    assert judged([10, -10] * 3) is None
    assert judged([10, -11] * 5, begin=20) is None


def test_a_game_has_so_many_plies_at_most() -> None:
    assert judged([0], begin=49) == (1, Verdict(None, "length"))
