"""Tie-breaks: tables from literature, hand-computed cases, and general properties."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings

from damka.tournament import (
    CLASSIC,
    DRAUGHTS,
    Player,
    PointSystem,
    System,
    TieBreak,
    Tournament,
    Unplayed,
    history,
    standings,
)
from damka.tournament.tiebreaks import direct_encounter, read, value
from tests.tournament.support import played, random_rounds, tournaments


def values(event: Tournament, tie_break: TieBreak, players: str) -> list[float | None]:
    sheets = read(event)
    return [value(sheets, each, tie_break) for each in players]


# Tables from literature


def test_sonneborn_berger_of_a_double_round_robin() -> None:
    """Sensei's Library, "Sonneborn-Berger": four players in a double round robin."""
    event = played(
        """
        A 1-0 B, C 1-0 D
        A 1-0 C, B 1-0 D
        A 1-0 D, B 1-0 C
        B 1-0 A, D 0-1 C
        C 0-1 A, D 0-1 B
        D 1-0 A, C 1-0 B
        """,
        system=System.ROUND_ROBIN,
    )
    assert [read(event).scores[each] for each in "ABCD"] == [4, 4, 3, 1]
    assert values(event, TieBreak.SONNEBORN_BERGER, "ABCD") == [11, 9, 6, 4]


@pytest.mark.parametrize(("lowest", "expected"), [("3", 6), ("2", 5)])
def test_solkoff_and_sonneborn_berger_of_three_wins(lowest: str, expected: float) -> None:
    """Hult Chess Club, "Sonneborn-Berger", example 1: opponents with 1, 3 (or 2), 2, 2, 2 points.

    P beat the first three of them. The other players are X, Y and Z.
    """
    last = "C 1-0 X" if lowest == "3" else "Z 1-0 C"
    event = played(
        f"""
        P 1-0 B, C 1-0 X, D 1-0 Y
        P 1-0 C, D 1-0 X, B 1-0 Y, E 1-0 Z
        P 1-0 D, C 1-0 Z, F 1-0 Y
        E 1-0 P, {last}
        F 1-0 P
        """,
        unplayed=Unplayed.AS_SCORED,
    )
    scores = read(event).scores
    assert [scores[each] for each in "BCDEF"] == [1, float(lowest), 2, 2, 2]
    assert values(event, TieBreak.SONNEBORN_BERGER, "P") == [expected]
    assert values(event, TieBreak.SOLKOFF, "P") == [7 + float(lowest)]
    assert values(event, TieBreak.SOLKOFF_CUT_1, "P") == [6 + float(lowest)]


def test_the_virtual_opponent_of_a_win_by_default() -> None:
    """FIDE 1998 (Swiss Pairings Committee), example 1: 6 of 9 points, a default win in round 3."""
    lines = ["A 1-0 B", "A 1-0 C", "A +:- D", "A 1-0 E", "A 1-0 F", "A 1-0 G", *("B 1-0 A",) * 3]
    sheets = read(played("\n".join(lines)))
    assert sheets.scores["A"] == 6
    assert sheets.adjusted["A"] == 5.5  # score for the opponents' tie-breaks
    others = {each: sheets.adjusted[each] for each in "BCEFG"}
    met = others["B"] * 4 + sum(others[each] for each in "CEFG")
    assert value(sheets, "A", TieBreak.SOLKOFF) == met + 5


def test_the_virtual_opponent_of_an_absence() -> None:
    """The same, example 2: 6 points, 4 after round 6, absent in round 7."""
    lines = ["A 1-0 B"] * 4 + ["B 1-0 A"] * 2 + ["A Z", "A 1-0 B", "A 1-0 B"]
    sheets = read(played("\n".join(lines)))
    assert sheets.scores["A"] == 6
    assert sheets.adjusted["A"] == 6.5
    assert value(sheets, "A", TieBreak.SOLKOFF) == 8 * sheets.adjusted["B"] + 6


# By hand: three rounds of draughts, 2 points for a win

SWISS = """
A 1-0 C, B = D
A = B, D 1-0 C
D 0-1 A, C 0-1 B
"""


def test_a_swiss_of_draughts_by_hand() -> None:
    # A: C won, B drawn, D won: 5. B: D drawn, A drawn, C won: 4. D: B drawn, C won, A lost: 3.
    event = played(SWISS, DRAUGHTS)
    scores = {"A": 5, "B": 4, "C": 0, "D": 3}
    assert read(event).scores == scores
    assert values(event, TieBreak.SOLKOFF, "ABCD") == [0 + 4 + 3, 3 + 5 + 0, 5 + 3 + 4, 4 + 0 + 5]
    assert values(event, TieBreak.SOLKOFF_CUT_1, "ABCD") == [7, 8, 9, 9]
    assert values(event, TieBreak.SONNEBORN_BERGER, "ABCD") == [0 + 2 + 3, 1.5 + 2.5 + 0, 0, 2]
    assert values(event, TieBreak.WINS, "ABCD") == [2, 1, 0, 1]
    assert values(event, TieBreak.CUMULATIVE, "ABCD") == [2 + 3 + 5, 1 + 2 + 4, 0, 1 + 3 + 3]


def test_standings_are_ordered_by_points() -> None:
    rows = standings(played(SWISS, DRAUGHTS))
    assert [(row.rank, row.player.id) for row in rows] == [(1, "A"), (2, "B"), (3, "D"), (4, "C")]
    assert (rows[0].games, rows[0].wins, rows[0].draws, rows[0].losses) == (3, 2, 1, 0)


def test_performance_counts_games_against_rated_opponents() -> None:
    event = played("A 1-0 B, C = D\nA = C, B 1-0 D\nA +:- D")
    rated = {"B": 1800, "C": 2000, "D": 2500}
    players = tuple(Player(p.id, p.name, rated.get(p.id, 0)) for p in event.players)
    event = replace(event, players=players)
    # A: 1½ of 2 against a mean of 1900; the forfeit does not count.
    assert values(event, TieBreak.PERFORMANCE, "A") == [1900 + 193]
    # D drew with C and lost to B; C's only rated opponent is D.
    assert values(event, TieBreak.PERFORMANCE, "CD") == [2500, 1900 - 193]
    assert values(played("A +:- B"), TieBreak.PERFORMANCE, "A") == [None]


def test_direct_encounter_needs_games_between_all() -> None:
    met = read(played("A 1-0 B, C = D\nB 1-0 C\nC 1-0 A"))
    assert direct_encounter(met, "ABC") == {"A": 1, "B": 1, "C": 1}
    assert direct_encounter(met, "AB") == {"A": 1, "B": 0}
    assert direct_encounter(met, "ABD") is None


def test_direct_encounter_breaks_the_remaining_ties() -> None:
    order = (TieBreak.DIRECT_ENCOUNTER,)
    event = played("B 1-0 A, C 1-0 D\nA 1-0 D, C 0-1 B\nD 1-0 B, A 1-0 C", tie_breaks=order)
    rows = standings(event)
    assert [row.player.id for row in rows] == ["B", "A", "C", "D"]
    assert [row.tie_breaks for row in rows] == [(1,), (0,), (1,), (0,)]
    assert [row.rank for row in rows] == [1, 2, 3, 4]


def test_players_tied_on_everything_share_a_rank() -> None:
    rows = standings(played("A = B, C = D\nA = D, B = C"))
    assert [row.rank for row in rows] == [1, 1, 1, 1]
    assert [row.number for row in rows] == [1, 2, 3, 4]


def test_scores_of_unplayed_games() -> None:
    event = played("A U, B 1-0 C\nA 1-0 B, C H", unplayed=Unplayed.AS_SCORED)
    assert values(event, TieBreak.SOLKOFF, "ABC") == [1, 0.5 + 2, 1]
    assert values(event, TieBreak.SONNEBORN_BERGER, "ABC") == [1, 0.5, 0]


def test_a_forfeit_in_a_round_robin_counts_like_a_game() -> None:
    event = played("A +:- B, C = D\nA = C, B 1-0 D", system=System.ROUND_ROBIN)
    assert values(event, TieBreak.SONNEBORN_BERGER, "A") == [1 + 0.5]
    assert values(event, TieBreak.WINS, "A") == [0]


def test_a_bye_with_its_own_value_is_a_draw_with_a_virtual_opponent() -> None:
    points = PointSystem(2, 1, 0, allocated_bye=1)
    event = played("A U, B 1-0 C\nA 1-0 B, C U", points)
    # The virtual opponent drew with A and then drew again; B has 2.
    assert values(event, TieBreak.SOLKOFF, "A") == [1 + 1 + 2]
    assert values(event, TieBreak.SONNEBORN_BERGER, "A") == [(1 + 1) / 2 + 2]


# General properties


@given(tournaments(unplayed=False))
def test_solkoff_counts_every_score_once_for_every_game(event: Tournament) -> None:
    sheets = read(event)
    total = sum(value(sheets, p.id, TieBreak.SOLKOFF) or 0 for p in event.players)
    assert total == sum(sheets.scores[p.id] * len(event.rounds) for p in event.players)


@given(tournaments())
def test_sonneborn_berger_and_the_cut_are_at_most_solkoff(event: Tournament) -> None:
    sheets = read(event)
    for each in event.players:
        solkoff = value(sheets, each.id, TieBreak.SOLKOFF)
        assert solkoff is not None
        for other in (TieBreak.SONNEBORN_BERGER, TieBreak.SOLKOFF_CUT_1):
            assert 0 <= (value(sheets, each.id, other) or 0) <= solkoff


@given(tournaments())
def test_doubled_points_double_the_tie_breaks(event: Tournament) -> None:
    once, twice = (read(replace(event, points=points)) for points in (CLASSIC, DRAUGHTS))
    for each in event.players:
        for tie_break in (TieBreak.SOLKOFF, TieBreak.SONNEBORN_BERGER, TieBreak.CUMULATIVE):
            single = value(once, each.id, tie_break)
            assert single is not None
            assert value(twice, each.id, tie_break) == 2 * single


@given(tournaments())
@settings(max_examples=50)
def test_standings_fall_and_do_not_depend_on_the_starting_list(event: Tournament) -> None:
    rows = standings(event)
    assert sorted(row.player.id for row in rows) == sorted(p.id for p in event.players)
    assert all(a.points >= b.points and a.rank <= b.rank for a, b in pairwise(rows))
    turned = standings(replace(event, players=event.players[::-1]))
    assert {row.player.id: row.rank for row in rows} == {r.player.id: r.rank for r in turned}


@given(tournaments())
def test_every_player_has_a_record_for_every_round(event: Tournament) -> None:
    for records in history(event).values():
        assert [record.round for record in records] == [*range(1, len(event.rounds) + 1)]


def test_points_after_a_round_include_earlier_rounds() -> None:
    event = random_rounds(1, 8, 5)
    cut = replace(event, rounds=event.rounds[:3])
    assert [(r.player.id, r.points) for r in standings(event, 3)] == [
        (r.player.id, r.points) for r in standings(cut)
    ]
