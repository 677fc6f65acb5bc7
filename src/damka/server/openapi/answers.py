"""What the API answers with, as types: descriptions are made of them, and tests check answers."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from damka.live.clock import ClockSettings
from damka.rules import Side

__all__ = [
    "Accepted",
    "AccountAnswer",
    "BotAnswer",
    "DeclinedAnswer",
    "Fault",
    "GameMade",
    "Health",
    "InvitationAnswer",
    "ListedGame",
    "ListedGames",
    "LotDrawn",
    "Offered",
    "RatingAnswer",
    "RuleSet",
    "Seek",
    "Told",
]

GameId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a request was refused: a code for programs, a sentence for people."""

    error: str
    message: str
    where: str | None = None
    """The field, header or scope it is about."""
    detail: str | None = None
    """What is wrong, in technical words."""
    plies: int | None = None
    """Of a game of a file: how many plies can be loaded with `partial` all the same."""


class Health(msgspec.Struct, frozen=True):
    """That the server is there."""

    status: Literal["ok"]
    version: str


class RuleSet(msgspec.Struct, frozen=True):
    """A rule set that the server ships; `url` is the page that explains it."""

    name: str
    title: str
    summary: str
    width: int
    height: int
    huffing: bool
    url: str


class LotDrawn(msgspec.Struct, frozen=True):
    """Whether a lot was drawn for the colours, and the side of who asked."""

    drawn: bool
    you: Side


class GameMade(msgspec.Struct, frozen=True):
    """A new game."""

    id: GameId
    url: str
    lot: LotDrawn


class Told(msgspec.Struct, frozen=True):
    """The game that was changed."""

    id: GameId
    url: str


class Seek(msgspec.Struct, frozen=True):
    """A challenge, or somebody who waits for an opponent."""

    id: str


class LotWasDrawn(msgspec.Struct, frozen=True):
    """Whether a lot was drawn for the colours."""

    drawn: bool


class Accepted(msgspec.Struct, frozen=True):
    """The game that has come of a challenge."""

    id: GameId
    url: str
    lot: LotWasDrawn


class Offered(msgspec.Struct, frozen=True):
    """A rematch was offered to the other player."""

    offered: bool


class ListedGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game of a file with several, and what is wrong with it."""

    number: int
    white: str = ""
    black: str = ""
    date: str = ""
    result: str = ""
    rules: str = ""
    plies: int = 0
    error: str | None = None


class RulesChoice(msgspec.Struct, frozen=True):
    """A game that names other rules than those that were chosen; `read_as` says which count."""

    number: int
    sentence: str
    named: str
    """The title of the rules that it names, or looks like."""
    chosen: str
    error: str | None
    """Why it cannot be read by the chosen rules."""


class ListedGames(msgspec.Struct, frozen=True, omit_defaults=True):
    """The games of a file, of which one is to be asked for.

    With `more` there are others after the last one: `after` its number asks for them. With `choice`
    there is one game, whose rules are to be chosen.
    """

    games: list[ListedGame]
    more: bool
    choice: RulesChoice | None = None


class BotAnswer(msgspec.Struct, frozen=True):
    """That the account is a bot."""

    bot: bool


class DeclinedAnswer(msgspec.Struct, frozen=True):
    """That the other player is told."""

    declined: bool


class RatingAnswer(msgspec.Struct, frozen=True):
    """How strong an account is by some rules: Glicko-2's rating and deviation."""

    rules: str
    rating: float
    deviation: float


class AccountAnswer(msgspec.Struct, frozen=True):
    """For whom a token is, and what it may be used for."""

    name: str
    bot: bool
    right: Literal["member", "arbiter", "operator"]
    scopes: list[str]
    ratings: list[RatingAnswer]


class InvitationAnswer(msgspec.Struct, frozen=True):
    """An open seat."""

    id: GameId
    url: str
    rules: str
    side: Side
    """The side of the open seat."""
    inviter: str
    clock: ClockSettings | None
