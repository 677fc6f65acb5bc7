"""Bearer tokens of API requests: their accounts and scopes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

from damka.live.problems import Problem
from damka.server.accounts import members, tokens
from damka.server.accounts.values import Account, Identity
from damka.server.limits import Buckets
from damka.server.store import StoreError

if TYPE_CHECKING:
    from damka.server.accounts.service import Accounts
    from damka.server.cluster import Cluster
    from damka.server.settings import Limits

__all__ = ["TokenProblem", "Tokens", "bearer_of", "has_token", "while_valid"]

_TOKEN: Final = re.compile(rf"{tokens.PREFIX}[A-Za-z0-9_-]{{43}}")
CHECK_SECONDS: Final = 60.0
"""Interval of the check that the token of an open connection is still valid."""
_QUERY_NAMES: Final = frozenset({"access_token", "bearer", "api_key"})


class TokenProblem(Problem):
    """A request with an invalid or insufficient token; the response follows RFC 6750."""

    def __init__(self, status: int, code: str, error: str, *, where: str | None = None) -> None:
        super().__init__(status, code, where=where)
        scope = f', scope="{where}"' if error == "insufficient_scope" and where else ""
        self.headers: Final = {"www-authenticate": f'Bearer error="{error}"{scope}'}


def bearer_of(headers: Mapping[str, str]) -> str | None:
    """Return the bearer token of a request; None if there is none.

    Other schemes are ignored: a reverse proxy may use them for its own authentication.
    """
    scheme, _, value = headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else None


def has_token(query: Mapping[str, str]) -> bool:
    """Whether a query contains a token, which would be stored in logs and browser histories."""
    return any(
        name.lower() in _QUERY_NAMES or _TOKEN.search(value) is not None
        for name, value in query.items()
    )


class Tokens:
    """Tokens of a server's accounts."""

    def __init__(self, accounts: Accounts, limits: Limits, cluster: Cluster) -> None:
        self._accounts: Final = accounts
        self._cluster: Final = cluster
        self._rates: Final = Buckets(limits.token_burst, limits.token_rate, limits.addresses)
        self._guesses: Final = Buckets(limits.login_burst, limits.login_rate, limits.addresses)

    async def identify(self, bearer: str, address: str, scope: str | None) -> Identity:
        """Return the identity for a token, which must have `scope`.

        Raises TokenProblem for an unknown token or a missing scope, and Problem when the token or
        the address exceeds its rate limit.
        """
        token_hash = members.hash_of(bearer)
        # Valid tokens still work for other users of an address with many failed attempts.
        if token_hash not in self._rates and not self._guesses.has_token(address):
            raise Problem(429, "too_many_logins")
        identity_and_due = None
        if _TOKEN.fullmatch(bearer) is not None:
            identity_and_due = await self._accounts.read(lambda c: tokens.find(c, token_hash))
        if identity_and_due is None:
            self._guesses.take(address)
            raise TokenProblem(401, "bad_token", "invalid_token")
        if not self._rates.take(token_hash):
            raise Problem(429, "too_many_token")
        identity, is_due = identity_and_due
        if scope is not None and scope not in identity.scopes:
            raise TokenProblem(403, "missing_scope", "insufficient_scope", where=scope)
        if is_due:
            await self._accounts.write(lambda c: tokens.touch(c, token_hash))
        return identity

    async def is_valid(self, token_hash: str) -> bool:
        """Whether a token with this hash still exists."""
        return await self._accounts.read(lambda c: tokens.find(c, token_hash)) is not None

    async def create(self, account: Account, label: str, scopes: Collection[str]) -> str:
        """Create a token for an account and return it; only its hash is stored. Raises Problem."""
        if not label:
            raise Problem(422, "token_label", where="label")
        valid_scopes = [scope for scope in tokens.SCOPES if scope in scopes]
        if not valid_scopes or len(valid_scopes) != len(set(scopes)):
            raise Problem(422, "token_scopes", where="scopes")
        return await self._accounts.write(
            lambda c: tokens.create(c, account.id, label, valid_scopes)
        )

    async def revoke(self, account: Account, token: str) -> None:
        """Revoke a token of an account and close its open connections."""
        if await self._accounts.write(lambda c: tokens.remove(c, account.id, token)):
            await self._cluster.publish(_topic(token), b"")

    def on_revocation(self, token_hash: str, call: Callable[[], None]) -> Callable[[], None]:
        """Subscribe to the revocation of a token; return a function that unsubscribes."""
        return self._cluster.subscribe(_topic(token_hash), lambda _: call())


@asynccontextmanager
async def while_valid(
    tokens: Tokens, bearer: str | None, end: Callable[[], Awaitable[object]]
) -> AsyncIterator[None]:
    """Call `end` if the token with this hash becomes invalid before the context exits."""
    if bearer is None:
        yield
        return
    revoked = asyncio.Event()
    unsubscribe = tokens.on_revocation(bearer, revoked.set)

    async def watch() -> None:
        while not revoked.is_set():
            with suppress(TimeoutError):
                # A notification may be lost, and closing an account does not send one.
                await asyncio.wait_for(revoked.wait(), CHECK_SECONDS)
            try:
                is_valid = await tokens.is_valid(bearer)
            except StoreError:
                is_valid = True
            if is_valid:
                revoked.clear()
            else:
                revoked.set()
        await end()

    watch_task = asyncio.create_task(watch())
    try:
        yield
    finally:
        unsubscribe()
        watch_task.cancel()
        await asyncio.gather(watch_task, return_exceptions=True)


def _topic(token_hash: str) -> str:
    return f"token:{token_hash}"
