"""`damka serve`: the game in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from damka.cli.options import language_of
from damka.cli.rules_errors import error_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from damka import Rules
    from damka.server.external_engines import ConfiguredEngine

__all__ = ["serve"]

T = TypeVar("T")
V = TypeVar("V")


def serve(
    host: str = typer.Option("127.0.0.1", help="The address to listen on; 0.0.0.0 for everybody."),
    port: int = typer.Option(8077, min=0, max=65535, help="The port; 0 takes any free one."),
    database: str | None = typer.Option(
        None,
        help="Where games are kept, as an SQLAlchemy URL. Default: an SQLite file of yours.",
        envvar=["DAMKA_DATABASE_URL", "DAMKA_DATABASE"],
        show_envvar=True,
    ),
    broker: str | None = typer.Option(
        None,
        metavar="URL",
        help="Let several processes serve together, on PostgreSQL: the Valkey or Redis through "
        "which they talk, such as redis://127.0.0.1:6379.",
        envvar="DAMKA_BROKER_URL",
        show_envvar=True,
    ),
    peer_host: str = typer.Option(
        "127.0.0.1",
        metavar="ADDRESS",
        help="Where those other processes reach this one, over a network of yours alone.",
        envvar="DAMKA_PEER_HOST",
        show_envvar=True,
    ),
    rules: Path | None = typer.Option(
        None, help="A folder of house boxes (TOML files) to offer on the page."
    ),
    engine: list[str] | None = typer.Option(
        None,
        metavar="NAME=COMMAND",
        help="Offer another engine as opponent, one that speaks the Hub protocol, or "
        "NAME=dxp:HOST:PORT for one that listens there for DXP. May be given again.",
    ),
    engine_seconds: float = typer.Option(
        1.0, min=0.05, max=60, help="How long such an engine thinks about a move."
    ),
    allow_host: list[str] | None = typer.Option(
        None,
        metavar="NAME",
        help="Answer to this host name and refuse others. May be given again. Default: on this "
        "machine's own address its own names, else any.",
    ),
    allow_origin: list[str] | None = typer.Option(
        None,
        metavar="URL",
        help="Take requests from pages of this origin, besides the server's own. May be given "
        "again.",
    ),
    trusted_proxy: list[str] | None = typer.Option(
        None,
        "--trusted-proxy",
        "--proxy",
        metavar="ADDRESS",
        help="Believe the X-Forwarded headers of the reverse proxy at this IP address or in this "
        "network; of nobody else. May be given again. For nginx on this machine: 127.0.0.1.",
    ),
    limit: list[str] | None = typer.Option(
        None,
        metavar="NAME=NUMBER",
        help="Change a limit, such as connections=200. May be given again; the guide to "
        "the server lists them.",
    ),
    ray: str | None = typer.Option(
        None,
        metavar="ADDRESS",
        help="The Ray cluster on which the computer thinks instead, such as 10.0.0.1:6379.",
    ),
    access_log: str | None = typer.Option(
        None,
        metavar="FILE",
        help="Write a line of JSON for each request to this file, or with - to the output. It "
        "holds no cookies, tokens or queries. Default: none.",
    ),
    metrics: str | None = typer.Option(
        None,
        metavar="ADDRESS:PORT",
        help="Serve the metrics for Prometheus at an address of their own as well. /metrics itself "
        "answers on this machine alone.",
    ),
    browser: bool = typer.Option(True, help="Open the browser."),
) -> None:
    """Serve the game in the browser: against the computer, at one screen, or on two devices.

    Games are kept: stop the server when you like, go on later.

    GET /readyz tells whether it can serve, /metrics how it does, /api what programs may ask.

    Examples:

    damka serve                                    on this machine alone

    damka serve --port 9000 --rules our-boxes --engine "Scan=./scan hub"

    damka serve --no-browser --allow-host dama.example --trusted-proxy 127.0.0.1
    --access-log /var/log/damka/access.log         behind nginx, for the world

    damka serve --host 0.0.0.0 --no-browser        for everybody in the house
    """
    try:
        from damka import server  # noqa: PLC0415  (the web stack is an extra)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "damka":
            raise
        typer.echo(
            f"damka: the web server is not installed ({error.name} is missing); "
            'install it with: pip install "damka[server]"',
            err=True,
        )
        raise typer.Exit(2) from error
    boxes = () if rules is None else _boxes(rules)
    engines = tuple(_engine(text) for text in engine or ())
    for chosen in engines:
        if [each.name for each in engines].count(chosen.name) > 1:
            raise typer.BadParameter(f"two engines are called {chosen.name}", param_hint="--engine")
    from damka.server import options  # noqa: PLC0415

    server.run(
        hosts=_each(options.host_of, allow_host, "--allow-host"),
        origins=_each(options.origin_of, allow_origin, "--allow-origin") or (),
        proxies=_each(options.proxy_of, trusted_proxy, "--trusted-proxy"),
        limits=_checked(options.limits_of, limit or (), "--limit"),
        access_log=access_log,
        metrics=None if metrics is None else _checked(options.listener_of, metrics, "--metrics"),
        host=host,
        port=port,
        database_url=database,
        broker_url=broker,
        peer_host=peer_host,
        open_browser=browser,
        boxes=boxes,
        engines=engines,
        engine_seconds=engine_seconds,
        ray=ray,
    )


def _each(
    read: Callable[[str], str], texts: Sequence[str] | None, option: str
) -> tuple[str, ...] | None:
    """Return what `read` makes of every text of an option; None where it was not given."""
    return tuple(_checked(read, text, option) for text in texts) if texts else None


def _checked(read: Callable[[T], V], given: T, option: str) -> V:
    """Return what `read` makes of what was given; its ValueError is the option's fault."""
    try:
        return read(given)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _engine(text: str) -> ConfiguredEngine:
    """Return the engine that "NAME=COMMAND" names, and tell what it plays. Raises EngineError."""
    from damka.server import external_engines  # noqa: PLC0415

    try:
        chosen = external_engines.configure(text)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--engine") from error
    typer.echo(f"{chosen.name} plays {', '.join(chosen.rules)}")
    return chosen


def _boxes(folder: Path) -> tuple[Rules, ...]:
    """Return the house boxes in a folder, by name.

    Says what is wrong with every file that holds none, and then raises typer.Exit.
    """
    from damka.errors import RulesError  # noqa: PLC0415
    from damka.game import check_openings  # noqa: PLC0415
    from damka.rules import load  # noqa: PLC0415

    if not folder.is_dir():
        raise typer.BadParameter(f"{folder} is no folder", param_hint="--rules")
    boxes: list[Rules] = []
    lines: list[str] = []
    for file in sorted(folder.glob("*.toml")):
        try:
            box = load(file)
            check_openings(box)
        except RulesError as error:
            lines += error_lines(error, file, language_of(None))
        else:
            boxes.append(box)
    if lines:
        typer.echo("\n".join(lines), err=True)
        raise typer.Exit(2)
    return tuple(boxes)
