"""The main line of a PDN game for pictures, even if it continues after a draw by the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.errors import PdnError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.board import Board
    from damka.move import Move
    from damka.pdn.tree import PdnGame
    from damka.rules import Rules, Side

__all__ = ["Playback"]

_WINNERS: Final[Mapping[str, Side | None]] = {
    **dict.fromkeys(("1-0", "2-0"), "W"),
    **dict.fromkeys(("0-1", "0-2"), "B"),
    **dict.fromkeys(("1-1", "1/2-1/2"), None),
}


class _Result(NamedTuple):
    winner: Side | None


@dataclass(frozen=True, slots=True)
class _Ply:
    side: Side
    move: Move
    text: str
    before: str
    pieces: str
    huff: int | None

    def __str__(self) -> str:
        return self.text if self.huff is None else f"({self.huff}) {self.text}"


class Playback:
    """The main line of a game, for `damka.draw.svg.replay`, `game` and `frames`.

    These functions also accept a `PdnGame` and convert it.

    Raises PdnError for a position set up in mid-game that is not a huff.

    >>> from damka import pdn
    >>> from damka.draw import svg
    >>> [game] = pdn.read('[GameType "20"] 1. 32-28 19-23 2. 28x19 14x23 *')
    >>> len(list(svg.frames(pdn.Playback(game))))
    5
    """

    def __init__(self, game: PdnGame) -> None:
        self.rules: Final[Rules] = game.rules
        self.history: Final[list[_Ply]] = []
        board = game.start()
        for node in game.mainline():
            if node.move is None:
                continue
            before, huff = board.pieces, None
            if node.setup is not None:
                setup = type(board)(self.rules, node.setup)
                huff = _huffed_square(board, setup)
                board = setup
            side, text = board.turn, board.text(node.move)
            board.push_unchecked(node.move)
            ply = _Ply(side, node.move, text, before, board.pieces, huff)
            self.history.append(ply)
        self.board: Final[Board] = board
        has_result = game.result in _WINNERS
        self.result: Final = _Result(_WINNERS[game.result]) if has_result else None


def _huffed_square(before: Board, after: Board) -> int | None:
    """Return the square of the huffed piece, or None if the positions are equal."""
    pairs = enumerate(zip(before.pieces, after.pieces, strict=True), start=1)
    changes = [(square, new) for square, (old, new) in pairs if old != new]
    if not changes:
        return None
    (square, new), *others = changes
    if others or new != ".":
        raise PdnError("a position is set up in mid-game: no single game can be drawn")
    return square
