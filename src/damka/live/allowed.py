"""Explanations of played moves and huffs: why the rules allowed them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from damka.board import Board
from damka.refusal import why_allowed, why_huffed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka.move import Move
    from damka.refusal import Allowance
    from damka.rules import Rules, Side

__all__ = ["Played", "reasons", "squares"]


class Played(NamedTuple):
    """A move, with the pieces before it, after a huff."""

    pieces: str
    side: Side
    move: Move


def reasons(
    of: Rules, now: Played | None, huff: int | None = None, missed: Played | None = None
) -> list[Allowance]:
    """Return why a move was legal, after the reason for the huff on square `huff` before it.

    `now` is None for a huff without a move. `missed` is the move that missed the capture.
    """
    found: list[Allowance] = []
    if huff is not None and missed is not None:
        # The piece may have missed its capture with another move of its own.
        square = missed.move.start if missed.move.end == huff else huff
        found.append(why_huffed(_board(of, missed.pieces, missed.side), square))
    if now is not None:
        allowances = why_allowed(_board(of, now.pieces, now.side), now.move)
        found += allowances[:1] if found else allowances
    return found


def squares(found: Iterable[Allowance]) -> tuple[int, ...]:
    """Return the squares that reasons are about."""
    return tuple(dict.fromkeys(at for each in found for at in each.squares))


def _board(of: Rules, pieces: str, side: Side) -> Board:
    return Board(of).with_pieces(pieces, side)
