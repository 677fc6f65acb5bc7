"""The lines of the streams that programs read, as types: JSON objects with the kind in "t"."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from damka.live.clock import ClockSettings
from damka.rules import Side

__all__ = [
    "Act",
    "Acted",
    "AnalysisAnswer",
    "AnalysisLine",
    "AnalysisRequest",
    "Answered",
    "Challenge",
    "Claimed",
    "Declined",
    "Ends",
    "EventExportQuery",
    "EventLine",
    "ExportQuery",
    "Format",
    "GameLine",
    "GameOver",
    "GameRecord",
    "GameStart",
    "HuffNow",
    "MoveNow",
    "OpenChallenge",
    "PlayerLine",
    "StateLine",
    "StreamLine",
    "Summary",
    "TableAnswer",
    "TableMove",
    "TableQuery",
    "TimeLeft",
    "encode",
]

GameId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$")]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Square = Annotated[int, Meta(ge=1, le=144)]


class PlayerLine(msgspec.Struct, frozen=True):
    """Who plays a side: a person (or a bot) or the computer at a level."""

    kind: Literal["person", "computer"]
    name: str
    level: int | None
    rating: int | None = None
    """Of a member in a rated game: the rating before it."""
    provisional: bool = False
    """Whether little was known of that rating."""
    rating_diff: int | None = None
    """What the game has changed about it, once it is over and was rated."""


class Ends(msgspec.Struct, frozen=True):
    """How a game has ended: `winner` is None for a draw and for a game that was broken off.

    `reason` is one of the words of game files, such as "no_moves", "resignation", "time".
    """

    winner: Side | None
    reason: str
    sentence: str


class TimeLeft(msgspec.Struct, frozen=True):
    """Milliseconds that both sides have left now, and whose clock runs."""

    white: int
    black: int
    running: Side | None


class Summary(msgspec.Struct, frozen=True):
    """A game, as lists show it. `you` are the sides of the token's account."""

    id: GameId
    url: str
    rules: str
    own_rules: bool
    """Whether the rules differ from those that are shipped under that name; see the game file."""
    you: tuple[Side, ...]
    white: PlayerLine
    black: PlayerLine
    clock: ClockSettings | None
    ply: int
    turn: Side
    result: Ends | None
    rated: bool = False


# The events of an account


class GameStart(msgspec.Struct, frozen=True, tag_field="t", tag="game_start"):
    """A game of the account has begun, or goes on."""

    game: Summary


class GameOver(msgspec.Struct, frozen=True, tag_field="t", tag="game_over"):
    """A game of the account is over; its `result` says who won and why."""

    game: Summary


class Challenge(msgspec.Struct, frozen=True, tag_field="t", tag="challenge"):
    """A member offers the account the open seat of a game."""

    id: GameId
    url: str
    challenger: str
    rules: str
    side: Side
    """The side that is offered."""
    clock: ClockSettings | None


class Declined(msgspec.Struct, frozen=True, tag_field="t", tag="challenge_declined"):
    """A member wants no game that the account has offered."""

    id: GameId
    name: str


EventLine = GameStart | GameOver | Challenge | Declined


# A game


class StateLine(msgspec.Struct, frozen=True, tag_field="t", tag="state"):
    """A game after a change. It replaces the line before: after a taking back `ply` is lower."""

    version: int
    ply: int
    turn: Side
    fen: str
    moves: tuple[str, ...]
    """The moves played, as Hub texts."""
    legal: tuple[str, ...]
    """What may be played now, each as `move` takes it."""
    huffable: tuple[int, ...]
    """Squares of pieces that may be huffed before moving, where the rules have huffing."""
    draw_offer: Side | None
    undo_offer: Side | None
    rematch_offer: Side | None
    clock: TimeLeft | None
    result: Ends | None
    next: str | None
    """The id of the rematch."""


class GameLine(msgspec.Struct, frozen=True, tag_field="t", tag="game"):
    """The first line of the stream of a game."""

    game: Summary
    start: str
    """The position at the start, as FEN."""
    state: StateLine


StreamLine = GameLine | StateLine


# What programs send


class MoveNow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Play `move`: a text of `legal`, or a move as Damka writes it, such as "22x15".

    With `ply` (and `version`) it is refused when the game has gone on, or back, meanwhile.
    """

    move: Annotated[str, Meta(max_length=400)]
    ply: Count | None = None
    version: Count | None = None
    side: Side | None = None


class HuffNow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Take the piece on `square`, which did not capture."""

    square: Square
    ply: Count | None = None
    version: Count | None = None
    side: Side | None = None


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For which side; needed where one account plays both."""

    side: Side | None = None


class Answered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Offer or ask; with `accept` say yes or no to the other side."""

    accept: bool | None = None
    side: Side | None = None


class Claimed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Claim the win, or a draw, from one who has been away for too long."""

    draw: bool = False


class Acted(msgspec.Struct, frozen=True):
    """The game after what was done."""

    id: GameId
    version: int
    ply: int
    turn: Side
    result: Ends | None


# Analysis and files


class AnalysisRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position: `fen`, else the start, and the `moves` from there; and how long to think."""

    rules: Annotated[str, Meta(max_length=64)] | dict[str, Any]
    """The name of a rule set, or a table as in a game file."""
    fen: Annotated[str, Meta(max_length=1000)] | None = None
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=2000)] = []
    seconds: Annotated[float, Meta(ge=0.01, le=5.0)] = 1.0
    depth: Annotated[int, Meta(ge=1, le=100)] | None = None
    lines: Annotated[int, Meta(ge=1, le=5)] = 1
    """How many of the best moves."""


class AnalysisLine(msgspec.Struct, frozen=True):
    """A line of play and its score for the side to move, in hundredths of a man.

    `mate` is the number of plies to a proved end, negative for a loss.
    """

    score: int
    mate: int | None
    pv: list[str]


class AnalysisAnswer(msgspec.Struct, frozen=True):
    """What the engine thinks, the best line first."""

    fen: str
    depth: int
    nodes: int
    seconds: float
    lines: list[AnalysisLine]


class TableQuery(msgspec.Struct, frozen=True):
    """A position of a shipped rule set."""

    rules: Annotated[str, Meta(max_length=64)]
    fen: Annotated[str, Meta(max_length=1000)]


class TableMove(msgspec.Struct, frozen=True):
    """A move, and what it leads to for the side that makes it: 1 a win, 0 a draw, -1 a loss."""

    move: str
    wdl: int
    plies: int
    """To the end of the game, this move included; 0 for a draw."""


class TableAnswer(msgspec.Struct, frozen=True):
    """What the endgame tables say for the side to move, the best move first."""

    fen: str
    wdl: int
    plies: int
    moves: list[TableMove]


Format = Literal["pdn", "jsonl"]


class ExportQuery(msgspec.Struct, frozen=True):
    """Which games, the latest first."""

    format: Format = "pdn"
    """PDN, or JSON lines with the game files in them."""
    rules: Annotated[str, Meta(max_length=64)] | None = None
    """Only by the rules of this name."""
    since: date | None = None
    """Only those played last on this day (UTC) or later."""
    until: date | None = None
    """Only those played last before this day."""
    most: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    """At most so many."""


class OpenChallenge(msgspec.Struct, frozen=True):
    """A challenge in the lobby, which anybody may accept; `name` is None for a guest."""

    id: str
    name: str | None
    rating: int | None
    rules: str
    clock: ClockSettings | None
    colour: Literal["lot", "first", "second"]
    """That of the challenger."""
    rated: bool
    mine: bool


class EventExportQuery(msgspec.Struct, frozen=True):
    """In which form."""

    format: Format = "pdn"
    """PDN, or JSON lines with the game files in them."""


class GameRecord(msgspec.Struct, frozen=True):
    """A game with its game file."""

    game: Summary
    begun: str | None
    file: dict[str, Any]


_encoder: Final = msgspec.json.Encoder()


def encode(line: msgspec.Struct) -> bytes:
    """Return a message as a line."""
    return _encoder.encode(line) + b"\n"
