"""`damka admin`: what the operator of a server does to its accounts and its database."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from damka.cli.options import json_option, print_json
from damka.cli.progress import bar
from damka.cli.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

    from damka.server.accounts.desk import BanEntry

__all__ = ["app"]

app = typer.Typer(
    name="admin",
    help="Look after a server's accounts and database, also while it runs.",
    epilog="Start with:  damka admin list   and for safety:  damka admin backup copy.sqlite3",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

_SPAN = re.compile(r"(\d{1,4})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


class Right(StrEnum):
    """What an account may do."""

    MEMBER = "member"
    ARBITER = "arbiter"
    OPERATOR = "operator"


def _database() -> str | None:
    option: str | None = typer.Option(
        None,
        "--database",
        help="Where games are kept, as an SQLAlchemy URL. Default: an SQLite file of yours.",
        envvar=["DAMKA_DATABASE_URL", "DAMKA_DATABASE"],
        show_envvar=True,
    )
    return option


def _name() -> str:
    argument: str = typer.Argument(metavar="NAME", help="The account's name, in any spelling.")
    return argument


@app.command("list")
def list_accounts(
    part: str = typer.Argument("", metavar="PART", help="Only names with this in them."),
    banned: bool = typer.Option(False, "--banned", help="The bans in force, addresses as well."),
    database: str | None = _database(),
    as_json: bool = json_option(),
) -> None:
    """List the accounts, or who is banned.

    Example:  damka admin list --banned
    """
    with _engine(database) as engine:
        from damka.server.accounts import desk  # noqa: PLC0415

        if banned:
            _print_bans(desk.bans(engine), as_json=as_json)
            return
        entries = desk.accounts(engine, part)
    if as_json:
        print_json([entry._asdict() for entry in entries])
        return
    table = Table(box=None, pad_edge=False)
    for column in ("name", "right", "since", "last seen"):
        table.add_column(column)
    table.add_column("games", justify="right")
    table.add_column("")
    for entry in entries:
        seen = "–" if entry.seen is None else _day(entry.seen)
        state = "banned" if entry.banned else ""
        row = (entry.name, entry.right, _day(entry.created), seen, str(entry.games), state)
        table.add_row(*row)
    Screen().print(table)


@app.command()
def right(
    name: str = _name(),
    new: Right = typer.Argument(
        metavar="RIGHT", help="What it may do: member, arbiter or operator."
    ),
    database: str | None = _database(),
) -> None:
    """Let an account do more or less: arbiters and operators settle reports.

    Example:  damka admin right Petra arbiter
    """
    with _engine(database) as engine:
        from damka.server.accounts import desk  # noqa: PLC0415

        typer.echo(f"{desk.right(engine, name, new.value)} is {new.value} now")


@app.command()
def ban(
    name: str | None = typer.Argument(None, metavar="NAME", help="The account to ban."),
    address: str | None = typer.Option(
        None, metavar="ADDRESS", help="An IP address to ban instead, or a network: 10.0.0.0/24."
    ),
    until: str | None = typer.Option(
        None,
        metavar="WHEN",
        help="A day (2026-12-31, in UTC) or a time from now: 12h, 7d, 4w. Default: for good.",
    ),
    database: str | None = _database(),
) -> None:
    """Keep an account or an address from beginning and joining games.

    What it is playing goes on to its end. A new ban takes the place of an earlier one.

    Example:  damka admin ban Rumpel --until 7d
    """
    _require_one(name, address)
    end = None if until is None else _moment(until)
    with _engine(database) as engine:
        from damka.server.accounts import desk  # noqa: PLC0415

        whom = desk.ban(engine, name, address, end)
    typer.echo(f"{whom} is banned {'for good' if end is None else f'until {_minute(end)}'}")


@app.command()
def unban(
    name: str | None = typer.Argument(None, metavar="NAME", help="The account."),
    address: str | None = typer.Option(None, metavar="ADDRESS", help="The address, or network."),
    database: str | None = _database(),
) -> None:
    """Lift a ban.

    Example:  damka admin unban --address 10.0.0.5
    """
    _require_one(name, address)
    with _engine(database) as engine:
        from damka.server.accounts import desk  # noqa: PLC0415

        typer.echo(f"{desk.unban(engine, name, address)} is not banned any more")


@app.command()
def reset(
    name: str = _name(),
    url: str = typer.Option(
        "http://127.0.0.1:8077", metavar="URL", help="Where the server is, as its visitors see it."
    ),
    database: str | None = _database(),
) -> None:
    """Print a link with which somebody who cannot log in chooses a new password.

    It works once, for 24 hours; then all sessions of the account end. Passkeys stay.

    Example:  damka admin reset Petra --url https://dama.example
    """
    with _engine(database) as engine:
        from damka.server.accounts import desk  # noqa: PLC0415

        whom, path = desk.reset(engine, name)
    typer.echo(f"Give this to {whom}, and to nobody else; it works once, for 24 hours:", err=True)
    typer.echo(f"{url.rstrip('/')}{path}")


@app.command()
def code(database: str | None = _database()) -> None:
    """Print a code with which events can be made on the server's pages, for a year.

    Whoever has it needs no account. Each call makes another one; the earlier ones stay good.

    Example:  damka admin code --database sqlite:////var/lib/damka/games.sqlite3
    """
    with _engine(database) as engine:
        from damka.server.events import desk  # noqa: PLC0415

        fresh = desk.new_code(engine)
    typer.echo("Type this where a page asks for the operator's code:", err=True)
    typer.echo(f"{fresh[:4]}-{fresh[4:]}")


@app.command()
def backup(
    file: Path = typer.Argument(metavar="FILE", help="Where the copy goes."),
    force: bool = typer.Option(False, "--force", help="Overwrite a file that is there."),
    database: str | None = _database(),
) -> None:
    """Copy the database to a file, also while the server runs.

    The copy is whole and of one moment. It is as secret as the database: keep it so. PostgreSQL is
    copied by its own pg_dump, and pg_restore brings the copy back.

    Example:  damka admin backup damka-monday.sqlite3
    """
    _require_server()
    from damka.server import store  # noqa: PLC0415

    try:
        with _steps("copying") as step:
            store.backup(_url(database), file, step, overwrite=force)
    except FileExistsError as error:
        typer.echo(f"damka: {file}: there is such a file already; --force overwrites it", err=True)
        raise typer.Exit(2) from error
    typer.echo(f"{file}: {file.stat().st_size:,} bytes")


@app.command()
def restore(
    file: Path = typer.Argument(metavar="FILE", help="A copy that `damka admin backup` has made."),
    yes: bool = typer.Option(False, "--yes", help="Do not ask."),
    database: str | None = _database(),
) -> None:
    """Put a copy in place of the database. Stop the server first.

    The database as it was is kept beside it. A copy of an older Damka is brought up to date.

    Example:  damka admin restore damka-monday.sqlite3
    """
    _require_server()
    from damka.server import store  # noqa: PLC0415

    store.check_copy(database or _default(), file)
    if not yes:
        typer.confirm(f"Replace all games and accounts with those in {file}?", abort=True)
    with _steps("restoring") as step:
        kept = store.restore(database or _default(), file, step)
    typer.echo("restored" + ("" if kept is None else f"; the database until now is in {kept}"))


@app.command()
def prune(
    older_than: int = typer.Option(
        ..., min=1, max=36500, metavar="DAYS", help="Leave alone what is younger than so many days."
    ),
    database: str | None = _database(),
) -> None:
    """Delete games in which nothing was ever played, sessions that have ended, and old chat.

    Games with a single move are never deleted, nor what was said at a game that is reported and not
    judged yet.

    Example:  damka admin prune --older-than 30
    """
    with _engine(database) as engine:
        from damka.server import store  # noqa: PLC0415

        with _steps("deleting unplayed games") as step:
            done = store.prune(engine, timedelta(days=older_than), step)
    typer.echo(
        f"deleted: {done.games} unplayed games, {done.sessions} sessions, "
        f"{done.requests} links and challenges, {done.messages} chat messages"
    )


def _print_bans(entries: list[BanEntry], *, as_json: bool) -> None:
    if as_json:
        print_json([entry._asdict() for entry in entries])
        return
    table = Table(box=None, pad_edge=False)
    for column in ("whom", "since", "until"):
        table.add_column(column)
    for entry in entries:
        until = "for good" if entry.until is None else _minute(entry.until)
        table.add_row(entry.whom, _day(entry.since), until)
    Screen().print(table)


def _require_server() -> None:
    """Say so, and exit, where the server's libraries are not installed."""
    try:
        import sqlalchemy  # noqa: F401, PLC0415
    except ModuleNotFoundError as error:
        typer.echo(
            'damka: the web server is not installed; install it with: pip install "damka[server]"',
            err=True,
        )
        raise typer.Exit(2) from error


@contextmanager
def _engine(database: str | None) -> Iterator[Engine]:
    _require_server()
    from damka.server import store  # noqa: PLC0415

    with store.connect(_url(database)) as engine:
        yield engine


def _url(database: str | None) -> str:
    """Return where games are kept; say so, and exit, where none are and nobody said where."""
    url = database or _default()
    path = Path(url.removeprefix("sqlite:///"))
    if database is None and not path.is_file():
        typer.echo(
            f"damka: there is no file {path}. Where does the server keep its games? "
            "Say it with --database or DAMKA_DATABASE_URL, as for damka serve",
            err=True,
        )
        raise typer.Exit(2)
    return url


def _default() -> str:
    from damka.server.settings import default_database_url  # noqa: PLC0415

    return default_database_url()


@contextmanager
def _steps(what: str) -> Iterator[Callable[[int, int], object]]:
    with bar() as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, of: progress.update(task, completed=done, total=max(of, 1))


def _require_one(name: str | None, address: str | None) -> None:
    if (name is None) == (address is None):
        raise typer.BadParameter("give the NAME of an account or --address, one of them")


def _moment(text: str) -> datetime:
    now = datetime.now(UTC)
    if span := _SPAN.fullmatch(text):
        return now + timedelta(hours=int(span[1]) * _HOURS[span[2]])
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"expected a day such as 2026-12-31 or a time such as 7d, not {text!r}",
            param_hint="--until",
        ) from None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    if moment <= now:
        raise typer.BadParameter(f"{text} is over", param_hint="--until")
    return moment


def _day(at: datetime) -> str:
    return at.date().isoformat()


def _minute(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
