"""`damka hub`: the engine for GUIs that support the Hub protocol."""

from __future__ import annotations

import sys

import typer

from damka.cli.options import (
    CONTEMPT_HELP,
    hash_option,
    jobs_option,
    load_rules,
    rules_argument,
)

__all__ = ["hub"]


def hub(
    name: str = rules_argument("international"),
    hash_mb: int = hash_option(),
    threads: int = jobs_option(),
    contempt: int = typer.Option(2, "--contempt", min=0, max=20, metavar="N", help=CONTEMPT_HELP),
) -> None:
    """Run the engine with the Hub protocol.

    The engine speaks version 2 of the protocol on standard input and output. In a GUI, set the
    engine command to `damka hub`. To try it by hand, type `hub`, `init`, `level move-time=1`,
    `go think`, `quit`. The GUI can choose other rules with the parameter `variant`.

    Example:  damka hub american --hash 256
    """
    from damka.engine.hub import Setup, serve  # noqa: PLC0415
    from damka.tablebase import default_folder  # noqa: PLC0415

    setup = Setup(hash_mb, threads, contempt)
    try:
        serve(load_rules(name), sys.stdin.buffer, sys.stdout, setup, default_folder())
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
