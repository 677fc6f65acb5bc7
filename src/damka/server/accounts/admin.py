"""Operator commands for accounts; they use the database, whether or not a server is running."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, func, select

from damka.errors import DamkaError
from damka.server.accounts import members, moderation
from damka.server.accounts.values import Account, Right
from damka.server.store import begin
from damka.server.store.account_models import AccountRow, BanRow, SessionRow
from damka.server.store.models import SeatRow

__all__ = [
    "AccountEntry",
    "AdminError",
    "BanEntry",
    "accounts",
    "ban",
    "bans",
    "new_password_link",
    "set_right",
    "unban",
]


class AdminError(DamkaError):
    """An operator command failed; the message gives the reason."""


class AccountEntry(NamedTuple):
    """An account in the operator's list."""

    name: str
    right: Right
    created: datetime
    seen: datetime | None
    games: int
    banned: bool


class BanEntry(NamedTuple):
    """An active ban of an account or a network; `until` is None for a permanent one."""

    whom: str
    since: datetime
    until: datetime | None


def accounts(engine: Engine, part: str = "") -> list[AccountEntry]:
    """Return the open accounts whose names contain `part`, by name."""
    seen = select(func.max(SessionRow.seen)).where(SessionRow.account_id == AccountRow.id)
    games = (
        select(func.count(SeatRow.game_id.distinct()))
        .where(SeatRow.holder == AccountRow.holder)
        .scalar_subquery()
    )
    query = select(
        AccountRow.id,
        AccountRow.name,
        AccountRow.right,
        AccountRow.created,
        seen.scalar_subquery().label("seen"),
        games.label("games"),
    ).where(AccountRow.closed.is_(None))
    with begin(engine) as connection:
        rows = connection.execute(query.order_by(AccountRow.folded)).all()
        banned = set(connection.execute(_active(BanRow.account_id)).scalars())
    return [
        AccountEntry(row.name, row.right, row.created, row.seen, row.games, row.id in banned)
        for row in rows
        if part.casefold() in row.name.casefold()
    ]


def bans(engine: Engine) -> list[BanEntry]:
    """Return the active bans, latest first."""
    query = _active(BanRow.network, AccountRow.name, BanRow.created, BanRow.until)
    query = query.outerjoin(AccountRow, AccountRow.id == BanRow.account_id)
    with begin(engine) as connection:
        return [
            BanEntry(row.network or row.name, row.created, row.until)
            for row in connection.execute(query.order_by(BanRow.created.desc()))
        ]


def set_right(engine: Engine, name: str, new: Right) -> str:
    """Change the right of an account; return its name in the owner's spelling."""
    with begin(engine) as connection:
        account = _find(connection, name)
        members.set_right(connection, account.id, new)
        moderation.log(connection, "right", f"{account.right} → {new}", account_id=account.id)
    return account.name


def ban(engine: Engine, name: str | None, address: str | None, until: datetime | None) -> str:
    """Ban an account or an address; return the banned name or network."""
    with begin(engine) as connection:
        if name is not None:
            account = _find(connection, name)
            moderation.ban(connection, account_id=account.id, until=until)
            return account.name
        network = _network(address or "")
        moderation.ban(connection, network=network, until=until)
        return network


def unban(engine: Engine, name: str | None, address: str | None) -> str:
    """Lift a ban; return the name or network. Raises AdminError when there is none."""
    with begin(engine) as connection:
        if name is not None:
            account = _find(connection, name)
            is_lifted = moderation.unban(connection, account_id=account.id)
            banned, account_id, network = account.name, account.id, None
        else:
            network = _network(address or "")
            is_lifted = moderation.unban(connection, network=network)
            banned, account_id = network, None
        if not is_lifted:
            raise AdminError(f"{banned} is not banned")
        moderation.log(connection, "unban", account_id=account_id, network=network)
    return banned


def new_password_link(engine: Engine, name: str) -> tuple[str, str]:
    """Return the name of an account and the path of a one-time link for setting a password."""
    with begin(engine) as connection:
        account = _find(connection, name)
        token = members.new_reset(connection, account.id)
        moderation.log(connection, "reset", account_id=account.id)
    return account.name, f"/account/reset/{token}"


def _find(connection: Connection, name: str) -> Account:
    account = members.find(connection, name)
    if account is None:
        raise AdminError(f"there is no account called {name!r}; `damka admin list` lists them")
    return account


def _network(address: str) -> str:
    try:
        return moderation.network_of(address)
    except ValueError:
        raise AdminError(
            f"expected an IP address or a network such as 10.0.0.5 or 10.0.0.0/24, not {address!r}"
        ) from None


def _active(*columns: Any) -> Any:
    now = datetime.now(UTC)
    return select(*columns).where(
        BanRow.lifted.is_(None), BanRow.until.is_(None) | (BanRow.until > now)
    )
