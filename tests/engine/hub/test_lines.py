"""Hub lines, positions and levels round-trip; invalid ones raise HubError."""

from __future__ import annotations

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka import Board, rules
from damka.engine import BEYOND, WIN
from damka.engine.clock import Clock
from damka.engine.hub import HubError, level, line, position, score, variant
from damka.errors import DamkaError
from tests.support import RULE_SETS

NAMES = st.from_regex(r"[a-z][a-z-]{0,10}", fullmatch=True)
VALUES = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters='"') | st.just(" ")
)


@given(NAMES, st.dictionaries(NAMES, VALUES))
def test_lines_round_trip(command: str, arguments: dict[str, str]) -> None:
    text = line.write(command, **arguments)
    assert line.parse(text) == line.Line(command, arguments)


def test_values_are_quoted() -> None:
    text = line.write("error", message='a "bad"\nquit')
    assert line.parse(text) == line.Line("error", {"message": "a 'bad' quit"})


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("depth = 5", {"depth": "5"}),
        ("depth= 5 nodes =7", {"depth": "5", "nodes": "7"}),
        ('moves = "32-28 19-23"', {"moves": "32-28 19-23"}),
        ("moves=", {"moves": ""}),
        ("moves= pos=W", {"moves": "", "pos": "W"}),
        ('moves="" start', {"moves": "", "start": ""}),
        ("think\t", {"think": ""}),
    ],
)
def test_spaces_are_allowed_around_the_sign(text: str, arguments: dict[str, str]) -> None:
    assert line.parse(f" level  {text} ") == line.Line("level", arguments)


@pytest.mark.parametrize("text", ['pos "x"', "level =3", 'id name="Scan', "a b=c=d", '="'])
def test_invalid_lines_are_refused(text: str) -> None:
    with pytest.raises(HubError):
        line.parse(text)


@given(st.text(max_size=60) | st.text('ab=" \t', max_size=20))
def test_any_text_is_a_line_or_raises_hub_error(text: str) -> None:
    with suppress(HubError):
        line.parse(text)


def test_too_long_a_line_is_refused() -> None:
    with pytest.raises(HubError, match="longer than"):
        line.parse("pos pos=" + "e" * line.MAX_LENGTH)


@pytest.mark.parametrize("name", RULE_SETS)
def test_positions_round_trip(name: str) -> None:
    board = Board(name)
    for _ in range(6):
        board.push(board.legal_moves[0])
    assert position.read(board.rules, position.write(board)) == board


def test_a_position_is_the_side_and_a_letter_per_square() -> None:
    board = Board("international", "B:WK50,33:B1,K7")
    assert position.write(board) == "BbeeeeeBeeeeeeeeeeeeeeeeeeeeeeeeeweeeeeeeeeeeeeeeeW"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "W",
        "X" + 32 * "e",
        "W" + 31 * "e" + "x",
        "W" + 33 * "e",
        "Ww" + 31 * "e",
        "W" + 32 * ".",
    ],
)
def test_invalid_positions_are_refused(text: str) -> None:
    with pytest.raises(DamkaError):
        position.read(rules.load("dama64"), text)


def hub_clock(remaining: float, increment: float = 0.0, moves: int | None = None) -> Clock:
    """Return a clock whose increment is added before the move."""
    return Clock(remaining, increment, moves, increment_first=True)


@pytest.mark.parametrize(
    ("arguments", "seconds", "clock"),
    [
        ({"infinite": ""}, None, None),
        ({"depth": "12"}, None, None),
        ({"move-time": "0.2"}, 0.2, None),
        ({"move-time": "0"}, 0.001, None),
        ({"time": "60"}, None, hub_clock(60)),
        ({"time": "60", "inc": "1"}, None, hub_clock(60, 1)),
        ({"time": "60", "moves": "10"}, None, hub_clock(60, moves=10)),
        ({"time": "60", "moves": "0"}, None, hub_clock(60)),
        ({"time": "60", "move-time": "0.5"}, 0.5, hub_clock(60)),
        # A client that subtracted the increment from the time
        ({"time": "-0.5", "inc": "2"}, None, hub_clock(0, 1.5)),
        ({"time": "-3", "inc": "2"}, None, hub_clock(0)),
        # Scan's default time
        ({"moves": "12"}, None, hub_clock(30, moves=12)),
        ({"inc": "2"}, None, hub_clock(30, 2)),
    ],
)
def test_a_level_sets_the_time_for_a_move(
    arguments: dict[str, str], seconds: float | None, clock: Clock | None
) -> None:
    parsed = level.read(arguments)
    assert (parsed.seconds(), parsed.clock()) == (seconds, clock)


def test_a_pondered_move_gets_its_time_when_it_is_played() -> None:
    assert level.read({"depth": "9"}).budget() is None
    assert level.read({"move-time": "0.2"}).budget() == (math.inf, 0.2)
    assert level.read({"time": "60", "inc": "1"}).budget() == hub_clock(60, 1).budget()
    target, limit = level.read({"time": "60", "move-time": "0.5"}).budget() or (0, 0)
    assert (target, limit) == (hub_clock(60).budget().target, 0.5)


@pytest.mark.parametrize(
    "arguments",
    [
        {"depth": "2.5"},
        {"depth": "٣"},
        {"depth": "1_0"},
        {"depth": ""},
        {"nodes": "many"},
        {"move-time": "nan"},
        {"time": ""},
        {"depth": "9" * 5000},
        {"depth": "0"},
        {"depth": "-1"},
        {"nodes": "0"},
        {"nodes": "-1"},
        {"move-time": "-1"},
        {"move-time": "1e400"},
        {"time": "-5"},
        {"time": "-5", "inc": "0"},
        {"time": "inf"},
        {"inc": "-1"},
        {"moves": "0"},
        {"moves": "-1", "time": "60"},
    ],
)
def test_invalid_levels_are_refused(arguments: dict[str, str]) -> None:
    with pytest.raises(HubError):
        level.read(arguments)


def test_limits_beyond_the_engine_are_capped() -> None:
    assert level.read({"depth": "12.0", "nodes": "1e6"}) == level.Level(depth=12, nodes=10**6)
    assert level.read({"depth": "1000"}).depth == 100
    assert level.read({"move-time": "1e300"}).move_time == 1e7


def test_every_rule_set_has_a_variant_name() -> None:
    own = rules.load("american").replace(name="our-box")
    variants = variant.names(own)
    assert variants[:5] == ("normal", "killer", "bt", "frisian", "losing")
    assert variants[-1] == "our-box"
    assert {variant.find(name, own).name for name in variants} == {*RULE_SETS, "our-box"}
    assert variant.find("international", own).name == "international"
    assert variant.find("our-box", own) is own
    with pytest.raises(HubError, match="chess"):
        variant.find("chess", own)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (31, "0.31"),
        (0, "0.00"),
        (WIN - 1, "99.99"),
        (WIN - 5, "99.95"),
        (5 - WIN, "-99.95"),
        (WIN - 999, "90.01"),
        (20_000 - 2 * 40, "89.60"),  # a table win that the draw rules may prevent
        (2 * 40 - 20_000, "-89.60"),
        (9_999, "80.00"),  # no evaluation looks like a win
        (-14_999, "-80.00"),
    ],
)
def test_scores_are_on_scans_scale(value: int, text: str) -> None:
    assert score.write(value) == text


@given(st.integers(-7_999, 7_999) | st.integers(1, 999).map(lambda n: WIN - n))
def test_scores_round_trip(value: int) -> None:
    for sign in (1, -1):
        for win in score.WIN_SCORES:
            assert score.read(float(score.write(sign * value, win))) == sign * value


def test_table_wins_round_trip() -> None:
    for plies in (0, 1, 40, 300):
        value = 20_000 - 2 * plies
        assert score.read(float(score.write(value))) == value
    assert score.read(float(score.write(BEYOND + 1))) > BEYOND


def test_scores_of_other_scales_are_bounded() -> None:
    assert score.read(127.5) == 12_750
    assert score.read(1e300) == 10**8
