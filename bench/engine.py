"""Speed of the search: nodes a second, and the time of a move at the default level."""

from __future__ import annotations

import random
import statistics
import time

from bench.figures import Figure
from damka import Game
from damka.engine import Engine, levels

__all__ = ["run"]

BOXES = ("dama64", "american", "dama100")
PLIES = 40
GOAL_SECONDS = 1.0


def run() -> list[Figure]:
    """Return figures for three rule sets; of the moves the slowest counts."""
    figures = []
    for box in BOXES:
        engine = Engine()
        # Processor time: on a busy machine the clock would measure other work too.
        started = time.process_time()
        found = engine.search(Game(box), nodes=2_000_000)
        rate = found.nodes / (time.process_time() - started)
        times = _game(box)
        middle, longest = statistics.median(times), max(times)
        figures += [
            Figure(f"search from the start, {box}", f"{rate / 1e6:.2f} M positions/s"),
            Figure(
                f"a move at level {levels.DEFAULT}, {box}",
                f"{1000 * middle:.1f} ms, longest {1000 * longest:.0f} ms",
                goal=f"under {GOAL_SECONDS:g} s",
                met=longest < GOAL_SECONDS,
            ),
        ]
    return figures


def _game(box: str) -> list[float]:
    """Return the seconds of each move of a game that the default level plays with itself."""
    engine = Engine()
    rng = random.Random(1)
    game = Game(box)
    times: list[float] = []
    while game.result is None and len(times) < PLIES:
        started = time.perf_counter()
        decision = levels.choose(engine, game, levels.DEFAULT, rng)
        times.append(time.perf_counter() - started)
        if decision.huff is not None:
            game.huff(decision.huff)
        if decision.move is not None and game.result is None:
            game.play(decision.move)
    return times
