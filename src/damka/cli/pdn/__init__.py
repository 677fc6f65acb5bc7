"""`damka pdn`: files of games checked, converted, split, filtered and counted."""

from __future__ import annotations

import typer

from damka.cli.pdn import check, convert, filter, split, stats  # noqa: A004  as the command

__all__ = ["app"]

app = typer.Typer(
    name="pdn",
    help="Check, convert, split, filter and count games in Portable Draughts Notation.\n\n"
    "FILE is of any size, or - for standard input. A game that is wrong is told of on standard "
    "error and left out.",
    epilog="Start with:  damka pdn check games.pdn",
    no_args_is_help=True,
    rich_markup_mode="rich",
)
app.command("check")(check.check)
app.command("convert")(convert.convert)
app.command("split")(split.split)
app.command("filter")(filter.filter)
app.command("stats")(stats.stats)
