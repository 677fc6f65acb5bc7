"""Play every level against the one two below it: `python -m bench.levels`.

Forty games a pair in each of the three boxes, from openings of a few random moves that the search
calls even, each played twice with the colours exchanged. The caps on positions hold as they are
and those on time are lifted, so that a busy machine measures the same as a calm one. Games played
are kept in `.cache/`, so that a run can be broken off and taken up again.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from damka import Game
from damka.engine import Engine, Level, levels

BOXES: Final = ("dama64", "american", "dama100")
WANTED: Final = 0.65
HASH_MB: Final = 16
EVEN: Final = 40  # hundredths of a man, for an opening
PLAYED: Final = Path(".cache/levels.jsonl")


class Pairing(NamedTuple):
    """One game to play: the stronger level has the first move when `number` is even."""

    rules: str
    strong: int
    weak: int
    number: int


class Played(NamedTuple):
    """What came of it, for the stronger level: 1, 0.5 or 0."""

    points: float
    plies: int


def untimed(level: int) -> Level:
    """Return a level without its cap on time."""
    skill = levels.LEVELS[level]
    return dataclasses.replace(skill, limits=dataclasses.replace(skill.limits, seconds=None))


def opening(rules: str, index: int) -> Game:
    """Return a game that has begun with random moves and stands even, as the search sees it."""
    engine = Engine(hash_mb=1)
    rng = random.Random(f"{rules} opening {index}")
    while True:
        game = Game(rules)
        for _ in range(rng.choice((4, 6, 8))):
            if game.result is None:
                game.play(rng.choice(game.legal_moves))
        if game.result is None and abs(engine.search(game, nodes=20_000).score) <= EVEN:
            return game


def play(pairing: Pairing) -> Played:
    """Play one game to its end by the rules."""
    game = opening(pairing.rules, pairing.number // 2)
    rng = random.Random(repr(pairing))
    # Levels do not share what they remember.
    engines = {pairing.strong: Engine(HASH_MB), pairing.weak: Engine(HASH_MB)}
    skills = {level: untimed(level) for level in engines}
    strong = "WB"[(pairing.number + (game.rules.first == "B")) % 2]
    while game.result is None:
        level = pairing.strong if game.turn == strong else pairing.weak
        decision = levels.choose(engines[level], game, skills[level], rng)
        if decision.huff is not None:
            game.huff(decision.huff)
        if decision.move is not None:
            game.play(decision.move)
    winner = game.result.winner
    points = 0.5 if winner is None else float(winner == strong)
    return Played(points, len(game.history))


def fingerprint(pairing: Pairing) -> str:
    """Tell games apart that were played by other levels."""
    told = f"{pairing!r} {untimed(pairing.strong)!r} {untimed(pairing.weak)!r}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def numbered(pairing: Pairing) -> tuple[str, Pairing, Played]:
    """Play one game in a process of its own."""
    return fingerprint(pairing), pairing, play(pairing)


def remembered() -> dict[str, Played]:
    """Return the games played before, by fingerprint."""
    if not PLAYED.exists():
        return {}
    lines = PLAYED.read_text("utf-8").splitlines()
    return {key: Played(*rest) for key, *rest in map(json.loads, lines)}


def play_all(wanted: list[Pairing], jobs: int, console: Console) -> dict[Pairing, Played]:
    """Play the games that have not been played yet; return all that are wanted."""
    known = remembered()
    played = {p: known[key] for p in wanted if (key := fingerprint(p)) in known}
    PLAYED.parent.mkdir(exist_ok=True)
    bar = Progress(
        "{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
    )
    missing = [p for p in wanted if p not in played]
    with bar, ProcessPoolExecutor(jobs, get_context("spawn")) as pool, PLAYED.open("a") as file:
        task = bar.add_task("games", total=len(wanted), completed=len(played))
        games = [pool.submit(numbered, p) for p in missing]
        try:
            for game in as_completed(games):
                key, pairing, outcome = game.result()
                played[pairing] = outcome
                file.write(json.dumps([key, *outcome]) + "\n")
                file.flush()
                bar.advance(task)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    return played


def scores(
    played: dict[Pairing, Played], pairs: list[tuple[int, int]]
) -> dict[tuple[int, int], dict[str, Counter[float]]]:
    """Return how often each pair had each result, by box."""
    table: dict[tuple[int, int], dict[str, Counter[float]]] = {
        pair: {box: Counter() for box in BOXES} for pair in pairs
    }
    for pairing, outcome in played.items():
        table[pairing.strong, pairing.weak][pairing.rules][outcome.points] += 1
    return table


def score(results: Counter[float]) -> float:
    """Return the share of the points."""
    return sum(points * n for points, n in results.items()) / (results.total() or 1)


def told(results: Counter[float]) -> str:
    """Write a score and the wins, draws and losses it is made of."""
    return f"{score(results):.0%} (+{results[1]} ={results[0.5]} -{results[0]})"


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.levels", description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="games a pair and box (even)")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--box", choices=BOXES, action="append", help="only this box")
    parser.add_argument("--level", type=int, action="append", help="only this stronger level")
    parser.add_argument("--markdown", action="store_true", help="print the table for RESULTS.md")
    return parser.parse_args()


def main() -> int:
    """Play, and print the table; 0 when every level is as strong as it should be."""
    options = arguments()
    console = Console(stderr=True)
    pairs = [(n, n - 2) for n in options.level or range(3, len(levels.LEVELS) + 1)]
    boxes = options.box or BOXES
    wanted = [
        Pairing(box, strong, weak, index)
        for strong, weak in pairs
        for box in boxes
        for index in range(options.games)
    ]
    played = play_all(wanted, options.jobs, console)
    table = Table("level", "against", *boxes)
    rows = [
        [str(strong), str(weak), *(told(results[box]) for box in boxes)]
        for (strong, weak), results in scores(played, pairs).items()
    ]
    for row in rows:
        table.add_row(*row)
    if options.markdown:
        lines = [["level", "against", *boxes], ["--:", "--:", *("---" for _ in boxes)], *rows]
        sys.stdout.writelines(f"| {' | '.join(line)} |\n" for line in lines)
    else:
        Console().print(table)
    weakest = min(
        score(results[box]) for results in scores(played, pairs).values() for box in boxes
    )
    return 0 if weakest >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
