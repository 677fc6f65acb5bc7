"""Moves as engines exchange them: "22-18", "22x15x18" (from, to, captured squares ascending).

Source: the Hub protocol, version 2. Captured squares are read in any order. Only under
`promotion = "go"` can two moves be written alike; reading such a text raises AmbiguousMoveError.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from damka.errors import InvalidMoveError
from damka.notation.text import error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka.board import Board
    from damka.move import Move

__all__ = ["MAX_LENGTH", "format", "parse"]

MAX_LENGTH: Final = 200

_QUIET = re.compile(r"([0-9]{1,3})-([0-9]{1,3})")
_CAPTURE = re.compile(r"([0-9]{1,3})x([0-9]{1,3})((?:x[0-9]{1,3})+)")


def format(move: Move) -> str:  # noqa: A001  the pair of parse
    """Return the Hub text of a move, which is `move.hub()`."""
    return move.hub()


def parse(board: Board, text: str, moves: Iterable[Move] | None = None) -> Move:
    """Return the move that `text` writes, of `moves` or else of the legal moves.

    Raises InvalidMoveError when it is not Hub text, IllegalMoveError when there is no such move
    and AmbiguousMoveError when there are two.
    """
    from damka.refusal import Refusal, ambiguous, explain  # noqa: PLC0415  a cycle otherwise

    known = board.legal_moves if moves is None else list(moves)
    found = _QUIET.fullmatch(text) or _CAPTURE.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if found is None:
        raise InvalidMoveError(Refusal("not_understood", {"text": text[:40]}))
    start, end, *rest = found.groups()
    taken = sorted(map(int, rest[0].split("x")[1:])) if rest else []
    fit = [
        move
        for move in known
        if (move.start, move.end, list(move.captures)) == (int(start), int(end), taken)
    ]
    if len(fit) == 1:
        return fit[0]
    if fit:
        raise error(ambiguous(board, fit))
    refusal = explain(board, f"{start}{'x' if taken else '-'}{end}")
    # The squares may be a legal move's, and only what it takes another.
    raise error(refusal or Refusal("not_understood", {"text": text}))
