"""TRF: round trips, another program's reader, invalid texts."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from py4swiss.trf import ParsedTrf, TrfParser

from damka.errors import TournamentError
from damka.tournament import (
    CLASSIC,
    Outcome,
    Player,
    PointSystem,
    Tournament,
    headers,
    pair,
    scores,
    trf,
)
from tests.tournament.support import random_rounds, tournament

SAMPLE = trf.export(replace(random_rounds(7, 9, 4), site="Assen"))


def swiss(seed: int, count: int, rounds: int) -> Tournament:
    """Return a paired tournament with all data of TRF."""
    event = tournament(count, length=7, top_seed_white=False, points=PointSystem(3, 1, 0, 1))
    event = replace(
        event,
        name="Šampionát mesta",
        site="Žilina",
        federation="SVK",
        arbiter="Nováková, Jana",
        begins=date(2026, 5, 1),
        ends=date(2026, 5, 3),
    ).forbid("1", "2")
    for number in range(1, rounds + 1):
        event = event.add(pair(event))
        for board in range(1, len(event.rounds[-1].pairings) + 1):
            event = event.record(number, board, [*Outcome][(seed + board * number) % 6])
    return event


@pytest.mark.parametrize(("count", "rounds"), [(7, 0), (7, 3), (10, 4)])
def test_a_tournament_round_trips(count: int, rounds: int) -> None:
    event = swiss(rounds, count, rounds)
    back = trf.read(trf.export(event))
    assert back == event


def test_players_keep_their_trf_fields() -> None:
    event = Tournament(name="A", length=3).enter(
        Player("10023", "Jansen, Jan", 1450, "MI", "NED", "1990-02-03", "m"),
        Player("11", "Sow, Awa", 1440, "", "SEN", "1988", "w"),
    )
    assert trf.read(trf.export(event)).players == event.players


def test_only_rated_players_are_counted_and_only_federation_ids_written() -> None:
    event = Tournament(name="A", length=3).enter(
        Player("10023", "Jansen, Jan", 1450), Player("p2", "Sow, Awa"), Player("p3", "Li", 1300)
    )
    lines = trf.export(event).splitlines()
    assert "062 3" in lines
    assert "072 2" in lines
    ids = [line[57:68].strip() for line in lines if line.startswith("001")]
    assert ids == ["10023", "", ""]
    tags = headers(event.add(pair(event)), 1, 1)
    assert {name for name in tags if name.endswith("Id")} <= {"WhiteFmjdId", "BlackFmjdId"}
    assert {tags.get("WhiteFmjdId"), tags.get("BlackFmjdId")} <= {"10023", None}


def test_ids_that_are_not_numbers_are_lost() -> None:
    event = Tournament(name="A", length=3).enter(Player("anna", "Anna"))
    assert [each.id for each in trf.read(trf.export(event)).players] == ["n1"]


@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(0, 7))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_another_program_reads_the_same_points(seed: int, count: int, rounds: int) -> None:
    event = random_rounds(seed, max(count, 4), rounds, points=PointSystem(2, 1, 0))
    parsed = _parse(trf.export(event))
    points = scores(event)
    assert [each.points_times_ten / 10 for each in parsed.player_sections] == [
        points[each.id] for each in event.players
    ]
    back = trf.read(trf.export(event))
    assert scores(back) == points
    assert back.points == replace(event.points, allocated_bye=2)


def _parse(text: str) -> ParsedTrf:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "event.trf"
        file.write_text(text, "utf-8")
        return TrfParser.parse(file, strict=True)


def test_two_games_in_a_round_become_two_rounds() -> None:
    event = tournament(4, games=2)
    event = event.add(pair(event))
    for board in (1, 2):
        event = event.record(1, board, Outcome.WHITE).record(1, board, Outcome.DRAW, game=2)
    back = trf.read(trf.export(event))
    assert len(back.rounds) == 2
    assert scores(back) == scores(event)
    assert back.length == 10


def test_unfinished_games_stay_unfinished() -> None:
    event = tournament(4)
    event = event.add(pair(event)).record(1, 2, Outcome.DRAW)
    back = trf.read(trf.export(event))
    assert [each.outcomes for each in back.rounds[0].pairings] == [(None,), (Outcome.DRAW,)]


def test_a_hundred_points_are_refused() -> None:
    event = random_rounds(1, 4, 40, unplayed=False, points=PointSystem(10, 5, 0))
    with pytest.raises(TournamentError, match="less than 100"):
        trf.export(event)


def test_points_default_to_those_of_chess() -> None:
    text = "\n".join(line for line in SAMPLE.splitlines() if not line.startswith("XXS"))
    assert trf.read(text).points == CLASSIC


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("012 Test", "013 Test"), "TRF: .*name"),
        (("001    2", "001    3"), "TRF: .*tarting numbers"),
        (("001    9", "001   12"), "starting numbers"),
        (("XXR 4", "XXR 101"), "rounds"),
        (("XXS W=1.0", "XXS W=x"), "XXS"),
        (("XXS W=1.0", "XXS W=99"), "points.win"),
    ],
)
def test_inconsistent_files_are_refused(change: tuple[str, str], message: str) -> None:
    assert change[0] in SAMPLE
    with pytest.raises(TournamentError, match=message):
        trf.read(SAMPLE.replace(*change))


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("   2 w 1", "   1 b 1", "matching results"),
        ("   2 w 1", "   1 w 0", "w and b"),
        ("   2 w 1", "0000 - U", "an opponent who was paired"),
        ("   9 w 1", "   1 b 0", "the number of an opponent"),
        ("   2 w ?", "   1 b 0", "matching results"),
        ("0000 - ?", "0000 - U", "U, F, H or Z"),
    ],
)
def test_inconsistent_results_are_refused(first: str, second: str, message: str) -> None:
    text = trf.export(tournament(2)).replace("XXR 5", "XXR 1")
    one, two = (line for line in text.splitlines() if line.startswith("001"))
    text = text.replace(one, f"{one:91}{first}").replace(two, f"{two:91}{second}")
    with pytest.raises(TournamentError, match=message):
        trf.read(text)
    assert len(trf.read(text.replace(first, "   2 w 1").replace(second, "   1 b 0")).rounds) == 1


@pytest.mark.parametrize("pair", ["1 99", "1", "1 1", "x y"])
def test_unknown_players_in_forbidden_pairs(pair: str) -> None:
    with pytest.raises(TournamentError):
        trf.read(f"{SAMPLE}XXP {pair}\n")


def test_too_long_files_are_refused() -> None:
    with pytest.raises(TournamentError, match="at most"):
        trf.read("0" * (trf.MAX_BYTES + 1))


@given(st.text(max_size=300))
def test_random_texts_give_a_value_or_an_error(text: str) -> None:
    with suppress(TournamentError):
        assert trf.read(text).players


@given(st.integers(0, len(SAMPLE) - 1), st.characters(max_codepoint=0x2FF))
@settings(max_examples=300)
def test_damaged_files_give_a_value_or_an_error(at: int, sign: str) -> None:
    with suppress(TournamentError):
        assert trf.read(SAMPLE[:at] + sign + SAMPLE[at + 1 :]).players
