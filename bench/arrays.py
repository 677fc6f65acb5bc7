"""Games for programs that learn: `python -m bench arrays`.

One board with a mask and a tensor for every ply, beside open_spiel's checkers in an environment of
its own; and many games at once, of which choosing the actions is not timed.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import numpy as np

from bench import library
from bench.figures import Figure
from bench.peers import environment
from damka import Boards

__all__ = ["run"]

PLIES = 100_000
GOAL = 3.0
STEPS_GOAL = 10e6
GAMES = 1024


def run(repeats: int = 5) -> list[Figure]:
    """Return plies a second of one board, and steps a second of many."""
    ours = library.LOOP.format(
        setup=(
            "import numpy\nfrom damka import Board\n"
            "from damka.rules import load\nrules = load('american')"
        ),
        plies=PLIES,
        new="Board(rules)",
        over="board.is_over",
        push="board.tensor(); board.legal_mask(); board.push(choice(board.legal_moves))",
    )
    theirs = library.LOOP.format(
        setup="import pyspiel\ngame = pyspiel.load_game('checkers')",
        plies=PLIES,
        new="game.new_initial_state()",
        over="board.is_terminal()",
        push=(
            "board.observation_tensor(); board.legal_actions_mask(); "
            "board.apply_action(choice(board.legal_actions()))"
        ),
    )
    peer = str(environment("spiel") / "python")
    turns = [(_rate(sys.executable, ours), _rate(peer, theirs)) for _ in range(repeats)]
    one = [statistics.median(each) for each in zip(*turns, strict=True)]
    figures = [
        Figure.against(
            "a board with mask and tensor, american, plies/s",
            f"{one[0]:,.0f}",
            f"open_spiel {one[1]:,.0f}",
            statistics.median(a / b for a, b in turns),
            GOAL,
        )
    ]
    for rules in ("american", "international"):
        steps = statistics.median(_steps(rules) for _ in range(repeats))
        figures.append(
            Figure(
                f"{GAMES} games at once with masks, {rules}, steps/s",
                f"{steps / 1e6:.1f} M",
                goal=f"{STEPS_GOAL / 1e6:g} M",
                met=steps >= STEPS_GOAL,
            )
        )
    return figures


def _rate(python: str, script: str) -> float:
    told = subprocess.run([python, "-c", script], check=True, capture_output=True, text=True)
    return float(told.stdout)


def _steps(rules: str) -> float:
    """Return steps a second of random games, on all processors."""
    rng = np.random.default_rng(1)
    games = Boards(rules, GAMES)
    mask = games.legal_mask()
    spent, steps = 0.0, 0
    while spent < 0.5:
        rows, columns = np.nonzero(mask)
        firsts = np.searchsorted(rows, np.arange(GAMES))
        counts = np.diff(firsts, append=len(rows))
        actions = columns[firsts + (rng.random(GAMES) * counts).astype(np.int64)]
        started = time.perf_counter()
        games.step(actions)
        spent += time.perf_counter() - started
        steps += GAMES
    return steps / spent
