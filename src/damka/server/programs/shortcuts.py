"""Game actions as requests: short forms of the messages of the live protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from damka.live import messages
from damka.live.live_game import key_of
from damka.server.game_session import GameMessage
from damka.server.programs import messages as sent

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.live.seating import Sides

__all__ = ["SHORTCUTS", "Shortcut"]


class Shortcut(NamedTuple):
    """A route for one kind of message, whose body has fewer fields."""

    body: type[msgspec.Struct]
    kind: Callable[..., GameMessage]
    summary: str
    example: Mapping[str, object] = MappingProxyType({})
    description: str = ""
    answer: Callable[..., GameMessage] | None = None
    """Message type that answers an offer of the other side."""

    @property
    def optional(self) -> bool:
        """Whether the body may be omitted: not where it distinguishes an offer from an answer."""
        return self.answer is None and not any(
            each.required for each in msgspec.structs.fields(self.body)
        )

    def message(self, body: msgspec.Struct, live: LiveGame, you: Sides) -> GameMessage:
        """Convert a body to its message. Raises MoveError for an illegal move."""
        kind, fields = self.kind, msgspec.structs.asdict(body)
        if self.answer is not None and (accept := fields.pop("accept")) is not None:
            kind, fields["ok"] = self.answer, accept
        if fields.get("ply", 0) is None:
            fields["ply"] = live.ply
        # Errors about the turn or the end of the game take precedence over errors in the move.
        on_turn = live.result is None and live.game.turn in you
        if "move" in fields and on_turn and fields["ply"] == live.ply:
            playable = live.playable()
            if fields["move"] not in {key_of(each, playable) for each in playable}:
                fields["move"] = key_of(live.game.board.parse(fields["move"]), playable)
        return kind(**fields)


SHORTCUTS: Final[Mapping[str, Shortcut]] = {
    "move": Shortcut(
        sent.MoveBody,
        messages.MoveRequest,
        "Play a move",
        {"move": "22-18", "ply": 0},
        "The response to an illegal move (422) explains why it is illegal.",
    ),
    "huff": Shortcut(
        sent.HuffBody, messages.Huff, "Huff a piece that did not capture", {"square": 18}
    ),
    "resign": Shortcut(sent.ActionBody, messages.Resign, "Resign"),
    "draw": Shortcut(
        *(sent.OfferBody, messages.Draw, "Offer a draw, or answer an offer", {"accept": True}),
        answer=messages.DrawAnswer,
    ),
    "undo": Shortcut(
        *(sent.OfferBody, messages.Undo, "Request a takeback, or answer one", {"accept": False}),
        answer=messages.UndoAnswer,
    ),
    "abort": Shortcut(
        sent.ActionBody, messages.Abort, "Abort the game before both sides have moved"
    ),
    "claim": Shortcut(
        *(sent.ClaimBody, messages.Claim, "Claim victory or a draw against an absent opponent"),
        {"draw": False},
    ),
    "time": Shortcut(sent.ActionBody, messages.GiveTime, "Give the opponent time"),
}
"""Shortcuts by the last part of their path."""
