"""The Python library in comparison with others, each in its own environment, alternating.

Random games to the end by each library's rules, in plies per CPU second; and a loop that
pushes and pops each of the legal moves, and counts with `len` at the last ply.
"""

from __future__ import annotations

import statistics
from typing import Final, NamedTuple

from bench.figures import Figure, Say
from bench.peers import printed

__all__ = ["LIBRARIES", "run"]

PLIES: Final = 60_000
GOAL: Final = 2.4
GAME_GOAL: Final = 300_000
_LOOP: Final = """
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

DEPTH: Final = 6
WALK_GOAL: Final = 2.5
LIST_GOAL: Final = 2.0
_WALK: Final = """
import time
{setup}

def leaves(board, depth):
    if depth == 1:
        return len(board.legal_moves)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total

board = {new}
started = time.process_time()
total = leaves(board, {depth})
loop = time.process_time() - started
started = time.process_time()
for _ in range({lists}):
    board.legal_moves
print(total, loop, (time.process_time() - started) / {lists})
"""


class _Library(NamedTuple):
    """A library's code for a random game; `share` reduces the plies for a slow library."""

    setup: str
    new: str
    over: str
    push: str = "board.push(choice(board.legal_moves))"
    peer: str = ""
    share: float = 1.0

    def rate(self, plies: int) -> float:
        """Return plies per second."""
        fields = self._asdict() | {"plies": int(self.share * plies)}
        (rate,) = printed(_LOOP.format(**fields), peer=self.peer)
        return rate


_DAMKA: Final = "from damka import Board, Game\nfrom damka.rules import load\nrules = load({!r})"
LIBRARIES: Final = {
    "international": _Library(_DAMKA.format("international"), "Board(rules)", "board.is_over"),
    "american": _Library(_DAMKA.format("american"), "Board(rules)", "board.is_over"),
    "game": _Library(
        _DAMKA.format("international"),
        "Game(rules)",
        "board.result",
        "board.play(choice(board.legal_moves))",
    ),
    "dame": _Library("import dame", "dame.Board()", "board.is_game_over()", peer="dame"),
    "spiel": _Library(
        "import pyspiel\ngame = pyspiel.load_game('checkers')",
        "game.new_initial_state()",
        "board.is_terminal()",
        "board.apply_action(choice(board.legal_actions()))",
        peer="spiel",
    ),
    "draughts": _Library(
        "import draughts",
        "draughts.StandardBoard()",
        "board.game_over",
        peer="draughts",
        share=0.1,
    ),
}
_PAIRS: Final = (
    ("international", "dame", "dame-rs", GOAL),
    ("american", "dame", "dame-rs (international)", GOAL),
    ("american", "spiel", "open_spiel (checkers)", None),
    ("international", "draughts", "py-draughts", None),
)


def run(*, quick: bool, say: Say) -> list[Figure]:
    """Return the figures: medians of several runs."""
    turns = 1 if quick else 5
    rates: dict[str, list[float]] = {name: [] for name in LIBRARIES}
    for turn in range(turns):
        for name, library in LIBRARIES.items():
            say(f"games of {name}, turn {turn + 1} of {turns}")
            rates[name].append(library.rate(PLIES // 10 if quick else PLIES))
    median = {name: statistics.median(each) for name, each in rates.items()}
    return [
        *(
            Figure.against(
                f"random games, {ours}, plies/s",
                f"{median[ours]:,.0f}",
                f"{name} {median[peer]:,.0f}",
                statistics.median(a / b for a, b in zip(rates[ours], rates[peer], strict=True)),
                goal,
            )
            for ours, peer, name, goal in _PAIRS
        ),
        Figure(
            "random games by Game.play, plies/s",
            f"{median['game']:,.0f}",
            goal=f"{GAME_GOAL:,}",
            met=median["game"] >= GAME_GOAL,
        ),
        *_walk(turns, quick=quick, say=say),
    ]


def _walk(turns: int, *, quick: bool, say: Say) -> list[Figure]:
    depth, lists = (DEPTH - 1, 10_000) if quick else (DEPTH, 100_000)
    ours, theirs = (
        _WALK.format(setup=library.setup, new=library.new, depth=depth, lists=lists)
        for library in (LIBRARIES["international"], LIBRARIES["dame"])
    )
    results: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
    for turn in range(turns):
        say(f"the loop, turn {turn + 1} of {turns}")
        results.append((printed(ours), printed(theirs, peer="dame")))
    if len({side[0] for result in results for side in result}) != 1:
        raise AssertionError("Damka and dame-rs count differently")
    loop, peer_loop, one, peer_one = (
        statistics.median(result[side][column] for result in results)
        for column in (1, 2)
        for side in (0, 1)
    )
    return [
        Figure.against(
            f"Python loop, international {depth}",
            f"{1000 * loop:.0f} ms",
            f"dame-rs {1000 * peer_loop:.0f} ms",
            peer_loop / loop,
            WALK_GOAL,
        ),
        Figure.against(
            "legal_moves of the start position",
            f"{1e9 * one:.0f} ns",
            f"dame-rs {1e9 * peer_one:.0f} ns",
            peer_one / one,
            LIST_GOAL,
        ),
    ]
