"""Clocks as values: time per turn, lag compensation, and results of a lost clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka.game import Game
from damka.live.clock import DAY, Clock, ClockSettings, start
from damka.live.lag import Quota, RoundTrips
from damka.live.winnable import can_win
from damka.rules import Side, load, other

SUDDEN = ClockSettings(kind="sudden", seconds=300)
FISCHER = ClockSettings(kind="fischer", seconds=300, increment=3)
DELAY = ClockSettings(kind="delay", seconds=300, increment=5)
DAYS = ClockSettings(kind="days", seconds=3 * DAY)

settings = st.one_of(
    st.builds(ClockSettings, kind=st.just("sudden"), seconds=st.integers(1, 10_800)),
    st.builds(
        ClockSettings,
        kind=st.sampled_from(["fischer", "delay"]),
        seconds=st.integers(1, 10_800),
        increment=st.integers(1, 180),
    ),
    st.builds(ClockSettings, kind=st.just("days"), seconds=st.integers(DAY, 14 * DAY)),
)
turns = st.lists(st.integers(0, 30_000), max_size=40)


@given(settings, turns)
def test_a_clock_adds_gains_and_subtracts_use(setting: ClockSettings, used: list[int]) -> None:
    assert setting.fault() is None
    clock = start(setting)
    side: Side = "W"
    expected: dict[Side, int] = {"W": setting.initial, "B": setting.initial}
    for spent in used:
        left = clock.left(side, spent)
        assert 0 <= left <= clock.turn_limit(side)
        assert (left == 0) == (spent >= clock.turn_limit(side)), (
            "the turn ends exactly at its limit"
        )
        if left == 0:
            break
        clock = clock.moved(side, spent)
        charged = max(0, spent - 1000 * setting.increment) if setting.kind == "delay" else spent
        gained = 1000 * setting.increment if setting.kind == "fischer" else 0
        expected[side] += gained - charged
        if setting.kind == "days":
            expected = {"W": setting.initial, "B": setting.initial}
        assert clock.remaining(None, 0) == expected
        side = other(side)


@given(settings, st.integers(0, 10**6), st.integers(0, 10**6))
def test_time_left_decreases_with_the_length_of_a_turn(
    setting: ClockSettings, spent: int, extra: int
) -> None:
    clock = start(setting)
    assert clock.left("W", spent) >= clock.left("W", spent + extra)
    assert clock.left("W", spent) - clock.left("W", spent + extra) <= extra
    assert clock.remaining("W", spent)["B"] == setting.initial, "the opponent's clock does not run"


def test_one_example_of_each_kind() -> None:
    assert start(SUDDEN).moved("W", 10_000).white == 290_000
    assert start(FISCHER).moved("W", 10_000).white == 293_000
    assert start(DELAY).moved("W", 10_000).white == 295_000
    assert start(DELAY).moved("W", 4_000).white == 300_000, "unused delay is not saved"
    assert start(DELAY).turn_limit("W") == 305_000
    assert start(DAYS).moved("W", DAY * 1000) == start(DAYS)
    assert start(ClockSettings(kind="fischer", seconds=0, increment=2)).white == 3_000
    assert Clock(SUDDEN, 5, 7, 3).with_added_time("B", 15_000) == Clock(SUDDEN, 5, 15_007, 3)
    assert Clock(SUDDEN, 5_000, 7_000).settled("W", 2_000) == Clock(SUDDEN, 3_000, 7_000)


@pytest.mark.parametrize(
    ("setting", "speed", "first", "away", "left"),
    [
        (ClockSettings(kind="sudden", seconds=20), "ultrabullet", 15, 120, 12),
        (ClockSettings(kind="sudden", seconds=60), "bullet", 20, 120, 12),
        (FISCHER, "blitz", 25, 120, 12),
        (ClockSettings(kind="sudden", seconds=600), "rapid", 30, 240, 20),
        (ClockSettings(kind="sudden", seconds=3600), "classical", 35, 360, 30),
    ],
)
def test_waiting_limits_depend_on_the_speed_of_the_clock(
    setting: ClockSettings, speed: str, first: int, away: int, left: int
) -> None:
    assert setting.speed == speed
    assert setting.first_move == 1000 * first
    assert (setting.away(left=False), setting.away(left=True)) == (1000 * away, 1000 * left)


def test_correspondence_games_have_no_absence_limit() -> None:
    assert (DAYS.speed, DAYS.first_move, DAYS.away(left=True)) == ("days", None, None)
    assert [each.text for each in (SUDDEN, FISCHER, DELAY, DAYS)] == ["5+0", "5+3", "5 d5", ""]
    assert ClockSettings(kind="sudden", seconds=90).text == "1:30+0"


# Lag


def test_a_single_delayed_answer_gains_nothing() -> None:
    trips = RoundTrips()
    assert trips.estimate == 0
    for measured in (40, 41, 5_000, 43, 90_000):
        trips.add(measured)
    assert trips.estimate == 40


@given(settings, st.lists(st.integers(0, 100_000), max_size=80))
def test_returned_lag_is_bounded(setting: ClockSettings, lags: list[int]) -> None:
    quota = Quota(setting)
    total = 0
    for count, lag in enumerate(lags, start=1):
        returned = quota.take(lag)
        total += returned
        assert 0 <= returned <= lag
        assert total <= (3 + count) * quota.gain, "even if every answer is late"
    assert quota.gain <= 1000


@pytest.mark.parametrize(
    ("seconds", "gain"), [(3600, 1000), (180, 1000), (90, 700), (60, 600), (15, 350), (5, 350)]
)
def test_the_quota_grows_with_the_length_of_the_game(seconds: int, gain: int) -> None:
    assert Quota(ClockSettings(kind="sudden", seconds=seconds)).gain == gain


def test_a_steady_lag_is_returned_in_full() -> None:
    quota = Quota(FISCHER)
    assert [quota.take(300) for _ in range(100)] == [300] * 100


# Result of a lost clock


@pytest.mark.parametrize(
    ("rules", "fen", "side", "possible"),
    [
        ("international", "W:WK1:BK50", "W", True),  # the opponent may step into a capture
        ("russian", "W:WK1:BK32", "B", True),
        ("spanish", "W:WK1:BK32", "W", False),
        ("spanish", "W:WK1:BK32", "B", True),
        ("american", "W:WK1:BK32", "W", True),
        ("dama64", "W:W22:B18", "W", True),
        ("dama64", "W:W22:B18", "B", False),  # White must capture the only man
    ],
)
def test_whether_a_side_can_still_win(rules: str, fen: str, side: Side, possible: bool) -> None:
    game = Game(rules, fen)
    before = game.copy()
    assert can_win(game, side) is possible
    assert game == before


def test_the_rules_own_draws_end_the_search() -> None:
    game = Game("international", "W:WK6:BK50")
    assert can_win(game, "W")
    assert can_win(game, "B")
    for _ in range(9):
        # Two kings may make five moves each; neither steps into a capture.
        safe = []
        for move in game.legal_moves:
            after = game.copy()
            after.play(move)
            if not any(reply.captures for reply in after.legal_moves):
                safe.append(move)
        game.play(safe[0])
    assert game.result is None
    assert not can_win(game, "W"), "one move is left, and it is not a capture"
    assert not can_win(game, "B")
    assert not can_win(Game("turkish", "W:WK1:BK64"), "W"), "already a draw by the rules"


def test_an_undecided_search_counts_as_a_win() -> None:
    assert can_win(Game("spanish", "W:WK1:BK32"), "W", nodes=1)


def test_a_draw_by_the_path_does_not_rule_out_a_win() -> None:
    """Another path to the drawn position may have made other moves."""
    plain = load("american").replace(no_progress_moves=0, material_draws=())
    by_path = plain.replace(repetition=0, same_move=2, same_move_in="game")
    assert can_win(Game(by_path, "W:WK1:BK32"), "B")
