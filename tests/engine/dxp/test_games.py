"""Games over DXP: our program against itself, our client against working and faulty engines."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from damka import Board, Game, rules
from damka.engine import Analysis, SearchLimits, Stop
from damka.engine.dxp import MARK, MAX_LENGTH, Service, Session
from damka.engine.external import (
    DxpEngine,
    EngineDeadError,
    EngineEndError,
    EngineError,
    EngineGarbageError,
    EngineMoveError,
    EngineSilentError,
    EngineSlowError,
    EngineUnfitError,
    connect,
)
from damka.engine.external import dxp as client
from damka.engine.transport import Connection, Link
from tests.cli.inside import damka
from tests.engine.dxp.hosts import (
    PATIENCE,
    RESIGNS,
    YES,
    Quick,
    damka_at,
    engine_at,
    scripted,
)

DAMKA = (sys.executable, "-c", "from damka.cli import main; main()", "dxp")


def test_two_programs_play_two_games_to_the_end(tmp_path: Path) -> None:
    games = tmp_path / "games.pdn"
    quick = ("american", "--time", "0.001", "--hash", "1")
    terms = ("--minutes", "0", "--games", "2", "--output", str(games))
    with subprocess.Popen(
        (*DAMKA, *quick, "--listen", "127.0.0.1:0", "--once"), stdout=subprocess.PIPE, text=True
    ) as host:
        assert host.stdout
        port = re.search(r"127\.0\.0\.1:(\d+)", host.stdout.readline())
        assert port
        guest = subprocess.run(
            (*DAMKA, *quick, *terms, "--connect", f"127.0.0.1:{port[1]}"),
            capture_output=True,
            text=True,
            timeout=100,
            check=True,
        )
        output = host.stdout.read()
        assert host.wait(PATIENCE) == 0
    opposite = {"won": "lost", "lost": "won", "drawn": "drawn"}
    ends = re.compile(r"game \d: (\w+) \((\w+)\) after (\d+) plies")
    ours, theirs = ends.findall(guest.stdout), ends.findall(output)
    assert len(ours) == 2
    assert theirs == [(opposite[outcome], reason, plies) for outcome, reason, plies in ours]
    assert games.read_text("utf-8").count("[Event ") == 2


def test_an_address_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        listen = ("dxp", "--listen", str(busy.getsockname()[1]))
        assert "cannot listen" in damka(*listen, home=tmp_path, status=2)
    # No other program can listen on a port that is in use, though nothing listens on it.
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        connecting = ("dxp", "--connect", f"127.0.0.1:{unused.getsockname()[1]}")
        assert "no connection" in damka(*connecting, home=tmp_path, status=2)


def test_our_client_plays_games_with_a_dxp_engine() -> None:
    """A game from the start with each colour, and one from a position; then disconnect."""
    with engine_at(damka_at("dama64")) as address, connect(address, "dxp", "dama64") as engine:
        assert isinstance(engine, DxpEngine)
        for fen, theirs in [(None, 0), (None, 1), ("B:WK1,10:BK32,26,8", 0)]:
            game = Game("dama64", fen, obligation="forced")
            while game.result is None and len(game.moves) < 60:
                if len(game.moves) % 2 == theirs:
                    game.play(engine.choose(game, 0.01))
                else:
                    game.play(game.legal_moves[0])
        assert engine.name == "Host"


def test_a_time_limit_becomes_a_clock_for_the_whole_game() -> None:
    budgets: list[tuple[float, float]] = []

    class Watched(Quick):
        def search(self, game: Game | Board, **limits: Any) -> Analysis:
            assert limits["seconds"] is None
            budgets.append(limits["clock"].budget())
            return super().search(game, **limits)

    limits = SearchLimits(seconds=1)  # a minute for all moves
    with (
        engine_at(damka_at("dama64", Watched)) as address,
        connect(address, "dxp", "dama64", limits=limits) as engine,
    ):
        game = Game("dama64", obligation="forced")
        for _ in range(3):
            game.play(engine.choose(game))
            game.play(game.legal_moves[0])
    assert len(budgets) == 3
    assert all(0 < target <= most < 60 for target, most in budgets)


@pytest.mark.parametrize(
    ("answers", "kind", "message"),
    [
        ((), EngineSilentError, "not a DXP engine"),
        ((YES,), EngineSlowError, "no move within the time limit"),
        ((f"A{'Faulty':32}2\0".encode(),), EngineUnfitError, "declines this game"),
        ((YES + b"M0000010200\0",), EngineMoveError, "1-2 cannot be played"),
        ((YES + b"M00003228\0",), EngineGarbageError, "not a M message"),
        ((b"HTTP/1.1 400 Bad Request\0",), EngineGarbageError, "not with 'H'"),
        ((b"x" * 100_000,), EngineGarbageError, "more than 127 bytes"),
        ((YES + b"\xff\xfe\0",), EngineGarbageError, "must begin with one of"),
        ((YES + b"Chello\0" * 3000,), EngineGarbageError, "more than 1000 messages"),
    ],
)
def test_a_faulty_engine_is_reported(
    answers: tuple[bytes, ...],
    kind: type[EngineError],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if kind is EngineSlowError:
        monkeypatch.setattr(client, "_MINUTE", 0.3)
    patience = 0.3 if kind is EngineSilentError else PATIENCE
    with engine_at(scripted(*answers)) as address:
        engine = connect(address, "dxp", "international", patience=patience, grace=0.1)
        started = time.monotonic()
        with pytest.raises(kind, match=message):
            engine.choose(Game("international"), 0.1)
        assert time.monotonic() - started < 10
        with pytest.raises(EngineDeadError, match="closed"):
            engine.choose(Game("international"), 0.1)


def test_an_engine_that_disconnects_is_reported() -> None:
    with engine_at(lambda visitor: visitor.close()) as address:
        engine = connect(address, "dxp", "international")
        with pytest.raises(EngineDeadError, match="has ended"):
            engine.choose(Game("international"), 0.1)


def test_an_engine_that_resigns_may_play_again() -> None:
    answers = (*RESIGNS, YES + b"M0000322800\0")
    with (
        engine_at(scripted(*answers)) as address,
        connect(address, "dxp", "international") as engine,
    ):
        with pytest.raises(EngineEndError, match="it resigned") as ended:
            engine.choose(Game("international"), 0.1)
        assert ended.value.resigns
        assert engine.choose(Game("international"), 0.1).hub() == "32-28"


def test_a_move_may_be_cancelled() -> None:
    stop = Stop()
    with engine_at(scripted(YES)) as address:
        engine = connect(address, "dxp", "international")
        threading.Timer(0.1, stop.set).start()
        with pytest.raises(EngineDeadError, match="request was cancelled"):
            engine.choose(Game("international"), 60, stop=stop)


def test_a_command_is_not_a_dxp_address() -> None:
    with pytest.raises(EngineUnfitError, match="HOST:PORT"):
        connect("some command", "dxp")


@pytest.mark.parametrize(
    ("sent", "kind", "message"),
    [
        (b"Cdo you like draughts?\0" * 2000, EngineGarbageError, "more than 1000 chat lines"),
        (b"GET / HTTP/1.1\r\n\0" * 20, EngineGarbageError, "must begin with one of"),
        (b"y" * 1000, EngineGarbageError, "more than 127 bytes"),
        (b"", EngineSilentError, "stopped answering"),
        (f"R01{'Guest':32}Z000000A\0".encode(), EngineSilentError, "stopped answering"),
    ],
)
def test_a_faulty_client_is_reported(sent: bytes, kind: type[EngineError], message: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        visitor = socket.create_connection(server.getsockname())
        link = Link("visitor", Connection(server.accept()[0]), MARK, MAX_LENGTH)
    session = Session(rules.load("international"), "Host")
    with visitor:
        visitor.sendall(sent)
        patience = 0.2 if kind is EngineSilentError else PATIENCE
        with pytest.raises(kind, match=message):
            Service(link, session, Quick(hash_mb=1), patience=patience).follow()
    link.close()


def test_a_client_that_disconnects_during_a_game_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        visitor = socket.create_connection(server.getsockname())
        link = Link("visitor", Connection(server.accept()[0]), MARK, MAX_LENGTH)
    session = Session(rules.load("international"), "Host")
    visitor.sendall(f"R01{'Guest':32}Z005000A\0".encode())
    visitor.close()
    with pytest.raises(EngineDeadError, match="has ended"):
        Service(link, session, Quick(hash_mb=1), patience=PATIENCE).follow()
    link.close()
