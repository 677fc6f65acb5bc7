"""`damka pdn stats`: statistics of a file of games."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import typer
from rich.table import Table
from rich.text import Text

from damka.cli.options import json_option, load_rules, print_json
from damka.cli.pdn.reading import Errors, Reading, errors_option, file_argument, read_as_option
from damka.cli.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka.pdn import PdnGame

__all__ = ["stats"]

_TAGS = ("White", "Black")


def stats(
    file: str = file_argument(),
    top: int = typer.Option(
        10, "--top", min=1, max=1_000_000, metavar="N", help="Number of players and moves to list."
    ),
    as_json: bool = json_option(),
    name: str | None = read_as_option(),
    errors: Errors = errors_option(),
) -> None:
    """Count games, rule sets, results, players and first moves.

    First moves are those of games from the start position, the most frequent first.

    Example:  damka pdn stats games.pdn --top 5
    """
    counts = _Counts()
    with Reading(None if name is None else load_rules(name), errors) as reading:
        for game in reading.games(file):
            counts.add(game)
        if as_json:
            wrong_games = reading.wrong_games
            skipped = wrong_games if errors is Errors.SKIP else 0
            figures = {"games": counts.games, "skipped": skipped, "wrong": wrong_games}
            print_json(figures | counts.to_dict(top))
        else:
            _print(counts, top, reading.wrong_games)


class _Counts:
    """Counts of games, rule sets, results, players and first moves."""

    def __init__(self) -> None:
        self.games = 0
        self.rules: Counter[str] = Counter()
        self.results: Counter[str] = Counter()
        self.players: Counter[str] = Counter()
        self.first_moves: Counter[tuple[str, str]] = Counter()
        self.plies = 0
        self.shortest: int | None = None
        self.longest: int | None = None

    def add(self, game: PdnGame) -> None:
        """Count a game."""
        from damka.notation import text  # noqa: PLC0415

        plies = game.move_count
        self.games += 1
        self.plies += plies
        self.shortest = plies if self.shortest is None else min(self.shortest, plies)
        self.longest = plies if self.longest is None else max(self.longest, plies)
        self.rules[game.rules.name] += 1
        self.results[game.result] += 1
        for tag in _TAGS:
            name = " ".join(game.headers.get(tag, "").split())
            if name.strip("?"):
                self.players[name] += 1
        first = game.next
        if first is not None and first.move is not None and game.fen is None and not first.setup:
            self.first_moves[game.rules.name, text.write(game.start(), first.move)] += 1

    def to_dict(self, top: int) -> dict[str, object]:
        """Return the counts as plain values, for JSON."""
        return {
            "rules": _rows("name", self.rules.most_common()),
            "results": _rows("result", self.results.most_common()),
            "plies": self.plies,
            "shortest": self.shortest,
            "longest": self.longest,
            "players": _rows("name", self.players.most_common(top)),
            "first_moves": [
                {"rules": rules, "move": move, "games": count}
                for (rules, move), count in self.first_moves.most_common(top)
            ],
        }


def _rows(key: str, counted: Iterable[tuple[str, int]]) -> list[dict[str, object]]:
    return [{key: name, "games": count} for name, count in counted]


def _print(counts: _Counts, top: int, wrong_games: int) -> None:
    screen = Screen()
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column()
    table.add_column(justify="right")
    table.add_row("games", "", f"{counts.games:,}")
    if wrong_games:
        table.add_row("with errors", "", f"{wrong_games:,}")
    if counts.games:
        table.add_row("plies", "all", f"{counts.plies:,}")
        table.add_row("", "per game", f"{counts.plies / counts.games:,.1f}")
        table.add_row("", "shortest", f"{counts.shortest:,}")
        table.add_row("", "longest", f"{counts.longest:,}")
    moves = [
        (f"{move}  ({rules})" if len(counts.rules) > 1 else move, count)
        for (rules, move), count in counts.first_moves.most_common(top)
    ]
    for title, rows in (
        ("rules", counts.rules.most_common()),
        ("results", counts.results.most_common()),
        ("players", counts.players.most_common(top)),
        ("first moves", moves),
    ):
        for number, (name, count) in enumerate(rows):
            table.add_row("" if number else title, Text(name), f"{count:,}")
    screen.print(table)
