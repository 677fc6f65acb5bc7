"""Value types of accounts, sessions and identities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from damka import locales
from damka.live.problems import Problem
from damka.live.stored_game import BOT

__all__ = [
    "GUEST",
    "RIGHTS",
    "Account",
    "Banned",
    "Device",
    "Identity",
    "NewSession",
    "Passkey",
    "Right",
    "shown_name",
]

Right = Literal["member", "arbiter", "operator"]

RIGHTS: Final[tuple[Right, ...]] = ("member", "arbiter", "operator")
"""Rights of accounts: members play, arbiters also settle reports, operators have all rights."""

FRESH_LOGIN: Final = timedelta(minutes=15)
"""Time after login in which account changes need no second authentication."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An open account."""

    id: str
    name: str
    right: Right
    kid: bool
    """Whether it belongs to a child: no chat, and a profile hidden from others."""
    preferences: Mapping[str, Any]
    holder: str
    """Holder of the account's seats."""
    created: datetime
    bot: bool = False
    """Whether a program plays; it is marked in its games."""

    @property
    def is_arbiter(self) -> bool:
        """Whether it has the rights of an arbiter, such as settling reports."""
        return self.right != "member"


def shown_name(name: str, bot: bool) -> str:
    """Return the name of a member as displayed in games; it is unique, and guests cannot use it.

    >>> shown_name("Kati", True)
    'BOT Kati'
    """
    return f"{BOT}{name}" if bot else name


@dataclass(frozen=True, slots=True)
class Identity:
    """The sender of a request: a logged-in member, a guest with a seat cookie, or a new visitor."""

    holder: str | None = None
    """Holder of the sender's seats; None for a new visitor."""
    account: Account | None = None
    token: str | None = None
    """Hash of the session cookie."""
    since: datetime | None = None
    """Time when the session began."""
    bearer: str | None = None
    """Hash of the token of a program that acts for the member."""
    scopes: frozenset[str] = frozenset()
    """Scopes of that token."""

    def is_fresh(self, now: datetime) -> bool:
        """Whether the member has logged in recently."""
        return self.since is not None and now - self.since < FRESH_LOGIN


GUEST: Final = Identity()


@dataclass(frozen=True, slots=True)
class NewSession:
    """A new session, with the value of its cookie, which is not stored."""

    account: Account
    token: str


@dataclass(frozen=True, slots=True)
class Device:
    """A logged-in browser."""

    token: str
    name: str
    created: datetime
    seen: datetime


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey in the list of an account."""

    id: str
    label: str
    created: datetime
    used: datetime | None


class Banned(Problem):
    """The sender is banned from starting or joining games; `until` is None for a permanent ban."""

    def __init__(self, until: datetime | None) -> None:
        super().__init__(403, "banned")
        self.until: Final = until

    def sentence(self, language: str) -> str:
        """Return a sentence with the end of the ban."""
        if self.until is None:
            return locales.translate(language, "account.banned_for_good")
        when = self.until.strftime("%Y-%m-%d %H:%M UTC")
        return locales.translate(language, "account.banned", when=when)
