"""`damka bench`: the engine's signature and speed."""

from __future__ import annotations

import typer
from rich.console import Console

from damka.cli.options import json_option, print_json

__all__ = ["bench"]


def bench(
    depth: int = typer.Option(7, min=1, max=30, help="Plies to search."),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Show every rule set's share."),
    as_json: bool = json_option(),
) -> None:
    """Search some positions of every rule set with one thread, and count.

    The number of positions searched is the engine's signature: the same on every machine, and
    another one after every change to what the engine plays. Positions a second compare machines.

    Example:  damka bench -v
    """
    from damka.engine import signature  # noqa: PLC0415

    nodes = 0
    seconds = 0.0
    shares = {}
    with Console(stderr=True).status("searching") as status:
        for part in signature.parts(depth):
            status.update(f"searching {part.rules}")
            nodes += part.nodes
            seconds += part.seconds
            shares[part.rules] = part.nodes
            if verbose and not as_json:
                typer.echo(f"{part.rules:<20} {part.nodes:>10}")
    if as_json:
        print_json({"depth": depth, "nodes": nodes, "seconds": seconds, "rules": shares})
        return
    typer.echo(f"{nodes} positions, {nodes / max(seconds, 1e-9):.0f} a second")
