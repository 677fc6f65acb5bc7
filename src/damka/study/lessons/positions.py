"""Positions to ask about: the same interface over the kernel and over the reference rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from damka.board import Board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.move import Move
    from damka.rules import Rules, Side

__all__ = ["Asked", "Played", "Positions", "find", "hub"]


class Played(Protocol):
    """A move, of the kernel or of the reference rules."""

    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102
    @property
    def captures(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def crowns(self) -> bool: ...  # noqa: D102


class Asked(Protocol):
    """A position to ask about."""

    @property
    def rules(self) -> Rules: ...  # noqa: D102
    @property
    def turn(self) -> Side: ...  # noqa: D102
    @property
    def pieces(self) -> str:
        """One character per square from 1, as in `Board.pieces`."""

    @property
    def legal(self) -> Sequence[Played]:
        """The legal moves."""

    @property
    def quiet(self) -> Sequence[Played]:
        """The quiet moves, legal or offences."""

    @property
    def huffable(self) -> tuple[int, ...]:
        """The pieces that the side to move may huff, ascending."""

    @property
    def winner(self) -> Side | None:
        """The side that has won."""

    @property
    def drawn(self) -> bool:
        """Whether the rules make it a draw."""

    def after(self, *moves: str) -> Asked:
        """Return the position after moves in Hub notation, which are legal or offences.

        Raises ValueError for any other move.
        """

    def under(self, rules: Rules) -> Asked:
        """Return the same pieces and side to move under other rules, without a history."""


def hub(move: Played) -> str:
    """Return a move in Hub notation."""
    if move.captures:
        return "x".join(map(str, (move.start, move.end, *sorted(move.captures))))
    return f"{move.start}-{move.end}"


@dataclass(frozen=True, slots=True)
class Positions:
    """A position of the kernel."""

    board: Board

    @classmethod
    def of(cls, board: Board) -> Positions:
        """Return the position on a board, which must not change afterwards."""
        return cls(board)

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.board.rules

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self.board.turn

    @property
    def pieces(self) -> str:
        """One character per square."""
        return self.board.pieces

    @property
    def legal(self) -> Sequence[Played]:
        """The legal moves."""
        return self.board.legal_moves

    @property
    def quiet(self) -> Sequence[Played]:
        """The quiet moves, legal or offences."""
        return self.board.quiet_moves

    @property
    def huffable(self) -> tuple[int, ...]:
        """The pieces that the side to move may huff."""
        return tuple(sorted(self.board.offences))

    @property
    def winner(self) -> Side | None:
        """The side that has won."""
        result = self.board.result
        return None if result is None else result.winner

    @property
    def drawn(self) -> bool:
        """Whether the rules make it a draw."""
        result = self.board.result
        return result is not None and result.winner is None

    def at(self, square: int) -> str:
        """Return the piece on a square, "." for none."""
        return self.board.pieces[square - 1]

    def after(self, *moves: str) -> Positions:
        """Return the position after moves in Hub notation."""
        if not moves:
            return self
        board = self.board.copy()
        for move in moves:
            board.push_unchecked(find(board, move))
        return Positions(board)

    def under(self, rules: Rules) -> Positions:
        """Return the same pieces and side to move under other rules."""
        return Positions(Board(rules).with_pieces(self.board.pieces, self.board.turn))


def find(board: Board, move: str) -> Move:
    """Return the legal move or offence of this Hub text."""
    for found in (*board.legal_moves, *board.quiet_moves):
        if hub(found) == move:
            return found
    raise ValueError(f"no move {move} in {board.fen}")
