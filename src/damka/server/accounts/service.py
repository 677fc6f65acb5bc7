"""Accounts of a server: identification, login, and changes by members.

Database calls run in the store's threads, password hashing in separate threads.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy import Connection

from damka.live.problems import Problem
from damka.server import security
from damka.server.accounts import members, moderation, names, passkeys, passwords, tokens
from damka.server.accounts.values import GUEST, Account, Banned, Identity, NewSession
from damka.server.limits import Buckets
from damka.server.store import ConflictError, Store

if TYPE_CHECKING:
    from damka.server.settings import Limits

__all__ = ["SESSION_COOKIE", "Accounts"]

T = TypeVar("T")

SESSION_COOKIE: Final = "damka_session"
_PASSKEY_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,1400}")

InStore = Callable[[Callable[[Store], Any]], Awaitable[Any]]


class Accounts:
    """Accounts of one server.

    `write` and `read` run a call with the store in one of its threads.
    """

    def __init__(self, limits: Limits, write: InStore, read: InStore) -> None:
        self._write_call: Final = write
        self._read_call: Final = read
        self._passwords: Final = passwords.Passwords()
        # Replaying all games of a member is CPU-bound, so exports run one at a time.
        self.export_lock: Final = asyncio.Lock()
        sizes = limits.addresses
        self._by_address: Final = Buckets(limits.login_burst, limits.login_rate, sizes)
        self._by_name: Final = Buckets(limits.name_burst, limits.name_rate, sizes)
        self._new_accounts: Final = Buckets(limits.account_burst, limits.account_rate, sizes)

    def close(self) -> None:
        """Shut the threads down."""
        self._passwords.close()

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run `query` in a transaction and return its result."""
        return await self._run_in_transaction(self._read_call, query)

    async def write(self, change: Callable[[Connection], T]) -> T:
        """Run `change` in a transaction and return its result. Raises ConflictError."""
        return await self._run_in_transaction(self._write_call, change)

    async def _run_in_transaction(self, run: InStore, call: Callable[[Connection], T]) -> T:
        def work(store: Store) -> T:
            with store.transaction() as connection:
                return call(connection)

        result: T = await run(work)
        return result

    # Identification

    async def identify(self, cookies: Mapping[str, str]) -> Identity:
        """Return the identity for a request's cookies.

        A seat cookie claimed by an account is ignored, because it may be stolen; its owner has to
        log in.
        """
        session = cookies.get(SESSION_COOKIE, "")
        holder = security.holder_of(cookies.get(security.SEAT_COOKIE))
        token = members.hash_of(session) if security.is_token(session) else None
        if token is None and holder is None:
            return GUEST

        def query(connection: Connection) -> tuple[Identity, bool]:
            member = None if token is None else members.identify(connection, token)
            if member is not None:
                return member
            guest = None if holder is None else members.guest_of(connection, holder)
            return Identity(guest), False

        identity, is_due = await self.read(query)
        if is_due and token is not None:
            await self.write(lambda connection: members.touch(connection, token))
        return identity

    async def require_not_banned(self, identity: Identity, address: str) -> None:
        """Raise Banned if this member or address must not start or join games."""
        account_id = None if identity.account is None else identity.account.id
        ban = await self.read(lambda c: moderation.active_ban(c, account_id, address))
        if ban is not None:
            raise Banned(ban[0])

    async def names_of(self, holders: set[str]) -> dict[str, str]:
        """Return the names of those holders that are members."""
        return await self.read(lambda c: members.names_of(c, holders)) if holders else {}

    async def may_play(self, one: str, two: str) -> bool:
        """Whether neither of two holders has blocked the other."""
        return not await self.read(lambda c: moderation.either_blocks(c, one, two))

    async def set_preferences(
        self, account: Account, changes: Mapping[str, Any], kid: bool | None = None
    ) -> None:
        """Change some of a member's preferences."""
        await self.write(lambda c: members.set_preferences(c, account.id, changes, kid))

    # Names and passwords

    def member_name(self, text: str) -> str:
        """Normalise the name of a new member. Raises Problem."""
        try:
            return names.member_name(text)
        except names.BadNameError as error:
            raise Problem(422, f"name_{error.code}", where="name") from error

    async def guest_name(self, text: str, *, allow_arbiter: bool = False) -> str:
        """Normalise the name of a guest; "" if it is empty.

        `allow_arbiter` allows the titles of arbiters. Raises Problem, also for a member's name.
        """
        name = valid_guest_name(text, allow_arbiter=allow_arbiter)
        lookalikes = names.lookalikes(name)
        is_taken = (
            await self.read(lambda c: members.is_any_used(c, lookalikes)) if lookalikes else False
        )
        if is_taken:
            raise Problem(409, "name_member", where="name")
        return name

    async def register(
        self, name: str, password: str, guest: Identity, address: str, device: str
    ) -> NewSession:
        """Register an account with a password and log in. Raises Problem."""
        name = self.member_name(name)
        self._require_acceptable(password, name)
        await self._require_free(name)
        self._limit_new_accounts(address)
        hashed = await self._passwords.hash(password)

        def change(connection: Connection) -> NewSession:
            account = _create(connection, name, guest)
            members.set_password(connection, account.id, hashed)
            return members.log_in(connection, account, device)

        return await self._write_new_name(name, change)

    async def log_in(self, name: str, password: str, address: str, device: str) -> NewSession:
        """Log in with a password.

        Raises Problem. Wrong names and wrong passwords have the same response and timing.
        """
        self._limit_rate(address, name)
        account_and_hash = await self.read(lambda c: _with_password(c, name))
        account, stored = (None, None) if account_and_hash is None else account_and_hash
        is_correct = await self._passwords.verify(stored, password)
        if not is_correct or account is None or stored is None:
            raise Problem(403, "bad_login")
        new_hash = None
        if self._passwords.is_outdated(stored):
            new_hash = await self._passwords.hash(password)

        def change(connection: Connection) -> NewSession:
            # The password may have been changed in the meantime.
            if members.password_of(connection, account.id) != stored:
                raise Problem(403, "bad_login")
            if new_hash is not None:
                members.set_password(connection, account.id, new_hash)
            return members.log_in(connection, account, device)

        return await self.write(change)

    async def reauthenticate(self, identity: Identity, password: str, address: str) -> Account:
        """Authenticate a member again before a change, and return the account.

        Requires the password or a recent login. Raises Problem.
        """
        account = self.member(identity)
        stored = await self.read(lambda c: members.password_of(c, account.id))
        if password and stored is not None:
            self._limit_rate(address, account.name)
            if await self._passwords.verify(stored, password):
                return account
            raise Problem(403, "bad_password", where="password")
        if identity.is_fresh(datetime.now(UTC)):
            return account
        raise Problem(403, "log_in_again", where="password")

    async def change_password(self, account: Account, password: str, device: str) -> NewSession:
        """Replace the password, end all sessions and start a new one. Raises Problem."""
        self._require_acceptable(password, account.name)
        hashed = await self._passwords.hash(password)

        def change(connection: Connection) -> NewSession:
            members.set_password(connection, account.id, hashed)
            members.end_sessions(connection, account.id)
            return members.log_in(connection, account, device)

        return await self.write(change)

    async def reset(self, token: str, password: str, address: str, device: str) -> NewSession:
        """Use a reset link: set the password, end all sessions and start a new one."""
        self._limit_rate(address, "")
        account = await self.reset_of(token)
        self._require_acceptable(password, account.name)
        hashed = await self._passwords.hash(password)

        def change(connection: Connection) -> NewSession:
            if members.reset_of(connection, token, use=True) is None:
                raise Problem(404, "bad_reset")
            members.set_password(connection, account.id, hashed)
            members.end_sessions(connection, account.id)
            # The account may have been compromised.
            tokens.remove_all(connection, account.id)
            return members.log_in(connection, account, device)

        return await self.write(change)

    async def reset_of(self, token: str) -> Account:
        """Return the account of a reset link. Raises Problem when the link is invalid."""
        account = None
        if security.is_token(token):
            account = await self.read(lambda c: members.reset_of(c, token, use=False))
        if account is None:
            raise Problem(404, "bad_reset")
        return account

    def member(self, identity: Identity) -> Account:
        """Return the account of a member. Raises Problem for a guest."""
        if identity.account is None:
            raise Problem(401, "log_in_first")
        return identity.account

    # Passkeys

    async def start_passkey_registration(self, party: passkeys.Party, text: str) -> dict[str, Any]:
        """Return the browser's options for creating the passkey of a new account."""
        name = self.member_name(text)
        await self._require_free(name)
        account_id = members.new_id()
        challenge, options = passkeys.registration_options(party, account_id, name)

        await self.write(
            lambda c: members.add_challenge(c, challenge, "register", account_id, name)
        )
        return options

    async def register_passkey(
        self,
        party: passkeys.Party,
        response: dict[str, Any],
        guest: Identity,
        address: str,
        device: str,
    ) -> NewSession:
        """Register an account with a passkey and log in. Raises Problem."""
        self._limit_new_accounts(address)
        challenge = passkeys.challenge_of(response)
        stored_challenge = await self._use_challenge(challenge, "register")
        name = stored_challenge.name or ""
        credential = passkeys.verify_registration(party, response, challenge)

        def change(connection: Connection) -> NewSession:
            account = _create(connection, name, guest, stored_challenge.account_id)
            members.add_passkey(connection, account.id, credential, device)
            return members.log_in(connection, account, device)

        return await self._write_new_name(name, change)

    async def start_passkey_login(self, party: passkeys.Party, address: str) -> dict[str, Any]:
        """Return the browser's options for logging in with a passkey."""
        self._limit_rate(address, None)
        challenge, options = passkeys.login_options(party)
        await self.write(lambda c: members.add_challenge(c, challenge, "login"))
        return options

    async def log_in_passkey(
        self, party: passkeys.Party, response: dict[str, Any], device: str
    ) -> NewSession:
        """Log in with a passkey. Raises Problem."""
        challenge = passkeys.challenge_of(response)
        await self._use_challenge(challenge, "login")
        passkey_id = response.get("id")
        if not isinstance(passkey_id, str) or _PASSKEY_ID.fullmatch(passkey_id) is None:
            raise Problem(422, "bad_field", where="credential")
        account_and_passkey = await self.read(lambda c: members.credential_of(c, passkey_id))
        if account_and_passkey is None:
            raise Problem(403, "bad_passkey", where="credential")
        account, passkey = account_and_passkey
        count = passkeys.verify_login(party, response, challenge, passkey)

        def change(connection: Connection) -> NewSession:
            if not members.use_passkey(connection, passkey.id, passkey.sign_count, count):
                raise Problem(403, "bad_passkey", where="credential")
            return members.log_in(connection, account, device)

        return await self.write(change)

    async def start_adding_passkey(self, party: passkeys.Party, account: Account) -> dict[str, Any]:
        """Return the browser's options for adding a passkey to an account."""
        existing = await self.read(lambda c: members.passkeys(c, account.id))
        challenge, options = passkeys.registration_options(
            party, account.id, account.name, tuple(each.id for each in existing)
        )
        await self.write(lambda c: members.add_challenge(c, challenge, "add", account.id))
        return options

    async def add_passkey(
        self, party: passkeys.Party, response: dict[str, Any], account: Account, device: str
    ) -> None:
        """Add a new passkey to an account. Raises Problem."""
        challenge = passkeys.challenge_of(response)
        stored_challenge = await self._use_challenge(challenge, "add")
        if stored_challenge.account_id != account.id:
            raise Problem(403, "bad_passkey", where="credential")
        credential = passkeys.verify_registration(party, response, challenge)
        try:
            await self.write(lambda c: members.add_passkey(c, account.id, credential, device))
        except ConflictError as error:
            raise Problem(403, "bad_passkey", where="credential") from error

    async def _require_free(self, name: str) -> None:
        if await self.read(lambda c: members.find(c, name)) is not None:
            raise Problem(409, "name_taken", where="name")

    async def _use_challenge(self, challenge: bytes, purpose: str) -> members.Challenge:
        stored_challenge = await self.write(lambda c: members.use_challenge(c, challenge, purpose))
        if stored_challenge is None:
            raise Problem(403, "old_passkey", where="credential")
        return stored_challenge

    # Rate limits

    def _limit_rate(self, address: str, name: str | None) -> None:
        """Raise Problem if the rate limit of an address or a name is exceeded."""
        if not self._by_address.take(address):
            raise Problem(429, "too_many_logins")
        if name and not self._by_name.take(names.fold(name)):
            raise Problem(429, "too_many_logins")

    def _limit_new_accounts(self, address: str) -> None:
        if not self._new_accounts.take(address):
            raise Problem(429, "too_many_accounts")

    def _require_acceptable(self, password: str, name: str) -> None:
        try:
            passwords.require_acceptable(password, name)
        except passwords.BadPasswordError as error:
            raise Problem(422, f"password_{error.code}", where="password") from error

    async def _write_new_name(self, name: str, change: Callable[[Connection], T]) -> T:
        try:
            return await self.write(change)
        except ConflictError as error:
            raise Problem(409, "name_taken", where="name") from error


def _create(
    connection: Connection,
    name: str,
    guest: Identity,
    account_id: str | None = None,
) -> Account:
    # If a member registers another account, the games remain with the first one.
    holder = guest.holder if guest.account is None else None
    new_id = members.create(connection, name, holder, id=account_id)
    account = members.get(connection, new_id)
    if account is None:
        raise ConflictError("the account was closed concurrently")
    return account


def _with_password(connection: Connection, name: str) -> tuple[Account, str | None] | None:
    account = members.find(connection, name)
    return None if account is None else (account, members.password_of(connection, account.id))


def valid_guest_name(text: str, *, allow_arbiter: bool = False) -> str:
    """Normalise a guest's name as `names.guest_name` does. Raises Problem."""
    try:
        return names.guest_name(text, allow_arbiter=allow_arbiter)
    except names.BadNameError as error:
        code = error.code if error.code in {"script", "reserved"} else f"guest_{error.code}"
        raise Problem(422, f"name_{code}", where="name") from error
