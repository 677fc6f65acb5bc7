"""Rules and start position for parsing the moves of a game."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from damka import _core
from damka.board import Board, with_streaks
from damka.errors import FenError
from damka.notation import fen as fens
from damka.notation import labels, squares

if TYPE_CHECKING:
    from damka._core import PdnEvent
    from damka.pdn.encoding import TextDecoder
    from damka.rules import Rules, Side

__all__ = ["Moves", "Setting", "boards", "repaired", "setting", "starts"]

_LETTERS: Final = re.compile(r"[a-l][0-9]|[WBK,] *[A-J][0-9]")
_ROWS: Final = 16


class Setting:
    """Rules in the kernel's form for parsing a movetext: a start board, and its labels."""

    __slots__ = ("board", "names", "offences", "rules")

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = Board(rules)
        self.names = _table(rules)
        self.offences = rules.obligation == "huff"

    def setup(self, text: bytes) -> tuple[str, Side] | None:
        """Parse the pieces and the side to move of a FEN in a movetext, or return None."""
        return self._first(text, turned=True)

    def setup_top_left(self, text: bytes) -> tuple[str, Side] | None:
        """Like `setup`, but always count numbers from White's top left (see `starts`)."""
        return self._first(text, turned=False)

    def _first(self, text: bytes, *, turned: bool) -> tuple[str, Side] | None:
        try:
            found = starts(self.rules, text.decode("utf-8", "replace"), turned=turned)
        except FenError:
            return None
        return found[0] if found else None


@dataclass(slots=True)
class Moves:
    """The movetext of a game, until its tree is built."""

    text: bytes | None
    result: str
    count: int
    start: Board | None
    """The start board, None for the rules' own."""
    letters: TextDecoder
    tolerant: bool = False
    """Whether lines end at an error."""
    inferred: bool = False
    """Whether no tag determines the rules."""
    begin: int = 0
    """Offset of the movetext in `text`: the byte before it may be a line break."""

    def events(self, setting: Setting) -> list[PdnEvent]:
        """Return the events of the text, in order."""
        text = self.text or b""
        board = self.start or setting.board
        played = _core.pdn_play(
            board,
            text,
            self.begin,
            len(text),
            setting.names,
            self.result.encode(),
            setting.setup_top_left if self.inferred else setting.setup,
            setting.offences,
            self.tolerant,
            True,
        )
        return played[-1] or []


@functools.lru_cache(maxsize=64)
def _setting(rules: Rules, notation: str) -> Setting:
    # The notation is part of the key because equality of rules ignores it.
    return Setting(rules)


def setting(rules: Rules) -> Setting:
    """Return the cached setting of some rules."""
    found = _setting(rules, rules.notation)
    if found.rules is rules or found.rules.to_dict() == rules.to_dict():
        return found
    # Equal rules may differ in titles and colours.
    return Setting(rules)


def starts(
    rules: Rules, fen: str, *, turned: bool = True, repair: bool = False
) -> list[tuple[str, Side]]:
    """Return the possible positions of a FEN: pieces with the streaks of kings, and side to move.

    A FEN is ambiguous if it omits the side to move, or if it has numbers although the rules use
    letters: some programs count from White's top left, others (only with `turned`) from the corner
    of a1. With `repair` a man on its crowning row becomes a king. Raises FenError for an invalid
    FEN.
    """
    readings = [rules]
    if turned and rules.notation[0] == "A" and not _LETTERS.search(fen):
        readings.append(rules.replace(notation=f"N{rules.notation[1]}"))
    texts = [fen]
    if fen.lstrip()[:1] == "?":
        rest = fen.lstrip()[1:]
        texts = [f"{rules.first}{rest}", f"{'W' if rules.first == 'B' else 'B'}{rest}"]
    found: list[tuple[str, Side]] = []
    error: FenError | None = None
    for text in texts:
        for reading in readings:
            try:
                fields_read = fens.read(reading, text, labels=True, repair=repair)
            except FenError as problem:
                error = error or problem
                continue
            position = with_streaks(fields_read.pieces, fields_read.streaks), fields_read.turn
            if position not in found:
                found.append(position)
    if error is not None and not found:
        raise error
    return found


def _table(rules: Rules) -> bytes:
    """Return the squares by label: 256 for numbers, then 16 for each letter from a."""
    names = labels(rules)
    numbers = bytes(names.square(str(number)) or 0 for number in range(256))
    letters = (
        _letter(rules, chr(ord("a") + file - 1), row) for file in range(16) for row in range(_ROWS)
    )
    return numbers + bytes(letters)


def _letter(rules: Rules, file: str, row: int) -> int:
    if not "a" <= file <= "l":
        return 0
    return labels(rules).square(f"{file}{row}") or squares.read(rules, f"{file}{row}") or 0


def boards(setting: Setting, fen: str, *, turned: bool = True) -> list[Board]:
    """Return boards of the possible positions of a FEN; raises FenError."""
    found = starts(setting.rules, fen, turned=turned)
    return [setting.board.with_pieces(pieces, turn) for pieces, turn in found]


def repaired(
    setting: Setting, fen: str, *, turned: bool = True
) -> tuple[list[Board], FenError | None]:
    """Return boards of the possible positions of a FEN, and its error.

    There are no boards if it is unreadable even with kings for men on their crowning row.
    """
    try:
        return boards(setting, fen, turned=turned), None
    except FenError as error:
        try:
            found = starts(setting.rules, fen, turned=turned, repair=True)
        except FenError:
            return [], error
        return [setting.board.with_pieces(pieces, turn) for pieces, turn in found], error
