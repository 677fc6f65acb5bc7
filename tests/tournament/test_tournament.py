"""A tournament and its changes: entries, withdrawals, results, corrections, limits."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka.errors import TournamentError
from damka.tournament import (
    CLASSIC,
    DRAUGHTS,
    THREE_POINTS,
    Bye,
    ByeKind,
    Outcome,
    Pairing,
    Player,
    PointSystem,
    Round,
    TieBreak,
    Tournament,
    dump,
    history,
    parse,
    parse_arena,
    scores,
)
from tests.tournament.support import player, tournament, tournaments

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def four(**settings: Any) -> Tournament:
    """Return a tournament of four players, whose first round is paired."""
    event = tournament(4, **settings)
    return event.add(Round((Pairing("1", "3", (None,)), Pairing("4", "2", (None,)))))


def test_points_of_the_outcomes() -> None:
    worth = {
        Outcome.WHITE: (2, 0),
        Outcome.DRAW: (1, 1),
        Outcome.BLACK: (0, 2),
        Outcome.WHITE_BY_FORFEIT: (2, 0),
        Outcome.BLACK_BY_FORFEIT: (0, 2),
        Outcome.DOUBLE_FORFEIT: (0, 0),
        None: (0, 0),
    }
    for outcome, points in worth.items():
        assert (DRAUGHTS.game(outcome, True), DRAUGHTS.game(outcome, False)) == points
    assert [CLASSIC.bye(kind) for kind in ByeKind] == [1, 1, 0.5, 0]
    assert [THREE_POINTS.bye(kind) for kind in ByeKind] == [3, 3, 1, 0]
    assert PointSystem(2, 1, 0, allocated_bye=1).bye(ByeKind.ALLOCATED) == 1
    lost = PointSystem(3, 2, 1)
    assert lost.game(Outcome.WHITE, False) == 1
    assert lost.game(Outcome.WHITE_BY_FORFEIT, False) == 0


@pytest.mark.parametrize("points", [(1, 2, 0), (1, 1, 1), (-1, 0, 0), (11, 1, 0), (2, 1.3, 0)])
def test_invalid_points_are_refused(points: tuple[float, float, float]) -> None:
    with pytest.raises(TournamentError, match="points"):
        PointSystem(*points)


def test_players_are_listed_by_rating_and_late_ones_among_them() -> None:
    event = Tournament(name="Open", length=5)
    event = event.enter(player("b", 1500), player("a", 1500), player("c", 1700))
    assert [each.id for each in event.players] == ["c", "a", "b"]
    assert event.number("b") == 3
    event = event.enter(player("d", 1600))
    assert [each.id for each in event.players] == ["c", "d", "a", "b"]


def test_the_arbiters_order_is_preserved() -> None:
    event = Tournament(name="Open", length=5, players=(player("a", 1400), player("b", 1500)))
    assert [each.id for each in event.enter(player("c", 1450)).players] == ["c", "a", "b"]


def test_after_four_rounds_late_entries_come_last() -> None:
    event = tournament(4, length=9)
    for _ in range(4):
        event = event.add(Round((), tuple(Bye(p.id, ByeKind.HALF) for p in event.players)))
    assert event.enter(player("late", 2500)).players[-1].id == "late"


def test_rounds_missed_by_a_late_entry_count_as_byes() -> None:
    event = four().record(1, 1, Outcome.DRAW).record(1, 2, Outcome.DRAW)
    zero, half = event.enter(player("late")), event.enter(player("late"), missed=ByeKind.HALF)
    assert (scores(zero)["late"], scores(half)["late"]) == (0, 1)
    assert history(half)["late"][0].bye is ByeKind.HALF
    with pytest.raises(TournamentError, match="F, H or Z"):
        event.enter(player("late"), missed=ByeKind.ALLOCATED)


def test_a_withdrawn_player_is_not_paired_and_may_return() -> None:
    event = four().record(1, 1, Outcome.WHITE).record(1, 2, Outcome.WHITE).withdraw("3")
    assert [each.id for each in event.active] == ["1", "2", "4"]
    rest = Round((Pairing("1", "4"),), (Bye("2", ByeKind.ALLOCATED),))
    later = event.add(rest)
    assert history(later)["3"][1].bye is ByeKind.ZERO
    with pytest.raises(TournamentError, match="3 left out"):
        event.readmit("3").add(rest)
    with pytest.raises(TournamentError, match="3 withdrawn"):
        event.add(Round((Pairing("1", "4"), Pairing("2", "3"))))
    with pytest.raises(TournamentError, match="has not withdrawn"):
        event.withdraw("3")
    with pytest.raises(TournamentError, match="has withdrawn"):
        event.readmit("1")


def test_a_requested_bye_replaces_an_earlier_one() -> None:
    event = tournament(4).request_bye("1", 2).request_bye("1", 2, ByeKind.ZERO)
    assert [(bye.player, bye.round, bye.kind.value) for bye in event.requested_byes] == [
        ("1", 2, "Z")
    ]
    with pytest.raises(TournamentError, match="round"):
        four().request_bye("1", 1)
    with pytest.raises(TournamentError, match="F, H or Z"):
        event.request_bye("1", 3, ByeKind.ALLOCATED)


def test_results_are_recorded_once_and_then_corrected() -> None:
    event = four().record(1, 1, Outcome.WHITE)
    with pytest.raises(TournamentError, match="use `correct` to change one"):
        event.record(1, 1, Outcome.DRAW)
    event = event.correct(1, 1, Outcome.DRAW, by="Chief arbiter", at=NOON, why="score sheets")
    assert scores(event)["1"] == 1
    (entry,) = event.corrections
    assert (entry.before, entry.after, entry.by, entry.at, entry.why) == (
        Outcome.WHITE,
        Outcome.DRAW,
        "Chief arbiter",
        NOON,
        "score sheets",
    )
    with pytest.raises(TournamentError, match="another outcome"):
        event.correct(1, 1, Outcome.DRAW, by="A", at=NOON)
    event = event.correct(1, 1, None, by="A", at=NOON)
    assert event.pairing(1, 1).outcomes == (None,)
    assert len(event.corrections) == 2


def test_the_next_round_needs_all_results() -> None:
    with pytest.raises(TournamentError, match="round 1, board 1: no outcome"):
        four().add(Round())


def test_a_round_can_be_unpaired_before_results() -> None:
    assert four().unpair() == tournament(4)
    with pytest.raises(TournamentError, match="board 2: an outcome"):
        four().record(1, 2, Outcome.DRAW).unpair()
    with pytest.raises(TournamentError, match="a paired round"):
        tournament(4).unpair()


def test_two_games_in_a_round_change_the_colours() -> None:
    event = tournament(2, games=2).add(Round((Pairing("1", "2", (None, None)),)))
    event = event.record(1, 1, Outcome.WHITE, game=1)
    assert not event.rounds[0].over
    event = event.record(1, 1, Outcome.WHITE, game=2)  # by "2", now with White
    assert scores(event) == {"1": 2, "2": 2}
    assert [(r.white, r.points) for r in history(event)["2"]] == [(False, 0), (True, 2)]
    with pytest.raises(TournamentError, match="game"):
        event.correct(1, 1, None, by="A", at=NOON, game=3)


def test_a_bye_counts_for_both_games_of_a_round() -> None:
    event = tournament(1, games=2).add(Round((), (Bye("1", ByeKind.ALLOCATED),)))
    assert scores(event) == {"1": 4}


@pytest.mark.parametrize(
    ("make", "where"),
    [
        (lambda: Player("", "A"), "player.id"),
        (lambda: Player("a", ""), "player a, name"),
        (lambda: Player("a", "A" * 101), "player a, name"),
        (lambda: Player("a", "A\nB"), "player a, name"),
        (lambda: Player("a", " A"), "player a, name"),
        (lambda: Player("a", "A", rating=4001), "player a, rating"),
        (lambda: Player("a", "A", rating=True), "player a, rating"),
        (lambda: Player("a", "A", federation="NEDE"), "player a, federation"),
        (lambda: Player("a", "A", title="1"), "player a, title"),
        (lambda: Player("a", "A", sex="x"), "player a, sex"),
        (lambda: Player("a", "A", birth="1990/01/01"), "player a, birth"),
        (lambda: Tournament(name="A", length=0), "length"),
        (lambda: Tournament(name="A", length=101), "length"),
        (lambda: Tournament(name="", length=1), "name"),
        (lambda: Tournament(name="A", length=1, games=3), "games"),
        (lambda: Tournament(name="A", length=1, tie_breaks=(TieBreak.WINS,) * 2), "tie_breaks"),
        (lambda: Tournament(name="A", length=1, players=(player("a"),) * 2), "players"),
        (lambda: Tournament(name="A", length=1, rounds=(Round(),) * 2), "rounds"),
        (lambda: Tournament(name="A", length=1, withdrawn=("a",)), "withdrawn"),
        (lambda: tournament(2).forbid("1", "1"), "forbidden"),
        (lambda: tournament(2).forbid("1", "9"), "forbidden"),
        (lambda: tournament(2).player("9"), "player"),
        (lambda: replace(tournament(2), rounds=(Round((Pairing("1", "9"),)),)), "round 1"),
        (lambda: replace(tournament(2), rounds=(Round((Pairing("1", "1"),)),)), "round 1"),
        (
            lambda: replace(tournament(2), rounds=(Round((Pairing("1", "2", ()),)),)),
            "round 1, board 1",
        ),
        (lambda: four().record(1, 3, Outcome.DRAW), "round 1, board"),
        (lambda: four().record(2, 1, Outcome.DRAW), "round"),
        (
            lambda: Tournament(
                name="A", length=1, players=tuple(player(str(n)) for n in range(2001))
            ),
            "players",
        ),
    ],
)
def test_errors_name_their_place(make: Callable[[], object], where: str) -> None:
    with pytest.raises(TournamentError) as caught:
        make()
    assert caught.value.where == where
    assert caught.value.expected
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301


@given(tournaments())
def test_tournaments_round_trip_through_files(event: Tournament) -> None:
    assert parse(dump(event)) == event


def test_files_keep_corrections_and_dates() -> None:
    event = four(begins=NOON.date()).record(1, 1, Outcome.WHITE)
    event = event.correct(1, 1, Outcome.DRAW, by="A", at=NOON).forbid("1", "2").request_bye("3", 2)
    assert parse(dump(event)) == event


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "JSON"),
        (b"\xff", "JSON"),
        (b"{}", "a file written by damka.tournament"),
        (b"[" * 100_000, "a file written by damka.tournament"),
        (b'{"format":"damka-arena","version":1,"value":{}}', "damka-tournament, version 1"),
        (b'{"format":"damka-tournament","version":1,"value":{"name":"A"}}', "length"),
        (b'{"format":"damka-tournament","version":1,"value":{"name":"A","length":0}}', "length: 0"),
    ],
)
def test_invalid_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(TournamentError, match=message):
        parse(data)


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    for reader in (parse, parse_arena):
        with pytest.raises(TournamentError):
            reader(data)


def test_a_missing_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['caissify_pairings'] = sys.modules['networkx'] = None\n"
        "from damka.tournament import Player, Tournament, pair\n"
        "pair(Tournament(name='A', length=1).enter(Player('a', 'A'), Player('b', 'B')))"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert "TournamentError" in completed.stderr
    assert "expected pip install 'damka[events]'" in completed.stderr
