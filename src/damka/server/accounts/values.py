"""Accounts as plain values, and how identities of requests are told apart."""

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
    "LoggedIn",
    "Passkey",
    "Right",
    "shown_name",
]

Right = Literal["member", "arbiter", "operator"]

RIGHTS: Final[tuple[Right, ...]] = ("member", "arbiter", "operator")
"""What accounts may do: play; settle reports as well; all of this server's operator."""

FRESH: Final = timedelta(minutes=15)
"""How long after logging in the account may be changed without proving who one is again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account that is open."""

    id: str
    name: str
    right: Right
    kid: bool
    """Whether it belongs to a child: no chat, and its profile is shown to nobody else."""
    preferences: Mapping[str, Any]
    holder: str
    """Under which its seats are stored."""
    created: datetime
    bot: bool = False
    """Whether it is played by a program, which its games say."""

    @property
    def judges(self) -> bool:
        """Whether it may see reports and settle them."""
        return self.right != "member"


def shown_name(name: str, bot: bool) -> str:
    """Return what a member is called at a seat; no member and nobody else has such a name.

    >>> shown_name("Kati", True)
    'BOT Kati'
    """
    return f"{BOT}{name}" if bot else name


@dataclass(frozen=True, slots=True)
class Identity:
    """Who sends a request: a member who is logged in, a guest with a seat cookie, or neither."""

    holder: str | None = None
    """Under which this person's seats are stored; None for somebody new."""
    account: Account | None = None
    token: str | None = None
    """The hash of the session's cookie."""
    since: datetime | None = None
    """When the session began."""
    bearer: str | None = None
    """The hash of the token of a program that sends the request for the member."""
    scopes: frozenset[str] = frozenset()
    """What may be done with it."""

    def is_fresh(self, now: datetime) -> bool:
        """Tell whether the member has logged in only now."""
        return self.since is not None and now - self.since < FRESH


GUEST: Final = Identity()


@dataclass(frozen=True, slots=True)
class LoggedIn:
    """A session that has just begun: the value of its cookie, which is stored nowhere."""

    account: Account
    token: str


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that is logged in."""

    token: str
    name: str
    created: datetime
    seen: datetime


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey in the list of an account's."""

    id: str
    label: str
    created: datetime
    used: datetime | None


class Banned(Problem):
    """Somebody who may begin and join no games wants to: until when, None for good."""

    def __init__(self, until: datetime | None) -> None:
        super().__init__(403, "banned")
        self.until: Final = until

    def sentence(self, language: str) -> str:
        """Return until when, in `language`."""
        if self.until is None:
            return locales.translate(language, "account.banned_for_good")
        when = self.until.strftime("%Y-%m-%d %H:%M UTC")
        return locales.translate(language, "account.banned", when=when)
