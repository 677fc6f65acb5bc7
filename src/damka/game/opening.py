"""Openings of a rule set, one of which may be drawn by lot before a game."""

from __future__ import annotations

import functools
import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.board import Board
from damka.errors import DamkaError, FenError, RulesError
from damka.rules.openings import entry, numbered

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["Opening", "ballot_of", "check_openings", "opening"]

_FEN: Final = re.compile(r"[WB?]:")
_TAG: Final = re.compile(r'\[\s*FEN\s+"([^"]*)"\s*\]', re.IGNORECASE)
"""A position as game records have it."""
_TAKEN_OFF: Final = re.compile(r"\(\d{1,3}\)")


class Opening(NamedTuple):
    """The first position of a game, None for the rules' own, and the moves that no player chose."""

    fen: str | None
    moves: tuple[Move, ...]
    number: int = 1
    """Its number in the list: the one that the list gives, or its place from 1."""
    name: str = ""
    """Its name in the list; "" for none."""

    @property
    def title(self) -> str:
        """The number and the name, "12. Kitchen opening", or only the number."""
        return f"{self.number}. {self.name}" if self.name else str(self.number)


def opening(rules: Rules, ballot: int) -> Opening:
    """Return the opening at the place `ballot`, from 0, in a rule set's list.

    Raises IndexError when there is none, and RulesError naming the place when its text is not a
    position, moves that are legal one after the other, or both, or when the game is over then.
    """
    if not 0 <= ballot < len(rules.openings):
        raise IndexError(f"ballot {ballot}: the rule set has {len(rules.openings)}, from 0 on")
    line = rules.openings[ballot]
    key = f"ballots[{ballot}]"
    described = entry(line, ballot + 1)
    moves: list[Move] = []
    try:
        fen, words = _start(rules, _TAG.sub(_without_blanks, described.text).split())
        board = Board(rules, fen)
        fen = None if fen is None else board.fen
        for word in words:
            moves.append(board.push(word))
    except FenError as error:
        raise RulesError(key, line, f"a legal position; {error}") from error
    except (DamkaError, ValueError) as error:
        raise RulesError(key, line, f"legal moves; {error}") from error
    if not {*"WB"} <= {*board.pieces.upper()}:
        raise RulesError(key, line, "a position in which both sides have pieces")
    if board.is_over:
        what = "moves after which" if moves else "a position in which"
        raise RulesError(key, line, f"{what} the game goes on")
    return Opening(fen, tuple(moves), described.number, described.name)


def ballot_of(rules: Rules, number: int) -> int | None:
    """Return the place, from 0, of the opening with a number in a rule set's list, or None."""
    return _places(rules.openings).get(number)


@functools.lru_cache(maxsize=64)
def _places(openings: tuple[str, ...]) -> dict[int, int]:
    return {each.number: place for place, each in enumerate(numbered(openings))}


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


def _without_blanks(tag: re.Match[str]) -> str:
    return "".join(tag[1].split())


def _start(rules: Rules, words: list[str]) -> tuple[str | None, list[str]]:
    """Return the position that the first words say, and the other words."""
    if _FEN.match(words[0]):
        return words[0], words[1:]
    board = Board(rules)
    taken_off = list(takewhile(_TAKEN_OFF.fullmatch, words))
    for word in taken_off:
        board = board.remove(int(word[1:-1]))
    return (board.fen if taken_off else None), words[len(taken_off) :]
