"""Arenas: points and streaks, waves, pauses."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka.errors import TournamentError
from damka.tournament import Outcome, Pairing, Player, dump, parse_arena
from damka.tournament.arena import Arena, ArenaGame, Presence, pair, standings

WIN, DRAW, LOSS = Outcome.WHITE, Outcome.DRAW, Outcome.BLACK


def arena(count: int) -> Arena:
    found = Arena(name="Friday")
    for n in range(count):
        found = found.join(Player(f"p{n}", f"Player {n}", 1900 - 10 * n))
    return found


def results(*outcomes: Outcome, berserk: bool = False) -> list[int]:
    """Return the points of p0, who plays White in every game."""
    found = arena(2)
    for number, outcome in enumerate(outcomes):
        found = found.begin([Pairing("p0", "p1")])
        found = found.finish(number, outcome, white_berserk=berserk)
    row = next(row for row in standings(found) if row.player.id == "p0")
    assert row.points == sum(score.points for score in row.scores)
    return [score.points for score in row.scores]


def test_points_and_streaks() -> None:
    assert results(WIN, DRAW, LOSS) == [2, 1, 0]
    assert results(WIN, WIN, WIN, WIN) == [2, 2, 4, 4]
    # The game that ends a streak still counts double.
    assert results(WIN, WIN, DRAW, WIN, WIN, WIN) == [2, 2, 2, 2, 2, 4]
    assert results(WIN, WIN, LOSS, WIN) == [2, 2, 0, 2]
    assert results(WIN, DRAW, WIN, WIN) == [2, 1, 2, 2]


def test_a_berserk_point_is_not_doubled() -> None:
    assert results(WIN, WIN, WIN, DRAW, LOSS, berserk=True) == [3, 3, 5, 2, 0]
    assert results(Outcome.WHITE_BY_FORFEIT, berserk=True) == [2]


def test_streaks_follow_the_order_of_game_ends() -> None:
    found = arena(4).begin([Pairing("p0", "p1"), Pairing("p2", "p3")])
    found = found.finish(1, WIN).finish(0, LOSS)
    assert found.finished == (1, 0)
    assert {row.player.id: row.points for row in standings(found)} == {
        "p1": 2,
        "p2": 2,
        "p0": 0,
        "p3": 0,
    }


def test_tied_players_are_ranked_by_performance() -> None:
    found = arena(4).begin([Pairing("p0", "p3"), Pairing("p2", "p1")])
    rows = standings(found.finish(0, WIN).finish(1, WIN))
    # p2 beat the higher rated.
    assert [row.player.id for row in rows] == ["p2", "p0", "p3", "p1"]
    assert rows[0].performance == 1890 + 800
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [row.rank for row in standings(arena(3))] == [1, 1, 1]


def test_neighbours_in_the_standings_are_paired() -> None:
    found = arena(8)
    found = found.begin([Pairing(f"p{n}", f"p{n + 4}") for n in range(4)])
    for game in range(4):
        found = found.finish(game, WIN)
    pairs = [{each.white, each.black} for each in pair(found, 1)]
    winners = {f"p{n}" for n in range(4)}
    assert all(len(each & winners) in (0, 2) for each in pairs)


def test_colours_alternate() -> None:
    found = arena(4).begin([Pairing("p0", "p1"), Pairing("p2", "p3")])
    found = found.finish(0, DRAW).finish(1, DRAW)
    for seed in range(9):
        for each in pair(found, seed):
            whites = {each.white, each.black} & {"p0", "p2"}
            if len(whites) == 1:
                assert each.black in whites


def test_a_player_does_not_meet_the_last_opponent_again() -> None:
    found = arena(3).begin([Pairing("p0", "p1")]).finish(0, WIN)
    for seed in range(9):
        (game,) = pair(found, seed)
        assert "p2" in (game.white, game.black)


def test_the_only_two_players_meet_repeatedly() -> None:
    found = arena(2).begin([Pairing("p0", "p1")]).finish(0, WIN)
    assert pair(found, 1) == (Pairing("p1", "p0"),)


def test_an_unpaired_player_is_paired_next() -> None:
    found = arena(5)
    alone = Counter[str]()
    for number in range(10):
        wave = pair(found, number)
        alone.update({f"p{n}" for n in range(5)} - {p for g in wave for p in (g.white, g.black)})
        found = found.begin(wave)
        for game in range(len(found.games) - 2, len(found.games)):
            found = found.finish(game, DRAW)
        assert max(each.missed for each in found.players) <= 1
    assert alone.total() == 10


def test_players_who_pause_or_leave_are_not_paired() -> None:
    found = arena(6).pause("p1").leave("p4")
    assert {each.player.id for each in found.waiting} == {"p0", "p2", "p3", "p5"}
    assert len(pair(found, 1)) == 2
    back = found.resume("p1").join(Player("p4", "Player 4", 2100))
    assert len(back.waiting) == 6
    assert back.players[4].player.rating == 2100
    assert len(back.players) == 6


def test_games_continue_while_a_player_pauses() -> None:
    found = arena(2).begin([Pairing("p0", "p1")]).pause("p0")
    assert found.playing == {"p0", "p1"}
    assert found.waiting == ()
    found = found.finish(0, WIN)
    assert [each.player.id for each in found.waiting] == ["p1"]
    assert found.players[0].presence is Presence.PAUSED


@given(st.integers(2, 14), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_random_arenas_keep_their_invariants(count: int, seed: int) -> None:
    rng = random.Random(seed)
    found = arena(count)
    for number in range(8):
        wave = pair(found, number)
        assert wave == pair(found, number)
        assert len(wave) <= len(found.waiting) // 2
        last = {}
        for game in found.games:
            last[game.white], last[game.black] = game.black, game.white
        if count > 2:
            assert all(last.get(each.white) != each.black for each in wave)
        found = found.begin(wave)
        on = [n for n, game in enumerate(found.games) if game.outcome is None]
        for place in rng.sample(on, (len(on) + 1) // 2):
            found = found.finish(place, rng.choice([*Outcome]))
    assert parse_arena(dump(found)) == found
    balance = Counter(g.white for g in found.games)
    balance.subtract(g.black for g in found.games)
    assert max(map(abs, balance.values())) <= 3


def test_large_arenas_are_paired_in_groups() -> None:
    wave = pair(arena(101), 1)
    assert len(wave) == 50


@pytest.mark.parametrize(
    ("make", "where"),
    [
        (lambda: arena(2).pause("p9"), "arena"),
        (lambda: arena(2).begin([Pairing("p0", "p9")]), "wave"),
        (lambda: arena(2).pause("p1").begin([Pairing("p0", "p1")]), "wave"),
        (lambda: arena(2).begin([Pairing("p0", "p1")] * 2), "wave"),
        (lambda: arena(2).begin([Pairing("p0", "p0")]), "wave"),
        (lambda: arena(2).finish(0, WIN), "game"),
        (
            lambda: arena(2).begin([Pairing("p0", "p1")]).finish(0, WIN).finish(0, WIN),
            "game 0",
        ),
        (lambda: Arena(name=""), "name"),
        (lambda: Arena(name="A", finished=(3,)), "finished"),
        (lambda: Arena(name="A", games=(ArenaGame("a", "b"),)), "games"),
    ],
)
def test_errors_name_their_place(make: object, where: str) -> None:
    with pytest.raises(TournamentError) as caught:
        make()  # type: ignore[operator]
    assert caught.value.where == where
