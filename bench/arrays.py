"""Boards for reinforcement learning.

One board with a mask and a tensor for every ply, compared with open_spiel's checkers; and many
games in parallel on all CPUs, not counting the time to choose actions.
"""

from __future__ import annotations

import statistics
import time
from typing import Final

import numpy as np

from bench.figures import Figure, Say
from bench.library import LIBRARIES
from damka import Boards

__all__ = ["run"]

PLIES: Final = 100_000
GOAL: Final = 3.0
STEPS_GOAL: Final = 10e6
GAMES: Final = 1024
OURS: Final = LIBRARIES["american"]._replace(
    setup=f"import numpy\n{LIBRARIES['american'].setup}",
    push="board.tensor(); board.legal_mask(); board.push(choice(board.legal_moves))",
)
THEIRS: Final = LIBRARIES["spiel"]._replace(
    push=(
        "board.observation_tensor(); board.legal_actions_mask(); "
        "board.apply_action(choice(board.legal_actions()))"
    ),
)


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return plies per second of one board, and steps per second of a batch."""
    turns, plies = (1, PLIES // 10) if quick else (5, PLIES)
    rates = []
    for turn in range(turns):
        say(f"one board, turn {turn + 1} of {turns}")
        rates.append((OURS.rate(plies), THEIRS.rate(plies)))
    mine, other = (statistics.median(each) for each in zip(*rates, strict=True))
    figures = [
        Figure.against(
            "a board with mask and tensor, american, plies/s",
            f"{mine:,.0f}",
            f"open_spiel {other:,.0f}",
            statistics.median(a / b for a, b in rates),
            GOAL,
        )
    ]
    for rules in ("american", "international"):
        say(f"{GAMES} games of {rules}")
        steps = statistics.median(_steps(rules) for _ in range(turns))
        figures.append(
            Figure(
                f"{GAMES} games at once with masks, {rules}, steps/s",
                f"{steps / 1e6:.1f} M",
                goal=f"{STEPS_GOAL / 1e6:g} M",
                met=steps >= STEPS_GOAL,
            )
        )
    return figures


def _steps(rules: str) -> float:
    """Return steps per second of random games, on all CPUs."""
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
