"""Password hashing with argon2, in separate threads so that other requests are not delayed."""

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

__all__ = ["BadPasswordError", "Passwords", "require_acceptable"]

T = TypeVar("T")

MIN_LENGTH: Final = 8
MAX_LENGTH: Final = 200
_THREADS: Final = 2
_MAX_WAITING: Final = 64
"""Maximum queue length; each hash takes a tenth of a second, so the last waits three seconds."""


class BadPasswordError(ValueError):
    """A rejected password; `code` is "short", "long", "common" or "name"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code: Final = code


def require_acceptable(password: str, name: str) -> None:
    """Raise BadPasswordError for a password that is short, common or too similar to the name.

    There are no character rules, because they make passwords worse.
    """
    text = _normalise(password).casefold()
    if len(text) < MIN_LENGTH:
        raise BadPasswordError("short")
    if len(text) > MAX_LENGTH:
        raise BadPasswordError("long")
    if text in _common_passwords() or len(set(text)) < 3 or _is_sequence(text):
        raise BadPasswordError("common")
    if name.casefold() in text and len(text) < len(name) + MIN_LENGTH // 2:
        raise BadPasswordError("name")


class Passwords:
    """Password hashing of one server."""

    def __init__(self) -> None:
        self._threads: Final = ThreadPoolExecutor(_THREADS, thread_name_prefix="damka-argon2")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return the hash to store. Raises Problem when the queue is full."""
        return await self._run(lambda: _hasher().hash(_normalise(password)))

    async def verify(self, stored: str | None, password: str) -> bool:
        """Whether a password matches a hash.

        Without a stored hash it returns False after the same time, to hide which accounts have one.
        """
        text = _normalise(password)

        def check() -> bool:
            from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415

            try:
                return _hasher().verify(stored or _dummy_hash(), text) and stored is not None
            except (VerificationError, InvalidHashError):
                return False

        return await self._run(check)

    def is_outdated(self, stored: str) -> bool:
        """Whether a hash was computed with other parameters than the current ones."""
        return _hasher().check_needs_rehash(stored)

    def close(self) -> None:
        """Shut the threads down."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= _MAX_WAITING:
            raise Problem(503, "busy")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await asyncio.shield(loop.run_in_executor(self._threads, work))
        finally:
            self._waiting -= 1


def _normalise(password: str) -> str:
    """Normalise a password, which keyboards may encode differently, and truncate it."""
    return unicodedata.normalize("NFKC", password[: 4 * MAX_LENGTH])


@functools.cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher  # noqa: PLC0415  only needed with accounts

    # Recommended by OWASP: 46 MiB, one pass, one lane.
    return PasswordHasher(time_cost=1, memory_cost=46 * 1024, parallelism=1)


@functools.cache
def _dummy_hash() -> str:
    return _hasher().hash("dummy password")


@functools.cache
def _common_passwords() -> frozenset[str]:
    """Return the most common passwords."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415  half a megabyte

    return frozenset(each for each in FREQUENCY_LISTS["passwords"] if len(each) >= MIN_LENGTH)


def _is_sequence(text: str) -> bool:
    """Whether `text` is part of the alphabet or a keyboard row, such as 12345678 or qwertyui."""
    rows = ("01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")
    return any(text in row or text in row[::-1] for row in rows)
