"""Ballots: the openings of a rule set, one of which may be drawn by lot before a game."""

from __future__ import annotations

import functools
import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.board import Board
from damka.errors import DamkaError, RulesError

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["Opening", "check_openings", "opening"]

_FEN: Final = re.compile(r"[WB]:")
_TAKEN_OFF: Final = re.compile(r"\(\d{1,3}\)")


class Opening(NamedTuple):
    """The position a game begins with, None for the rules' own, and the moves made by nobody."""

    fen: str | None
    moves: tuple[Move, ...]


def opening(rules: Rules, ballot: int) -> Opening:
    """Return the opening number `ballot`, from 0, of a rule set.

    Raises IndexError when there is none of that number, and RulesError naming the ballot when its
    text is not a position and moves that are legal one after the other and leave the game going on.
    """
    if not 0 <= ballot < len(rules.openings):
        raise IndexError(f"ballot {ballot}: the rule set has {len(rules.openings)}, from 0 on")
    text = rules.openings[ballot]
    moves: list[Move] = []
    try:
        fen, words = _start(rules, text.split())
        board = Board(rules, fen)
        for word in words:
            moves.append(board.push(word))
    except (DamkaError, ValueError) as error:
        raise RulesError(f"ballots[{ballot}]", text, f"legal moves; {error}") from error
    if board.is_over:
        raise RulesError(f"ballots[{ballot}]", text, "moves after which the game goes on")
    return Opening(fen, tuple(moves))


@functools.lru_cache(maxsize=64)
def check_openings(rules: Rules, most: int | None = None) -> None:
    """Try the openings of a rule set, or `most` of them, spread over the list.

    Loading rules does not: they are a game's first moves, and a list may be long. Who takes a box
    in from outside asks for it.

    Raises RulesError for the first that cannot be played, as `opening` does.
    """
    there = len(rules.openings)
    for ballot in range(0, there, max(1, there // most) if most else 1):
        opening(rules, ballot)


def _start(rules: Rules, words: list[str]) -> tuple[str | None, list[str]]:
    """Return the position that the first words say, and the other words."""
    if _FEN.match(words[0]):
        return words[0], words[1:]
    board = Board(rules)
    taken_off = list(takewhile(_TAKEN_OFF.fullmatch, words))
    for word in taken_off:
        board = board.remove(int(word[1:-1]))
    return (board.fen if taken_off else None), words[len(taken_off) :]
