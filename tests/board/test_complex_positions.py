"""Positions whose captures could be walked in millions of ways: answered soon, or refused in words.

The positions of `complex-positions.jsonl` were found by `tools/complex_positions.py`, which climbs
towards what takes longest.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from damka import Board, Game
from damka.engine import Engine
from damka.errors import PositionTooComplexError
from damka.rules import load
from tests.support import DATA

if TYPE_CHECKING:
    from damka.rules import Rules

CORPUS = DATA / "complex-positions.jsonl"
POSITIONS: list[dict[str, Any]] = [json.loads(line) for line in CORPUS.read_text().splitlines()]
SECONDS = 0.1
MEGABYTES = 64

FREE = replace(
    load("canadian"),
    king_landing="any",
    precedence=(),
    removal="immediate",
    u_turn=True,
    capture_lines="diagonal+orthogonal",
)
"""Rules by which the moves themselves can be too many."""
TOO_MANY = (
    "W:WK14,K72:BK8,K9,K10,K11,K12,K21,K27,K29,K32,K33,K34,K35,K36,K44,K46,K50,K56,K57,K58,K59,K60"
)


def rules_of(position: dict[str, Any]) -> Rules:
    return replace(load(position["rules"]), **position.get("changes", {}))


def listed(board: Board) -> int | None:
    """Return the number of moves; None where they are refused as too many.

    Best of five tries, as other programs may have the processor.
    """
    moves: int | None = None
    spent: list[float] = []
    while len(spent) < 5:
        start = time.process_time()
        try:
            moves = len(board.legal_moves)
        except PositionTooComplexError:
            moves = None
        spent.append(time.process_time() - start)
        if spent[-1] < SECONDS:
            return moves
    raise AssertionError(f"{min(spent):.3f} s for {board.fen}")


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position["fen"])
def test_the_moves_of_a_hard_position_are_listed_in_time(position: dict[str, Any]) -> None:
    # "moves": null stands for a position that is refused, as nothing quick enough is known.
    assert listed(Board(rules_of(position), position["fen"])) == position["moves"]


LIST_ALL = """
import json, sys
from dataclasses import replace
from damka import Board
from damka.errors import PositionTooComplexError
from damka.rules import load

def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if "VmHWM" in line)

boards = []
for line in open(sys.argv[1]):
    told = json.loads(line)
    rules = replace(load(told["rules"]), **told.get("changes", {}))
    boards.append(Board(rules, told["fen"]))
before = peak()
for board in boards:
    try:
        board.legal_moves
    except PositionTooComplexError:
        pass
print(peak() - before)
"""


@pytest.mark.threads
def test_the_moves_of_hard_positions_fit_their_memory() -> None:
    told = subprocess.run(
        [sys.executable, "-c", LIST_ALL, str(CORPUS)], check=True, capture_output=True, text=True
    )
    assert int(told.stdout) < MEGABYTES * 1024


def test_too_many_moves_are_refused_in_words() -> None:
    board = Board(FREE, TOO_MANY)
    with pytest.raises(PositionTooComplexError, match="too many to list"):
        _ = board.legal_moves
    assert board.has_legal_moves
    with pytest.raises(PositionTooComplexError):
        board.perft(1)
    with pytest.raises(PositionTooComplexError):
        Game(FREE, TOO_MANY)


def test_a_move_into_such_a_position_is_refused_and_nothing_is_lost() -> None:
    before = TOO_MANY.replace("W:W", "B:W") + ",K2"
    game = Game(FREE, before)
    move = game.board.parse("2x26")
    with pytest.raises(PositionTooComplexError, match="choose another move"):
        game.play(move)
    assert (game.board.fen, game.history, game.turn) == (Board(FREE, before).fen, (), "B")


@pytest.mark.native
def test_other_threads_run_while_captures_are_searched_for(monkeypatch: Any) -> None:
    board = Board(FREE, TOO_MANY)
    ticks, end = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not end.wait(0.001):
            ticks += 1

    # Python itself lets no other thread run meanwhile.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(10)
    ticking = threading.Thread(target=tick)
    try:
        ticking.start()
        before = ticks
        with pytest.raises(PositionTooComplexError):
            _ = board.legal_moves
        after = ticks
    finally:
        sys.setswitchinterval(interval)
        end.set()
        ticking.join()
    assert after > before


@pytest.mark.parametrize("position", [POSITIONS[0], POSITIONS[-1]], ids=lambda p: p["fen"])
def test_a_search_of_a_hard_position_keeps_to_its_time(position: dict[str, Any]) -> None:
    start = time.monotonic()
    found = Engine(hash_mb=4).search(Board(rules_of(position), position["fen"]), seconds=0.2)
    assert found.move is not None
    assert time.monotonic() - start < 1
