"""Database access for API tokens. Calls block, as in `members`.

A token consists of a prefix that secret scanners recognise, and 256 random bits. The database
stores only its hash. The lookup need not take constant time, because attackers cannot choose the
hash.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from damka.live.problems import Problem
from damka.server.accounts import members
from damka.server.accounts.values import Identity
from damka.server.store.account_models import AccountRow
from damka.server.store.token_models import TokenRow

__all__ = [
    "MAX_LABEL_LENGTH",
    "MAX_TOKENS",
    "PREFIX",
    "SCOPES",
    "Token",
    "become_bot",
    "create",
    "find",
    "list_tokens",
    "remove",
    "remove_all",
    "touch",
]

SCOPES: Final = ("read", "challenge", "play", "analysis", "bot")
"""Scopes of a token: read what the member sees; start, join and cancel games; play; use the engine
and the endgame tables; convert the account to a bot account."""
PREFIX: Final = "damka_"
MAX_LABEL_LENGTH: Final = 60
"""Maximum length of a token's label."""
MAX_TOKENS: Final = 50
"""Maximum number of tokens of one account."""
_USED_INTERVAL: Final = timedelta(hours=1)
"""Precision of the stored time of a token's last use."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token in the list of an account."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created: datetime
    used: datetime | None


def create(connection: Connection, account_id: str, label: str, scopes: Collection[str]) -> str:
    """Create a token, store its hash and return it. Raises Problem if the account has too many."""
    query = select(func.count()).where(TokenRow.account_id == account_id)
    if connection.scalar(query) >= MAX_TOKENS:  # type: ignore[operator]
        raise Problem(409, "too_many_tokens")
    token = PREFIX + secrets.token_urlsafe(32)
    row = {
        "hash": members.hash_of(token),
        "account_id": account_id,
        "label": label[:MAX_LABEL_LENGTH],
        "scopes": " ".join(scopes),
        "created": datetime.now(UTC),
    }
    connection.execute(insert(TokenRow), row)
    return token


def find(connection: Connection, token_hash: str) -> tuple[Identity, bool] | None:
    """Return the identity for a token's hash, and whether `touch` is due; None if unknown."""
    query = select(TokenRow.account_id, TokenRow.scopes, TokenRow.used)
    row = connection.execute(query.where(TokenRow.hash == token_hash)).one_or_none()
    account = None if row is None else members.get(connection, row.account_id)
    if row is None or account is None:
        return None
    identity = Identity(
        account.holder, account, bearer=token_hash, scopes=frozenset(row.scopes.split())
    )
    return identity, row.used is None or datetime.now(UTC) - row.used > _USED_INTERVAL


def touch(connection: Connection, token_hash: str) -> None:
    """Update the time of a token's last use."""
    connection.execute(
        update(TokenRow).where(TokenRow.hash == token_hash).values(used=datetime.now(UTC))
    )


def list_tokens(connection: Connection, account_id: str) -> list[Token]:
    """Return the tokens of an account, oldest first."""
    query = (
        select(TokenRow.hash, TokenRow.label, TokenRow.scopes, TokenRow.created, TokenRow.used)
        .where(TokenRow.account_id == account_id)
        .order_by(TokenRow.created, TokenRow.hash)
    )
    return [
        Token(row.hash, row.label, tuple(row.scopes.split()), row.created, row.used)
        for row in connection.execute(query)
    ]


def remove(connection: Connection, account_id: str, token_hash: str) -> bool:
    """Delete a token of this account; return whether there was one."""
    deleted = connection.execute(
        delete(TokenRow).where(TokenRow.hash == token_hash, TokenRow.account_id == account_id)
    )
    return deleted.rowcount == 1


def remove_all(connection: Connection, account_id: str) -> None:
    """Delete every token of an account."""
    connection.execute(delete(TokenRow).where(TokenRow.account_id == account_id))


def become_bot(connection: Connection, account_id: str) -> None:
    """Convert an account to a bot account, permanently: its games were played by a program."""
    connection.execute(update(AccountRow).where(AccountRow.id == account_id).values(bot=True))
