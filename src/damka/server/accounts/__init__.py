"""Accounts: names, passkeys, passwords, sessions, ratings, bans and reports.

Damka is played without an account. One who takes a name becomes a member and keeps the games
played as a guest: the account's `holder` is that of the guest's seats. Other parts of the server
ask `Accounts` who sends a request (`identify`), whether that person may begin or join a game
(`admit`), whether two want to meet (`may_meet`) and what members are called (`names_of`). A game
that is over is rated by `record`.
"""

from damka.server.accounts.bearer import TokenProblem, Tokens, bearer_of, is_shown, while_good
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
    "is_shown",
    "record",
    "while_good",
]
