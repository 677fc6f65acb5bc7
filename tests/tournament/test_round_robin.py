"""Round robins: Berger's tables, cycles, byes."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from caissify_pairings.engines.round_robin import berger_schedule

from damka.errors import TournamentError
from damka.tournament import Outcome, System, Tournament, pair, round_robin, scores
from tests.tournament.support import tournament


def robin(count: int, cycles: int = 1, **settings: Any) -> Tournament:
    length = round_robin.rounds_for(count, cycles)
    return tournament(count, length=length, system=System.ROUND_ROBIN, **settings)


@pytest.mark.parametrize("count", range(2, 41, 2))
def test_berger_tables_match_the_library(count: int) -> None:
    assert [list(each) for each in round_robin.berger(count)] == berger_schedule(count)


def test_bergers_table_for_six() -> None:
    """FIDE Handbook C.05, annex 1."""
    assert round_robin.berger(6) == (
        ((1, 6), (2, 5), (3, 4)),
        ((6, 4), (5, 3), (1, 2)),
        ((2, 6), (3, 1), (4, 5)),
        ((6, 5), (1, 4), (2, 3)),
        ((3, 6), (4, 2), (5, 1)),
    )
    with pytest.raises(ValueError, match="even"):
        round_robin.berger(5)


@pytest.mark.parametrize(("count", "cycles"), [(2, 1), (5, 1), (6, 1), (6, 2), (7, 2)])
def test_all_players_meet_each_other(count: int, cycles: int) -> None:
    met: dict[frozenset[str], list[str]] = {}
    for each in round_robin.schedule(robin(count, cycles)):
        assert len(each.byes) == count % 2
        for pairing in each.pairings:
            met.setdefault(frozenset((pairing.white, pairing.black)), []).append(pairing.white)
    assert len(met) == len(list(combinations(range(count), 2)))
    # In the second cycle the other has White.
    assert all(len(whites) == len(set(whites)) == cycles for whites in met.values())


def test_rounds_are_paired_one_after_the_other() -> None:
    event = robin(4)
    for number in range(1, 4):
        event = event.add(pair(event))
        for board in (1, 2):
            event = event.record(number, board, Outcome.DRAW)
    assert event.rounds[0].pairings[0].white == "1"
    assert set(scores(event).values()) == {3}
    with pytest.raises(TournamentError, match="at most 3"):
        pair(event)


def test_games_of_withdrawn_players_are_forfeits() -> None:
    event = robin(4, games=2)
    event = event.add(pair(event))
    for board in (1, 2):
        for game in (1, 2):
            event = event.record(1, board, Outcome.DRAW, game=game)
    event = event.withdraw("4").add(pair(event.withdraw("4")))
    assert event.rounds[1].pairings[0].white == "4"
    assert event.rounds[1].pairings[0].outcomes == (
        Outcome.BLACK_BY_FORFEIT,
        Outcome.WHITE_BY_FORFEIT,
    )
    assert scores(event)["3"] == 2 + 4


def test_an_impossible_round_robin_is_refused() -> None:
    with pytest.raises(TournamentError, match="3 rounds for 4 players, or a multiple"):
        round_robin.schedule(tournament(4, length=4, system=System.ROUND_ROBIN))
    with pytest.raises(TournamentError, match="2 or more"):
        round_robin.schedule(tournament(1, length=1, system=System.ROUND_ROBIN))
    with pytest.raises(TournamentError, match="system"):
        round_robin.schedule(tournament(4, length=3))
    event = robin(4)
    with pytest.raises(TournamentError, match="before the first round"):
        event.add(pair(event)).enter(event.players[0])
