"""Accounts: names, passkeys, passwords, sessions, ratings, bans and reports.

Damka can be played without an account. A guest who registers keeps the games played before: the
account takes over the `holder` of the guest's seats. Other parts of the server use `Accounts` to
identify the sender of a request (`identify`), to check bans before a game (`require_not_banned`),
to check blocks between two players (`may_play`) and to look up members' names (`names_of`).
`record` rates a finished game.
"""

from damka.server.accounts.bearer import TokenProblem, Tokens, bearer_of, has_token, while_valid
from damka.server.accounts.history import Rate, Strength, record
from damka.server.accounts.service import SESSION_COOKIE, Accounts
from damka.server.accounts.values import GUEST, Account, Banned, Identity

__all__ = [
    "GUEST",
    "SESSION_COOKIE",
    "Account",
    "Accounts",
    "Banned",
    "Identity",
    "Rate",
    "Strength",
    "TokenProblem",
    "Tokens",
    "bearer_of",
    "has_token",
    "record",
    "while_valid",
]
