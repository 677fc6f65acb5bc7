"""The live protocol: the messages from and to a page, as types.

Frames are JSON objects with the kind in "t". The page's types of them, `web/wire.d.ts`, are made of
this module by `tools/wire_types.py`. The types check what comes in (shape, ranges, lengths); the
game decides what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from damka.rules import Side

__all__ = [
    "Abort",
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
    "encode",
    "encoded",
    "fields",
    "read",
    "whole",
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
    """Why can these squares, clicked in this order, or else this text, not be a move?

    The text has the squares as the federation prints them.
    """

    clicks: Annotated[list[Annotated[int, Meta(ge=0, le=1000)]], Meta(max_length=64)] = []
    text: Annotated[str, Meta(max_length=200)] | None = None


class Huff(_FromPage, frozen=True, tag="huff"):
    """Take the piece on `square`, which did not capture."""

    ply: Count
    square: Square
    version: Count | None = None
    side: Side | None = None


class Undo(_FromPage, frozen=True, tag="undo"):
    """Take back to this side's previous turn; between people, ask for it."""

    side: Side | None = None


class UndoAnswer(_FromPage, frozen=True, tag="undo_answer"):
    """Yes or no to the other side's request; no to one's own withdraws it."""

    ok: bool
    side: Side | None = None


class Draw(_FromPage, frozen=True, tag="draw"):
    """Offer a draw, or accept the one that the other side has offered."""

    side: Side | None = None


class DrawAnswer(_FromPage, frozen=True, tag="draw_answer"):
    """Yes or no to the other side's offer; no to one's own withdraws it."""

    ok: bool
    side: Side | None = None


class Resign(_FromPage, frozen=True, tag="resign"):
    """Give the game up."""

    side: Side | None = None


class Abort(_FromPage, frozen=True, tag="abort"):
    """Break the game off before both have moved."""

    side: Side | None = None


class GiveTime(_FromPage, frozen=True, tag="give_time"):
    """Give the other side more time."""

    side: Side | None = None


class Claim(_FromPage, frozen=True, tag="claim"):
    """Claim the win or a draw, because the other side has been away for too long."""

    draw: bool


class Flag(_FromPage, frozen=True, tag="flag"):
    """Look at the clock: a time seems to be over. The server's clock alone decides."""


class Rematch(_FromPage, frozen=True, tag="rematch"):
    """Offer to play again."""


class RematchAnswer(_FromPage, frozen=True, tag="rematch_answer"):
    """No to the other side's offer to play again; yes is a request for the rematch."""

    ok: bool


class Hint(_FromPage, frozen=True, tag="hint"):
    """Show a good move."""


class Watchers(_FromPage, frozen=True, tag="watchers"):
    """Tell who watches, now and whenever that changes; or no more."""

    on: bool


class Ping(_FromPage, frozen=True, tag="ping"):
    """Is the server there?"""


ClientMessage = (
    MoveRequest
    | Why
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
    """Return the message in a frame, or None when there is none that the protocol knows."""
    try:
        message: ClientMessage = _decoder.decode(frame)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    return message


# To the page


class MoveInfo(msgspec.Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """One move; `hub` is what the page sends back, to be taken as it is.

    Squares are the library's numbers; `text` is the move as the federation writes it. `routes` are
    all ways to play it, where there are others than `route`.
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
    """One ply that was played, with the huff before it."""

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
    """The line under the board, or a question that stands in its place."""

    sentence: str
    news: str
    """What happened that the board does not show by itself; the sentence begins with it."""
    rule: RuleLink | None


class Warn(msgspec.Struct, frozen=True):
    """What to ask before a quiet move that leaves a capture."""

    squares: tuple[int, ...]
    sentence: str


class Counter(msgspec.Struct, frozen=True):
    """How near a draw is."""

    kind: str
    n: int
    limit: int
    sentence: str


class ResultInfo(msgspec.Struct, frozen=True):
    """How the game ended."""

    winner: Side | None
    reason: str
    sentence: str
    """The two that follow, together."""
    outcome: str
    cause: str
    rule: RuleLink | None


class Player(msgspec.Struct, frozen=True):
    """Who plays a side."""

    kind: Literal["person", "computer"]
    level: int | None
    name: str
    detail: str
    rating: str | None = None
    """Of a member in a rated game: the rating before it, "1500?" where it is not sure yet."""
    diff: int | None = None
    """What the game has changed about it."""
    guest: bool = False
    """Whether it is somebody without an account, in a game on two devices."""


class Can(msgspec.Struct, frozen=True):
    """What this viewer may do now."""

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


class Lot(msgspec.Struct, frozen=True):
    """The lot that was drawn for the colours: the first player's side."""

    drawn: bool
    you: Side


class OpeningInfo(msgspec.Struct, frozen=True):
    """The opening that was drawn by lot: a position, moves, or both."""

    number: int
    """Its number in the list of the rule set."""
    name: str
    """Its name in the list; "" for none."""
    sentence: str


class NextGame(msgspec.Struct, frozen=True):
    """The rematch."""

    url: str


class ClockInfo(msgspec.Struct, frozen=True):
    """The clock when the message was sent: milliseconds, as the server counts them."""

    kind: Literal["sudden", "fischer", "delay", "days"]
    text: str
    left: dict[Side, int]
    running: Side | None
    """The side whose clock runs."""
    delay: int
    """For how long it still waits in this turn."""
    due: int | None
    """The time for a first move, while the clocks do not run yet."""


class Presence(msgspec.Struct, frozen=True):
    """Whether a player of a game on two devices is there."""

    here: bool
    claim: int | None
    """Milliseconds until the other side may claim, of one who is away; None for never."""


class Invitation(msgspec.Struct, frozen=True):
    """An open seat: the code under which it is taken, told to who invites."""

    side: Side
    code: str
    freed: bool
    """Whether it was one at the same screen."""


class State(msgspec.Struct, frozen=True, tag_field="t", tag="state"):
    """Everything a viewer sees of a game; it replaces whatever the page had."""

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
    draw_asks: str | None
    undo_offer: Side | None
    undo_asks: str | None
    thinking: bool
    can: Can
    status: Status
    huff_asks: Status | None
    announce: str
    lot: Lot | None
    next: NextGame | None
    online: bool = False
    """Two people play on two devices, or wait to."""
    clock: ClockInfo | None = None
    presence: dict[Side, Presence] | None = None
    watching: int = 0
    """How many watch a game on two devices, besides the players."""
    invitation: Invitation | None = None
    rematch_offer: Side | None = None
    rematch_asks: str | None = None
    rated: bool = False
    no_draw: str | None = None
    """That a draw may be offered later only, as long as it is so."""
    opening: OpeningInfo | None = None


class Delta(msgspec.Struct, frozen=True, tag_field="t", tag="delta"):
    """What has changed since the last state, for pages that ask for changes.

    The first `keep` entries of the history stay, those of `add` follow; `changes` has the other
    fields of the state, those that are not as they were.
    """

    keep: int
    add: tuple[HistoryEntry, ...]
    changes: dict[str, Any]


class RefusalMessage(msgspec.Struct, frozen=True, tag_field="t", tag="refusal"):
    """Why a move cannot be played, to the one who asked."""

    code: str
    args: dict[str, Any]
    sentence: str
    clicks: tuple[int, ...]
    must: tuple[int, ...]
    topic: str
    rule: RuleLink | None


class HintAnswer(msgspec.Struct, frozen=True, tag_field="t", tag="hint"):
    """A good move, or a piece to huff first; and what it is worth in hundredths of a man.

    `won`: it wins, as far as search and tables see; then the score counts no men.
    """

    move: MoveInfo | None
    huff: int | None
    score: int
    won: bool
    ply: int


class ChatLine(msgspec.Struct, frozen=True, tag_field="t", tag="chat"):
    """Something that was said at the game, in the reader's language if it is a preset.

    `who` tells the senders at this game apart; `side` is that of a player, None for a spectator.
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
    """Who watches: the names of some members, and how many there are besides."""

    names: tuple[str, ...]
    guests: int
    """Those without a name, and members beyond those named."""
    words: str = ""
    """The guests in words: "and 3 guests"."""


class ErrorMessage(msgspec.Struct, frozen=True, tag_field="t", tag="error"):
    """A message that was not obeyed."""

    code: str
    message: str


class Pong(msgspec.Struct, frozen=True, tag_field="t", tag="pong"):
    """It is."""


ServerMessage = (
    State | Delta | RefusalMessage | HintAnswer | ChatLine | WatcherList | ErrorMessage | Pong
)

_encoder: Final = msgspec.json.Encoder()


def encode(message: ServerMessage) -> str:
    """Return the frame of a message."""
    return _encoder.encode(message).decode("utf-8")


def encoded(part: object) -> bytes:
    """Return a part of a message as JSON."""
    return _encoder.encode(part)


def fields(state: State) -> dict[str, bytes]:
    """Return the fields of a state but its history, each as JSON."""
    names = (name for name in State.__struct_fields__ if name != "history")
    return {name: _encoder.encode(getattr(state, name)) for name in names}


def whole(fields: Mapping[str, bytes], history: Iterable[bytes]) -> str:
    """Return the frame of a state with these fields and this history, all of it as JSON."""
    parts = b",".join(b'"%s":%s' % (name.encode(), raw) for name, raw in fields.items())
    return (b'{"t":"state",%s,"history":[%s]}' % (parts, b",".join(history))).decode()
