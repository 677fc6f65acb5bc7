"""Nodes per second in comparison with dame-rs, on the same positions of international draughts.

Nodes are counted when the search enters them, qsearch included. Both programs are measured in
CPU seconds, in many short alternating runs, because the speed of a shared machine varies.
dame-rs reports its nodes for the last time shortly before it ends; its CPU time is scaled
accordingly.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import time
from typing import Final

from bench.figures import Figure, Say
from bench.peers import environment
from damka import Board
from damka.engine import Engine

__all__ = ["PLIES", "position", "run"]

GOAL: Final = 3.0
SECONDS: Final = 0.2
TURNS: Final = 40
PLIES: Final = (0, 14, 30)
_INFO: Final = re.compile(r"nodes=(\d+).* time=([\d.]+)")
_HUB: Final = str.maketrans({".": "e"})


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return the figure: the median ratio of both programs, in turn, on three positions."""
    mine: list[float] = []
    other: list[float] = []
    with _Dame() as dame:
        for plies in PLIES:
            say(f"the position after {plies} plies")
            board = position(plies)
            for _ in range(2 if quick else TURNS):
                nodes, seconds = dame.search(board)
                other.append(nodes / seconds)
                engine = Engine()
                engine.search(board, depth=1)  # Allocate the table and read the weights first.
                started = time.process_time()
                result = engine.search(board, seconds=SECONDS)
                mine.append(result.nodes / (time.process_time() - started))
    return [
        Figure.against(
            "search, international, positions/s",
            f"{statistics.median(mine) / 1e6:.2f} M",
            f"dame-rs {statistics.median(other) / 1e6:.2f} M",
            statistics.median(a / b for a, b in zip(mine, other, strict=True)),
            GOAL,
        )
    ]


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
        self._send("hub", until="wait")
        self._send("init", until="ready")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def search(self, board: Board) -> tuple[int, float]:
        """Return the nodes searched and the CPU seconds taken."""
        pieces = f"{board.turn}{board.pieces.translate(_HUB)}"
        self._send("new-game", f"pos pos={pieces}", f"level move-time={SECONDS:g}")
        self._send("ping", until="pong")
        before, started = self._seconds(), time.monotonic()
        last = _INFO.search(self._send("go think", until="done"))
        # It stops early if the time is too short for another iteration.
        wall = time.monotonic() - started
        if last is None:
            raise RuntimeError("dame-rs reported no nodes")
        return int(last[1]), (self._seconds() - before) * float(last[2]) / wall

    def _seconds(self) -> float:
        """Return the CPU time of all its threads, including those that have ended."""
        return time.clock_gettime(~self._process.pid << 3 | 2)  # Linux: see clock_getcpuclockid(3).

    def _send(self, *lines: str, until: str = "") -> str:
        """Send lines; return the last info line before one that starts with `until`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        for line in lines:
            self._process.stdin.write(line + "\n")
        last = ""
        while until:
            line = self._process.stdout.readline()
            if not line:
                raise RuntimeError("dame-rs ended")
            if line.startswith("info"):
                last = line
            if line.startswith(until):
                break
        return last
