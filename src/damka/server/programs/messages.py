"""Types of the lines of streams for programs: JSON objects with the kind in "t"."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from damka.live.clock import ClockSettings
from damka.rules import Side

__all__ = [
    "ActionBody",
    "ActionResult",
    "AnalysisAnswer",
    "AnalysisLine",
    "AnalysisRequest",
    "Challenge",
    "ChallengeDeclined",
    "ClaimBody",
    "EventExportQuery",
    "EventLine",
    "ExportQuery",
    "Format",
    "GameLine",
    "GameOver",
    "GameRecord",
    "GameResult",
    "GameStart",
    "HuffBody",
    "MoveBody",
    "OfferBody",
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

GameId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$", max_length=22)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Square = Annotated[int, Meta(ge=1, le=144)]


class PlayerLine(msgspec.Struct, frozen=True):
    """The player of a side: a person (or a bot) or the computer at a level."""

    kind: Literal["person", "computer"]
    name: str
    level: int | None
    rating: int | None = None
    """A member's rating before a rated game."""
    provisional: bool = False
    """Whether that rating was provisional."""
    rating_diff: int | None = None
    """Rating change, once the game has ended and was rated."""


class GameResult(msgspec.Struct, frozen=True):
    """The result of a game: `winner` is None for a draw and for an aborted game.

    `reason` is a reason as in game files, such as "no_moves", "resignation" or "time".
    """

    winner: Side | None
    reason: str
    sentence: str


class TimeLeft(msgspec.Struct, frozen=True):
    """Milliseconds left for both sides, and the side whose clock is running."""

    white: int
    black: int
    running: Side | None


class Summary(msgspec.Struct, frozen=True):
    """A game as shown in lists. `you` are the sides of the token's account."""

    id: GameId
    url: str
    rules: str
    own_rules: bool
    """Whether the rules differ from the shipped rules of that name; see the game file."""
    you: tuple[Side, ...]
    white: PlayerLine
    black: PlayerLine
    clock: ClockSettings | None
    ply: int
    turn: Side
    result: GameResult | None
    rated: bool = False


# Events of an account


class GameStart(msgspec.Struct, frozen=True, tag_field="t", tag="game_start"):
    """A game of the account has begun or is running."""

    game: Summary


class GameOver(msgspec.Struct, frozen=True, tag_field="t", tag="game_over"):
    """A game of the account has ended; `result` has the winner and the reason."""

    game: Summary


class Challenge(msgspec.Struct, frozen=True, tag_field="t", tag="challenge"):
    """A member offers the account the open seat of a game."""

    id: GameId
    url: str
    challenger: str
    rules: str
    side: Side
    """The offered side."""
    clock: ClockSettings | None


class ChallengeDeclined(msgspec.Struct, frozen=True, tag_field="t", tag="challenge_declined"):
    """A member has declined a game offered by the account."""

    id: GameId
    name: str


EventLine = GameStart | GameOver | Challenge | ChallengeDeclined


# A game


class StateLine(msgspec.Struct, frozen=True, tag_field="t", tag="state"):
    """The state of a game. It replaces the previous line: after a takeback `ply` is lower."""

    version: int
    ply: int
    turn: Side
    fen: str
    moves: tuple[str, ...]
    """Moves played, in Hub notation."""
    legal: tuple[str, ...]
    """Legal moves, in the notation that `move` accepts."""
    huffable: tuple[int, ...]
    """Squares of pieces that may be huffed before moving, in rules with huffing."""
    draw_offer: Side | None
    undo_offer: Side | None
    rematch_offer: Side | None
    clock: TimeLeft | None
    result: GameResult | None
    next: str | None
    """Id of the rematch."""


class GameLine(msgspec.Struct, frozen=True, tag_field="t", tag="game"):
    """The first line of the stream of a game."""

    game: Summary
    start: str
    """Start position as FEN."""
    state: StateLine


StreamLine = GameLine | StateLine


# Requests of programs


class MoveBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Play `move`: one of `legal`, or a move in Damka's notation, such as "22x15".

    With `ply` (and `version`) it is refused if the game has changed in the meantime.
    """

    move: Annotated[str, Meta(max_length=400)]
    ply: Count | None = None
    version: Count | None = None
    side: Side | None = None


class HuffBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Huff the piece on `square`, which did not capture."""

    square: Square
    ply: Count | None = None
    version: Count | None = None
    side: Side | None = None


class ActionBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The acting side; required when one account plays both sides."""

    side: Side | None = None


class OfferBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Make an offer or a request, or accept or decline the other side's with `accept`."""

    accept: bool | None = None
    side: Side | None = None


class ClaimBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Claim a win or a draw against an opponent who has been away too long."""

    draw: bool = False


class ActionResult(msgspec.Struct, frozen=True):
    """The game after an action."""

    id: GameId
    version: int
    ply: int
    turn: Side
    result: GameResult | None


# Analysis and files


class AnalysisRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position (`fen`, default the start position, and `moves` from there) and the limits.

    With `stream` the moves are keys as in `/api/line`, and `nodes` is the only limit of the search.
    """

    rules: Annotated[str, Meta(max_length=64)] | dict[str, Any] | None = None
    """Name of a rule set, or a table as in a game file; None for the rules of the query."""
    fen: Annotated[str, Meta(max_length=1000)] | None = None
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=2000)] = []
    seconds: Annotated[float, Meta(ge=0.01, le=5.0)] = 1.0
    depth: Annotated[int, Meta(ge=1, le=100)] | None = None
    lines: Annotated[int, Meta(ge=1, le=5)] = 1
    """Number of best moves."""
    nodes: Annotated[int, Meta(ge=1_000, le=2**53)] | None = None
    """Number of positions to search, at most the server's limit."""
    threat: bool = False
    """Whether the other side is to move."""
    stream: bool = False
    """Whether the response has a line after every depth."""
    tables: bool = False
    """With `stream`: whether only the endgame tables answer, without a search."""


class AnalysisLine(msgspec.Struct, frozen=True):
    """A principal variation and its score for the side to move, in hundredths of a man.

    `mate` is the number of plies to a proved end, negative for a loss.
    """

    score: int
    mate: int | None
    pv: list[str]


class AnalysisAnswer(msgspec.Struct, frozen=True):
    """Analysis by the engine, best line first."""

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
    """A move and its value for the side that makes it: 1 a win, 0 a draw, -1 a loss."""

    move: str
    wdl: int
    plies: int
    """Distance to the end of the game including this move; 0 for a draw."""


class TableAnswer(msgspec.Struct, frozen=True):
    """Endgame table result for the side to move, best move first."""

    fen: str
    wdl: int
    plies: int
    moves: list[TableMove]


Format = Literal["pdn", "jsonl"]


class ExportQuery(msgspec.Struct, frozen=True):
    """Selection of games, latest first."""

    format: Format = "pdn"
    """PDN, or JSON lines with the game files."""
    rules: Annotated[str, Meta(max_length=64)] | None = None
    """Only games with this rule set."""
    since: date | None = None
    """Only games last played on this day (UTC) or later."""
    until: date | None = None
    """Only games last played before this day."""
    most: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    """Maximum number of games."""


class OpenChallenge(msgspec.Struct, frozen=True):
    """A challenge in the lobby that anyone may accept; `name` is None for a guest."""

    id: str
    name: str | None
    rating: int | None
    rules: str
    clock: ClockSettings | None
    colour: Literal["lot", "first", "second"]
    """The challenger's colour."""
    rated: bool
    mine: bool


class EventExportQuery(msgspec.Struct, frozen=True):
    """Format of an event's games."""

    format: Format = "pdn"
    """PDN, or JSON lines with the game files."""


class GameRecord(msgspec.Struct, frozen=True):
    """A game with its game file."""

    game: Summary
    begun: str | None
    file: dict[str, Any]


_encoder: Final = msgspec.json.Encoder()


def encode(line: msgspec.Struct) -> bytes:
    """Encode a message as a line."""
    return _encoder.encode(line) + b"\n"
