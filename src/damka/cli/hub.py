"""`damka hub`: our engine for any GUI that speaks the Hub protocol."""

from __future__ import annotations

import sys

import typer

from damka.cli.options import CONTEMPT_HELP, load_rules, rules_argument

__all__ = ["hub"]


def hub(
    name: str = rules_argument("international"),
    hash_mb: int = typer.Option(
        64, "--hash", min=1, max=65536, help="Memory of the search, in MiB."
    ),
    threads: int = typer.Option(1, min=1, max=256, help="Threads of the search."),
    contempt: int = typer.Option(2, min=0, max=20, help=CONTEMPT_HELP),
) -> None:
    """Speak the Hub protocol (version 2) on standard input and output, for GUIs and matches.

    Give a GUI the command `damka hub`. To try it by hand, type `hub`, `init`, `level move-time=1`,
    `go think`, `quit`. The GUI may choose other rules with the parameter `variant`.

    Example:  damka hub american --hash 256
    """
    from damka.engine.hub import Setup, serve  # noqa: PLC0415
    from damka.tablebase import default_folder  # noqa: PLC0415

    setup = Setup(hash_mb, threads, contempt)
    try:
        serve(load_rules(name), sys.stdin.buffer, sys.stdout, setup, default_folder())
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
