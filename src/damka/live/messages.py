"""Message types of the live protocol, from and to a page.

Frames are JSON objects with the kind in "t". `tools/wire_types.py` generates the page's types,
`web/wire.d.ts`, from this module. The types validate input (shape, ranges, lengths); the game
decides what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from damka.rules import Side

__all__ = [
    "Abort",
    "AllowedMessage",
    "Can",
    "ChatLine",
    "Claim",
    "ClientMessage",
    "ClockInfo",
    "Counter",
    "Delta",
    "Draw",
    "DrawAnswer",
    "ErrorMessage",
    "Flag",
    "GiveTime",
    "GuideInfo",
    "GuideNotice",
    "Hint",
    "HintAnswer",
    "HistoryEntry",
    "Huff",
    "Invitation",
    "Lot",
    "MoveInfo",
    "MoveRequest",
    "NextGame",
    "OpeningInfo",
    "Ping",
    "Player",
    "Pong",
    "Presence",
    "RefusalMessage",
    "Rematch",
    "RematchAnswer",
    "Resign",
    "ResultInfo",
    "RuleLink",
    "ServerMessage",
    "State",
    "Status",
    "Undo",
    "UndoAnswer",
    "Warn",
    "WatcherList",
    "Watchers",
    "Why",
    "WhyAllowed",
    "encode",
    "encoded",
    "fields",
    "full_frame",
    "read",
]

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Square = Annotated[int, Meta(ge=1, le=144)]


# From the page


class _FromPage(msgspec.Struct, frozen=True, tag_field="t"):
    pass


class MoveRequest(_FromPage, frozen=True, tag="move"):
    """Play `move`, the hub text of a move in the last state; `ply` is that state's ply."""

    ply: Count
    move: Annotated[str, Meta(max_length=400)]
    version: Count | None = None
    side: Side | None = None


class Why(_FromPage, frozen=True, tag="why"):
    """Explain why these squares, clicked in this order, or this typed text are not a move.

    The explanation names squares in the federation's notation.
    """

    clicks: Annotated[list[Annotated[int, Meta(ge=0, le=1000)]], Meta(max_length=64)] = []
    text: Annotated[str, Meta(max_length=200)] | None = None


class WhyAllowed(_FromPage, frozen=True, tag="why_allowed"):
    """Explain why the rules allowed the move that led to `ply`, from 1 on."""

    ply: Count


class Huff(_FromPage, frozen=True, tag="huff"):
    """Huff the piece on `square`, which did not capture."""

    ply: Count
    square: Square
    version: Count | None = None
    side: Side | None = None


class Undo(_FromPage, frozen=True, tag="undo"):
    """Take back to this side's previous turn; between people, request it."""

    side: Side | None = None


class UndoAnswer(_FromPage, frozen=True, tag="undo_answer"):
    """Accept or decline the other side's takeback request; `ok` false also withdraws one's own."""

    ok: bool
    side: Side | None = None


class Draw(_FromPage, frozen=True, tag="draw"):
    """Offer a draw, or accept the other side's offer."""

    side: Side | None = None


class DrawAnswer(_FromPage, frozen=True, tag="draw_answer"):
    """Accept or decline the other side's draw offer; `ok` false also withdraws one's own."""

    ok: bool
    side: Side | None = None


class Resign(_FromPage, frozen=True, tag="resign"):
    """Resign the game."""

    side: Side | None = None


class Abort(_FromPage, frozen=True, tag="abort"):
    """Abort the game before both have moved."""

    side: Side | None = None


class GiveTime(_FromPage, frozen=True, tag="give_time"):
    """Give the other side more time."""

    side: Side | None = None


class Claim(_FromPage, frozen=True, tag="claim"):
    """Claim the win or a draw, because the other side has been away for too long."""

    draw: bool


class Flag(_FromPage, frozen=True, tag="flag"):
    """Check the clock: a flag seems to have fallen. Only the server's clock decides."""


class Rematch(_FromPage, frozen=True, tag="rematch"):
    """Offer a rematch."""


class RematchAnswer(_FromPage, frozen=True, tag="rematch_answer"):
    """Decline the other side's rematch offer; it is accepted by a request for the rematch."""

    ok: bool


class Hint(_FromPage, frozen=True, tag="hint"):
    """Request a hint: a good move."""


class Watchers(_FromPage, frozen=True, tag="watchers"):
    """Start or stop sending the list of spectators, now and after each change."""

    on: bool


class Ping(_FromPage, frozen=True, tag="ping"):
    """Check that the server is reachable."""


ClientMessage = (
    MoveRequest
    | Why
    | WhyAllowed
    | Huff
    | Undo
    | UndoAnswer
    | Draw
    | DrawAnswer
    | Resign
    | Abort
    | GiveTime
    | Claim
    | Flag
    | Rematch
    | RematchAnswer
    | Hint
    | Watchers
    | Ping
)

_decoder: Final = msgspec.json.Decoder(ClientMessage)


def read(frame: str | bytes) -> ClientMessage | None:
    """Return the message in a frame, or None when the protocol has no such message."""
    try:
        message: ClientMessage = _decoder.decode(frame)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    return message


# To the page


class MoveInfo(msgspec.Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """One move; `hub` is the text that the page sends back unchanged.

    Squares are the library's numbers; `text` is the move as the federation writes it. `routes` are
    all its routes, if there are others besides `route`.
    """

    hub: str
    text: str
    start: int
    end: int
    captures: tuple[int, ...]
    crowns: bool
    king: bool
    route: tuple[int, ...]
    routes: tuple[tuple[int, ...], ...] | msgspec.UnsetType = msgspec.UNSET


class HistoryEntry(msgspec.Struct, frozen=True):
    """One ply of the game, with the huff before it."""

    side: Side
    move: MoveInfo
    text: str
    pieces: str
    huff: int | None
    offence: bool


class RuleLink(msgspec.Struct, frozen=True):
    """A paragraph of the rules page."""

    number: int
    url: str


class Status(msgspec.Struct, frozen=True):
    """Status line under the board, or a question that replaces it."""

    sentence: str
    news: str
    """Latest event that the board itself does not show; `text` begins with it."""
    rule: RuleLink | None


class Warn(msgspec.Struct, frozen=True):
    """Question before a quiet move that misses a capture."""

    squares: tuple[int, ...]
    sentence: str


class Counter(msgspec.Struct, frozen=True):
    """Progress towards a draw."""

    kind: str
    n: int
    limit: int
    sentence: str


class ResultInfo(msgspec.Struct, frozen=True):
    """Result of the game."""

    winner: Side | None
    reason: str
    sentence: str
    """The winner and the reason; to a player of one side in the second person."""
    rule: RuleLink | None


class Player(msgspec.Struct, frozen=True):
    """Player of a side."""

    kind: Literal["person", "computer"]
    level: int | None
    name: str
    detail: str
    rating: str | None = None
    """For a member in a rated game: the rating before it, "1500?" while it is provisional."""
    diff: int | None = None
    """Rating change by the game."""
    guest: bool = False
    """Whether the player has no account, in a game on two devices."""


class Can(msgspec.Struct, frozen=True):
    """Actions available to this viewer."""

    undo: bool
    draw: bool
    resign: bool
    hint: bool
    rematch: bool
    huff: bool
    answer_draw: bool
    answer_undo: bool
    abort: bool = False
    give_time: bool = False
    claim: bool = False
    answer_rematch: bool = False
    analyse: bool = False
    """Whether the game may be analysed: not while two people play it on two devices."""


class Lot(msgspec.Struct, frozen=True):
    """Draw of lots for the colours: the first player's side."""

    drawn: bool
    you: Side


class OpeningInfo(msgspec.Struct, frozen=True):
    """Opening drawn by lot: a position, moves, or both."""

    number: int
    """Its number in the list of the rule set."""
    name: str
    """Its name in the list; "" if it has none."""
    sentence: str


class GuideNotice(msgspec.Struct, frozen=True):
    """A rule that occurred for the first time, before the move after `ply`."""

    ply: int
    sentence: str
    squares: tuple[int, ...]
    url: str
    """Level that teaches it; "" if the rules do not fit a link."""


class GuideInfo(msgspec.Struct, frozen=True):
    """Guide of a guided game."""

    course: str
    """Fingerprint of the course, for the progress of the learner."""
    notices: tuple[GuideNotice, ...]
    end: str
    """Congratulation with the rules that occurred; "" before the end, and after a resignation."""


class NextGame(msgspec.Struct, frozen=True):
    """Link to the rematch."""

    url: str


class ClockInfo(msgspec.Struct, frozen=True):
    """The server's clock when the message was sent, in milliseconds."""

    kind: Literal["sudden", "fischer", "delay", "days"]
    text: str
    left: dict[Side, int]
    running: Side | None
    """The side whose clock runs."""
    delay: int
    """Remaining delay of this turn."""
    due: int | None
    """Time left for a first move, before the clocks run."""


class Presence(msgspec.Struct, frozen=True):
    """Presence of a player in a game on two devices."""

    here: bool
    claim: int | None
    """For an absent player: milliseconds until the other side may claim; None for never."""


class Invitation(msgspec.Struct, frozen=True):
    """Open seat and its invitation code, which only the inviting player receives."""

    side: Side
    code: str
    freed: bool
    """Whether its player used the same screen until now."""


_QUESTIONS: Final = {
    "draw_question": "draw_asks",
    "undo_question": "undo_asks",
    "huff_question": "huff_asks",
    "rematch_question": "rematch_asks",
}
"""Names of the questions to the viewer in the protocol."""


class State(msgspec.Struct, frozen=True, tag_field="t", tag="state", rename=_QUESTIONS):
    """Everything a viewer sees of a game; it replaces the page's previous state."""

    version: int
    id: str
    language: str
    ply: int
    turn: Side
    pieces: str
    start: str
    legal: tuple[MoveInfo, ...]
    offences: tuple[MoveInfo, ...]
    must: tuple[int, ...]
    huffable: tuple[int, ...]
    warn: Warn | None
    history: tuple[HistoryEntry, ...]
    taken: dict[Side, int]
    counters: tuple[Counter, ...]
    result: ResultInfo | None
    players: dict[Side, Player]
    you: tuple[Side, ...]
    draw_offer: Side | None
    draw_question: str | None
    undo_offer: Side | None
    undo_question: str | None
    thinking: bool
    can: Can
    status: Status
    huff_question: Status | None
    announce: str
    lot: Lot | None
    next: NextGame | None
    online: bool = False
    """Whether two people play on two devices, or are waiting to."""
    clock: ClockInfo | None = None
    presence: dict[Side, Presence] | None = None
    watching: int = 0
    """Number of spectators of a game on two devices."""
    invitation: Invitation | None = None
    rematch_offer: Side | None = None
    rematch_question: str | None = None
    rated: bool = False
    no_draw: str | None = None
    """Message while draw offers are not allowed yet."""
    opening: OpeningInfo | None = None
    guide: GuideInfo | None = None
    time_used: dict[Side, int] | None = None
    """Milliseconds that each side's clock ran; None before the end, or without a clock."""


class Delta(msgspec.Struct, frozen=True, tag_field="t", tag="delta"):
    """Changes since the last state, for pages that request changes.

    The first `keep` entries of the history stay, those of `add` follow; `changes` has the other
    fields of the state that changed.
    """

    keep: int
    add: tuple[HistoryEntry, ...]
    changes: dict[str, Any]


class RefusalMessage(msgspec.Struct, frozen=True, tag_field="t", tag="refusal"):
    """Reason why a move cannot be played, for the viewer who tried it.

    `more` is the rule itself, for the first refusal of a kind.
    """

    code: str
    args: dict[str, Any]
    sentence: str
    clicks: tuple[int, ...]
    must: tuple[int, ...]
    topic: str
    rule: RuleLink | None
    more: str | None
    lesson: str = ""
    """Address that leads to the lesson about the rule; "" if there is none."""


class AllowedMessage(msgspec.Struct, frozen=True, tag_field="t", tag="allowed"):
    """Reason why a move was legal, for the viewer who asked.

    `route` are the move's squares, `squares` those that the reason is about.
    """

    ply: int
    sentence: str
    rule: RuleLink | None
    route: tuple[int, ...]
    squares: tuple[int, ...]


class HintAnswer(msgspec.Struct, frozen=True, tag_field="t", tag="hint"):
    """A good move, or a piece to huff first, with its score in hundredths of a man.

    With `won`, the search or a table has found a win, and the score is not in men.
    """

    move: MoveInfo | None
    huff: int | None
    score: int
    won: bool
    ply: int


class ChatLine(msgspec.Struct, frozen=True, tag_field="t", tag="chat"):
    """Line of the game's chat; presets are in the reader's language.

    `who` distinguishes the senders at this game; `side` is that of a player, None for a spectator.
    """

    id: int
    room: Literal["players", "watchers"]
    who: str
    side: Side | None
    name: str
    text: str
    preset: bool
    mine: bool


class WatcherList(msgspec.Struct, frozen=True, tag_field="t", tag="watchers"):
    """Spectators: the names of some members, and the number of others."""

    names: tuple[str, ...]
    guests: int
    """Number of guests, plus members beyond the named ones."""
    words: str = ""
    """The guests as text: "and 3 guests"."""


class ErrorMessage(msgspec.Struct, frozen=True, tag_field="t", tag="error"):
    """Error reply to a message that was refused."""

    code: str
    message: str


class Pong(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    """Reply to a ping."""


ServerMessage = (
    State
    | Delta
    | RefusalMessage
    | AllowedMessage
    | HintAnswer
    | ChatLine
    | WatcherList
    | ErrorMessage
    | Pong
)

_encoder: Final = msgspec.json.Encoder()


def encode(message: ServerMessage) -> str:
    """Encode a message as a frame."""
    return _encoder.encode(message).decode("utf-8")


def encoded(part: object) -> bytes:
    """Encode a part of a message as JSON."""
    return _encoder.encode(part)


def fields(state: State) -> dict[str, bytes]:
    """Return the fields of a state except its history, by their names in JSON, each as JSON."""
    names = zip(State.__struct_fields__, State.__struct_encode_fields__, strict=True)
    return {
        encoded_name: _encoder.encode(getattr(state, name))
        for name, encoded_name in names
        if name != "history"
    }


def full_frame(fields: Mapping[str, bytes], history: Iterable[bytes]) -> str:
    """Assemble the frame of a state from its fields and history, all as JSON."""
    parts = b",".join(b'"%s":%s' % (name.encode(), raw) for name, raw in fields.items())
    return (b'{"t":"state",%s,"history":[%s]}' % (parts, b",".join(history))).decode()
