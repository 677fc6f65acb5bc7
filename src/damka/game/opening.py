"""Ballots: the openings of a rule set, one of which may be drawn by lot before a game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.board import Board
from damka.errors import DamkaError, RulesError
from damka.game.ending import win

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["Opening", "opening"]

_FEN: Final = re.compile(r"[WB]:")


class Opening(NamedTuple):
    """The position a game begins with, None for the rules' own, and the moves made by nobody."""

    fen: str | None
    moves: tuple[Move, ...]


def opening(rules: Rules, ballot: int) -> Opening:
    """Return the opening number `ballot`, from 0, of a rule set.

    Raises IndexError when there is none of that number, and RulesError naming the ballot when its
    text is not a position and moves that are legal one after the other and leave the game going on.
    """
    if not 0 <= ballot < len(rules.ballots):
        raise IndexError(f"ballot {ballot}: the rule set has {len(rules.ballots)}, from 0 on")
    text = rules.ballots[ballot]
    words = text.split()
    fen = words.pop(0) if _FEN.match(words[0]) else None
    moves: list[Move] = []
    try:
        board = Board(rules, fen)
        for word in words:
            moves.append(board.push(word))
    except DamkaError as error:
        raise RulesError(f"ballots[{ballot}]", text, f"legal moves; {error}") from error
    if win(board) is not None:
        raise RulesError(f"ballots[{ballot}]", text, "moves after which the game goes on")
    return Opening(fen, tuple(moves))
