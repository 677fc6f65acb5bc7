"""`damka admin`: account and database administration for server operators."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from damka.cli.help import Command, Commands
from damka.cli.options import (
    database_option,
    force_option,
    json_option,
    print_json,
    refuse_existing,
)
from damka.cli.progress import bar
from damka.cli.screen import Screen
from damka.cli.usage import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

    from damka.server.accounts.admin import BanEntry

__all__ = ["app"]

app = typer.Typer(
    name="admin",
    cls=Commands,
    help="Manage a server's accounts and database.\n\nThe server may be running, except for "
    "`restore`.",
    epilog="Start with `damka admin list` or `damka admin backup copy.sqlite3`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_DURATION = re.compile(r"(\d{1,4})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 7 * 24}


class Role(StrEnum):
    """Role of an account."""

    MEMBER = "member"
    ARBITER = "arbiter"
    OPERATOR = "operator"


def _name() -> str:
    argument: str = typer.Argument(metavar="NAME", help="Name of the account (case-insensitive).")
    return argument


@app.command("list", cls=Command)
def list_accounts(
    part: str = typer.Argument("", metavar="TEXT", help="Only names that contain this text."),
    banned: bool = typer.Option(
        False, "--banned", help="List active bans, including IP addresses."
    ),
    database: str | None = database_option(),
    as_json: bool = json_option(),
) -> None:
    """List accounts or active bans.

    Example:  damka admin list --banned
    """
    with _engine(database) as engine:
        from damka.server.accounts import admin  # noqa: PLC0415

        if banned:
            _print_bans(admin.bans(engine), as_json=as_json)
            return
        entries = admin.accounts(engine, part)
    if as_json:
        print_json([entry._asdict() for entry in entries])
        return
    table = Table(box=None, pad_edge=False)
    for column in ("name", "role", "since", "last seen"):
        table.add_column(column)
    table.add_column("games", justify="right")
    table.add_column("")
    for entry in entries:
        seen = "–" if entry.seen is None else _day(entry.seen)
        state = "banned" if entry.banned else ""
        row = (entry.name, entry.right, _day(entry.created), seen, str(entry.games), state)
        table.add_row(*row)
    Screen().print(table)


@app.command("role", cls=Command)
def set_role(
    name: str = _name(),
    role: Role = typer.Argument(metavar="ROLE", help="New role: member, arbiter or operator."),
    database: str | None = database_option(),
) -> None:
    """Set an account's role (member, arbiter, operator).

    Arbiters and operators review reports.

    Example:  damka admin role Petra arbiter
    """
    with _engine(database) as engine:
        from damka.server.accounts import admin  # noqa: PLC0415

        typer.echo(f"{admin.set_right(engine, name, role.value)} is now {role.value}")


@app.command(cls=Command)
def ban(
    name: str | None = typer.Argument(None, metavar="NAME", help="Account to ban."),
    address: str | None = typer.Option(
        None,
        "--address",
        metavar="ADDRESS",
        help="IP address or network (10.0.0.0/24) to ban instead.",
    ),
    until: str | None = typer.Option(
        None,
        "--until",
        metavar="WHEN",
        help="End of the ban: a day (2026-12-31, UTC) or a duration (12h, 7d, 4w). Default: "
        "permanent.",
    ),
    database: str | None = database_option(),
) -> None:
    """Ban an account or an IP address.

    A banned account cannot start or join games; its games in progress continue. A new ban replaces
    an earlier one.

    Example:  damka admin ban Rumpel --until 7d
    """
    _require_one(name, address)
    end = None if until is None else _parse_end(until)
    with _engine(database) as engine:
        from damka.server.accounts import admin  # noqa: PLC0415

        target = admin.ban(engine, name, address, end)
    typer.echo(f"{target} is banned {'permanently' if end is None else f'until {_minute(end)}'}")


@app.command(cls=Command)
def unban(
    name: str | None = typer.Argument(None, metavar="NAME", help="Banned account."),
    address: str | None = typer.Option(
        None, "--address", metavar="ADDRESS", help="Banned IP address or network."
    ),
    database: str | None = database_option(),
) -> None:
    """Lift a ban.

    Example:  damka admin unban --address 10.0.0.5
    """
    _require_one(name, address)
    with _engine(database) as engine:
        from damka.server.accounts import admin  # noqa: PLC0415

        typer.echo(f"{admin.unban(engine, name, address)} is no longer banned")


@app.command(cls=Command)
def reset(
    name: str = _name(),
    url: str = typer.Option(
        "http://127.0.0.1:8077", "--url", metavar="URL", help="Public address of the server."
    ),
    database: str | None = database_option(),
) -> None:
    """Print a password reset link.

    The link works once and expires after 24 hours. Using it ends all sessions of the account;
    passkeys remain valid.

    Example:  damka admin reset Petra --url https://dama.example
    """
    with _engine(database) as engine:
        from damka.server.accounts import admin  # noqa: PLC0415

        account, path = admin.new_password_link(engine, name)
    typer.echo(f"Send this link only to {account}. It works once, within 24 hours:", err=True)
    typer.echo(f"{url.rstrip('/')}{path}")


@app.command(cls=Command)
def code(database: str | None = database_option()) -> None:
    """Print a code for creating tournaments.

    Anyone with the code can create tournaments on the server's pages for a year, without an
    account. Each call prints a new code; earlier codes stay valid.

    Example:  damka admin code --database sqlite:////var/lib/damka/games.sqlite3
    """
    with _engine(database) as engine:
        from damka.live import codes  # noqa: PLC0415
        from damka.server.events import admin  # noqa: PLC0415

        operator_code = admin.new_code(engine)
    typer.echo("Operator's code, for the page that creates tournaments:", err=True)
    typer.echo(codes.format_code(operator_code))


@app.command(cls=Command)
def backup(
    file: Path = typer.Argument(metavar="FILE", help="File to write the copy to."),
    force: bool = force_option(),
    database: str | None = database_option(),
) -> None:
    """Back up the database to a file.

    The copy is a consistent snapshot, even while the server runs. Keep it as secret as the
    database. PostgreSQL is copied with pg_dump; restore the copy with pg_restore.

    Example:  damka admin backup damka-monday.sqlite3
    """
    _require_server()
    from damka.server import store  # noqa: PLC0415

    try:
        with _progress("copying") as step:
            store.backup(_url(database), file, step, overwrite=force)
    except FileExistsError as error:
        raise refuse_existing(file) from error
    typer.echo(f"{file}: {file.stat().st_size:,} bytes")


@app.command(cls=Command)
def restore(
    file: Path = typer.Argument(metavar="FILE", help="Copy made by `damka admin backup`."),
    yes: bool = force_option("Replace the database without asking."),
    database: str | None = database_option(),
) -> None:
    """Replace the database with a backup.

    Stop the server first. The replaced database is kept beside the new one. A copy from an older
    version of Damka is upgraded.

    Example:  damka admin restore damka-monday.sqlite3
    """
    _require_server()
    from damka.server import store  # noqa: PLC0415

    store.check_copy(database or _default(), file)
    if not yes:
        typer.confirm(f"Replace all games and accounts with those in {file}?", abort=True)
    with _progress("restoring") as step:
        old_database = store.restore(database or _default(), file, step)
    typer.echo(
        "restored"
        + ("" if old_database is None else f"; the previous database is in {old_database}")
    )


@app.command(cls=Command)
def prune(
    older_than: int = typer.Option(
        ...,
        "--older-than",
        min=1,
        max=36500,
        metavar="DAYS",
        help="Delete only entries older than this many days.",
    ),
    database: str | None = database_option(),
) -> None:
    """Delete unplayed games, ended sessions and old chat.

    Games with at least one move are never deleted, nor the chat of a game with an open report.

    Example:  damka admin prune --older-than 30
    """
    with _engine(database) as engine:
        from damka.server import store  # noqa: PLC0415

        with _progress("deleting unplayed games") as step:
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
    for column in ("account or address", "since", "until"):
        table.add_column(column)
    for entry in entries:
        until = "permanent" if entry.until is None else _minute(entry.until)
        table.add_row(entry.whom, _day(entry.since), until)
    Screen().print(table)


def _require_server() -> None:
    """Exit with a message if the server's libraries are not installed."""
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
    """Return the database URL; exit with a message if there is neither an option nor a default."""
    url = database or _default()
    path = Path(url.removeprefix("sqlite:///"))
    if database is None and not path.is_file():
        typer.echo(
            f"damka: no database at {path}; the server creates it on its first start "
            "(`damka serve`). If your server uses another database, give its URL with --database "
            "or DAMKA_DATABASE_URL.",
            err=True,
        )
        raise typer.Exit(2)
    return url


def _default() -> str:
    from damka.server.settings import default_database_url  # noqa: PLC0415

    return default_database_url()


@contextmanager
def _progress(description: str) -> Iterator[Callable[[int, int], object]]:
    with bar() as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, of: progress.update(task, completed=done, total=max(of, 1))


def _require_one(name: str | None, address: str | None) -> None:
    if (name is None) == (address is None):
        raise UsageProblem("give either the NAME of an account or --address.")


def _parse_end(text: str) -> datetime:
    """Parse the end of a ban: a day, or a duration from now. Raises UsageProblem."""
    now = datetime.now(UTC)
    if duration := _DURATION.fullmatch(text):
        return now + timedelta(hours=int(duration[1]) * _HOURS[duration[2]])
    try:
        end = datetime.fromisoformat(text)
    except ValueError:
        raise UsageProblem(
            f"--until must be a day such as 2026-12-31 or a duration such as 7d, not {text[:60]!r}."
        ) from None
    end = end.replace(tzinfo=UTC) if end.tzinfo is None else end
    if end <= now:
        raise UsageProblem(f"--until: {text} is in the past.")
    return end


def _day(at: datetime) -> str:
    return at.date().isoformat()


def _minute(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
