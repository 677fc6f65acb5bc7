"""Requests of programs: the token that they send, for whom it is, and what it may be used for."""

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

__all__ = ["TokenProblem", "Tokens", "bearer_of", "is_shown", "while_good"]

_TOKEN: Final = re.compile(rf"{tokens.PREFIX}[A-Za-z0-9_-]{{43}}")
AGAIN_SECONDS: Final = 60.0
"""How often it is asked whether the token of an open connection still works."""
_QUERY_NAMES: Final = frozenset({"access_token", "bearer", "api_key"})


class TokenProblem(Problem):
    """A request with a token that does not do: RFC 6750 says how that is answered."""

    def __init__(self, status: int, code: str, error: str, *, where: str | None = None) -> None:
        super().__init__(status, code, where=where)
        scope = f', scope="{where}"' if error == "insufficient_scope" and where else ""
        self.headers: Final = {"www-authenticate": f'Bearer error="{error}"{scope}'}


def bearer_of(headers: Mapping[str, str]) -> str | None:
    """Return what a request has as a bearer token; None where it has none.

    Other schemes are none of ours: a reverse proxy may ask for a password of its own.
    """
    scheme, _, value = headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else None


def is_shown(query: Mapping[str, str]) -> bool:
    """Tell whether a query has a token in it, where logs and browsers' histories would keep it."""
    return any(
        name.lower() in _QUERY_NAMES or _TOKEN.search(value) is not None
        for name, value in query.items()
    )


class Tokens:
    """The tokens of a server's accounts."""

    def __init__(self, accounts: Accounts, limits: Limits, cluster: Cluster) -> None:
        self._accounts: Final = accounts
        self._cluster: Final = cluster
        self._rates: Final = Buckets(limits.token_burst, limits.token_rate, limits.addresses)
        self._guesses: Final = Buckets(limits.login_burst, limits.login_rate, limits.addresses)

    async def identify(self, bearer: str, address: str, scope: str | None) -> Identity:
        """Return for whom a program acts, with a token that has `scope`.

        Raises TokenProblem for a token that there is not, or that is for other things; Problem for
        one that asks too often, and for an address that tries too many.
        """
        hashed = members.hash_of(bearer)
        # Whoever shares the address with one who tries many is served all the same.
        if hashed not in self._rates and not self._guesses.left(address):
            raise Problem(429, "too_many_logins")
        found = None
        if _TOKEN.fullmatch(bearer) is not None:
            found = await self._accounts.read(lambda c: tokens.find(c, hashed))
        if found is None:
            self._guesses.take(address)
            raise TokenProblem(401, "bad_token", "invalid_token")
        if not self._rates.take(hashed):
            raise Problem(429, "too_many_token")
        identity, is_due = found
        if scope is not None and scope not in identity.scopes:
            raise TokenProblem(403, "missing_scope", "insufficient_scope", where=scope)
        if is_due:
            await self._accounts.write(lambda c: tokens.touch(c, hashed))
        return identity

    async def works(self, hashed: str) -> bool:
        """Tell whether there is still a token of this hash."""
        return await self._accounts.read(lambda c: tokens.find(c, hashed)) is not None

    async def make(self, account: Account, label: str, scopes: Collection[str]) -> str:
        """Return a new token of an account; nobody can ask for it again. Raises Problem."""
        if not label:
            raise Problem(422, "token_label", where="label")
        chosen = [scope for scope in tokens.SCOPES if scope in scopes]
        if not chosen or len(chosen) != len(set(scopes)):
            raise Problem(422, "token_scopes", where="scopes")
        return await self._accounts.write(lambda c: tokens.create(c, account.id, label, chosen))

    async def revoke(self, account: Account, token: str) -> None:
        """Let a token of an account do nothing more; its open connections are closed."""
        if await self._accounts.write(lambda c: tokens.remove(c, account.id, token)):
            await self._cluster.publish(_topic(token), b"")

    def when_revoked(self, hashed: str, call: Callable[[], None]) -> Callable[[], None]:
        """Call when a token is revoked; return what ends that."""
        return self._cluster.subscribe(_topic(hashed), lambda _: call())


@asynccontextmanager
async def while_good(
    tokens: Tokens, bearer: str | None, end: Callable[[], Awaitable[object]]
) -> AsyncIterator[None]:
    """Call `end` when the token of this hash is revoked while the context lasts."""
    if bearer is None:
        yield
        return
    revoked = asyncio.Event()
    ends = tokens.when_revoked(bearer, revoked.set)

    async def watch() -> None:
        while not revoked.is_set():
            with suppress(TimeoutError):
                # The word may be lost, and accounts are closed by other ways.
                await asyncio.wait_for(revoked.wait(), AGAIN_SECONDS)
            try:
                works = await tokens.works(bearer)
            except StoreError:
                works = True
            if works:
                revoked.clear()
            else:
                revoked.set()
        await end()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        ends()
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


def _topic(hashed: str) -> str:
    return f"token:{hashed}"
