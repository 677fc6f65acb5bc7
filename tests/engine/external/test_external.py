"""External programs as opponents: working ones and faulty ones."""

from __future__ import annotations

import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from damka import Game
from damka.engine import WIN, SearchLimits, Stop
from damka.engine.external import (
    EngineDeadError,
    EngineError,
    EngineGarbageError,
    EngineMoveError,
    EngineSilentError,
    EngineSlowError,
    EngineUnfitError,
    HubEngine,
    connect,
)
from damka.engine.hub.client import Client, Info
from damka.engine.transport.tcp import address

FAULTY = Path(__file__).with_name("faulty.py")
DAMKA = (sys.executable, "-c", "from damka.cli import main; main()", "hub")
GRACE = {"mute": 0.2, "chatters": 0.2}
"""Timeout for answers that never come; elsewhere a busy machine may be slow."""


def start(fault: str, patience: float = 20.0, rules: str = "dama64") -> HubEngine:
    command = (sys.executable, "-I", "-S", str(FAULTY), fault)
    engine = connect(command, rules=rules, patience=patience, grace=GRACE.get(fault, 1.0))
    assert isinstance(engine, HubEngine)
    return engine


def has_ended(pid: int) -> bool:
    """Return whether a process has ended or is a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def becomes_true(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


def children() -> set[int]:
    text = Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text("utf-8")
    return {int(pid) for pid in text.split()}


@pytest.fixture(autouse=True)
def no_leaks() -> Iterator[None]:
    """Assert that no process or thread is left after a test."""
    threads, processes = threading.active_count(), children()
    yield
    assert becomes_true(lambda: children() <= processes)
    assert becomes_true(lambda: threading.active_count() <= threads)


def test_a_working_engine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVES", "22-18 21-17")
    game = Game("dama64")
    with start("none") as engine:
        assert engine.name == "Faulty none 1"
        game.play(engine.choose(game, 0.1))
        assert isinstance(engine, HubEngine)
        assert (engine.info.depth, engine.info.score, engine.info.pv) == (3, 25, ("22-18",))
        game.play("10-14")
        assert engine.choose(game, 0.1).hub() == "21-17"


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        ("garbage", EngineSilentError, "not a Hub engine"),
        ("silent", EngineSilentError, "no 'wait' within 0.4 s"),
        ("flood", EngineError, "no 'wait' within|20000 lines"),
        ("huge", EngineGarbageError, "more than 65536 bytes"),
        ("dead", EngineDeadError, "exit status 1.*cannot find my book"),
        ("one game", EngineUnfitError, "does not play dama64, but killer, bt"),
    ],
)
def test_an_engine_that_fails_to_start_is_reported(
    fault: str, kind: type[EngineError], message: str
) -> None:
    started = time.monotonic()
    patience = 0.4 if kind in (EngineSilentError, EngineError) else 20.0
    with pytest.raises(kind, match=message):
        start(fault, patience)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        ("mute", EngineSilentError, "no move within 0.1 s, and no answer"),
        ("slow", EngineSlowError, "no move within 0.1 s, nor after `stop`"),
        ("chatters", EngineError, "no move within|20000 lines"),
        ("illegal", EngineMoveError, "1-32 cannot be played"),
        ("nonsense", EngineGarbageError, "'e2e4' is not a move"),
        ("nothing", EngineGarbageError, "done without a move"),
        ("complains", EngineGarbageError, "out of memory"),
        ("dies", EngineDeadError, "exit status 3"),
        ("closes", EngineDeadError, "has closed its output"),
    ],
)
def test_an_engine_that_fails_to_move_is_reported(
    fault: str, kind: type[EngineError], message: str
) -> None:
    engine = start(fault)
    started = time.monotonic()
    with pytest.raises(kind, match=message) as error:
        engine.choose(Game("dama64"), 0.1)
    assert error.value.engine == f"Faulty {fault} 1"
    assert time.monotonic() - started < 10
    with pytest.raises(EngineDeadError, match="closed"):
        engine.choose(Game("dama64"), 0.1)


@pytest.mark.parametrize("fault", ["late", "bytes"])
def test_an_unusual_engine_that_follows_the_protocol_plays(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOVES", "22-18")
    with start(fault) as engine:
        assert engine.choose(Game("dama64"), 0.05).hub() == "22-18"


def test_an_engine_that_does_not_quit_is_killed_with_its_children() -> None:
    engine = start("stubborn")
    grandchild = int(engine.name.split()[-1])
    assert not has_ended(grandchild)
    started = time.monotonic()
    engine.close()
    assert time.monotonic() - started < 5
    assert becomes_true(lambda: has_ended(grandchild))


def test_control_characters_of_an_engine_are_not_shown() -> None:
    error = EngineError("\x1b[2Jname", "no\nmove " + 1000 * "x")
    assert str(error).startswith("?[2Jname: no?move xxx")
    assert len(str(error)) < 600
    client = Client()
    client.greet()
    client.parse('id name="\x1b[31mRed" version=1')
    assert client.name == "?[31mRed 1"


def test_an_invalid_command_is_refused() -> None:
    with pytest.raises(EngineDeadError, match="No such file"):
        connect("./no-such-engine hub")
    with pytest.raises(EngineDeadError, match="not a command"):
        connect('engine "open')
    with pytest.raises(EngineDeadError, match="no command or address"):
        connect("")


def test_unknown_parameters_are_refused() -> None:
    command = (sys.executable, "-I", "-S", str(FAULTY), "none")
    connect(command, rules="dama64", parameters={"book": "false"}).close()
    with pytest.raises(EngineUnfitError, match="no parameter 'books'; it has variant, book"):
        connect(command, rules="dama64", parameters={"books": "false"})


def test_an_engine_without_variants_plays_only_the_standard_game() -> None:
    with start("none", rules="international") as engine:
        assert engine.rules.name == "international"
    with pytest.raises(EngineUnfitError, match="does not play american, but normal, dama64"):
        start("none", rules="american")


def test_games_by_other_rules_are_refused() -> None:
    with (
        start("none") as engine,
        pytest.raises(ValueError, match=r"started with other rules \(dama64\)"),
    ):
        engine.choose(Game("american"), 0.1)


def test_our_own_engine_plays_over_the_protocol() -> None:
    """It continues its game, and moves immediately when stopped."""
    game = Game("russian", "W:W31,32,27,24:B1,2,6,K9")
    with connect((*DAMKA, "russian"), rules="russian", limits=SearchLimits(depth=3)) as engine:
        assert engine.name.startswith("Damka ")
        for _ in range(6):
            if game.result is None:
                game.play(engine.choose(game))
        stop = Stop()
        threading.Timer(0.1, stop.set).start()
        started = time.monotonic()
        assert engine.choose(Game("russian"), 60, stop=stop) in Game("russian").legal_moves
        assert time.monotonic() - started < 10


def test_an_engine_may_be_reached_over_tcp() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def answer() -> None:
            replies = {"hub": b"wait\n", "init": b"ready\n", "go": b"done move=22-18\n"}
            with server.accept()[0] as peer, peer.makefile() as lines:
                for text in lines:
                    peer.sendall(replies.get(text.split()[0], b""))

        thread = threading.Thread(target=answer)
        thread.start()
        with connect(f"127.0.0.1:{port}", rules="international", patience=5) as engine:
            with pytest.raises(EngineMoveError):
                engine.choose(Game("international"), 0.1)
            with pytest.raises(EngineDeadError):
                engine.choose(Game("international"), 0.1)
        thread.join(5)
    with pytest.raises(EngineDeadError, match="no connection"):
        connect(f"127.0.0.1:{port}")


@pytest.mark.parametrize("text", ["engine", "./engine:70000", "a b:1", "x:", ":5", "host:1x", ""])
def test_an_invalid_address_is_refused(text: str) -> None:
    assert address(text) is None


@pytest.mark.parametrize(
    ("text", "score"),
    [("0.25", 25), ("99.95", WIN - 5), ("-99.95", 5 - WIN), ("299.95", WIN - 5), ("89.6", 19_920)],
)
def test_win_scores_match_the_search(text: str, score: int) -> None:
    """On Scan's scale and on that of older versions of Damka."""
    client = Client(state="thinks")
    info = client.parse(f"info depth=3 score={text}")
    assert isinstance(info, Info)
    assert info.score == score


def test_our_engine_and_our_client_agree_on_a_win() -> None:
    with connect(DAMKA, rules="dama64", parameters={"hash": "1"}) as engine:
        assert isinstance(engine, HubEngine)
        engine.choose(Game("dama64", "W:WK6,K17,K26,21,9:BK29"), seconds=2)
        assert engine.info.score is not None
        assert WIN - 20 < engine.info.score < WIN
