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

__all__ = ["Moves", "Setting", "boards", "parse_positions", "repaired_boards", "setting"]

_LETTERS: Final = re.compile(r"[a-l][0-9]|[WBK,] *[A-J][0-9]")
_ROWS: Final = 16


class Setting:
    """Rules, start board and square labels for the kernel's movetext parser."""

    __slots__ = ("board", "names", "offences", "rules")

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = Board(rules)
        self.names = _square_table(rules)
        self.offences = rules.obligation == "huff"

    def setup(self, text: bytes) -> tuple[str, Side] | None:
        """Parse a FEN in a movetext; return the pieces and the side to move, or None."""
        return self._first(text, a1_corner=True)

    def setup_top_left(self, text: bytes) -> tuple[str, Side] | None:
        """Do the same as `setup`, but always count numbers from White's top left."""
        return self._first(text, a1_corner=False)

    def _first(self, text: bytes, *, a1_corner: bool) -> tuple[str, Side] | None:
        try:
            positions = parse_positions(
                self.rules, text.decode("utf-8", "replace"), a1_corner=a1_corner
            )
        except FenError:
            return None
        return positions[0] if positions else None


@dataclass(slots=True)
class Moves:
    """The movetext of a game, from which its tree is built on first use."""

    text: bytes | None
    result: str
    count: int
    start: Board | None
    """The start board, None for the rules' own."""
    decoder: TextDecoder
    tolerant: bool = False
    """Whether lines of moves end at an error."""
    inferred: bool = False
    """Whether no tag determines the rules."""
    begin: int = 0
    """Offset of the movetext in `text`: the byte before it may be a line break."""

    def events(self, setting: Setting) -> list[PdnEvent]:
        """Return the events of the text, in order."""
        text = self.text or b""
        board = self.start or setting.board
        result = _core.pdn_play(
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
        return result[-1] or []


@functools.lru_cache(maxsize=64)
def _setting(rules: Rules, notation: str) -> Setting:
    # The notation is part of the key because equality of rules ignores it.
    return Setting(rules)


def setting(rules: Rules) -> Setting:
    """Return the cached setting of some rules."""
    cached = _setting(rules, rules.notation)
    if cached.rules is rules or cached.rules.to_dict() == rules.to_dict():
        return cached
    # Equal rules may have different titles and colours.
    return Setting(rules)


def parse_positions(
    rules: Rules, fen: str, *, a1_corner: bool = True, repair: bool = False
) -> list[tuple[str, Side]]:
    """Return the possible positions of a FEN: pieces with the streaks of kings, and side to move.

    A FEN is ambiguous if it omits the side to move, or if it has numbers although the rules use
    letters: most programs count from White's top left, some from the corner of a1, which is only
    considered with `a1_corner`. With `repair` a man on its crowning row becomes a king. Raises
    FenError for an invalid FEN.
    """
    readings = [rules]
    if a1_corner and rules.notation[0] == "A" and not _LETTERS.search(fen):
        readings.append(rules.replace(notation=f"N{rules.notation[1]}"))
    texts = [fen]
    if fen.lstrip()[:1] == "?":
        rest = fen.lstrip()[1:]
        texts = [f"{rules.first}{rest}", f"{'W' if rules.first == 'B' else 'B'}{rest}"]
    positions: list[tuple[str, Side]] = []
    error: FenError | None = None
    for text in texts:
        for reading in readings:
            try:
                fields = fens.read(reading, text, labels=True, repair=repair)
            except FenError as fen_error:
                error = error or fen_error
                continue
            position = with_streaks(fields.pieces, fields.streaks), fields.turn
            if position not in positions:
                positions.append(position)
    if error is not None and not positions:
        raise error
    return positions


def _square_table(rules: Rules) -> bytes:
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


def boards(setting: Setting, fen: str, *, a1_corner: bool = True) -> list[Board]:
    """Return boards of the possible positions of a FEN; raises FenError."""
    positions = parse_positions(setting.rules, fen, a1_corner=a1_corner)
    return [setting.board.with_pieces(pieces, turn) for pieces, turn in positions]


def repaired_boards(
    setting: Setting, fen: str, *, a1_corner: bool = True
) -> tuple[list[Board], FenError | None]:
    """Return boards of the possible positions of a FEN, and its error, if any.

    Men on their crowning row become kings if that repairs the FEN; otherwise there are no boards.
    """
    try:
        return boards(setting, fen, a1_corner=a1_corner), None
    except FenError as error:
        try:
            positions = parse_positions(setting.rules, fen, a1_corner=a1_corner, repair=True)
        except FenError:
            return [], error
        return [setting.board.with_pieces(pieces, turn) for pieces, turn in positions], error
