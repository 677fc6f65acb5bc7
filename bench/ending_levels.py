"""Let levels win won endings: `python -m bench endings --levels`.

Random won endings of three to five pieces (as many as there are tables), against the defence that
lasts longest. The level plays without tables. A win counts if it comes within the rules' limits and
in at most twice the fewest plies.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.endings import random_position
from damka import Board, Game, tablebase
from damka.engine import Engine, SearchLimits, levels
from damka.engine.skill import Level, level
from damka.rules import Rules, load
from damka.tablebase import Tablebases

RULES = ("dama64", "american", "dama100")
LEVELS = (5, 7, 9, 10)
GAMES = {10: 20}
SECONDS = 0.3  # per move of level 10
GOAL = 0.98
COLUMNS = ("rules", "level", "won", "won in time", "plies, to the fewest", "longest thought")


@dataclass
class Conversion:
    """The results of one level."""

    rules: str
    level: int
    played: int = 0
    won: int = 0
    in_time: int = 0
    plies: int = 0
    fewest: int = 0
    longest: float = 0.0

    @property
    def row(self) -> list[str]:
        """The cells of the table."""
        return [
            self.rules,
            str(self.level),
            f"{self.won} of {self.played}",
            f"{self.in_time}",
            f"{self.plies / max(self.fewest, 1):.2f}×",
            f"{self.longest:.2f} s",
        ]

    @property
    def good(self) -> bool:
        """Whether it meets the goal."""
        return self.in_time >= GOAL * self.played


def settings_of(number: int, rules: Rules) -> Level:
    """Return a level, without tables and at a fixed time where only time limits it."""
    settings = level(number, rules)
    return Level(SearchLimits(seconds=SECONDS)) if number == levels.LEVELS[-1] else settings


def play(tables: Tablebases, engine: Engine, board: Board, to: Conversion, seed: int) -> str | None:
    """Play an ending; return an error message if it was not won in time."""
    rules = tables.rules
    fewest = abs(tables.probe_distance(board))
    winner = board.turn if tables.probe_wdl(board) > 0 else "WB".replace(board.turn, "")
    settings = settings_of(to.level, rules)
    rng = random.Random(seed)
    game = Game(rules, board.fen)
    engine.clear()
    while game.result is None and len(game.history) <= 4 * fewest + 8:
        if game.turn == winner:
            started = time.perf_counter()
            game.apply(levels.choose(engine, game, settings, rng))
            to.longest = max(to.longest, time.perf_counter() - started)
        else:
            game.play(tables.moves(game.board)[0][0])
    plies = len(game.history)
    to.played += 1
    won = game.result is not None and game.result.winner == winner
    in_time = won and plies <= 2 * fewest
    to.won += won
    to.in_time += in_time
    if won:
        to.plies += plies
        to.fewest += fewest
    ended = f"{plies} plies, {game.result or 'not over'}"
    return None if in_time else f"{rules.name} {to.level} {board.fen}: won in {fewest}, {ended}"


def measure(
    names: Iterable[str], games: int, pieces: int, folder: Path, seed: int
) -> tuple[list[Conversion], list[str]]:
    """Play with every level; return the results and messages about what was not won."""
    results, errors = [], []
    for name in names or RULES:
        rules = load(name)
        tablebase.build(rules, pieces, folder)
        engine = Engine(16, tablebases=None)
        with Tablebases(rules, folder) as tables:
            rng = random.Random(seed)
            boards = [random_position(tables, 3 + i % (pieces - 2), rng) for i in range(games)]
            for number in LEVELS:
                result = Conversion(name, number)
                for i, board in enumerate(boards[: GAMES.get(number, games)]):
                    error = play(tables, engine, board, result, seed + i)
                    errors += [error] if error else []
                results.append(result)
    return results, errors
