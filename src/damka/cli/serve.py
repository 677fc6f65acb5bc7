"""`damka serve`: the game server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from damka.cli.options import database_option, language_of
from damka.cli.rules_errors import error_lines
from damka.cli.usage import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from damka import Rules
    from damka.server.external_engines import ConfiguredEngine

__all__ = ["serve"]

T = TypeVar("T")
V = TypeVar("V")


def serve(
    host: str = typer.Option(
        "127.0.0.1", "--host", metavar="ADDRESS", help="Address to listen on; 0.0.0.0 for all."
    ),
    port: int = typer.Option(
        8077, "--port", min=0, max=65535, metavar="PORT", help="Port to listen on; 0 for any."
    ),
    database: str | None = database_option(),
    broker: str | None = typer.Option(
        None,
        "--broker",
        metavar="URL",
        help="Valkey or Redis that connects several server processes (needs PostgreSQL), such as "
        "redis://127.0.0.1:6379.",
        envvar="DAMKA_BROKER_URL",
    ),
    peer_host: str = typer.Option(
        "127.0.0.1",
        "--peer-host",
        metavar="ADDRESS",
        help="Address at which the other processes reach this one, in a private network.",
        envvar="DAMKA_PEER_HOST",
    ),
    rules: Path | None = typer.Option(
        None,
        "--house-rules",
        metavar="FOLDER",
        help="Folder of rule files (TOML) to offer on the page.",
    ),
    engine: list[str] | None = typer.Option(
        None,
        "--engine",
        metavar="NAME=COMMAND",
        help="Offer a Hub engine as an opponent, or with NAME=dxp:HOST:PORT a DXP engine "
        "(repeatable).",
    ),
    engine_seconds: float = typer.Option(
        1.0,
        "--engine-time",
        min=0.05,
        max=60,
        metavar="SECONDS",
        help="Seconds per move for these engines (0.05 to 60).",
    ),
    allow_host: list[str] | None = typer.Option(
        None,
        "--allow-host",
        metavar="NAME",
        help="Accept requests only for this host name (repeatable). Default: this machine's names "
        "on a local address, any name on other addresses.",
    ),
    allow_origin: list[str] | None = typer.Option(
        None,
        "--allow-origin",
        metavar="URL",
        help="Also accept requests from pages of this origin (repeatable).",
    ),
    trusted_proxy: list[str] | None = typer.Option(
        None,
        "--trusted-proxy",
        metavar="ADDRESS",
        help="Trust the X-Forwarded headers of a reverse proxy at this IP address or network, such "
        "as 127.0.0.1 (repeatable).",
    ),
    limit: list[str] | None = typer.Option(
        None,
        "--limit",
        metavar="NAME=NUMBER",
        help="Change a limit, such as connections=200 (repeatable). The docs list the limits.",
    ),
    ray: str | None = typer.Option(
        None,
        "--ray",
        metavar="ADDRESS",
        help="Run the computer's searches on this Ray cluster, such as 10.0.0.1:6379.",
    ),
    access_log: str | None = typer.Option(
        None,
        "--access-log",
        metavar="FILE",
        help="Log each request as a line of JSON, without cookies, tokens and queries; - for "
        "standard output.",
    ),
    metrics: str | None = typer.Option(
        None,
        "--metrics",
        metavar="ADDRESS:PORT",
        help="Also serve the Prometheus metrics at this address, because /metrics answers only "
        "requests from this machine.",
    ),
    no_browser: bool = typer.Option(False, "--no-browser", help="Do not open the browser."),
) -> None:
    """Start the game server and open it in the browser.

    Play against the computer, or against other people on one screen or several devices. Games are
    saved, so you can stop the server at any time and continue later.

    Health check: /readyz. Metrics: /metrics. API documentation: /api.

    Example:  damka serve  # on this machine only
    Example:  damka serve --host 0.0.0.0 --no-browser  # for everyone in the local network
    Example:  damka serve --port 9000 --house-rules our-boxes --engine "Scan=./scan hub"
    Example:  damka serve --no-browser --allow-host dama.example --trusted-proxy 127.0.0.1  # nginx
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
    boxes = () if rules is None else _house_rules(rules)
    engines = tuple(_engine(text) for text in engine or ())
    for chosen in engines:
        if [each.name for each in engines].count(chosen.name) > 1:
            raise UsageProblem(f"--engine: two engines have the name {chosen.name}.")
    from damka.server import options  # noqa: PLC0415

    server.run(
        hosts=_read_all(options.host_of, allow_host, "--allow-host"),
        origins=_read_all(options.origin_of, allow_origin, "--allow-origin") or (),
        proxies=_read_all(options.proxy_of, trusted_proxy, "--trusted-proxy"),
        limits=_read(options.limits_of, limit or (), "--limit"),
        access_log=access_log,
        metrics=None if metrics is None else _read(options.listener_of, metrics, "--metrics"),
        host=host,
        port=port,
        database_url=database,
        broker_url=broker,
        peer_host=peer_host,
        open_browser=not no_browser,
        boxes=boxes,
        engines=engines,
        engine_seconds=engine_seconds,
        ray=ray,
    )


def _read_all(
    read: Callable[[str], str], texts: Sequence[str] | None, option: str
) -> tuple[str, ...] | None:
    """Apply `read` to every text of an option; return None if the option is missing."""
    return tuple(_read(read, text, option) for text in texts) if texts else None


def _read(read: Callable[[T], V], value: T, option: str) -> V:
    """Apply `read` to the value of an option; turn its ValueError into a usage error."""
    try:
        return read(value)
    except ValueError as error:
        raise UsageProblem(f"{option}: {error}") from error


def _engine(text: str) -> ConfiguredEngine:
    """Return the engine of "NAME=COMMAND", and print its rule sets. Raises EngineError."""
    from damka.server import external_engines  # noqa: PLC0415

    try:
        chosen = external_engines.configure(text)
    except ValueError as error:
        raise UsageProblem(f"--engine: {error}") from error
    typer.echo(f"{chosen.name} plays {', '.join(chosen.rules)}")
    return chosen


def _house_rules(folder: Path) -> tuple[Rules, ...]:
    """Return the house rules in a folder, sorted by file name.

    Prints the errors of every invalid file, and then raises typer.Exit.
    """
    from damka.box import check_link  # noqa: PLC0415
    from damka.errors import RulesError  # noqa: PLC0415
    from damka.game import check_openings  # noqa: PLC0415
    from damka.rules import load  # noqa: PLC0415

    if not folder.is_dir():
        raise UsageProblem(f"--house-rules: {folder} is not a folder.")
    boxes: list[Rules] = []
    lines: list[str] = []
    for file in sorted(folder.glob("*.toml")):
        try:
            box = load(file)
            check_openings(box)
            check_link(box)
        except RulesError as error:
            lines += error_lines(error, file, language_of(None))
        else:
            boxes.append(box)
    if lines:
        typer.echo("\n".join(lines), err=True)
        raise typer.Exit(2)
    return tuple(boxes)
