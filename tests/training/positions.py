"""Random positions, as boards and as records."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from damka import Board
from damka.training.records import record_type

if TYPE_CHECKING:
    from damka.rules import Rules
    from damka.training.records import Records

__all__ = ["any_pieces", "bit_of", "boards", "record_of", "turned"]


def any_pieces(rules: Rules, rng: random.Random, *, kings: float = 0.2) -> str:
    """Return random pieces, one character per square, with no man on its crowning row."""
    pieces = []
    density = rng.uniform(0.1, 0.6)
    for square in range(1, rules.square_count + 1):
        row = (square - 1) // rules.row_length
        if rng.random() > density:
            pieces.append(".")
            continue
        side = rng.choice("WB")
        last = row == (0 if side == "W" else rules.height - 1)
        pieces.append(side if last or rng.random() < kings else side.lower())
    return "".join(pieces)


def boards(rules: Rules, rng: random.Random, count: int) -> list[Board]:
    """Return boards with random pieces."""
    empty = Board(rules)
    return [
        empty.with_pieces(any_pieces(rules, rng), "W" if rng.random() < 0.5 else "B")
        for _ in range(count)
    ]


def turned(board: Board) -> Board:
    """Return the position from the other side's point of view."""
    pieces = "".join(board.pieces)[::-1].swapcase().translate(str.maketrans("wbWB", "BWbw"))
    return board.with_pieces(pieces, "B" if board.turn == "W" else "W")


def bit_of(rules: Rules, square: int) -> int:
    """Return the bit of a square in the kernel's words."""
    i = square - 1
    if rules.squares == "all":
        return i
    if rules.dark_corner == "right":
        row, column = divmod(i, rules.row_length)
        i = row * rules.row_length + rules.row_length - 1 - column
    return i + i // (2 * rules.row_length)


def record_of(board: Board, score: int, result: int) -> Records:
    """Return a record of the position."""
    words = [0, 0, 0, 0]
    for square, piece in enumerate(board.pieces, 1):
        if piece != ".":
            words["wbWB".index(piece)] |= 1 << bit_of(board.rules, square)
    kind = record_type(board.rules)
    if kind["words"].shape == (8,):
        words = [half for word in words for half in (word & 2**64 - 1, word >> 64)]
    return np.array([(words, score, result, int(board.turn == "B"))], kind)
