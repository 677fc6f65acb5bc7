"""By what rules, and from what position, the moves of a game are read."""

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
    from damka.pdn.encoding import Letters
    from damka.rules import Rules, Side

__all__ = ["Moves", "Setting", "boards", "repaired", "setting", "starts"]

_LETTERS: Final = re.compile(r"[a-l][0-9]|[WBK,] *[A-J][0-9]")
_ROWS: Final = 16


class Setting:
    """Rules as the kernel reads a movetext by them: a board at the start, and its labels."""

    __slots__ = ("board", "names", "offences", "rules")

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.board = Board(rules)
        self.names = _table(rules)
        self.offences = rules.obligation == "huff"

    def setup(self, text: bytes) -> tuple[str, Side] | None:
        """Return the pieces and the side to move of a FEN in a movetext, or None."""
        return self._first(text, turned=True)

    def setup_unturned(self, text: bytes) -> tuple[str, Side] | None:
        """Return the same, with numbers counted as `starts` has them without `turned`."""
        return self._first(text, turned=False)

    def _first(self, text: bytes, *, turned: bool) -> tuple[str, Side] | None:
        try:
            found = starts(self.rules, text.decode("utf-8", "replace"), turned=turned)
        except FenError:
            return None
        return found[0] if found else None


@dataclass(slots=True)
class Moves:
    """The movetext of a game, until its tree is made."""

    text: bytes | None
    result: str
    count: int
    start: Board | None
    """The board that it begins with, None for the rules' own."""
    letters: Letters
    tolerant: bool = False
    """Whether lines end where something is wrong."""
    inferred: bool = False
    """Whether no tag tells the rules."""
    begin: int = 0
    """Where the movetext begins in `text`: the byte before tells whether that is a new line."""

    def events(self, setting: Setting) -> list[PdnEvent]:
        """Return what stands in the text, in order."""
        text = self.text or b""
        board = self.start or setting.board
        played = _core.pdn_play(
            board,
            text,
            self.begin,
            len(text),
            setting.names,
            self.result.encode(),
            setting.setup_unturned if self.inferred else setting.setup,
            setting.offences,
            self.tolerant,
            True,
        )
        return played[-1] or []


@functools.lru_cache(maxsize=64)
def _setting(rules: Rules, notation: str) -> Setting:
    # The notation is part of the key because it does not count where rules are compared.
    return Setting(rules)


def setting(rules: Rules) -> Setting:
    """Return the setting of some rules; it is made once."""
    found = _setting(rules, rules.notation)
    if found.rules is rules or found.rules.to_dict() == rules.to_dict():
        return found
    # Rules that play alike are equal, whatever their titles and colours.
    return Setting(rules)


def starts(
    rules: Rules, fen: str, *, turned: bool = True, repair: bool = False
) -> list[tuple[str, Side]]:
    """Return the positions that a FEN may mean, each as its pieces, with the streaks of kings, and
    the side to move.

    There are several where squares have numbers in games that are written with letters: some
    programs count from White's top left, others (only with `turned`) from the corner of a1; and
    where the side to move is not told. With `repair` a man on its crowning row is read as a king.
    Raises FenError if it means none.
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
                told = fens.read(reading, text, labels=True, repair=repair)
            except FenError as problem:
                error = error or problem
                continue
            position = with_streaks(told.pieces, told.streaks), told.turn
            if position not in found:
                found.append(position)
    if error is not None and not found:
        raise error
    return found


def _table(rules: Rules) -> bytes:
    """The squares that names mean: 256 for numbers, then 16 for each letter from a."""
    on = labels(rules)
    numbers = bytes(on.square(str(number)) or 0 for number in range(256))
    letters = (
        _letter(rules, chr(ord("a") + file - 1), row) for file in range(16) for row in range(_ROWS)
    )
    return numbers + bytes(letters)


def _letter(rules: Rules, file: str, row: int) -> int:
    if not "a" <= file <= "l":
        return 0
    return labels(rules).square(f"{file}{row}") or squares.read(rules, f"{file}{row}") or 0


def boards(setting: Setting, fen: str, *, turned: bool = True) -> list[Board]:
    """Return boards of the positions that a FEN may mean; raises FenError if it means none."""
    found = starts(setting.rules, fen, turned=turned)
    return [setting.board.with_pieces(pieces, turn) for pieces, turn in found]


def repaired(
    setting: Setting, fen: str, *, turned: bool = True
) -> tuple[list[Board], FenError | None]:
    """Return boards of the positions that a FEN may mean, and what is wrong with it.

    There is none where it cannot be read at all, not even with kings for men on their crowning row.
    """
    try:
        return boards(setting, fen, turned=turned), None
    except FenError as error:
        try:
            found = starts(setting.rules, fen, turned=turned, repair=True)
        except FenError:
            return [], error
        return [setting.board.with_pieces(pieces, turn) for pieces, turn in found], error
