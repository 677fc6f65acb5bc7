"""The command `damka`: one thin module per command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from damka import __version__
from damka.cli import (
    admin,
    analyze,
    bench,
    calibrate,
    draw,
    dxp,
    hub,
    match,
    pdn,
    perft,
    play,
    rules,
    serve,
    tablebase,
    train,
)
from damka.cli.help import GROUPS, Command, Commands
from damka.cli.options import language_of
from damka.cli.rules_errors import error_lines
from damka.cli.usage import UsageError, usage_error_lines
from damka.errors import DamkaError, RulesError

__all__ = ["app", "main"]

_PLAY, _STUDY, _FILES, _RULES, _ENGINES, _SERVER = GROUPS

app = typer.Typer(
    name="damka",
    cls=Commands,
    help="Play and study draughts (checkers, dama) by the exact rules of any variant.",
    epilog="Start with `damka serve` or `damka play dama64`. `damka help COMMAND` shows more.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _add(name: str, group: str, function: Any, summary: str | None = None) -> None:
    app.command(name, cls=Command, rich_help_panel=group, short_help=summary)(function)


_add("serve", _PLAY, serve.serve)
_add("play", _PLAY, play.play)
_add("analyze", _STUDY, analyze.analyze)
_add("draw", _STUDY, draw.draw)
app.add_typer(pdn.app, rich_help_panel=_FILES)
app.add_typer(rules.app, rich_help_panel=_RULES)
_add("perft", _RULES, perft.perft)
_add("hub", _ENGINES, hub.hub)
_add("dxp", _ENGINES, dxp.dxp)
_add("match", _ENGINES, match.match, "Play a match and report the Elo difference.")
_add("bench", _ENGINES, bench.bench)
_add("train", _ENGINES, train.train)
_add("train calibrate", _ENGINES, calibrate.calibrate, "Fit the curves of winning chances.")
app.add_typer(tablebase.app, rich_help_panel=_ENGINES)
app.add_typer(admin.app, rich_help_panel=_SERVER)


@app.command("help", cls=Command, rich_help_panel=_SERVER, hidden=True)
def show_help(
    context: typer.Context,
    words: list[str] | None = typer.Argument(
        None, metavar="COMMAND...", help="The command, such as `pdn check`."
    ),
) -> None:
    """Show the help of a command.

    Example:  damka help pdn check
    """
    context.find_root().command.main(
        [*(words or ()), "--help"], prog_name=app.info.name, standalone_mode=False
    )


@app.callback(invoke_without_command=True)
def _version(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Show the version and exit."),
) -> None:
    if version:
        typer.echo(f"damka {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


def main() -> None:
    """Run the command. Expected errors are printed, with exit status 2."""
    try:
        status = app(prog_name=app.info.name, standalone_mode=False)
    except typer.Abort:
        typer.echo("damka: aborted", err=True)
        sys.exit(1)
    except UsageError as error:
        typer.echo("\n".join(usage_error_lines(error)), err=True)
        sys.exit(2)
    except RulesError as error:
        file = Path(error.source)
        if error.source.endswith(".toml") and file.is_file():
            lines = error_lines(error, file, language_of(None))
        else:
            lines = [f"damka: {each.sentence}" for each in error.all]
        typer.echo("\n".join(lines), err=True)
        sys.exit(2)
    except DamkaError as error:
        typer.echo(f"damka: {error}", err=True)
        sys.exit(2)
    except OSError as error:
        # An unusable file or folder, which the user can fix.
        typer.echo(f"damka: {error.filename or 'output'}: {error.strerror or error}", err=True)
        sys.exit(2)
    except MemoryError:
        typer.echo("damka: not enough memory; try a smaller --hash or fewer --jobs", err=True)
        sys.exit(2)
    if isinstance(status, int) and status:
        sys.exit(status)
