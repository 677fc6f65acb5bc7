"""The command `damka`: one thin module per command."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from damka import __version__
from damka.cli import (
    admin,
    analyze,
    bench,
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
from damka.cli.options import language_of
from damka.cli.program import spell_examples
from damka.cli.rules_errors import error_lines
from damka.cli.screen import Commands
from damka.errors import DamkaError, RulesError

__all__ = ["app", "main"]

app = typer.Typer(
    name="damka",
    cls=Commands,
    help="Play and study dama, the draughts family of games: any box's rules, exactly.",
    epilog="Start with:  damka serve   or:  damka play dama64",
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command("serve")(serve.serve)
app.command("play")(play.play)
app.add_typer(rules.app)
app.command("analyze")(analyze.analyze)
app.command("perft")(perft.perft)
app.command("bench")(bench.bench)
app.command("train")(train.train)
app.command("draw")(draw.draw)
app.command("hub")(hub.hub)
app.command("dxp")(dxp.dxp)
app.command("match")(match.match)
app.add_typer(pdn.app)
app.add_typer(admin.app)
app.add_typer(tablebase.app)


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
    """Run the command; an error on purpose becomes lines about it and exit status 2."""
    spell_examples(app)
    try:
        app()
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
        # A file or a folder that cannot be used: the user can do something about it.
        typer.echo(f"damka: {error.filename or 'output'}: {error.strerror or error}", err=True)
        sys.exit(2)
    except MemoryError:
        typer.echo("damka: not enough memory; try a smaller hash, or fewer at a time", err=True)
        sys.exit(2)
