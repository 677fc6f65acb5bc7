"""By what rules, and from what position, the moves of a game are read."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from damka import _core
from damka.board import Board
from damka.errors import FenError
from damka.notation import fen as fens
from damka.notation import labels, squares

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka._core import PdnEvent
    from damka.pdn.encoding import Letters
    from damka.rules import Rules, Side

__all__ = ["Fault", "Moves", "Setting", "boards", "setting", "starts"]

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
        try:
            found = starts(self.rules, text.decode("utf-8", "replace"))
        except FenError:
            return None
        return found[0] if found else None


class Fault(NamedTuple):
    """What was wrong in a movetext: a code of the kernel's, from where to where, and the board."""

    code: str
    begin: int
    end: int
    board: Board
    moves: int
    """How many were played before."""


@dataclass(slots=True)
class Moves:
    """The movetext of a game, until its tree is made."""

    text: bytes | None
    result: str
    count: int
    start: Board | None
    """The board that it begins with, None for the rules' own."""
    letters: Letters

    def events(self, setting: Setting) -> list[PdnEvent]:
        """Return what stands in the text, in order."""
        text = self.text or b""
        board = self.start or setting.board
        played = _core.pdn_play(
            board,
            text,
            0,
            len(text),
            setting.names,
            self.result.encode(),
            setting.setup,
            setting.offences,
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


def starts(rules: Rules, fen: str) -> list[tuple[str, Side]]:
    """Return the positions that a FEN may mean, each as its pieces and the side to move.

    There are several where squares have numbers in games that are written with letters: some
    programs count from White's top left, others from the corner of a1; and where the side to move
    is not told. Raises FenError if it means none.
    """
    readings = [rules]
    if rules.notation[0] == "A" and not _LETTERS.search(fen):
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
                position = fens.parse(reading, text, labels=True)
            except FenError as problem:
                error = error or problem
                continue
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


def boards(setting: Setting, fen: str) -> Iterable[Board]:
    """Return boards of the positions that a FEN may mean; raises FenError if it means none."""
    return [setting.board.with_pieces(pieces, turn) for pieces, turn in starts(setting.rules, fen)]
