"""Replies of the Hub engine to each line, without threads and streams."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damka import Board, Move, rules
from damka.engine import Analysis
from damka.engine.hub import line
from damka.engine.hub.level import Level
from damka.engine.hub.session import (
    ClearHash,
    Effect,
    PonderHit,
    Quit,
    Search,
    Session,
    Setup,
    Stop,
    WriteLine,
)
from damka.engine.protocol_moves import distinct_moves, parse_move

START = "W" + "b" * 20 + "e" * 10 + "w" * 20
COMMANDS = ["hub", "init", "set-param", "pos", "level", "go", "ponder-hit", "stop", "ping", "quit"]


def session(name: str = "international") -> Session:
    return Session(rules.load(name))


def lines_of(effects: list[Effect]) -> list[str]:
    return [effect.line for effect in effects if isinstance(effect, WriteLine)]


def error_message(effects: list[Effect]) -> str:
    """Return the message of the only error."""
    (text,) = lines_of(effects)
    assert len(effects) == 1
    parsed = line.parse(text)
    assert parsed is not None
    assert parsed.command == "error"
    return parsed.arguments["message"]


def analysis_of(board: Board, *moves: str) -> Analysis:
    line = []
    board = board.copy()
    for text in moves:
        line.append(parse_move(board, text))
        board.push_unchecked(line[-1])
    return Analysis(line[0] if line else None, 12, 3, 2_000_000, 0.5, tuple(line))


def test_hub_is_answered_with_parameters_and_wait() -> None:
    lines = lines_of(session("american").receive("hub"))
    words = [line.parse(text) for text in lines]
    assert words[0] is not None
    assert words[0].arguments["name"] == "Damka"
    params = {w.arguments["name"]: w.arguments for w in words if w and w.command == "param"}
    assert params["variant"]["value"] == "american"
    assert "normal" in params["variant"]["values"].split()
    assert params["hash"]["type"] == "int"
    assert params["contempt"]["min"] == "0"
    assert lines[-1] == "wait"


def test_init_applies_the_parameters_and_answers_ready() -> None:
    talk = session()
    assert talk.receive("set-param name=hash value=8") == [Setup(8, 1)]
    assert talk.receive("set-param name=threads value=2") == [Setup(8, 2)]
    assert talk.receive("set-param name=contempt value=0") == [Setup(8, 2, contempt=0)]
    assert talk.receive("init") == [Setup(8, 2, contempt=0), WriteLine("ready")]


def test_go_searches_the_position_after_its_moves() -> None:
    talk = session()
    assert talk.receive(f'pos pos={START} moves="32-28 19-23 28x19x23"') == []
    assert talk.receive("level move-time=0.2") == []
    (search,) = talk.receive("go think")
    assert isinstance(search, Search)
    assert [move.hub() for move in search.board.stack] == ["32-28", "19-23", "28x19x23"]
    assert search.level.seconds() == 0.2
    assert talk.searching


def test_info_and_done_report_the_search_result() -> None:
    talk = session()
    talk.receive("go think")
    analysis = analysis_of(Board("international"), "32-28", "19-23")
    assert (
        talk.info(analysis)
        == 'info depth=3 score=0.12 nodes=2000000 time=0.500 nps=4.000 pv="32-28 19-23"'
    )
    assert talk.done(analysis) == "done move=32-28 ponder=19-23"
    assert not talk.searching


def test_some_commands_interrupt_a_search() -> None:
    talk = session()
    assert not talk.interrupts(f"pos pos={START}")
    talk.receive("go think")
    for text in ("go think", f"pos pos={START}", "level depth=1", "new-game", "hub", "init"):
        assert talk.interrupts(text)
    for text in ("ping", "stop", "ponder-hit", "quit", "hello", "", 'pos pos="'):
        assert not talk.interrupts(text)
    assert talk.receive("ping") == [WriteLine("pong")]
    assert talk.receive("stop") == [Stop()]
    assert "search is running" in error_message(talk.receive("go think"))
    assert "search is running" in error_message(talk.receive(f"pos pos={START}"))
    assert talk.receive("quit") == [Quit()]


def test_pondering_takes_no_time_until_the_move_is_played() -> None:
    talk = session()
    talk.receive("level time=60 inc=1")
    (search,) = talk.receive("go ponder")
    assert isinstance(search, Search)
    assert search.mode == "ponder"
    assert talk.receive("ponder-hit") == [PonderHit(Level(time=60, inc=1))]
    assert talk.receive("ponder-hit") == []


def test_late_stop_and_ponder_hit_are_ignored() -> None:
    talk = session()
    talk.receive("go ponder")
    talk.done(analysis_of(Board("international"), "32-28"))
    assert talk.receive("ponder-hit") == []
    assert talk.receive("stop") == []


def test_a_parameter_selects_the_variant() -> None:
    talk = session()
    assert talk.receive("set-param name=variant value=american") == [ClearHash()]
    assert "33 letters" in error_message(talk.receive(f"pos pos={START}"))
    (search,) = talk.receive("go analyze")
    assert isinstance(search, Search)
    assert search.board == Board("american")


def test_a_new_game_clears_the_table() -> None:
    talk = session()
    talk.receive(f'pos pos={START} moves="32-28"')
    assert talk.receive("new-game") == [ClearHash()]
    (search,) = talk.receive("go think")
    assert isinstance(search, Search)
    assert [move.hub() for move in search.board.stack] == ["32-28"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("pos pos=Wx", "51 letters"),
        (f'pos pos={START} moves="32-28 32-28"', "move 2, 32-28"),
        (f'pos pos={START} moves="hello"', "move 1, hello"),
        ("level depth=deep", "whole number"),
        ("level move-time=-1", "0 or more"),
        ("level time=-5", "0 or more"),
        ("set-param name=hash value=0", "from 1 to"),
        ("set-param name=hash value=99999999999999", "from 1 to"),
        ("set-param name=threads value=257", "from 1 to 256"),
        ("set-param name=contempt value=21", "from 0 to 20"),
        ("set-param name=variant value=chess", "chess"),
        ("set-param value=red", "set-param needs name"),
        ("set-param name=threads", "set-param needs value"),
        ("set-param name=win-score value=99", "one of 100, 300"),
        ('id name="open', "expected name=value"),
    ],
)
def test_invalid_commands_are_reported_and_change_nothing(text: str, part: str) -> None:
    talk = session()
    assert part in error_message(talk.receive(text))
    (search,) = talk.receive("go think")
    assert isinstance(search, Search)
    assert search.board == Board("international")


def test_a_position_without_a_move_is_not_searched() -> None:
    talk = session("dama64")
    assert talk.receive("pos pos=W" + "b" * 12 + "e" * 20) == []
    assert talk.receive("go think") == [WriteLine("done")]
    assert not talk.searching


def test_unknown_commands_are_ignored() -> None:
    talk = session()
    assert talk.receive("hello there=1") == []
    assert talk.receive("   ") == []
    assert talk.receive(f"pos pos={START} colour=red") == []
    for text in ("name=book value=true", "name=bb-size value=5", "name=ponder", 'name="" value=""'):
        assert talk.receive(f"set-param {text}") == []
    assert talk.receive("level handicap=2") == []
    assert talk.receive("level") == []


@settings(deadline=None)
@given(st.lists(st.sampled_from(COMMANDS) | st.text(max_size=20), max_size=8), st.text(max_size=30))
def test_any_lines_leave_the_session_usable(lines: list[str], rest: str) -> None:
    talk = session("dama64")
    for text in lines:
        for reply in lines_of(talk.receive(f"{text} {rest}")):
            assert line.parse(reply) is not None
    assert talk.receive("ping") == [WriteLine("pong")]


class AmbiguousBoard(Board):
    """A position with two captures that have the same text."""

    @property
    def legal_moves(self) -> list[Move]:
        return [Move(9, 2, (6,), crowns=crowns) for crowns in (False, True, False)]


def test_an_ambiguous_text_means_the_move_that_promotes() -> None:
    board = AmbiguousBoard("russian", "W:W9:B6,28")
    assert distinct_moves(board) == [Move(9, 2, (6,), crowns=True)]
    assert parse_move(board, "9x2x6").crowns
