"""Passwords: hashed with argon2, in threads of their own, so that nobody else waits for it."""

from __future__ import annotations

import asyncio
import functools
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from damka.live.problems import Problem

if TYPE_CHECKING:
    from argon2 import PasswordHasher

__all__ = ["BadPasswordError", "Passwords", "require_good"]

T = TypeVar("T")

SHORTEST: Final = 8
LONGEST: Final = 200
_THREADS: Final = 2
_WAITING: Final = 64
"""Hashes that may wait for a thread; at a tenth of a second each the last waits three seconds."""


class BadPasswordError(ValueError):
    """A password that may not be chosen: `code` is "short", "long", "common" or "name"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code: Final = code


def require_good(password: str, name: str) -> None:
    """Raise BadPasswordError for a password that is short, common or the name itself.

    There are no rules about which characters it has: those make passwords worse.
    """
    text = _normal(password).casefold()
    if len(text) < SHORTEST:
        raise BadPasswordError("short")
    if len(text) > LONGEST:
        raise BadPasswordError("long")
    if text in _common() or len(set(text)) < 3 or _runs(text):
        raise BadPasswordError("common")
    if name.casefold() in text and len(text) < len(name) + SHORTEST // 2:
        raise BadPasswordError("name")


class Passwords:
    """The hashing of one server's passwords."""

    def __init__(self) -> None:
        self._threads: Final = ThreadPoolExecutor(_THREADS, thread_name_prefix="damka-argon2")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return the hash to store. Raises Problem when too many wait for theirs."""
        return await self._run(lambda: _hasher().hash(_normal(password)))

    async def verify(self, stored: str | None, password: str) -> bool:
        """Tell whether a password is that of a hash.

        Without one, which nobody has to know, it takes as long and is never right.
        """
        text = _normal(password)

        def check() -> bool:
            from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415

            try:
                return _hasher().verify(stored or _nobody(), text) and stored is not None
            except (VerificationError, InvalidHashError):
                return False

        return await self._run(check)

    def is_outdated(self, stored: str) -> bool:
        """Tell whether a hash was made with other parameters than today's."""
        return _hasher().check_needs_rehash(stored)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= _WAITING:
            raise Problem(503, "busy")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await asyncio.shield(loop.run_in_executor(self._threads, work))
        finally:
            self._waiting -= 1


def _normal(password: str) -> str:
    """Return a password as every keyboard gives it; what is too long is cut."""
    return unicodedata.normalize("NFKC", password[: 4 * LONGEST])


@functools.cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # noqa: PLC0415  only who has accounts needs it

    # What OWASP recommends: 46 MiB, one pass, one lane.
    return PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1)


@functools.cache
def _nobody() -> str:
    return _hasher().hash("nobody's password")


@functools.cache
def _common() -> frozenset[str]:
    """Return the passwords that are guessed first."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415  half a megabyte

    return frozenset(each for each in FREQUENCY_LISTS["passwords"] if len(each) >= SHORTEST)


def _runs(text: str) -> bool:
    """Tell whether a text goes along the alphabet or a row of keys: 12345678, qwertyui."""
    rows = ("01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")
    return any(text in row or text in row[::-1] for row in rows)
