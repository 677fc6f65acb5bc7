"""Balloted openings of a rule set."""

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
"""A position in the form of game records."""
_REMOVED: Final = re.compile(r"\(\d{1,3}\)")


class Opening(NamedTuple):
    """A balloted opening: its position, None for the start position, and its moves."""

    fen: str | None
    moves: tuple[Move, ...]
    number: int = 1
    """Its number in the list, by default its place from 1."""
    name: str = ""
    """Its name in the list, or ""."""

    @property
    def title(self) -> str:
        """The number and the name, "12. Kitchen opening", or only the number."""
        return f"{self.number}. {self.name}" if self.name else str(self.number)


def opening(rules: Rules, ballot: int) -> Opening:
    """Return the opening at the index `ballot`, from 0, in a rule set's list.

    Raises IndexError for an invalid index. Raises RulesError, with the place, if its text is not a
    position, a sequence of legal moves, or both, or if the game would be over after it.
    """
    if not 0 <= ballot < len(rules.openings):
        raise IndexError(f"ballot {ballot}: the rule set has {len(rules.openings)}, from 0 on")
    line = rules.openings[ballot]
    key = f"ballots[{ballot}]"
    parsed = entry(line, ballot + 1)
    moves: list[Move] = []
    try:
        fen, words = _split_position(rules, _TAG.sub(_without_spaces, parsed.text).split())
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
        expected = "moves that do not end the game" if moves else "a position with a legal move"
        raise RulesError(key, line, expected)
    return Opening(fen, tuple(moves), parsed.number, parsed.name)


def ballot_of(rules: Rules, number: int) -> int | None:
    """Return the index, from 0, of the opening with this number in a rule set's list, or None."""
    return _indices(rules.openings).get(number)


@functools.lru_cache(maxsize=64)
def _indices(openings: tuple[str, ...]) -> dict[int, int]:
    return {opening_entry.number: index for index, opening_entry in enumerate(numbered(openings))}


@functools.lru_cache(maxsize=64)
def check_openings(rules: Rules, most: int | None = None) -> None:
    """Validate the openings of a rule set, or about `most` of them, spread over the list.

    Loading rules does not validate openings, because it takes long for long lists. Call this for
    rules from untrusted sources.

    Raises RulesError for the first invalid opening, as `opening` does.
    """
    count = len(rules.openings)
    for ballot in range(0, count, max(1, count // most) if most else 1):
        opening(rules, ballot)


def _without_spaces(tag: re.Match[str]) -> str:
    return "".join(tag[1].split())


def _split_position(rules: Rules, words: list[str]) -> tuple[str | None, list[str]]:
    """Return the position in the first words, if any, and the remaining words."""
    if _FEN.match(words[0]):
        return words[0], words[1:]
    board = Board(rules)
    removed = list(takewhile(_REMOVED.fullmatch, words))
    for word in removed:
        board = board.remove(int(word[1:-1]))
    return (board.fen if removed else None), words[len(removed) :]
