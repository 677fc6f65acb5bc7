"""The Python library: the same loop over Damka's board and dame-rs's, on the same position.

The loop asks for the legal moves, pushes and pops each, and counts by `len` at the last ply.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

from bench.figures import Figure
from bench.peers import environment

__all__ = ["run"]

DEPTH = 6
LOOP_GOAL = 2.5
LIST_GOAL = 2.0
_LOOP = """
import time

def leaves(board, depth):
    if depth == 1:
        return len(board.legal_moves)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total

started = time.process_time()
total = leaves(board, {depth})
loop = time.process_time() - started
started = time.process_time()
for _ in range(100_000):
    board.legal_moves
print(total, loop, (time.process_time() - started) / 100_000)
"""
_DAMKA = 'from damka import Board\nboard = Board("international")\n'
_DAME = "import dame\nboard = dame.Board()\n"


def run(repeats: int = 5) -> list[Figure]:
    """Return the times of the loop and of the list: medians, in processor seconds."""
    peer = str(environment("dame") / "python")
    ours, theirs = [], []
    for _ in range(repeats):
        ours.append(_run(sys.executable, _DAMKA))
        theirs.append(_run(peer, _DAME))
    if {each[0] for each in ours} != {each[0] for each in theirs}:
        raise AssertionError("the two programs count differently")
    loop, peer_loop = (statistics.median(each[1] for each in side) for side in (ours, theirs))
    one, peer_one = (statistics.median(each[2] for each in side) for side in (ours, theirs))
    return [
        Figure.against(
            f"Python loop, international {DEPTH}",
            f"{1000 * loop:.0f} ms",
            f"dame-rs {1000 * peer_loop:.0f} ms",
            peer_loop / loop,
            LOOP_GOAL,
        ),
        Figure.against(
            "legal_moves of the start position",
            f"{1e9 * one:.0f} ns",
            f"dame-rs {1e9 * peer_one:.0f} ns",
            peer_one / one,
            LIST_GOAL,
        ),
    ]


def _run(python: str, board: str) -> tuple[int, float, float]:
    script = board + _LOOP.format(depth=DEPTH)
    told = subprocess.run([python, "-c", script], check=True, capture_output=True, text=True)
    total, loop, one = told.stdout.split()
    return int(total), float(loop), float(one)
