"""The positions of a game, and what the rules say about each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.board import Board

if TYPE_CHECKING:
    from damka.game import Game, Ply
    from damka.move import Move
    from damka.rules import Rules, Side

__all__ = ["Timeline"]


class Timeline:
    """The boards of a game: number n is the position after n plies, before a huff."""

    def __init__(self, game: Game) -> None:
        self.rules: Rules = game.rules
        self.plies: tuple[Ply, ...] = game.history
        self.first: int = game.opening_plies
        """The number of plies that no player made."""
        board = game.board.copy()
        if board.pending_huff is not None:
            board.unhuff()
        boards: list[Board] = [board.copy()]
        for _ in self.plies:
            board.pop()
            boards.append(board.copy())
        boards.reverse()
        self._boards = boards
        self._legal: dict[tuple[int, int | None], tuple[Move, ...]] = {}

    @property
    def count(self) -> int:
        """The number of plies."""
        return len(self.plies)

    def board(self, ply: int, huff: int | None = None) -> Board:
        """Return the board after `ply` plies, and after the huff; do not modify it."""
        board = self._boards[ply]
        if huff is None:
            return board
        board = board.copy()
        board.huff(huff)
        return board

    def side(self, ply: int) -> Side:
        """Return the side to move after `ply` plies."""
        return self._boards[ply].turn

    def pieces(self, ply: int) -> int:
        """Return the number of pieces after `ply` plies."""
        pieces = self._boards[ply].pieces
        return len(pieces) - pieces.count(".")

    def offences(self, ply: int) -> tuple[int, ...]:
        """Return the squares that the side to move may huff."""
        board = self._boards[ply]
        return () if board.is_over else board.offences

    def legal(self, ply: int, huff: int | None = None) -> tuple[Move, ...]:
        """Return the legal moves after `ply` plies and the huff."""
        key = ply, huff
        if key not in self._legal:
            board = self.board(ply, huff)
            over = board.is_over and ply == self.count
            self._legal[key] = () if over else tuple(board.legal_moves)
        return self._legal[key]

    def played_huff(self, ply: int) -> int | None:
        """Return the square that was huffed before the next move."""
        return self.plies[ply].huff if ply < self.count else None

    def is_offence(self, ply: int) -> bool:
        """Return whether the next move breaks the obligation to capture."""
        return self.plies[ply].offence
