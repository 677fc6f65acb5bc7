"""DXP messages round-trip; invalid ones raise DxpError."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka.engine.dxp.message import (
    MAX_LENGTH,
    BackAccept,
    BackRequest,
    Chat,
    DxpError,
    GameAccept,
    GameEnd,
    GameRequest,
    Message,
    MoveMessage,
    Setup,
    parse,
    write,
)
from damka.rules import Side

SIDES: st.SearchStrategy[Side] = st.sampled_from(["W", "B"])
NAMES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=32)
SQUARES = st.integers(1, 50)
SETUPS = st.builds(Setup, st.text("wbWB.", min_size=50, max_size=50), SIDES)
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(
        GameRequest,
        NAMES,
        SIDES,
        st.integers(0, 999),
        st.integers(0, 999),
        st.none() | SETUPS,
    ),
    st.builds(GameAccept, NAMES, st.integers(0, 3)),
    st.builds(
        MoveMessage,
        st.integers(0, 9999),
        SQUARES,
        SQUARES,
        st.lists(SQUARES, max_size=20, unique=True).map(sorted).map(tuple),
    ),
    st.builds(GameEnd, st.integers(0, 3), st.booleans()),
    st.builds(Chat, st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=126)),
    st.builds(BackRequest, st.integers(0, 999), SIDES),
    st.builds(BackAccept, st.integers(0, 2)),
)


@given(MESSAGES)
def test_messages_round_trip(message: Message) -> None:
    text = write(message)
    assert 1 <= len(text) <= MAX_LENGTH
    assert parse(text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "R01Tornado voor Windows 4.0        W060065A",
            GameRequest("Tornado voor Windows 4.0", "W", 60, 65),
        ),
        (
            f"R01{'Scan 3.1':32}Z005000BZ{'z' * 20}{'e' * 9}W{'w' * 20}",
            GameRequest("Scan 3.1", "B", 5, 0, Setup("b" * 20 + "." * 9 + "W" + "w" * 20, "B")),
        ),
        ("ATornado voor Windows 4.0        0", GameAccept("Tornado voor Windows 4.0", 0)),
        ("M0012061100", MoveMessage(12, 6, 11, ())),
        ("M001205250423222012", MoveMessage(12, 5, 25, (12, 20, 22, 23))),
        ("E00", GameEnd(0, stop=False)),
        ("E31", GameEnd(3, stop=True)),
        ("CWhat do you think about move 35?", Chat("What do you think about move 35?")),
        ("B005Z", BackRequest(5, "B")),
        ("K1", BackAccept(1)),
    ],
)
def test_messages_of_other_programs_are_read(text: str, message: Message) -> None:
    assert parse(text) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X",
        "R02",
        f"R01{'name':32}X005000A",
        f"R01{'name':32}W005000B",
        f"R01{'name':32}W005000BW{'e' * 49}",
        f"R01{'name':32}W-05000A",
        "A0",
        "M",
        "M0012061101",
        "M001206110107080",
        "M001206110112 1",
        "M0012001100",
        "M0012515000",
        "M٠٠٠٠061100",
        "E4",
        "E0",
        "E000",
        "B5W",
        "K3",
        "C" * 128,
    ],
)
def test_invalid_messages_are_refused(text: str) -> None:
    with pytest.raises(DxpError):
        parse(text)


@given(st.text(max_size=130) | st.from_regex(r"[RAMECBK][0-9WZwzeAB ]{0,126}", fullmatch=True))
def test_any_text_is_a_message_or_raises_dxp_error(text: str) -> None:
    with suppress(DxpError):
        assert write(parse(text))


def test_control_characters_are_not_shown() -> None:
    assert parse("C\x1b[31mred\x07") == Chat("?[31mred?")
    assert write(Chat("a\x00b\nč")) == "Ca?b??"


def test_positions_have_a_letter_for_each_square_of_the_board() -> None:
    request = GameRequest("us", "W", 5, 0, Setup("b" * 12 + "." * 8 + "w" * 12, "W"))
    assert parse(write(request), squares=32) == request
    with pytest.raises(DxpError, match="50 squares, not 32"):
        parse(write(request))
