"""Random games to their end: `python -m bench library`.

The same loop over Damka's board and over those of other Python libraries, each in an environment
of its own and in turn: a random one of the legal moves is made until the game is over, by the rules
of each. What counts is plies in a processor second.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

from bench.figures import Figure
from bench.peers import environment

__all__ = ["LOOP", "run"]

PLIES = 60_000
GOAL = 2.4
GAME_GOAL = 300_000
LOOP = """
import random, time
choice = random.Random(1).choice
plies = 0
{setup}
started = time.process_time()
while plies < {plies}:
    board = {new}
    while not {over}:
        {push}
        plies += 1
print(plies / (time.process_time() - started))
"""
_DAMKA = "from damka import {kind}\nfrom damka.rules import load\nrules = load({rules!r})"


def run(repeats: int = 5) -> list[Figure]:
    """Return plies a second: medians of `repeats` turns."""
    scripts = {
        "international": _ours("international"),
        "american": _ours("american"),
        "game": LOOP.format(
            setup=_DAMKA.format(kind="Game", rules="international"),
            plies=PLIES,
            new="Game(rules)",
            over="board.result",
            push="board.play(choice(board.legal_moves))",
        ),
        "dame": _peer("import dame", "dame.Board()", "board.is_game_over()", "board.legal_moves"),
        "spiel": LOOP.format(
            setup="import pyspiel\ngame = pyspiel.load_game('checkers')",
            plies=PLIES,
            new="game.new_initial_state()",
            over="board.is_terminal()",
            push="board.apply_action(choice(board.legal_actions()))",
        ),
        "draughts": _peer(
            "import draughts",
            "draughts.StandardBoard()",
            "board.game_over",
            "board.legal_moves",
            plies=PLIES // 10,
        ),
    }
    rates: dict[str, list[float]] = {name: [] for name in scripts}
    for _ in range(repeats):
        for name, script in scripts.items():
            home = environment(name) / "python" if name in ("dame", "spiel", "draughts") else ""
            told = subprocess.run(
                [str(home or sys.executable), "-c", script],
                check=True,
                capture_output=True,
                text=True,
            )
            rates[name].append(float(told.stdout))
    median = {name: statistics.median(each) for name, each in rates.items()}
    peers = (
        ("international", "dame", "dame-rs", GOAL),
        ("american", "dame", "dame-rs (international)", GOAL),
        ("american", "spiel", "open_spiel (checkers)", None),
        ("international", "draughts", "py-draughts", None),
    )
    return [
        *(
            Figure.against(
                f"random games, {ours}, plies/s",
                f"{median[ours]:,.0f}",
                f"{name} {median[peer]:,.0f}",
                statistics.median(a / b for a, b in zip(rates[ours], rates[peer], strict=True)),
                goal,
            )
            for ours, peer, name, goal in peers
        ),
        Figure(
            "random games by Game.play, plies/s",
            f"{median['game']:,.0f}",
            goal=f"{GAME_GOAL:,}",
            met=median["game"] >= GAME_GOAL,
        ),
    ]


def _ours(rules: str) -> str:
    return LOOP.format(
        setup=_DAMKA.format(kind="Board", rules=rules),
        plies=PLIES,
        new="Board(rules)",
        over="board.is_over",
        push="board.push(choice(board.legal_moves))",
    )


def _peer(setup: str, new: str, over: str, moves: str, plies: int = PLIES) -> str:
    push = f"board.push(choice({moves}))"
    return LOOP.format(setup=setup, plies=plies, new=new, over=over, push=push)
