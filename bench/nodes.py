"""Nodes a second beside dame-rs, on the same positions of international draughts.

Nodes are counted when the search enters them, qsearch included. Both programs are measured in
processor seconds and in turn, often and for a fraction of a second, because the speed of a shared
machine varies. dame-rs's nodes are those of its last report, some time before it ended; its
processor time is scaled to that.
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
    """Return the figure: the median ratio of both programs, in turn, on three positions."""
    mine: list[float] = []
    other: list[float] = []
    with _Dame() as dame:
        for board in map(position, PLIES):
            for _ in range(TURNS):
                other.append(_rate(*dame.search(board)))
                engine = Engine()
                engine.search(board, depth=1)  # Allocate the table and read the weights first.
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
    """Return a position of international draughts after this number of plies of self-play."""
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
        """Return the nodes searched and the processor seconds taken."""
        self._say("new-game")
        self._say(f"pos pos={board.turn}{board.pieces.translate(_HUB)}")
        self._say(f"level move-time={SECONDS:g}")
        self._say("ping")
        self._until("pong")
        before, started = self._seconds(), time.monotonic()
        self._say("go think")
        told = _INFO.search(self._until("done"))
        # It stops early when there is no time for another iteration.
        wall = time.monotonic() - started
        if told is None:
            raise RuntimeError("dame-rs told no nodes")
        return int(told[1]), (self._seconds() - before) * float(told[2]) / wall

    def _seconds(self) -> float:
        """Return the processor time of all its threads, ended ones included."""
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
