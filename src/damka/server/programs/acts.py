"""Acting in a game by requests: the messages of the live protocol, and shorter bodies for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from damka.live import messages
from damka.live.live_game import key_of
from damka.server.game_session import GameMessage
from damka.server.programs import messages as sent

if TYPE_CHECKING:
    from damka.live.live_game import LiveGame
    from damka.live.seating import Sides

__all__ = ["SHORTCUTS", "GameMessage", "Shortcut"]


class Shortcut(NamedTuple):
    """A route for one or two kinds of message, whose body has fewer fields than they have."""

    body: type[msgspec.Struct]
    message: Callable[[LiveGame, Sides, Any], GameMessage]
    """Return the message that a body stands for. Raises MoveError for a move that there is not."""
    summary: str
    example: Mapping[str, object] = MappingProxyType({})
    description: str = ""
    default: bytes = b"{}"
    """What an empty body means."""


def _move(live: LiveGame, you: Sides, body: sent.MoveNow) -> messages.MoveRequest:
    ply = live.ply if body.ply is None else body.ply
    key = body.move
    playable = live.playable() if live.result is None else ()
    # Who is to move and whether the game is on is said before what is wrong with the move.
    on_turn = live.game.turn in you and live.result is None and ply == live.ply
    if on_turn and all(key != key_of(each, playable) for each in playable):
        key = key_of(live.game.board.parse(key), playable)
    return messages.MoveRequest(ply, key, body.version, body.side)


def _huff(live: LiveGame, _: Sides, body: sent.HuffNow) -> messages.Huff:
    ply = live.ply if body.ply is None else body.ply
    return messages.Huff(ply, body.square, body.version, body.side)


def _draw(_: LiveGame, __: Sides, body: sent.Answered) -> messages.Draw | messages.DrawAnswer:
    if body.accept is None:
        return messages.Draw(body.side)
    return messages.DrawAnswer(body.accept, body.side)


def _undo(_: LiveGame, __: Sides, body: sent.Answered) -> messages.Undo | messages.UndoAnswer:
    if body.accept is None:
        return messages.Undo(body.side)
    return messages.UndoAnswer(body.accept, body.side)


SHORTCUTS: Final[Mapping[str, Shortcut]] = {
    "move": Shortcut(
        sent.MoveNow,
        _move,
        "Play a move",
        {"move": "22-18", "ply": 0},
        "The answer to a move that the rules forbid (422) says why.",
        default=b"",
    ),
    "huff": Shortcut(
        sent.HuffNow, _huff, "Huff a piece that did not capture", {"square": 18}, default=b""
    ),
    "resign": Shortcut(sent.Act, lambda _, __, body: messages.Resign(body.side), "Resign"),
    "draw": Shortcut(sent.Answered, _draw, "Offer a draw, or answer the offer", {"accept": True}),
    "undo": Shortcut(sent.Answered, _undo, "Ask to take back, or answer", {"accept": False}),
    "abort": Shortcut(
        sent.Act,
        lambda _, __, body: messages.Abort(body.side),
        "Break the game off before both have moved",
    ),
    "claim": Shortcut(
        sent.Claimed,
        lambda _, __, body: messages.Claim(body.draw),
        "Claim the win or a draw from one who is away",
        {"draw": False},
    ),
    "time": Shortcut(
        sent.Act, lambda _, __, body: messages.GiveTime(body.side), "Give the other side time"
    ),
}
"""By the last part of their address."""
