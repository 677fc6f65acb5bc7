"""`damka pdn check`: list the errors in PDN files."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from damka.cli.options import json_option, load_rules, print_json
from damka.cli.pdn.reading import Errors, Reading, read_as_option
from damka.cli.screen import Screen

if TYPE_CHECKING:
    from damka.errors import PdnError

__all__ = ["check"]


def check(
    files: list[str] = typer.Argument(metavar="FILE...", help="PDN files; - for standard input."),
    name: str | None = read_as_option(),
    as_json: bool = json_option(),
) -> None:
    """Check that every move of every game is legal.

    Each error is printed on one line: file, game number, line, column and message. A table counts
    the games without errors by rule set. The exit status is 1 if there is an error. A result after
    the moves that contradicts the Result tag is a warning.

    Example:  damka pdn check games.pdn more.pdn
    """
    errors: list[PdnError] = []
    warnings: list[PdnError] = []
    games: Counter[str] = Counter()
    moves: Counter[str] = Counter()
    on_error = errors.append if as_json else _print_error
    rule_set = None if name is None else load_rules(name)
    with Reading(rule_set, Errors.KEEP, on_error=on_error) as reading:
        for file in files:
            for game in reading.games(file):
                for warning in game.warnings:
                    warnings.append(warning)
                    if not as_json:
                        typer.echo(f"warning: {warning}")
                if not game.errors:
                    games[game.rules.name] += 1
                    moves[game.rules.name] += game.move_count
        if as_json:
            rules = [
                {"rules": each, "games": count, "moves": moves[each]}
                for each, count in games.most_common()
            ]
            print_json(
                {
                    "ok": not errors,
                    "games": games.total() + reading.wrong_games,
                    "wrong": reading.wrong_games,
                    "by_rules": rules,
                    "faults": [_as_dict(error) for error in errors],
                    "warnings": [_as_dict(warning) for warning in warnings],
                }
            )
            return
        table = Table(box=None, padding=(0, 2, 0, 0))
        table.add_column("rules")
        table.add_column("games", justify="right")
        table.add_column("moves", justify="right")
        for each, count in games.most_common():
            table.add_row(each, f"{count:,}", f"{moves[each]:,}")
        screen = Screen()
        if games:
            screen.print(table)
        total = games.total() + reading.wrong_games
        text = f"{total:,} {_plural(total, 'game')}, {reading.wrong_games:,} with errors"
        if warnings:
            text += f", {len(warnings):,} {_plural(len(warnings), 'warning')}"
        typer.echo(text)


def _print_error(error: PdnError) -> None:
    typer.echo(str(error))


def _as_dict(error: PdnError) -> dict[str, object]:
    return {
        "file": error.source,
        "game": error.game,
        "line": error.line,
        "column": error.column,
        "code": error.code,
        "message": error.message,
        "text": error.text,
        "expected": error.expected,
        "rest": error.rest,
    }


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"
