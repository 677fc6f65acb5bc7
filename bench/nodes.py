"""Positions a second beside dame-rs, on the same positions of international draughts.

A position counts when the search enters it, quiescence included. Both are measured in processor
seconds, so that other work on the machine counts less, and in turn, for a fraction of a second each
and often, as machines that others use too are now slower and now faster. dame-rs's nodes are those
that it reported last, some time before it ended, and its processor time is taken in proportion.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import time

from bench.figures import Figure
from bench.peers import environment
from damka import Board
from damka.engine import Engine

__all__ = ["position", "run"]

GOAL = 3.0
SECONDS = 0.2
TURNS = 40
PLIES = (0, 14, 30)
_INFO = re.compile(r"nodes=(\d+).* time=([\d.]+)")
_HUB = str.maketrans({".": "e"})


def run() -> list[Figure]:
    """Return the figure of both programs on three positions, in turn: the median ratio."""
    mine: list[float] = []
    other: list[float] = []
    with _Dame() as dame:
        for board in map(position, PLIES):
            for _ in range(TURNS):
                other.append(_rate(*dame.search(board)))
                engine = Engine()
                engine.search(board, depth=1)  # The memory is made and the weights read by now.
                started = time.process_time()
                found = engine.search(board, seconds=SECONDS)
                mine.append(_rate(found.nodes, time.process_time() - started))
    return [
        Figure.against(
            "search, international, positions/s",
            f"{statistics.median(mine) / 1e6:.2f} M",
            f"dame-rs {statistics.median(other) / 1e6:.2f} M",
            statistics.median(a / b for a, b in zip(mine, other, strict=True)),
            GOAL,
        )
    ]


def _rate(nodes: int, seconds: float) -> float:
    return nodes / seconds


def position(plies: int) -> Board:
    """Return a position of international draughts after so many plies of a game of its own."""
    board = Board("international")
    for ply in range(plies):
        moves = sorted(board.legal_moves, key=lambda move: move.hub())
        board.push(moves[7 * ply % len(moves)])
    return board


class _Dame:
    """dame-rs as a Hub engine."""

    def __enter__(self) -> _Dame:
        program = environment("dame") / "dame"
        self._process = subprocess.Popen(
            [program, "hub"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._say("hub")
        self._until("wait")
        self._say("init")
        self._until("ready")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def search(self, board: Board) -> tuple[int, float]:
        """Return the positions it searched and the processor seconds that took."""
        self._say("new-game")
        self._say(f"pos pos={board.turn}{board.pieces.translate(_HUB)}")
        self._say(f"level move-time={SECONDS:g}")
        self._say("ping")
        self._until("pong")
        before, started = self._seconds(), time.monotonic()
        self._say("go think")
        told = _INFO.search(self._until("done"))
        # It ends before its time when that is too short for one more iteration.
        wall = time.monotonic() - started
        if told is None:
            raise RuntimeError("dame-rs told no nodes")
        return int(told[1]), (self._seconds() - before) * float(told[2]) / wall

    def _seconds(self) -> float:
        """Return the processor time of all its threads, those that have ended included."""
        return time.clock_gettime(~self._process.pid << 3 | 2)  # Linux: see clock_getcpuclockid(3).

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")

    def _until(self, word: str) -> str:
        """Return the last line of information before the one that begins with `word`."""
        assert self._process.stdout is not None
        last = ""
        for line in self._process.stdout:
            if line.startswith("info"):
                last = line
            if line.startswith(word):
                return last
        raise RuntimeError("dame-rs ended")
