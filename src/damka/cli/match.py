"""`damka match`: a match between two players, with the Elo difference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from damka.cli.interrupt import resumable
from damka.cli.options import (
    depth_option,
    jobs_option,
    json_option,
    load_rules,
    nodes_option,
    output_option,
    rules_option,
    seed_option,
    time_option,
)
from damka.cli.usage import UsageProblem, did_you_mean

if TYPE_CHECKING:
    from damka.match import Sprt

__all__ = ["match"]

_SPRT_GAMES = 40_000
_SOURCES = ["random", "ballots"]


def match(
    first: str = typer.Argument(metavar="PLAYER1", help="First player, as listed above."),
    second: str = typer.Argument(metavar="PLAYER2", help="Second player."),
    rules: str = rules_option("international"),
    games: int | None = typer.Option(
        None,
        "--games",
        min=2,
        metavar="N",
        help="Number of games, even. Default: 100, or with --sprt at most 40000.",
    ),
    time: float | None = time_option(
        None, "Seconds per move. Default: 0.2, without --nodes and --depth.", "-t"
    ),
    nodes: int | None = nodes_option(),
    depth: int | None = depth_option("-d"),
    concurrency: int = jobs_option(text="Games in parallel, each in its own process (1 to 256)."),
    sprt: str | None = typer.Option(
        None,
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop as soon as a sequential test (SPRT, 5% error) accepts an Elo difference of ELO1"
        " or ELO0.",
    ),
    pdn: Path | None = output_option(
        "PDN file to add the games to; the same command continues an interrupted match."
    ),
    openings: str = typer.Option(
        "random",
        "--openings",
        metavar="SOURCE",
        help="Openings: random (balanced), ballots (of the rule set), or a file with moves or a"
        " position on each line, or with games (.pdn).",
    ),
    seed: int = seed_option(),
    no_adjudicate: bool = typer.Option(
        False,
        "--no-adjudicate",
        help="Play on after both players agree on the result.",
    ),
    as_json: bool = json_option(),
) -> None:
    """Play a match between two engines or levels and report the Elo difference.

    Every opening is played twice, with the colours swapped. Elo has 95% error bars.

    Players: engine (Damka's search with the given limits), engine:nodes=20000,depth=8, level:1 to
    level:10 and grade:6.25 (with limits of their own), random, oneply (looks one ply ahead and
    counts men), commit:HASH (Damka's engine at that commit, built once in the cache), hub:COMMAND
    (an engine that speaks the Hub protocol), dxp:HOST:PORT (an engine listening there),
    python:module:function (a function from a Game to a Move).

    Example:  damka match engine level:9 --rules american --nodes 20000 --games 200
    """
    from damka.cli import match_view  # noqa: PLC0415
    from damka.engine import SearchLimits  # noqa: PLC0415
    from damka.match import AdjudicationRules, MatchSettings, create, run, store  # noqa: PLC0415

    path = Path(openings)
    if openings not in _SOURCES and not path.suffix and not path.is_file():
        near = did_you_mean(openings, _SOURCES)
        raise UsageProblem(
            f"--openings must be {', '.join(_SOURCES)} or a file, not {openings[:60]!r}.{near}"
        )
    if time is None and nodes is None and depth is None:
        time = 0.2
    settings = MatchSettings(
        first,
        second,
        load_rules(rules),
        SearchLimits(depth=depth, nodes=nodes, seconds=time),
        adjudication=None if no_adjudicate else AdjudicationRules(),
        source=openings,
        seed=seed,
    )
    test = _sprt(sprt)
    total = games or (_SPRT_GAMES if test else 100)
    for player in (first, second):
        # Report errors before the first game.
        with Console(stderr=True).status(f"starting {player} …"):
            create(player, settings.limits, settings.rules).close()
    earlier = store.read(pdn, str(settings)) if pdn else []
    hint = (
        "run the same command to continue"
        if pdn
        else "nothing was saved; use --output FILE to be able to continue a match"
    )
    with (
        resumable(hint),
        match_view.View(settings, total, test, earlier, pdn, as_json=as_json) as view,
    ):
        run(
            settings,
            games=total,
            concurrency=concurrency,
            sprt=test,
            earlier=earlier,
            on_game=view.show,
        )


def _sprt(text: str | None) -> Sprt | None:
    from damka.match import Sprt  # noqa: PLC0415

    if text is None:
        return None
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError as error:
        raise UsageProblem(f"--sprt {text}: expected ELO0,ELO1, such as 0,10.") from error
    try:
        return Sprt(elo0, elo1)
    except ValueError as error:
        raise UsageProblem(f"--sprt {text}: {error}") from error
