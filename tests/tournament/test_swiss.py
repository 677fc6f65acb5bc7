"""Swiss pairings: cases of the rules, players kept apart, large fields, recorded tournaments."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka.errors import TournamentError
from damka.tournament import (
    CLASSIC,
    ByeKind,
    Outcome,
    PointSystem,
    Round,
    System,
    Tournament,
    dump,
    most_rounds,
    pair,
    parse,
    repeated_byes,
    standings,
    sure_rounds,
    swiss,
    trf,
)
from damka.tournament.colours import Strength, first_has_white, preference
from tests.support import DATA
from tests.tournament.random_tournaments import begin, play, prepare_round
from tests.tournament.support import played, tournament

OUTCOMES = (Outcome.WHITE, Outcome.DRAW, Outcome.BLACK)

RECORDED: dict[int, list[str]] = {}
"""Seeds of random tournaments, with White and Black of each round by pairing number."""

for line in (DATA / "swiss-pairings.txt").read_text("utf-8").splitlines():
    seed, _, recorded = line.partition(": ")
    RECORDED.setdefault(int(seed), []).append(recorded)


def pairs_of(found: Round) -> list[tuple[str, str | None]]:
    """Return White and Black of a round by id, None for the bye that the pairing gave."""
    byes = [bye.player for bye in found.byes if bye.kind is ByeKind.ALLOCATED]
    return [*((each.white, each.black) for each in found.pairings), *((bye, None) for bye in byes)]


def numbers(event: Tournament, found: Round) -> set[tuple[int, int]]:
    """Return White and Black of a round by pairing number, 0 for a bye by pairing."""
    return {
        (event.number(white), event.number(black) if black else 0)
        for white, black in pairs_of(found)
    }


def play_round(event: Tournament, outcome: Outcome = Outcome.WHITE) -> Tournament:
    """Return the tournament with another round in which all games have the same result."""
    event = event.add(pair(event))
    for board in range(1, len(event.rounds[-1].pairings) + 1):
        event = event.record(len(event.rounds), board, outcome)
    return event


def meetings(event: Tournament) -> Iterator[frozenset[str]]:
    for each in event.rounds:
        for pairing in each.pairings:
            yield frozenset((pairing.white, pairing.black))


def test_the_upper_half_meets_the_lower_in_the_first_round() -> None:
    event = tournament(6)
    assert numbers(event, pair(event)) == {(1, 4), (5, 2), (3, 6)}
    black = tournament(6, top_seed_white=False)
    assert numbers(black, pair(black)) == {(4, 1), (2, 5), (6, 3)}


def test_the_last_player_has_the_bye_of_the_first_round() -> None:
    event = tournament(5)
    assert numbers(event, pair(event)) == {(1, 3), (4, 2), (5, 0)}


def test_the_bye_goes_to_the_lowest_score_that_may_have_it() -> None:
    """A test case of bbpPairings for C5 (test/tests/dutch_2025_C5)."""
    event = played("A 1-0 D, E 0-1 B, C 1-0 F\nB 0-1 A, D 0-1 C, F 0-1 E", length=3)
    event = event.request_bye("D", 3, ByeKind.ZERO)
    assert numbers(event, pair(event)) == {(1, 5), (3, 2), (6, 0)}


def test_the_bye_goes_to_the_player_with_more_games() -> None:
    """A test case of bbpPairings for C9 (test/tests/dutch_2025_C9)."""
    event = played("A 1-0 C, D 0-1 B, E Z", length=3)
    assert numbers(event, pair(event)) == {(2, 1), (3, 5), (4, 0)}


def test_an_absent_player_is_not_a_floater() -> None:
    event = played("A 1-0 B, C Z, D H, E U, F +:- G", length=5)
    floats = {each.id: each.floats for each in swiss.entrants(event)}
    assert floats == {
        **dict.fromkeys("ABCG", ("none",)),
        **dict.fromkeys("DEF", ("down",)),
    }


def test_a_win_without_a_game_excludes_a_bye() -> None:
    event = played("A 1-0 B, C Z, D H, E U, F +:- G, H F", length=5)
    assert {each.id for each in swiss.entrants(event) if each.had_bye} == set("EFH")


def test_scores_are_in_wins_for_any_point_system() -> None:
    for points in (CLASSIC, PointSystem(2, 1, 0), PointSystem(3, 1.5, 0)):
        event = played("A 1-0 B, C = D", points, length=5)
        assert [each.score for each in swiss.entrants(event)] == [1, 0, 0.5, 0.5]


def test_the_colour_of_a_round_of_two_games_is_that_of_the_first() -> None:
    event = tournament(4, games=2)
    event = event.add(pair(event))
    for board in (1, 2):
        for game in (1, 2):
            event = event.record(1, board, Outcome.DRAW, game=game)
    assert {each.id: each.colours for each in swiss.entrants(event)}["1"] == ("white",)
    assert pair(event).pairings[0].outcomes == (None, None)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_players_are_kept_apart_in_every_round(number: int) -> None:
    event = tournament(8)
    for _ in range(number - 1):
        event = play_round(event)
    one, other = next(iter(pairs_of(pair(event))))
    assert other is not None
    found = pair(event.forbid(one, other))
    assert (one, other) not in pairs_of(found)
    assert (other, one) not in pairs_of(found)
    assert len(found.pairings) == 4


def test_forbidden_pairs_do_not_count_as_played() -> None:
    """Forbidden pairs count neither as opponents nor for the bye."""
    event = played("A 1-0 C, D 0-1 B, E Z", length=3).forbid("E", "A").forbid("E", "B")
    assert (4, 0) in numbers(event, pair(event))


def test_requested_byes_are_in_the_round() -> None:
    event = tournament(6).request_bye("2", 1, ByeKind.HALF).request_bye("5", 1, ByeKind.ZERO)
    found = pair(event)
    assert [(bye.player, bye.kind.value) for bye in found.byes] == [("2", "H"), ("5", "Z")]
    assert numbers(event, found) == {(1, 4), (3, 6)}


def test_no_pairing_is_possible_after_all_players_have_met() -> None:
    event = tournament(4)
    for _ in range(3):
        event = play_round(event, Outcome.DRAW)
    assert len(set(meetings(event))) == 6
    with pytest.raises(TournamentError, match="round 4: no pairing"):
        pair(event)


def test_colour_rules_yield_if_no_other_pairing_is_possible() -> None:
    # Both have had White twice, and there are no other players.
    event = played("A 1-0 C, B 1-0 D\nA 1-0 D, B 1-0 C", length=9).withdraw("C").withdraw("D")
    assert {frozenset(each) for each in numbers(event, pair(event))} == {frozenset((1, 2))}


def test_an_unavoidable_second_bye_is_reported() -> None:
    event = tournament(5, length=4)
    outcomes = ("1-0 0-1", "1-0 =", "1-0 =", "= =")
    for number, line in enumerate(outcomes, 1):
        event = event.add(pair(event))
        last = number == len(outcomes)
        assert repeated_byes(event, number) == (("4",) if last else ())
        expected = ("Player 4 has a bye for the second time: no other pairing is possible",)
        assert event.rounds[-1].remarks == (expected if last else ())
        for board, outcome in enumerate(line.split(), 1):
            event = event.record(number, board, Outcome(outcome))
    assert parse(dump(event)) == event
    met = [frozenset(each) for each in meetings(event)]
    assert len(set(met)) == len(met)


def test_first_byes_are_not_reported() -> None:
    event = tournament(5)
    for number in range(1, 4):
        event = play_round(event)
        assert not event.rounds[-1].remarks
        assert repeated_byes(event, number) == ()


def test_after_all_have_withdrawn_the_standings_are_final() -> None:
    event = play_round(tournament(4))
    for each in "1234":
        event = event.withdraw(each)
    assert pair(event) == Round()
    assert [row.points for row in standings(event.add(pair(event)))] == [2, 2, 0, 0]
    # The remaining players may return.
    assert len(pair(event.readmit("1").readmit("2")).pairings) == 1


def test_a_round_that_all_players_miss_has_no_games() -> None:
    event = play_round(tournament(2))
    for each in "12":
        event = event.request_bye(each, 2, ByeKind.HALF)
    assert [bye.kind for bye in pair(event).byes] == [ByeKind.HALF] * 2
    event = play_round(tournament(3)).request_bye("1", 2).request_bye("2", 2)
    assert {bye.player: bye.kind.value for bye in pair(event).byes}["3"] == "U"


@pytest.mark.parametrize("count", range(2, 12))
def test_the_guaranteed_number_of_rounds_can_always_be_paired(count: int) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        event = tournament(count, length=most_rounds(count))
        for number in range(sure_rounds(count)):
            event = event.add(pair(event))
            for board in range(1, len(event.rounds[-1].pairings) + 1):
                event = event.record(number + 1, board, rng.choice(OUTCOMES))
        met = [frozenset(each) for each in meetings(event)]
        assert len(set(met)) == len(met)
    too_many = tournament(count, length=most_rounds(count) + 1)
    with suppress(TournamentError):
        while len(too_many.rounds) < too_many.length:
            too_many = play_round(too_many, Outcome.DRAW)
    assert len(too_many.rounds) <= most_rounds(count)


def test_impossible_pairings_are_refused() -> None:
    with pytest.raises(TournamentError, match="2 or more"):
        pair(tournament(1))
    event = tournament(4)
    event = event.add(pair(event))
    with pytest.raises(TournamentError, match="no outcome"):
        pair(event)
    with pytest.raises(TournamentError, match="at most 1"):
        pair(play_round(tournament(4, length=1)))
    with pytest.raises(TournamentError, match="system"):
        swiss.pair(tournament(4, system=System.ROUND_ROBIN))


def test_colour_preferences_follow_the_history() -> None:
    white, black = "white", "black"
    expected = {
        (): ("", Strength.NONE),
        (white,): (black, Strength.STRONG),
        (white, black): (white, Strength.MILD),
        (white, white): (black, Strength.ABSOLUTE),
        (white, black, black): (white, Strength.ABSOLUTE),
        (white, white, black): (black, Strength.STRONG),
        (white, white, white, black): (black, Strength.ABSOLUTE),
        # The last two decide, not the difference.
        (white, white, black, black): (white, Strength.ABSOLUTE),
        (white, white, black, white, black, black): (white, Strength.ABSOLUTE),
    }
    for colours, (colour, strength) in expected.items():
        found = preference(colours)
        assert (found.colour, found.strength) == (colour, strength), colours


def test_colours_go_by_preference_then_history_then_rank() -> None:
    white, black = "white", "black"
    # Both preferences, the stronger, the alternation, the higher rank, the number.
    assert first_has_white((black,), (white,), 2, True)
    assert not first_has_white((white, black), (white, black, black), 1, True)
    assert first_has_white((white, black, black, white), (black, white, black, white), 1, True)
    assert first_has_white((white, black), (white, black), 2, True)
    assert not first_has_white((black, white), (black, white), 1, True)
    assert [first_has_white((), (), n, True) for n in (1, 2)] == [True, False]
    assert [first_has_white((), (), n, False) for n in (1, 2)] == [False, True]
    assert not first_has_white((), (black,), 1, True)
    # Topscorers, both absolute: the wider difference.
    assert first_has_white((black,) * 3, (white, black, black), 2, True)


@given(st.integers(3, 11), st.integers(0, 10**6), st.integers(2, 5))
@settings(max_examples=20, deadline=None)
def test_no_players_meet_twice_and_none_has_two_byes(count: int, seed: int, length: int) -> None:
    event = tournament(count, length=length)
    byes: list[str] = []
    for number in range(1, length + 1):
        try:
            found = pair(event)
        except TournamentError:
            assert number >= count / 2
            return
        event = event.add(found)
        byes += [bye.player for bye in found.byes]
        for board in range(1, len(found.pairings) + 1):
            event = event.record(number, board, OUTCOMES[(seed // number + board) % 3])
    assert len(set(meetings(event))) == len(list(meetings(event)))
    assert len(set(byes)) == len(byes) or len(byes) >= count


def test_large_fields_are_paired_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swiss, "PART", 8)
    monkeypatch.setattr(swiss, "_MIN_REST", 4)
    event = tournament(37, length=6)
    first = pair(event)
    assert {bye.player for bye in first.byes} == {"37"}
    # Upper half against lower half, as if paired all at once.
    assert (1, 19) in numbers(event, first)
    for number in range(1, 7):
        event = play_round(event, OUTCOMES[number % 3])
        assert len(event.rounds[-1].pairings) == 18
    assert len(set(meetings(event))) == 6 * 18


def test_parts_without_a_pairing_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swiss, "PART", 4)
    monkeypatch.setattr(swiss, "_MIN_REST", 0)
    event = tournament(8, length=7)
    for number in range(1, 6):
        event = play_round(event, OUTCOMES[number % 3])
    assert len(set(meetings(event))) == 5 * 4


@pytest.mark.parametrize("seed", RECORDED)
def test_pairings_match_the_recorded_ones(seed: int) -> None:
    """Compared with another program's when recorded: docs/experiments/pairings.md."""
    rng = random.Random(seed)
    event = begin(rng)
    for expected in RECORDED[seed]:
        event = prepare_round(rng, event)
        found = pair(event)
        pairs = " ".join(f"{white}-{black}" for white, black in sorted(numbers(event, found)))
        assert pairs == expected, f"round {len(event.rounds) + 1}\n{trf.export(event, coming=True)}"
        event = play(rng, event.add(found))


def test_another_program_pairs_the_next_round_from_trf() -> None:
    event = tournament(6).forbid("1", "4").request_bye("2", 1)
    text = trf.export(event, coming=True)
    assert "XXP 1 4" in text
    assert "0000 - H" in text
