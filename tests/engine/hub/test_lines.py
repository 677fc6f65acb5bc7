"""Hub lines, positions and levels round-trip; garbage raises a HubError."""

from __future__ import annotations

import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka import Board, rules
from damka.engine.clock import Clock
from damka.engine.hub import HubError, level, line, position, variant
from damka.errors import DamkaError
from tests.support import RULE_SETS

NAMES = st.from_regex(r"[a-z][a-z-]{0,10}", fullmatch=True)
VALUES = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters='"') | st.just(" ")
)


@given(NAMES, st.dictionaries(NAMES, VALUES))
def test_lines_are_read_as_they_were_written(command: str, arguments: dict[str, str]) -> None:
    text = line.write(command, **arguments)
    assert line.parse(text) == line.Line(command, arguments)


def test_values_are_quoted() -> None:
    text = line.write("error", message='a "bad"\nquit')
    assert line.parse(text) == line.Line("error", {"message": "a 'bad' quit"})


@pytest.mark.parametrize("text", ['pos "x"', "level =3", 'id name="Scan', "a b=c=d", '="'])
def test_invalid_lines_are_refused(text: str) -> None:
    with pytest.raises(HubError):
        line.parse(text)


@given(st.text(max_size=60) | st.text('ab=" \t', max_size=20))
def test_garbage_is_a_line_or_a_hub_error(text: str) -> None:
    with suppress(HubError):
        line.parse(text)


def test_a_line_too_long_is_refused() -> None:
    with pytest.raises(HubError, match="at most"):
        line.parse("pos pos=" + "e" * line.MAX_LENGTH)


@pytest.mark.parametrize("name", RULE_SETS)
def test_positions_are_read_as_they_were_written(name: str) -> None:
    board = Board(name)
    for _ in range(6):
        board.push(board.legal_moves[0])
    assert position.read(board.rules, position.write(board)) == board


def test_a_position_is_side_and_squares_from_whites_top_left() -> None:
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


@pytest.mark.parametrize(
    ("arguments", "seconds", "clock"),
    [
        ({"infinite": ""}, None, None),
        ({"depth": "12"}, None, None),
        ({"move-time": "0.2"}, 0.2, None),
        ({"move-time": "0"}, 0.001, None),
        ({"time": "60"}, None, Clock(60)),
        ({"time": "60", "inc": "1"}, None, Clock(60, 1)),
        ({"time": "60", "moves": "10"}, None, Clock(60, moves=10)),
        ({"time": "60", "move-time": "0.5"}, 0.5, Clock(60)),
    ],
)
def test_the_time_for_a_move(
    arguments: dict[str, str], seconds: float | None, clock: Clock | None
) -> None:
    asked = level.read(arguments)
    assert (asked.seconds(), asked.clock()) == (seconds, clock)


def test_a_pondered_move_gets_its_time_when_it_is_played() -> None:
    assert level.read({"depth": "9"}).budget() is None
    assert level.read({"move-time": "0.2"}).budget() == (math.inf, 0.2)
    assert level.read({"time": "60", "inc": "1"}).budget() == Clock(60, 1).budget()
    target, limit = level.read({"time": "60", "move-time": "0.5"}).budget() or (0, 0)
    assert (target, limit) == (Clock(60).budget().target, 0.5)


@pytest.mark.parametrize(
    "arguments",
    [
        {"depth": "0"},
        {"depth": "-3"},
        {"depth": "2.5"},
        {"depth": "٣"},
        {"nodes": "many"},
        {"move-time": "-1"},
        {"move-time": "nan"},
        {"time": ""},
        {"time": "60", "moves": "0"},
        {"depth": "9" * 5000},
    ],
)
def test_invalid_levels_are_refused(arguments: dict[str, str]) -> None:
    with pytest.raises(HubError):
        level.read(arguments)


def test_limits_beyond_the_engine_are_capped() -> None:
    assert level.read({"depth": "1000"}).depth == 100
    assert level.read({"move-time": "inf"}).move_time == 1e7


def test_every_rule_set_has_a_variant_name() -> None:
    own = rules.load("american").replace(name="our-box")
    known = variant.names(own)
    assert known[:5] == ("normal", "killer", "bt", "frisian", "losing")
    assert known[-1] == "our-box"
    assert {variant.find(name, own).name for name in known} == {*RULE_SETS, "our-box"}
    assert variant.find("international", own).name == "international"
    assert variant.find("our-box", own) is own
    with pytest.raises(HubError, match="chess"):
        variant.find("chess", own)
