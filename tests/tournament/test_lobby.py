"""Pairing waves of the lobby: which players are paired and which wait."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka.errors import TournamentError
from damka.tournament import Pairing
from damka.tournament.lobby import MISSED, Seeker, Wave, limit, wave


def seekers(*ratings: float) -> list[Seeker]:
    return [Seeker(f"s{n}", rating) for n, rating in enumerate(ratings)]


def met(found: Wave) -> set[frozenset[str]]:
    return {frozenset((each.white, each.black)) for each in found.pairings}


def test_players_with_close_ratings_are_paired() -> None:
    found = wave(seekers(1500, 1800, 1520, 1790), 1)
    assert met(found) == {frozenset(("s0", "s2")), frozenset(("s1", "s3"))}
    assert found.waiting == ()


def test_300_points_apart_is_the_most_below_2000() -> None:
    assert len(wave(seekers(1500, 1800), 1).pairings) == 1
    found = wave(seekers(1500, 1801), 1)
    assert found.pairings == ()
    assert [each.missed for each in found.waiting] == [1, 1]
    assert len(wave(found.waiting, 1).pairings) == 1  # 301 less 2 × 30
    assert (limit(1999), limit(2000)) == (300, float("inf"))
    assert len(wave(seekers(2000, 2900), 1).pairings) == 1
    assert wave(seekers(1999, 2900), 1).pairings == ()


def test_each_missed_wave_widens_the_search() -> None:
    one, other = seekers(1200, 1600)
    for missed in range(5):
        found = wave([Seeker("s0", 1200, missed), other], 1)
        assert bool(found.pairings) is (400 - MISSED * missed <= 300)
    assert one.missed == 0


def test_the_longest_waiting_player_is_paired_first() -> None:
    found = wave([*seekers(1500, 1501), Seeker("late", 1650, missed=6)], 1)
    assert all(each.id != "late" for each in found.waiting)


def test_players_who_block_each_other_are_not_paired() -> None:
    blocked = [Seeker("a", 1500, avoids=frozenset("b")), Seeker("b", 1500)]
    assert wave(blocked, 1).pairings == ()
    assert wave(blocked[::-1], 1).pairings == ()


def test_colours_follow_the_balance() -> None:
    pair = [Seeker("a", 1500, balance=1), Seeker("b", 1500, balance=-1)]
    assert all(wave(pair, seed).pairings == (Pairing("b", "a"),) for seed in range(9))
    by_lot = {wave(seekers(1500, 1500), seed).pairings[0].white for seed in range(30)}
    assert by_lot == {"s0", "s1"}


@given(st.lists(st.integers(800, 2600), max_size=30), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_a_wave_depends_only_on_the_seekers_and_the_seed(ratings: list[int], seed: int) -> None:
    entrants = seekers(*ratings)
    found = wave(entrants, seed)
    shuffled = random.Random(seed).sample(entrants, len(entrants))
    assert set(wave(shuffled, seed).pairings) == set(found.pairings)
    placed = [player for each in found.pairings for player in (each.white, each.black)]
    assert sorted(placed + [each.id for each in found.waiting]) == sorted(
        each.id for each in entrants
    )
    # No two waiting players could have been paired.
    rest = sorted(each.rating for each in found.waiting)
    assert all(b - a > min(limit(a), limit(b)) for a, b in pairwise(rest))


def test_large_waves_are_paired_in_groups() -> None:
    rng = random.Random(5)
    found = wave(seekers(*(rng.randint(1400, 1900) for _ in range(130))), 1)
    assert len(found.pairings) == 65


@pytest.mark.parametrize(
    "make",
    [
        lambda: wave([Seeker("a", 1500), Seeker("a", 1600)], 1),
        lambda: Seeker("", 1500),
        lambda: Seeker("a", 5000),
        lambda: Seeker("a", float("nan")),
        lambda: wave(seekers(*range(2001)), 1),
    ],
)
def test_invalid_seekers_are_refused(make: object) -> None:
    with pytest.raises(TournamentError):
        make()  # type: ignore[operator]
