"""`damka pdn`: check, convert, split, filter and count the games of PDN files."""

from __future__ import annotations

import typer

from damka.cli.help import Command, Commands
from damka.cli.pdn import check, convert, filter, split, stats  # noqa: A004  as the command

__all__ = ["app"]

app = typer.Typer(
    name="pdn",
    cls=Commands,
    help="Check, convert, split, filter and count PDN games.\n\n"
    "FILE may be of any size; - reads standard input. Errors are reported on standard error, and "
    "a game is kept up to its first error (see --errors).",
    epilog="Start with `damka pdn check games.pdn`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("check", cls=Command)(check.check)
app.command("convert", cls=Command)(convert.convert)
app.command("split", cls=Command)(split.split)
app.command("filter", cls=Command)(filter.filter)
app.command("stats", cls=Command)(stats.stats)
