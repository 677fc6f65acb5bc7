"""The Hub engine with a thread and streams: searching, stopping, pondering, and complete games."""

from __future__ import annotations

import io
import subprocess
import sys
import time
from collections.abc import Iterator
from queue import Queue

import pytest

from damka import Game, rules
from damka.engine.hub import Service, Setup, line, position, serve
from damka.engine.protocol_moves import parse_move

DAMKA = (sys.executable, "-c", "from damka.cli import main; main()", "hub")
PATIENCE = 20.0
SMALL = Setup(hash_mb=1, threads=1)


class Output(io.StringIO):
    """The engine's output, line by line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: Queue[str] = Queue()

    def write(self, text: str) -> int:
        self.lines.put(text.removesuffix("\n"))
        return len(text)

    def until(self, command: str) -> line.Line:
        """Return the next line with this command."""
        while True:
            parsed = line.parse(self.lines.get(timeout=PATIENCE))
            if parsed is not None and parsed.command == command:
                return parsed


@pytest.fixture
def output() -> Output:
    return Output()


@pytest.fixture
def engine(output: Output) -> Iterator[Service]:
    service = Service(rules.load("dama64"), output, SMALL)
    yield service
    service.close()


def test_a_search_ends_at_its_depth(engine: Service, output: Output) -> None:
    assert engine.receive("level depth=4")
    assert engine.receive("go think")
    assert output.until("info").arguments["depth"] == "1"
    done = output.until("done").arguments
    assert parse_move(Game("dama64").board, done["move"])
    assert "ponder" in done


def test_a_search_respects_its_clock(engine: Service, output: Output) -> None:
    engine.receive("level time=0.5 inc=0.1")
    started = time.monotonic()
    engine.receive("go think")
    output.until("done")
    # An engine that ignored its clock would search forever; the margin is for busy machines.
    assert time.monotonic() - started < PATIENCE / 2


def test_stop_and_ping_are_answered_during_a_search(engine: Service, output: Output) -> None:
    engine.receive("level infinite")
    engine.receive("go analyze")
    engine.receive("ping")
    output.until("pong")
    started = time.monotonic()
    engine.receive("stop")
    output.until("done")
    assert time.monotonic() - started < 1


def test_ponder_hit_starts_the_time_for_the_move(engine: Service, output: Output) -> None:
    engine.receive("level move-time=0.05")
    engine.receive("go ponder")
    time.sleep(0.15)
    assert not any(text.startswith("done") for text in output.lines.queue)
    engine.receive("ponder-hit")
    output.until("done")


def test_a_compulsory_move_takes_no_time(engine: Service, output: Output) -> None:
    engine.receive("pos pos=Wb" + 16 * "e" + "beeew" + 10 * "e")
    engine.receive("level infinite")
    engine.receive("go think")
    assert output.until("done").arguments["move"] == "22x15x18"


def test_the_program_exits_at_the_end_of_input(output: Output) -> None:
    started = time.monotonic()
    serve(rules.load("dama64"), io.BytesIO(b"level infinite\ngo think\n"), output, SMALL)
    assert time.monotonic() - started < PATIENCE


def test_only_the_too_long_line_is_dropped(output: Output) -> None:
    long = b"pos pos=" + line.MAX_LENGTH * 3 * b"e" + b"\nping\nquit\nping\n"
    serve(rules.load("dama64"), io.BytesIO(long), output)
    assert output.until("error").arguments["message"].startswith("the line is longer than")
    output.until("pong")
    assert output.lines.empty()


def test_bytes_that_are_not_utf8_are_harmless(output: Output) -> None:
    serve(rules.load("dama64"), io.BytesIO(b"\xff\xfe\x00\n\nping\nquit"), output)
    output.until("pong")


def test_a_closed_output_ends_the_program() -> None:
    class ClosedStream(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    serve(rules.load("dama64"), io.BytesIO(b"ping\n" + 9 * b"go think\n"), ClosedStream())


@pytest.mark.parametrize("name", ["international", "american"])
def test_a_gui_plays_a_complete_game(name: str) -> None:
    """One engine process plays both sides until the game ends."""
    engine = subprocess.Popen(
        (*DAMKA, name), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    assert engine.stdin
    assert engine.stdout

    def send(*lines: str, until: str) -> line.Line:
        assert engine.stdin
        assert engine.stdout
        engine.stdin.write("".join(f"{text}\n" for text in lines))
        engine.stdin.flush()
        for text in engine.stdout:
            parsed = line.parse(text)
            assert parsed is not None
            assert parsed.command != "error", text
            if parsed.command == until:
                return parsed
        raise AssertionError("the engine ended")

    with engine:
        send("hub", until="wait")
        send("set-param name=hash value=1", "init", until="ready")
        send("new-game", "level nodes=2000", "ping", until="pong")
        game = Game(name)
        start = position.write(game.board)
        while game.result is None and len(game.moves) < 1000:
            moves = " ".join(move.hub() for move in game.moves)
            done = send(line.write("pos", pos=start, moves=moves), "go think", until="done")
            game.play(parse_move(game.board, done.arguments["move"]))
        assert game.result is not None
        engine.stdin.write("quit\n")
        engine.stdin.flush()
        assert engine.wait(PATIENCE) == 0
