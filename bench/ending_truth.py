"""Compare scores of endings with their results: `python -m bench endings --truth`.

Random quiet endings of three to eight pieces, a king among them, of every family of rules. Results
come from tablebases, or beyond them from searches that prove them; endings without a proof are left
out. The engine scores each without tables, at first sight and after 10,000 nodes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tools.endings import FAMILIES, materials, random_ending, truth

from damka import Board, tablebase
from damka.engine import Engine
from damka.engine.evaluation import evaluate
from damka.rules import load
from damka.tablebase import Tablebases

NODES = 10_000
NEAR = 50  # hundredths of a man
GOAL = 0.02


@dataclass
class Faults:
    """Scores that contradict the results, of one way to score."""

    wrong_sign: int = 0
    near: int = 0

    def add(self, score: int, result: int) -> None:
        """Count a score, from the same view as the result."""
        self.wrong_sign += score * result < 0
        self.near += bool(result) and abs(score) <= NEAR


@dataclass
class Family:
    """The figures of one family."""

    name: str
    decided: int = 0
    drawn: int = 0
    at_sight: Faults = field(default_factory=Faults)
    searched: Faults = field(default_factory=Faults)

    @property
    def row(self) -> list[str]:
        """The cells of the table."""
        cells = [self.name, f"{self.decided} decided, {self.drawn} drawn"]
        for faults in (self.at_sight, self.searched):
            for n in (faults.wrong_sign, faults.near):
                cells.append(f"{100 * n / max(self.decided, 1):.1f}%")
        return cells

    @property
    def good(self) -> bool:
        """Whether the scores after a search meet the goal."""
        most = GOAL * self.decided
        return self.searched.wrong_sign <= most and self.searched.near <= most


def measure(name: str, positions: int, pieces: int, folder: Path, seed: int) -> Family:
    """Score random endings of a family; build tables of up to `pieces` pieces if they miss."""
    if pieces:
        tablebase.build(load(name), pieces, folder)
    rng = random.Random(seed)
    start = Board(name)
    family = Family(name)
    prover = Engine(16, tablebases=folder)
    engine = Engine(16, tablebases=None)
    order = [sides for sides in materials() if sum(map(sum, sides)) > 2]
    with Tablebases(start.rules, folder) as tables:
        while family.decided + family.drawn < positions:
            rng.shuffle(order)
            for material in order[: positions - family.decided - family.drawn]:
                board = random_ending(start, material, rng)
                result = None if board is None else truth(tables, prover, board)
                if board is None or result is None:
                    continue
                if result == 0:
                    family.drawn += 1
                    continue
                family.decided += 1
                family.at_sight.add(evaluate(board), result)
                engine.clear()
                family.searched.add(engine.search(board, nodes=NODES, tables=False).score, result)
    return family


COLUMNS = (
    *("rules", "endings", "wrong sign at sight", "won, within ±0.5 men"),
    *(f"wrong sign, {NODES:,} nodes", "won, within ±0.5 men"),
)


def measure_all(
    names: Iterable[str], positions: int, pieces: int, folder: Path, seed: int
) -> list[Family]:
    """Measure the named families, by default all."""
    return [measure(name, positions, pieces, folder, seed) for name in names or FAMILIES]
