"""Response types of the API: descriptions are generated from them, and tests check responses."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from damka.live.clock import ClockSettings
from damka.live.messages import Counter, MoveInfo, RuleLink
from damka.rules import Side

__all__ = [
    "AcceptedChallenge",
    "AccountAnswer",
    "BotAnswer",
    "ColourLot",
    "CreatedGame",
    "DeclineAnswer",
    "Fault",
    "GameLink",
    "Health",
    "InvitationAnswer",
    "LessonHint",
    "LessonLevel",
    "LessonVerdict",
    "LineAnswer",
    "LineExplanation",
    "LinePosition",
    "LineResult",
    "ListedGame",
    "ListedGames",
    "OfferAnswer",
    "PositionAnswer",
    "RatingAnswer",
    "RuleSet",
    "Seek",
    "TreePdn",
]

GameId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}$", max_length=22)]


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """Reason why a request was refused: a code for programs, a sentence for people."""

    error: str
    message: str
    where: str | None = None
    """The field, header or scope in question."""
    detail: str | None = None
    """Technical description of the error."""
    plies: int | None = None
    """For a game of a file: the number of plies that can be loaded with `partial`."""
    line: int | None = None
    """For a file: the line of the error, from 1."""
    column: int | None = None
    """For a file: the column of the error, from 1, in characters."""


class Health(msgspec.Struct, frozen=True):
    """Health of the server."""

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


class PositionAnswer(msgspec.Struct, frozen=True):
    """Whether a game can start from a position: `problem` is a code, or null if it can."""

    problem: str | None
    sentence: str
    squares: list[int]


class LinePosition(msgspec.Struct, frozen=True, omit_defaults=True, rename={"from_": "from"}):
    """A position of a line, and the move before it; the first position has none."""

    ply: int
    pieces: str
    turn: Side
    key: str | None = None
    text: str | None = None
    """The move as the federation writes it."""
    from_: int | None = None
    to: int | None = None
    captures: list[int] | None = None
    crowns: bool | None = None
    king: bool | None = None
    route: list[int] | None = None
    huff: int | None = None
    """Square huffed before the move."""
    offence: bool = False
    """Whether the move missed a capture."""


class LineResult(msgspec.Struct, frozen=True):
    """End of a line by the rules."""

    winner: Side | None
    reason: str
    sentence: str


class LineExplanation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a move is possible, or not: a sentence, the rulebook paragraph, and its text.

    `squares` are those that the sentence is about.
    """

    sentence: str
    rule: RuleLink | None
    code: str | None = None
    more: str | None = None
    squares: list[int] | None = None


class LessonGoal(msgspec.Struct, frozen=True):
    """Goal of a level: its question, and the numbers to choose from."""

    kind: Literal["move", "sequence", "select", "count", "land", "huff", "draw", "win"]
    asks: str
    piece: int
    """Square of the piece that the question is about, or 0."""
    options: list[int]


class LessonFrame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move or a huff by `side`, and the pieces after it."""

    pieces: str
    move: MoveInfo | None = None
    huff: int | None = None
    side: Side | None = None


class LessonQuestion(msgspec.Struct, frozen=True):
    """Position of a question, and the moves to choose from."""

    pieces: str
    turn: Side
    choices: list[MoveInfo]


class LessonLevel(msgspec.Struct, frozen=True):
    """A level of a course, without its solutions.

    `number` is its number among the `count` levels of the course. The moves of `lead` are shown
    first, from the pieces `before`. `hints` is the number of hints.
    """

    id: str
    course: str
    stage: str
    title: str
    number: int
    count: int
    previous: str | None
    next: str | None
    rule: str
    task: str
    goal: LessonGoal
    before: str
    lead: list[LessonFrame]
    pieces: str
    turn: Side
    choices: list[MoveInfo]
    moves: int
    hints: int
    demonstration: bool
    link: RuleLink | None


class LessonHint(msgspec.Struct, frozen=True):
    """A hint, its squares, and the number of hints that remain."""

    hint: str
    squares: list[int]
    more: int


class LessonVerdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """Verdict on an answer; `next` is the next question of a sequence."""

    id: str
    right: bool
    done: bool
    stars: int
    sentence: str
    frames: list[LessonFrame]
    squares: list[int]
    link: RuleLink | None
    next: LessonQuestion | None = None


class LineAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Positions of a line, and the moves that are possible in the last one.

    `offences` are quiet moves that miss a capture at the risk of a huff. `must` and `huffable` are
    squares; `huffed` is that of a huff whose move is due. `refusal` and `why` explain an attempt
    and the last move, on request.
    """

    positions: list[LinePosition]
    fen: str
    pieces: str
    turn: Side
    legal: list[MoveInfo]
    offences: list[MoveInfo]
    must: list[int]
    huffable: list[int]
    status: str
    spoken: str
    result: LineResult | None
    counters: list[Counter]
    huffed: int | None = None
    refusal: LineExplanation | None = None
    why: LineExplanation | None = None


class TreePdn(msgspec.Struct, frozen=True):
    """A tree as PDN, and a name for its file."""

    name: str
    pdn: str


class ColourLot(msgspec.Struct, frozen=True):
    """Whether a lot was drawn for the colours, and the side of the requesting player."""

    drawn: bool
    you: Side


class CreatedGame(msgspec.Struct, frozen=True):
    """A new game."""

    id: GameId
    url: str
    lot: ColourLot


class GameLink(msgspec.Struct, frozen=True):
    """The game that was changed."""

    id: GameId
    url: str


class Seek(msgspec.Struct, frozen=True):
    """A challenge, or a player who waits for an opponent."""

    id: str


class ChallengeLot(msgspec.Struct, frozen=True):
    """Whether a lot was drawn for the colours."""

    drawn: bool


class AcceptedChallenge(msgspec.Struct, frozen=True):
    """The game started by an accepted challenge."""

    id: GameId
    url: str
    lot: ChallengeLot


class OfferAnswer(msgspec.Struct, frozen=True):
    """Confirmation that the offer was sent."""

    offered: bool


class ListedGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game of a file with several, and its error, if any."""

    number: int
    white: str = ""
    black: str = ""
    date: str = ""
    result: str = ""
    rules: str = ""
    plies: int = 0
    error: str | None = None


class RulesChoice(msgspec.Struct, frozen=True):
    """A game that names other rules than the chosen ones; `read_as` selects between them."""

    number: int
    sentence: str
    named: str
    """Title of the rules that it names, or that its moves suggest."""
    chosen: str
    error: str | None
    """Error when reading by the chosen rules."""


class ListedGames(msgspec.Struct, frozen=True, omit_defaults=True):
    """The games of a file, one of which must be selected.

    With `more` there are others: set `after` to the last number to list them. With `choice` there
    is one game, whose rules must be chosen.
    """

    games: list[ListedGame]
    more: bool
    choice: RulesChoice | None = None


class BotAnswer(msgspec.Struct, frozen=True):
    """Confirmation that the account is a bot."""

    bot: bool


class DeclineAnswer(msgspec.Struct, frozen=True):
    """Confirmation that the other player was notified."""

    declined: bool


class RatingAnswer(msgspec.Struct, frozen=True):
    """Rating of an account for some rules: Glicko-2 rating and deviation."""

    rules: str
    rating: float
    deviation: float


class AccountAnswer(msgspec.Struct, frozen=True):
    """Account and scopes of a token."""

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
    """Side of the open seat."""
    inviter: str
    clock: ClockSettings | None
