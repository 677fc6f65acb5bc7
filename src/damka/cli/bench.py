"""`damka bench`: the engine's signature and speed."""

from __future__ import annotations

import typer
from rich.console import Console

from damka.cli.options import json_option, print_json

__all__ = ["bench"]


def bench(
    depth: int = typer.Option(
        7, "--depth", "-d", min=1, max=30, metavar="N", help="Search depth in plies (1 to 30)."
    ),
    verbose: bool = typer.Option(False, "--verbose", "-v", help="Show the count of each rule set."),
    as_json: bool = json_option(),
) -> None:
    """Benchmark the engine and print its signature (node count).

    One thread searches some positions of every rule set. The number of positions searched is the
    engine's signature: it is the same on every machine and changes whenever the engine's play does.
    Positions per second measure the speed of a machine.

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
    typer.echo(f"{nodes} positions, {nodes / max(seconds, 1e-9):.0f} per second")
