"""Parsing moves, with errors that explain why a move is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.errors import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, MoveError
from damka.notation import hub
from damka.refusal.explain import ambiguous, explain, resolve
from damka.refusal.record import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka._core import Board
    from damka.move import Move

__all__ = ["error", "parse", "parse_hub"]


def parse(board: Board, text: str, *, labels: bool = False) -> Move:
    """Parse a legal move in the notation of `damka.notation.text`.

    With `labels`, squares have the federation's labels, as in `damka.notation.text.write`.

    Raises InvalidMoveError if it is not a move, IllegalMoveError if the rules forbid it and
    AmbiguousMoveError if it matches several moves. The error's `refusal` has the reason.
    """
    result = resolve(board, text, labels=labels)
    if isinstance(result, Refusal):
        raise error(result)
    return result


def parse_hub(board: Board, text: str, moves: Iterable[Move] | None = None) -> Move:
    """Parse a move in Hub notation, among `moves` or the legal moves.

    Raises InvalidMoveError if it is not Hub text, IllegalMoveError if there is no such move and
    AmbiguousMoveError if there are two.
    """
    hub_move = hub.read(text)
    if hub_move is None:
        raise InvalidMoveError(Refusal("not_understood", {"text": text[:40]}))
    allowed = board.legal_moves if moves is None else moves
    matching = [move for move in allowed if (move.start, move.end, move.captures) == hub_move]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise error(ambiguous(board, matching))
    sign = "x" if hub_move.captures else "-"
    refusal = explain(board, f"{hub_move.start}{sign}{hub_move.end}")
    # A legal move with the same ends may capture other squares.
    raise error(refusal or Refusal("not_understood", {"text": text[:40]}))


def error(refusal: Refusal) -> MoveError:
    """Return the error for a refused move."""
    if refusal.code in ("not_a_square", "not_understood"):
        return InvalidMoveError(refusal)
    if refusal.code == "ambiguous":
        return AmbiguousMoveError(refusal)
    return IllegalMoveError(refusal)
