"""Reviews of the games in a file, as text or JSON."""

from __future__ import annotations

import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console

from damka import locales
from damka.cli.annotate import line_texts
from damka.cli.options import games_of, print_json, report_errors

if TYPE_CHECKING:
    from pathlib import Path

    from damka import Game
    from damka.engine import Engine
    from damka.pdn import PdnGame
    from damka.rules import Side
    from damka.study.review import Moment, Review

__all__ = ["review"]

_SIDES: Final[tuple[Side, Side]] = ("W", "B")
_TAGS: Final = ("White", "Black")


def review(
    file: Path,
    rules: str | None,
    engine: Engine,
    nodes: int | None,
    language: str,
    *,
    as_json: bool,
) -> None:
    """Print the review of each game of a file when it is finished.

    If games have errors, they are reported, and at the end typer.Exit is raised with status 1.
    Raises GameFileError and PdnError for a file that cannot be read.
    """
    from damka import Game  # noqa: PLC0415
    from damka import review as review_of  # noqa: PLC0415
    from damka.errors import PdnError  # noqa: PLC0415
    from damka.study.review import NODES  # noqa: PLC0415

    nodes = nodes or NODES
    if not as_json:
        typer.echo(locales.translate(language, "cli.review_nodes", n=nodes))
    games = games_of(file, rules)
    first = next(games, None)
    has_errors = False
    console = Console(stderr=True)
    for record in chain(() if first is None else (first,), games):
        if report_errors(record):
            has_errors = True
            continue
        try:
            game = Game.from_pdn_game(record)
        except PdnError as error:
            typer.echo(f"damka: game {record.number}: {error}", err=True)
            has_errors = True
            continue
        with console.status(f"game {record.number}"):
            engine.clear()
            found = review_of(game, nodes, engine)
        if as_json:
            print_json({"game": record.number, "nodes": nodes} | _values(game, found, language))
        else:
            names = " – ".join(record.headers.get(tag, "?") for tag in _TAGS)
            typer.echo(f"{record.number}. {names}")
            for moment in found.moments:
                typer.echo(f"{_number(game, moment):>9}  {moment.sentence(language)}")
            typer.echo(f"{'':>9}  {_accuracy(record, found, language)}")
        sys.stdout.flush()
    if has_errors:
        raise typer.Exit(1)


def _number(game: Game, moment: Moment) -> str:
    """Return the number and the text of a move: "12. 24-20", or "12... 9-13"."""
    # The first side counts the moves, also if it is Black.
    first = game.history[0].side
    offset = 0 if first == game.rules.first else 1
    number, second = divmod(moment.ply - 1 + offset, 2)
    return f"{number + 1}{'...' if second else '.'}"


def _accuracy(record: PdnGame, found: Review, language: str) -> str:
    """Return the accuracy of both sides, with their colours and names."""
    texts = []
    for side, tag, colour in zip(_SIDES, _TAGS, record.rules.colours, strict=True):
        word = locales.colour(language, colour)
        name = record.headers.get(tag, "?")
        who = word[:1].upper() + word[1:] + (f" ({name})" if name.strip("? ") else "")
        percent = round(found.accuracy[side])
        texts.append(f"{who} {locales.translate(language, 'review.page.percent', n=percent)}")
    return f"{locales.translate(language, 'review.page.accuracy')}: {', '.join(texts)}"


def _values(game: Game, found: Review, language: str) -> dict[str, Any]:
    return {
        "rules": game.rules.name,
        "accuracy": dict(found.accuracy),
        "graph": [round(value, 4) for value in found.graph],
        "moments": [_moment(game, moment, language) for moment in found.moments],
    }


def _moment(game: Game, moment: Moment, language: str) -> dict[str, Any]:
    """Return a moment as plain values, with moves in the federation's notation."""
    board = game.board.copy()
    if board.pending_huff is not None:
        board.unhuff()
    while board.move_count >= moment.ply:
        board.pop()
    best_board = board.copy()
    played_huff = game.history[moment.ply - 1].huff
    if played_huff is not None:
        board.huff(played_huff)
    if moment.huff is not None:
        best_board.huff(moment.huff)
    return {
        "ply": moment.ply,
        "side": moment.side,
        "kind": moment.kind,
        "move": next(line_texts(board, [moment.move])),
        "best": next(line_texts(best_board, [moment.best])),
        "lost": moment.chance_lost,
        "line": list(line_texts(best_board, moment.line)),
        "reply": list(line_texts(board, moment.reply)),
        "sentence": moment.sentence(language),
    }
