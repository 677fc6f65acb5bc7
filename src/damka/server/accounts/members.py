"""Database access for accounts and their credentials. Calls block, like those of `Store`.

Every function takes the connection of a transaction (`Store.transaction`), so that related rows are
written atomically.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, cast

from sqlalchemy import Connection, Row, bindparam, delete, exists, insert, select, update

from damka.server.accounts import names
from damka.server.accounts.values import (
    Account,
    Device,
    Identity,
    NewSession,
    Passkey,
    Right,
    shown_name,
)
from damka.server.store import lessons, studies
from damka.server.store.account_models import (
    AccountRow,
    BlockRow,
    ChallengeRow,
    PasskeyRow,
    PasswordRow,
    RatingHistoryRow,
    RatingRow,
    ResetRow,
    SessionRow,
)
from damka.server.store.chat_models import ChatRow
from damka.server.store.models import SeatRow
from damka.server.store.token_models import TokenRow

__all__ = [
    "Challenge",
    "Credential",
    "add_challenge",
    "add_passkey",
    "close",
    "create",
    "devices",
    "end_session",
    "end_sessions",
    "find",
    "get",
    "guest_of",
    "hash_of",
    "identify",
    "log_in",
    "names_of",
    "new_id",
    "new_reset",
    "of_holder",
    "passkeys",
    "password_of",
    "remove_passkey",
    "reset_of",
    "set_password",
    "set_preferences",
    "set_right",
    "use_challenge",
    "use_passkey",
]

SESSION_LIFETIME: Final = timedelta(days=180)
"""Lifetime of a session after its last use."""
_SEEN_INTERVAL: Final = timedelta(hours=1)
"""Precision of the stored time of a session's last use."""
CHALLENGE_LIFETIME: Final = timedelta(minutes=5)
RESET_LIFETIME: Final = timedelta(hours=24)
_ACCOUNTS: Final[Any] = AccountRow.__table__
# Built once, because every request executes them.
_IS_CLAIMED: Final = select(exists().where(AccountRow.holder == bindparam("holder")))
_IN_SESSION: Final = (
    select(_ACCOUNTS, SessionRow.created.label("since"), SessionRow.seen)
    .join(SessionRow, SessionRow.account_id == AccountRow.id)
    .where(SessionRow.token == bindparam("token"), AccountRow.closed.is_(None))
)


class Challenge(NamedTuple):
    """Account id and name that were stored with a passkey challenge."""

    account_id: str | None
    name: str | None


class Credential(NamedTuple):
    """A passkey: its id in base64url, its public key and its signature counter."""

    id: str
    public_key: bytes
    sign_count: int


def new_id() -> str:
    """Create an account id: 128 random bits."""
    return secrets.token_urlsafe(16)


def hash_of(token: str) -> str:
    """Return the hash under which a token is stored; 256 random bits need no salt."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


# Accounts


def create(connection: Connection, name: str, holder: str | None, *, id: str | None = None) -> str:  # noqa: A002
    """Create an account and return its id.

    `holder` is the guest's, whose games the account takes over. Raises IntegrityError, which
    `Store.transaction` converts to ConflictError, when the name belongs or belonged to another
    account, or the guest already has one.
    """
    account_id = id or new_id()
    folded = names.fold(name)
    is_taken = exists().where(AccountRow.folded == names.folded_hash(folded))
    # The guest may have registered in another tab in the meantime.
    if holder is None or guest_of(connection, holder) is None:
        holder = hash_of(secrets.token_urlsafe(32))
    row = {
        "id": account_id,
        "name": name,
        "folded": names.folded_hash(folded) if connection.scalar(select(is_taken)) else folded,
        "right": "member",
        "kid": False,
        "preferences": {},
        "holder": holder,
        "created": datetime.now(UTC),
    }
    connection.execute(insert(AccountRow), row)
    return account_id


def is_any_used(connection: Connection, folded: set[str]) -> bool:
    """Whether an open or closed account uses one of the folded names."""
    keys = [*folded, *map(names.folded_hash, folded)]
    return bool(connection.scalar(select(exists().where(AccountRow.folded.in_(keys)))))


def find(connection: Connection, name: str) -> Account | None:
    """Return the account with a name, in any equivalent spelling; None if there is none."""
    query = select(_ACCOUNTS).where(AccountRow.folded == names.fold(name))
    return _account(connection.execute(query.where(AccountRow.closed.is_(None))).one_or_none())


def get(connection: Connection, account_id: str) -> Account | None:
    """Return the open account with an id."""
    query = select(_ACCOUNTS).where(AccountRow.id == account_id, AccountRow.closed.is_(None))
    return _account(connection.execute(query).one_or_none())


def of_holder(connection: Connection, holder: str) -> Account | None:
    """Return the open account of a holder."""
    query = select(_ACCOUNTS).where(AccountRow.holder == holder, AccountRow.closed.is_(None))
    return _account(connection.execute(query).one_or_none())


def guest_of(connection: Connection, holder: str) -> str | None:
    """Return `holder`, or None if it belongs to an account."""
    return None if connection.scalar(_IS_CLAIMED, {"holder": holder}) else holder


def names_of(connection: Connection, holders: Collection[str]) -> dict[str, str]:
    """Return the names of those holders that have an open account."""
    query = select(AccountRow.holder, AccountRow.name, AccountRow.bot).where(
        AccountRow.holder.in_(holders), AccountRow.closed.is_(None)
    )
    return {row.holder: shown_name(row.name, row.bot) for row in connection.execute(query)}


def set_preferences(
    connection: Connection, account_id: str, changes: Mapping[str, Any], kid: bool | None = None
) -> None:
    """Change some preferences of an account."""
    query = select(AccountRow.preferences).where(AccountRow.id == account_id)
    stored = connection.scalar(query.with_for_update()) or {}
    values: dict[str, Any] = {"preferences": {**stored, **changes}}
    if kid is not None:
        values["kid"] = kid
    connection.execute(update(AccountRow).where(AccountRow.id == account_id).values(values))


def set_right(connection: Connection, account_id: str, right: Right) -> None:
    """Change the right of an account."""
    connection.execute(
        update(AccountRow).where(AccountRow.id == account_id).values({"right": right})
    )


def close(connection: Connection, account_id: str) -> None:
    """Delete the data of an account; a row without a name remains, to which its games belong."""
    tables = (PasswordRow, PasskeyRow, SessionRow, ResetRow, RatingRow, RatingHistoryRow, TokenRow)
    for row in tables:
        connection.execute(delete(row).where(row.account_id == account_id))
    connection.execute(
        delete(BlockRow).where(
            (BlockRow.account_id == account_id) | (BlockRow.blocked_id == account_id)
        )
    )
    holder = select(AccountRow.holder).where(AccountRow.id == account_id).scalar_subquery()
    connection.execute(delete(ChatRow).where(ChatRow.holder == holder))
    studies.delete_all(connection, account_id)
    lessons.delete_all(connection, account_id)
    connection.execute(update(SeatRow).where(SeatRow.holder == holder).values(title=None))
    folded = connection.scalar(select(AccountRow.folded).where(AccountRow.id == account_id)) or ""
    values = {
        "name": "",
        "folded": names.folded_hash(folded),
        "right": "member",
        "kid": False,
        "preferences": {},
        "closed": datetime.now(UTC),
    }
    connection.execute(update(AccountRow).where(AccountRow.id == account_id).values(values))


# Sessions


def log_in(connection: Connection, account: Account, device: str) -> NewSession:
    """Start a session with a new token."""
    token = secrets.token_urlsafe(32)
    now = datetime.now(UTC)
    row = {
        "token": hash_of(token),
        "account_id": account.id,
        "device": device[:80],
        "created": now,
        "seen": now,
    }
    connection.execute(insert(SessionRow), row)
    return NewSession(account, token)


def identify(connection: Connection, token: str) -> tuple[Identity, bool] | None:
    """Return the identity for a session's hash, and whether `touch` is due; None if unknown."""
    row = connection.execute(_IN_SESSION, {"token": token}).one_or_none()
    now = datetime.now(UTC)
    account = _account(row)
    if row is None or account is None or now - row.seen > SESSION_LIFETIME:
        return None
    return Identity(account.holder, account, token, row.since), now - row.seen > _SEEN_INTERVAL


def touch(connection: Connection, token: str) -> None:
    """Update the time of a session's last use."""
    connection.execute(
        update(SessionRow).where(SessionRow.token == token).values(seen=datetime.now(UTC))
    )


def devices(connection: Connection, account_id: str) -> list[Device]:
    """Return the sessions of an account, most recently used first."""
    query = (
        select(SessionRow.token, SessionRow.device, SessionRow.created, SessionRow.seen)
        .where(SessionRow.account_id == account_id)
        .where(SessionRow.seen > datetime.now(UTC) - SESSION_LIFETIME)
        .order_by(SessionRow.seen.desc(), SessionRow.token)
    )
    return [Device(*row) for row in connection.execute(query)]


def end_session(connection: Connection, account_id: str, token: str) -> None:
    """End one session, if it belongs to this account."""
    connection.execute(
        delete(SessionRow).where(SessionRow.token == token, SessionRow.account_id == account_id)
    )


def end_sessions(connection: Connection, account_id: str) -> None:
    """End every session of an account."""
    connection.execute(delete(SessionRow).where(SessionRow.account_id == account_id))


# Passwords


def password_of(connection: Connection, account_id: str) -> str | None:
    """Return the hash of an account's password, if it has one."""
    return connection.scalar(select(PasswordRow.hash).where(PasswordRow.account_id == account_id))


def set_password(connection: Connection, account_id: str, hashed: str) -> None:
    """Set or replace the password of an account."""
    connection.execute(delete(PasswordRow).where(PasswordRow.account_id == account_id))
    row = {"account_id": account_id, "hash": hashed, "changed": datetime.now(UTC)}
    connection.execute(insert(PasswordRow), row)


def new_reset(connection: Connection, account_id: str) -> str:
    """Create the token of a one-time link for a new password."""
    token = secrets.token_urlsafe(32)
    connection.execute(delete(ResetRow).where(ResetRow.account_id == account_id))
    row = {
        "token": hash_of(token),
        "account_id": account_id,
        "expires": datetime.now(UTC) + RESET_LIFETIME,
    }
    connection.execute(insert(ResetRow), row)
    return token


def reset_of(connection: Connection, token: str, *, use: bool) -> Account | None:
    """Return the account of a valid reset link; `use` invalidates the link."""
    query = select(ResetRow.account_id, ResetRow.expires).where(ResetRow.token == hash_of(token))
    row = connection.execute(query).one_or_none()
    if row is None or row.expires < datetime.now(UTC):
        return None
    if use:
        deleted = connection.execute(delete(ResetRow).where(ResetRow.token == hash_of(token)))
        if deleted.rowcount != 1:
            return None
    return get(connection, row.account_id)


# Passkeys


def add_challenge(
    connection: Connection,
    challenge: bytes,
    purpose: str,
    account_id: str | None = None,
    name: str | None = None,
) -> None:
    """Store a challenge until it is answered, for at most five minutes."""
    now = datetime.now(UTC)
    connection.execute(delete(ChallengeRow).where(ChallengeRow.expires < now))
    row = {
        "hash": hashlib.sha256(challenge).hexdigest(),
        "purpose": purpose,
        "account_id": account_id,
        "name": name,
        "expires": now + CHALLENGE_LIFETIME,
    }
    connection.execute(insert(ChallengeRow), row)


def use_challenge(connection: Connection, challenge: bytes, purpose: str) -> Challenge | None:
    """Return and delete a challenge; None if it is unknown or expired."""
    hashed = hashlib.sha256(challenge).hexdigest()
    query = select(ChallengeRow).where(
        ChallengeRow.hash == hashed,
        ChallengeRow.purpose == purpose,
        ChallengeRow.expires > datetime.now(UTC),
    )
    row = connection.execute(query).one_or_none()
    deleted = connection.execute(delete(ChallengeRow).where(ChallengeRow.hash == hashed))
    # Only one of two concurrent responses deletes it.
    return None if row is None or deleted.rowcount != 1 else Challenge(row.account_id, row.name)


def add_passkey(
    connection: Connection, account_id: str, credential: Credential, label: str
) -> None:
    """Add a passkey to an account."""
    row = {
        "id": credential.id,
        "account_id": account_id,
        "public_key": credential.public_key,
        "sign_count": credential.sign_count,
        "label": label[:80],
        "created": datetime.now(UTC),
    }
    connection.execute(insert(PasskeyRow), row)


def passkeys(connection: Connection, account_id: str) -> list[Passkey]:
    """Return the passkeys of an account, oldest first."""
    query = (
        select(PasskeyRow.id, PasskeyRow.label, PasskeyRow.created, PasskeyRow.used)
        .where(PasskeyRow.account_id == account_id)
        .order_by(PasskeyRow.created, PasskeyRow.id)
    )
    return [Passkey(*row) for row in connection.execute(query)]


def credential_of(connection: Connection, passkey_id: str) -> tuple[Account, Credential] | None:
    """Return the account and the public key of a passkey."""
    query = select(PasskeyRow.account_id, PasskeyRow.public_key, PasskeyRow.sign_count)
    row = connection.execute(query.where(PasskeyRow.id == passkey_id)).one_or_none()
    account = None if row is None else get(connection, row.account_id)
    if row is None or account is None:
        return None
    return account, Credential(passkey_id, row.public_key, row.sign_count)


def use_passkey(connection: Connection, passkey_id: str, before: int, now: int) -> bool:
    """Update a passkey's signature counter; return False after a concurrent update."""
    updated = connection.execute(
        update(PasskeyRow)
        .where(PasskeyRow.id == passkey_id, PasskeyRow.sign_count == before)
        .values(sign_count=now, used=datetime.now(UTC))
    )
    return updated.rowcount == 1


def remove_passkey(connection: Connection, account_id: str, passkey_id: str) -> bool:
    """Remove a passkey; return False, without a change, if there is no other way to log in."""
    remaining = [each.id for each in passkeys(connection, account_id) if each.id != passkey_id]
    if not remaining and password_of(connection, account_id) is None:
        return False
    connection.execute(
        delete(PasskeyRow).where(PasskeyRow.id == passkey_id, PasskeyRow.account_id == account_id)
    )
    return True


def _account(row: Row[Any] | None) -> Account | None:
    if row is None:
        return None
    return Account(
        id=row.id,
        name=row.name,
        right=cast("Right", row.right),
        kid=row.kid,
        preferences=row.preferences,
        holder=row.holder,
        created=row.created,
        bot=row.bot,
    )
