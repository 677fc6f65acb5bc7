"""`damka match`: two players against each other, and what the result means."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from damka.cli.interrupt import resumable
from damka.cli.options import json_option, load_rules, rules_option

if TYPE_CHECKING:
    from damka.match import Sprt

__all__ = ["match"]

_SPRT_GAMES = 40_000


def match(
    first: str = typer.Argument(metavar="A", help="A player, as listed above."),
    second: str = typer.Argument(metavar="B", help="The other player."),
    rules: str = rules_option("international"),
    games: int | None = typer.Option(
        None, min=2, help="How many games, an even number: 100, or with --sprt 40000 at most."
    ),
    time: float | None = typer.Option(
        None,
        min=0.001,
        max=3600,
        help="Seconds a move: 0.2, unless --nodes or --depth is given.",
    ),
    nodes: int | None = typer.Option(None, min=1, help="Positions a move."),
    depth: int | None = typer.Option(None, min=1, max=100, help="Plies a move."),
    concurrency: int = typer.Option(1, min=1, max=256, help="Games at a time, each a process."),
    sprt: str | None = typer.Option(
        None,
        metavar="ELO0,ELO1",
        help="Stop once it is clear whether A is ELO1 above B rather than ELO0 (5% error).",
    ),
    pdn: Path | None = typer.Option(
        None, help="The file for the games; an interrupted match goes on from it."
    ),
    openings: str = typer.Option(
        "random",
        help="Where openings come from: random (balanced), ballots (of the rule set), or a file"
        " with moves or a position on each line, or with games (.pdn).",
    ),
    seed: int = typer.Option(0, help="The seed of everything random."),
    adjudicate: bool = typer.Option(
        True, help="End games early when both players agree on the result."
    ),
    as_json: bool = json_option("Tell the result in JSON; the guides have the keys."),
) -> None:
    """Play a match: every opening twice, with the colours swapped; Elo with 95% error bars.

    Players: engine (our search with the limits given), engine:nodes=20000,depth=8, level:1 to
    level:10 and grade:6.25 (which keep limits of their own), random, oneply (looks one ply ahead
    and counts men), commit:HASH (our engine as it was then, built in the cache: minutes, once),
    hub:COMMAND (any engine that speaks the Hub protocol), dxp:HOST:PORT (an engine that listens
    there), python:module:function (a callable that is given a Game and returns a Move).

    Example:  damka match engine level:9 --rules american --nodes 20000 --games 200
    """
    from damka.cli import match_view  # noqa: PLC0415
    from damka.engine import SearchLimits  # noqa: PLC0415
    from damka.match import Clear, MatchSettings, create, run, store  # noqa: PLC0415

    if time is None and nodes is None and depth is None:
        time = 0.2
    settings = MatchSettings(
        first,
        second,
        load_rules(rules),
        SearchLimits(depth=depth, nodes=nodes, seconds=time),
        clear=Clear() if adjudicate else None,
        source=openings,
        seed=seed,
    )
    test = _sprt(sprt)
    total = games or (_SPRT_GAMES if test else 100)
    for player in (first, second):
        # What is wrong is said before anything begins.
        with Console(stderr=True).status(f"getting {player} ready …"):
            create(player, settings.limits, settings.rules).close()
    known = store.read(pdn, str(settings)) if pdn else []
    how = (
        "the same command goes on from here"
        if pdn
        else "nothing was kept; with --pdn FILE the same command goes on from there"
    )
    with (
        resumable(how),
        match_view.View(settings, total, test, known, pdn, as_json=as_json) as view,
    ):
        run(
            settings,
            games=total,
            concurrency=concurrency,
            sprt=test,
            known=known,
            on_game=view.show,
        )


def _sprt(text: str | None) -> Sprt | None:
    from damka.match import Sprt  # noqa: PLC0415

    if text is None:
        return None
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError as error:
        raise typer.BadParameter(f"--sprt {text}: expected ELO0,ELO1, such as 0,10") from error
    try:
        return Sprt(elo0, elo1)
    except ValueError as error:
        raise typer.BadParameter(f"--sprt {text}: {error}") from error
