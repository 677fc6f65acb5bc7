"""Let levels win won endings: `python -m bench endings --levels`.

Random won endings of three to five pieces, against the defence that lasts longest. The level plays
without tables. A win counts if it comes within the rules' limits and, where tables know it, in at
most twice the fewest plies.

On large boards, tables of five pieces take a quarter of an hour to build. There the wins of five
pieces are proved by searches into the tables of four, which also play the defence.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from tools.endings import truth

from bench.endings import random_board
from damka import Board, Game, tablebase
from damka.engine import Engine, SearchLimits, levels
from damka.engine.skill import Level, level
from damka.rules import Rules, load
from damka.tablebase import Tablebases

RULES = ("dama64", "american", "dama100")
LEVELS = (5, 7, 9, 10)
GAMES = {10: 20}
SECONDS = 0.3  # per move of level 10
LARGE = 50  # squares
MOST_TABLES = 4  # pieces, on large boards
MOST_PLIES = 300  # of a win whose length is unknown
NODES = 20_000  # of a proof, and of a move of the defence beyond the tables
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


@dataclass
class Ending:
    """A won ending; `fewest` is None if no table knows the number of plies."""

    board: Board
    winner: str
    fewest: int | None

    @property
    def most(self) -> int:
        """The most plies of a win in time."""
        return MOST_PLIES if self.fewest is None else 2 * self.fewest


@dataclass
class Judge:
    """Knows results of endings and the best defence, from tables or by searches into them."""

    tables: Tablebases
    engine: Engine
    """Probes the same tables."""

    def endings(self, count: int, most_pieces: int, seed: int) -> Iterator[Ending]:
        """Yield random won endings of three to `most_pieces` pieces in turn."""
        rng = random.Random(seed)
        for i in range(count):
            pieces = 3 + i % (most_pieces - 2)
            ending = None
            while ending is None:
                ending = self._ending(random_board(self.tables.rules, pieces, rng))
            yield ending

    def defend(self, game: Game) -> None:
        """Play the move that loses last."""
        if self.tables.get_wdl(game.board) is not None:
            game.play(self.tables.moves(game.board)[0][0])
        else:
            move = self.engine.search(game, nodes=NODES).move
            assert move is not None
            game.play(move)

    def _ending(self, board: Board) -> Ending | None:
        result = truth(self.tables, self.engine, board, NODES)
        if not result:
            return None
        winner = board.turn if result > 0 else "WB".replace(board.turn, "")
        known = self.tables.get_wdl(board) is not None
        return Ending(board, winner, abs(self.tables.probe_distance(board)) if known else None)


def play(judge: Judge, engine: Engine, ending: Ending, to: Conversion, seed: int) -> str | None:
    """Play an ending; return an error message if it was not won in time."""
    rules, board = judge.tables.rules, ending.board
    settings = settings_of(to.level, rules)
    rng = random.Random(seed)
    game = Game(rules, board.fen)
    engine.clear()
    while game.result is None and len(game.history) <= 2 * ending.most + 8:
        if game.turn == ending.winner:
            started = time.perf_counter()
            game.apply(levels.choose(engine, game, settings, rng))
            to.longest = max(to.longest, time.perf_counter() - started)
        else:
            judge.defend(game)
    plies = len(game.history)
    to.played += 1
    won = game.result is not None and game.result.winner == ending.winner
    in_time = won and plies <= ending.most
    to.won += won
    to.in_time += in_time
    if won and ending.fewest is not None:
        to.plies += plies
        to.fewest += ending.fewest
    if in_time:
        return None
    fewest = "" if ending.fewest is None else f" in {ending.fewest}"
    ended = f"{plies} plies, {game.result or 'not over'}"
    return f"{rules.name} {to.level} {board.fen}: won{fewest}, ended after {ended}"


def build(rules: Rules, pieces: int, folder: Path, progress: Progress) -> None:
    """Build the missing tables, as far as that is quick."""
    squares = Board(rules).square_count
    task = progress.add_task(f"{rules.name}: tables", total=None)

    def show(step: tablebase.BuildStep) -> None:
        progress.update(task, completed=step.positions_done, total=step.positions)

    tablebase.build(
        rules, min(pieces, MOST_TABLES) if squares >= LARGE else pieces, folder, on_step=show
    )
    progress.remove_task(task)


def measure(
    names: Iterable[str],
    games: int,
    pieces: int,
    folder: Path,
    seed: int,
    say: Callable[[str], object] = print,
) -> list[Conversion]:
    """Play with every level; `say` receives messages about endings that were not won."""
    results = []
    with Progress(console=Console(stderr=True)) as progress:
        for name in names or RULES:
            rules = load(name)
            build(rules, pieces, folder, progress)
            with Tablebases(rules, folder) as tables:
                judge = Judge(tables, Engine(16, tablebases=folder))
                found = judge.endings(games, pieces, seed)
                endings = list(
                    progress.track(found, total=games, description=f"{name}: won endings")
                )
                engine = Engine(16, tablebases=None)
                for number in LEVELS:
                    result = Conversion(name, number)
                    part = endings[: GAMES.get(number, games)]
                    for i, ending in enumerate(
                        progress.track(part, description=f"{name}: level {number}")
                    ):
                        error = play(judge, engine, ending, result, seed + i)
                        if error:
                            say(error)
                    results.append(result)
    return results
