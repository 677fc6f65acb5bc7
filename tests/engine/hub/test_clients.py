"""Behaviour of various Hub clients: Damka reacts to their lines like Scan.
The engine uses all its time on a simulated clock.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from queue import Queue
from typing import Any

import pytest

from damka import Board, Game, rules
from damka.engine import Analysis, Clock, Engine
from damka.engine.hub import Service, Setup, line, position
from damka.engine.protocol_moves import parse_move

PATIENCE = 20.0
SMALL = Setup(hash_mb=1, threads=1)
START = "W" + "b" * 20 + "e" * 10 + "w" * 20


class Timed(Engine):
    """An engine that uses all its time on a simulated clock, then moves."""

    def __init__(self) -> None:
        super().__init__(hash_mb=1)
        self.now = 0.0
        self.limits: list[dict[str, Any]] = []

    def search(self, game: Game | Board, **limits: Any) -> Analysis:
        self.limits.append(limits)
        clock, stop = limits.get("clock"), limits.get("stop")
        ends = [limits.get("seconds"), clock.budget().limit if clock else None]
        spent = min((end for end in ends if end is not None), default=None)
        endless = limits.get("nodes") is None and limits.get("depth", 100) == 100
        if spent is None and stop is not None and endless:
            while not stop.is_set:
                time.sleep(0.001)
        self.now += spent or 0.0
        move = next(iter(limits.get("moves") or game.legal_moves))
        return Analysis(move, 12, 3, 100, spent or 0.0, (move,))


@dataclass
class Client(io.StringIO):
    """A client that sends lines and records the engine's output."""

    name: str = "international"
    engine: Timed = field(default_factory=Timed)
    lines_received: Queue[str] = field(default_factory=Queue)

    def __post_init__(self) -> None:
        client = self

        class Scripted(Service):
            def _new_engine(self, setup: Setup) -> Engine:
                return client.engine

        self.service = Scripted(rules.load(self.name), self, SMALL)

    def write(self, text: str) -> int:
        self.lines_received.put(text.removesuffix("\n"))
        return len(text)

    def send(self, *lines: str) -> None:
        for text in lines:
            assert self.service.receive(text)

    def until(self, command: str) -> line.Line:
        """Return the next line with this command; an error before it fails the test."""
        while True:
            parsed = line.parse(self.lines_received.get(timeout=PATIENCE))
            assert parsed is not None
            if parsed.command == command:
                return parsed
            assert parsed.command != "error", parsed

    def go(self, *lines: str) -> dict[str, Any]:
        """Send lines that end in a search and return its limits."""
        self.send(*lines)
        self.until("done")
        return self.engine.limits[-1]


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.service.close()


def test_analysis_for_a_time_ends_in_time(client: Client) -> None:
    limits = client.go("pos start", "level move-time=0.3", "go analyze")
    assert client.engine.now == 0.3
    assert limits["contempt"] == 0


def test_analysis_by_a_clock_ends_in_time(client: Client) -> None:
    client.go("pos start", "level time=60 inc=1", "go analyze")
    assert 0 < client.engine.now <= 7


def test_analysis_for_a_time_ends_by_the_real_clock() -> None:
    """With a real engine, which would never end if it ignored the time."""
    output = Client()
    output.service.close()
    service = Service(rules.load("international"), output, SMALL)
    service.receive("level move-time=0.3")
    service.receive("go analyze")
    try:
        output.until("done")
    finally:
        service.close()


def test_several_level_lines_add_up(client: Client) -> None:
    """A phone app sends each limit in a separate line."""
    limits = client.go(
        "pos start", "level move-time=90", "level depth=20", "level nodes=7000", "go analyze"
    )
    assert (limits["seconds"], limits["depth"], limits["nodes"]) == (90, 20, 7000)
    limits = client.go(
        "pos start", "level time=50", "level moves=20", "level inc=2", "level infinite", "go think"
    )
    assert limits["clock"] == Clock(50, 2, 20, increment_first=True)
    limits = client.go("level depth=9", "level depth=5", "level handicap=2", "go think")
    assert limits["depth"] == 5


def test_levels_are_reset_after_searches_and_positions(client: Client) -> None:
    assert client.go("pos start", "level depth=3", "level nodes=50", "go think")["nodes"] == 50
    limits = client.go("pos start", "level move-time=1", "go think")
    assert (limits["seconds"], limits["nodes"], limits["depth"]) == (1, None, 100)
    limits = client.go("level depth=4", "pos start", "level nodes=60", "go think")
    assert (limits["seconds"], limits["nodes"], limits["depth"]) == (None, 60, 100)


def test_a_level_remains_for_clients_that_send_it_once(client: Client) -> None:
    for _ in range(3):
        assert client.go("level depth=7", "pos start", "go think")["depth"] == 7
    for _ in range(3):
        assert client.go("pos start", "go think")["depth"] == 7


def test_unknown_parameters_are_ignored(client: Client) -> None:
    """A client of Scan sets them before and after `init`."""
    client.send("hub")
    client.until("wait")
    client.send(
        "set-param name=variant value=normal",
        "set-param name=book value=false",
        'set-param name=book-ply value="4"',
        "set-param name=bb-size value=0",
        "set-param name=tt-size value=24",
        "init",
    )
    client.until("ready")
    client.send("set-param name=ponder value=true")
    client.go("pos start", "level depth=2", "go think")


@pytest.mark.parametrize("text", ["pos start", "pos", "pos pos=start", f"pos start pos={START}"])
def test_the_start_position_can_be_set_without_letters(client: Client, text: str) -> None:
    client.send("pos pos=" + "B" + "e" * 44 + "bwwwww")
    client.send("level depth=2", text, "go think")
    assert parse_move(Board("international"), client.until("done").arguments["move"])
    client.send(f'{text} moves="32-28 19-23 28x19x23"', "go think")
    assert client.until("done").arguments["move"].split("x")[-1] == "19"


@pytest.mark.parametrize("name", ["american", "frisian", "russian"])
def test_the_start_position_is_that_of_the_rules(name: str) -> None:
    client = Client()
    client.send(f"set-param name=variant value={name}", "pos start", "level depth=2", "go think")
    assert parse_move(Board(name), client.until("done").arguments["move"])
    client.service.close()


@pytest.mark.parametrize("text", ["100", "300"])
def test_a_win_has_the_configured_score(text: str) -> None:
    output = Client("dama64")
    output.service.close()
    service = Service(rules.load("dama64"), output, SMALL)
    service.receive(f"set-param name=win-score value={text}")
    service.receive("pos pos=" + position.write(Board("dama64", "W:WK6,K17,K26,21,9:BK29")))
    service.receive("level depth=9")
    service.receive("go analyze")
    scores = []
    while (parsed := line.parse(output.lines_received.get(timeout=PATIENCE))) and (
        parsed.command != "done"
    ):
        scores.append(float(parsed.arguments["score"]))
    service.close()
    assert float(text) - 0.2 < max(scores) < float(text)


def test_the_next_position_may_follow_stop_immediately(client: Client) -> None:
    """The protocol allows it if the opponent did not play the expected move."""
    client.send("pos start", "level time=60", "go ponder", "stop")
    client.send('pos start moves="32-28"', "level depth=4", "go think")
    client.until("done")
    client.until("done")
    assert len(client.engine.limits) == 2
    assert client.engine.limits[1]["depth"] == 4


def test_a_new_command_ends_a_running_search(client: Client) -> None:
    """Clients of Scan change the position during an analysis without `stop`."""
    client.send("level infinite", "go analyze")
    client.send('pos start moves="32-28"', "level infinite", "go analyze", "ping")
    client.until("done")
    client.until("pong")
    client.send("new-game", "level depth=3", "go think")
    client.until("done")
    client.until("done")


def test_lines_that_need_no_answer_are_harmless(client: Client) -> None:
    client.send("", "   ", "\t", "stop", "ponder-hit", "hello", "level ponder", "go-faster x=1")
    client.send("ping")
    assert client.lines_received.get(timeout=PATIENCE) == "pong"


def test_pondering_has_no_clock(client: Client) -> None:
    client.send("pos start", "level time=60 inc=1", "go ponder")
    while not client.engine.limits:
        time.sleep(0.001)
    assert client.engine.limits[-1]["clock"] is None
    client.send("ping", "stop")
    client.until("pong")
    client.until("done")


def test_a_position_without_a_move_gets_an_answer(client: Client) -> None:
    client.send("pos pos=W" + "b" * 20 + "e" * 30, "level depth=3", "go think")
    assert client.until("done").arguments == {}


@pytest.mark.parametrize("text", ["go", "go think ponder", "go fast"])
def test_unusual_go_commands_start_a_search(client: Client, text: str) -> None:
    client.send("pos start", "level depth=3", text)
    client.until("done")


def test_several_games_are_played_in_one_connection(client: Client) -> None:
    for name in ("normal", "frisian", "normal"):
        client.send("new-game", f"set-param name=variant value={name}", "init")
        client.until("ready")
        client.go("pos start", "level depth=2", "go think")


@pytest.mark.parametrize("inc", [0.0, 0.5, 3.0])
@pytest.mark.parametrize("time_left", [600.0, 60.0, 5.0])
def test_a_move_takes_at_most_a_tenth_of_the_clock_and_the_increment(
    client: Client, time_left: float, inc: float
) -> None:
    """The client counts the clock down and adds the increment before the move."""
    left = time_left
    for _ in range(60):
        before = client.engine.now
        client.go("pos start", f"level time={left} inc={inc}", "go think")
        spent = client.engine.now - before
        assert 0 < spent < left + inc
        if left >= 1:
            assert spent <= left / 10 + inc
        left += inc - spent


def test_the_moves_before_the_time_control_share_the_clock(client: Client) -> None:
    left = 100.0
    for moves in range(30, 0, -1):
        before = client.engine.now
        client.go("pos start", f"level moves={moves} time={left}", "go think")
        spent = client.engine.now - before
        if moves > 10 and left >= 1:
            assert spent <= left / 10
        left -= spent
        assert left > 0
