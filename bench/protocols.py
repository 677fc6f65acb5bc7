"""Whole games between `damka hub` and `dame hub` through our client: `python -m bench.protocols`.

This is no match (`bench.strength` is one). It checks that every game ends without a fault, and
measures how much later than asked moves arrive.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.peers import environment
from damka import Game
from damka.engine.external import EngineError, ExternalEngine, connect

__all__ = ["main"]

RULES: Final = "international"
OPENING: Final = 6
LONGEST: Final = 400
"""Plies after which a game is broken off: dame-rs knows fewer draws than the rules."""


def play(
    engines: dict[str, ExternalEngine], seconds: float, rng: random.Random
) -> list[tuple[ExternalEngine, float]]:
    """Play one game from a random opening; return who moved, and how late in seconds."""
    game = Game(RULES)
    for _ in range(OPENING):
        game.play(rng.choice(game.legal_moves))
    late = []
    while game.result is None and len(game.moves) < LONGEST:
        mover = engines[game.turn]
        asked = time.perf_counter()
        game.play(mover.choose(game, seconds))
        late.append((mover, time.perf_counter() - asked - seconds))
    return late


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.protocols", description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.05, help="for each move")
    return parser.parse_args()


def main() -> int:
    """Play and print; 0 when every game came to its end."""
    options = arguments()
    console = Console(stderr=True)
    started = time.perf_counter()
    ours = connect((str(Path(sys.executable).with_name("damka")), "hub", RULES), rules=RULES)
    ready = time.perf_counter() - started
    theirs = connect((str(environment("dame") / "dame"), "hub"), rules=RULES)
    late: dict[str, list[float]] = {ours.name: [], theirs.name: []}
    faults: Counter[str] = Counter()
    rng = random.Random(1)
    with ours, theirs:
        for number in track(range(options.games), "games", console=console):
            pair = (ours, theirs) if number % 2 == 0 else (theirs, ours)
            try:
                moves = play(dict(zip("WB", pair, strict=True)), options.seconds, rng)
            except EngineError as error:
                faults[str(error)] += 1
                break
            for mover, seconds in moves:
                late[mover.name].append(seconds)
    table = Table("engine", "moves", "late: median", "one in 100", "longest")
    for name, all_late in late.items():
        if not all_late:
            continue
        told = [1000 * seconds for seconds in sorted(all_late)]
        shown = (statistics.median(told), told[int(0.99 * len(told))], told[-1])
        table.add_row(name, str(len(told)), *(f"{value:.1f} ms" for value in shown))
    Console().print(table)
    console.print(f"{options.games} games asked for, faults: {dict(faults) or 'none'}")
    console.print(f"our engine was ready after {ready:.2f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
