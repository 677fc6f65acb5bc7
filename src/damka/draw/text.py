"""Positions as text, for terminals.

Each playing square has its label and its piece: a man is a disc, a king two discs, an empty square
a small dot. Under rules that print letters and digits, these are around the board instead. Every
kind of mark has its own sign before the number, so nothing depends on colour. Colours are optional;
with them White's discs are filled too.

>>> import damka
>>> from damka.draw import Marks
>>> from damka.draw.text import board
>>> rules = damka.rules.load("dama64").replace(name="tiny", rows=1)
>>> print(board(rules, "b" * 4 + "." * 24 + "wWw.", Marks(must=[30], targets=[26])))
┌────────────────────────────────────────┐
│       1●        2●        3●        4● │
│  5·        6·        7·        8·      │
│       9·       10·       11·       12· │
│ 13·       14·       15·       16·      │
│      17·       18·       19·       20· │
│ 21·       22·       23·       24·      │
│      25·      +26·       27·       28· │
│ 29○      !30○○      31○       32·      │
└────────────────────────────────────────┘
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, overload

from damka.draw.colours import contrast, legible, mix, palette
from damka.draw.marks import Marks
from damka.draw.pieces import HasBoard, Position, position_of
from damka.notation import labels
from damka.notation.squares import coordinates

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["board"]


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True, slots=True)
class _Signs:
    """The symbols; pieces take two columns."""

    pieces: Mapping[str, str]
    top: str
    bottom: str
    side: str
    line: str


_UNICODE: Final = _Signs(
    MappingProxyType({".": "·", "w": "○", "W": "○○", "b": "●", "B": "●●"}), "┌┐", "└┘", "│", "─"
)
_ASCII: Final = _Signs(
    MappingProxyType({".": ".", "w": "w", "W": "W", "b": "b", "B": "B"}), "++", "++", "|", "-"
)

_NO_MARKS: Final = Marks()
_CELL: Final = 5
_TARGET: Final = "+"
_MUST: Final = "!"
_HUFFABLE: Final = "?"
_LAST: Final = ">"
_MIN_CONTRAST: Final = 3.0
_SHADE: Final = 0.4
_RESET: Final = "\x1b[0m"


@overload
def board(
    position: Position | HasBoard,
    /,
    *,
    marks: Marks = ...,
    flip: bool = False,
    numbers: bool = True,
    colour: bool = False,
    plain: bool = False,
    theme: Mapping[str, Any] | None = None,
) -> str: ...
@overload
def board(
    position: Position | HasBoard,
    marks: Marks,
    /,
    *,
    flip: bool = False,
    numbers: bool = True,
    colour: bool = False,
    plain: bool = False,
    theme: Mapping[str, Any] | None = None,
) -> str: ...
@overload
def board(
    rules: Rules,
    pieces: str,
    marks: Marks = ...,
    *,
    flip: bool = False,
    numbers: bool = True,
    colour: bool = False,
    plain: bool = False,
    theme: Mapping[str, Any] | None = None,
) -> str: ...
def board(
    rules: Rules | Position | HasBoard,
    pieces: str | Marks | None = None,
    marks: Marks | None = None,
    *,
    flip: bool = False,
    numbers: bool = True,
    colour: bool = False,
    plain: bool = False,
    theme: Mapping[str, Any] | None = None,
) -> str:
    """Return a position as lines of text, without a final line break.

    Position and marks are passed as to `damka.draw.svg.board`: `board(board, marks)`, or
    `board(rules, pieces, marks)`. The sign before a number is "+" for a target, "!" for a piece
    that must capture, "?" for one that may be huffed and ">" for a square of the last move. If
    several apply, the first of these is shown; other marks are not. `colour` uses the rule set's
    colours (24-bit ANSI sequences). `plain` restricts the output to ASCII: "w" and "b" are men,
    "W" and "B" kings.

    Raises ValueError for the wrong number of pieces, an invalid piece or an invalid theme, and
    TypeError for anything but a position.
    """
    if isinstance(pieces, Marks):  # a board has no pieces argument
        marks, pieces = pieces, None
    rules, pieces = position_of(rules, pieces)
    marks = marks or _NO_MARKS
    signs = _ASCII if plain else _UNICODE
    mark_on: dict[int, str] = {}
    for sign, squares in (
        (_LAST, marks.last),
        (_HUFFABLE, marks.huffable),
        (_MUST, marks.must),
        (_TARGET, marks.targets),
    ):
        mark_on |= dict.fromkeys(squares, sign)
    cells = _ColourCells(rules, theme) if colour else _PlainCells()

    names = labels(rules)
    framed = numbers and names.algebraic

    def cell(square: int | None) -> str:
        if square is None:
            return cells.empty()
        piece = pieces[square - 1]
        number = f"{names.name(square):>2}" if numbers and not framed else "  "
        return cells.square(square, piece, mark_on.get(square, " "), number, signs.pieces[piece])

    rows = ["".join(map(cell, row)) for row in _rows(rules, flip=flip)]
    if not colour:
        line = signs.line * _CELL * rules.width
        inner = (f"{signs.side}{row}{signs.side}" for row in rows)
        rows = [line.join(signs.top), *inner, line.join(signs.bottom)]
    if framed:
        rows = _add_coordinates(rules, rows, flip=flip, inset=0 if colour else 1)
    return "\n".join(rows)


def _add_coordinates(rules: Rules, rows: list[str], *, flip: bool, inset: int) -> list[str]:
    """Add digits before the lines and letters below them; `inset` is the frame width."""
    files, ranks = coordinates(rules, flip=flip)
    around = [""] * inset
    letters = "".join(f"{file:^{_CELL}}" for file in files)
    return [
        *(f"{digit:>2} {row}" for digit, row in zip((*around, *ranks, *around), rows, strict=True)),
        " " * (3 + inset) + letters.rstrip(),
    ]


def _rows(rules: Rules, *, flip: bool) -> Iterator[list[int | None]]:
    """Return the squares row by row in display order; None for non-playing squares."""
    rows, columns = range(rules.height), range(rules.width)
    for row in reversed(rows) if flip else rows:
        yield [rules.square_at(row, c) for c in (reversed(columns) if flip else columns)]


class _PlainCells:
    """Cells without colours."""

    def empty(self) -> str:
        return " " * _CELL

    def square(self, _square: int, _piece: str, mark: str, number: str, sign: str) -> str:
        return f"{mark}{number}{sign:<2}"


class _ColourCells:
    """Cells in the rule set's colours."""

    def __init__(self, rules: Rules, theme: Mapping[str, Any] | None) -> None:
        ink = palette(rules, theme)
        self._rules = rules
        self._rest = _back(ink.rest)
        # If all squares are playing squares, every other one is darker, since there are no lines.
        second = mix(ink.ground, ink.line, _SHADE) if rules.squares == "all" else ink.ground
        self._ground = [_back(ink.ground), _back(second)]
        self._last = _back(ink.last)
        self._number = {False: _fore(ink.number), True: _fore(ink.number_last)}
        self._mark = _fore(ink.mark)
        self._must = _fore(ink.must)
        white, black = (legible(disc.face, ink.ground) for disc in (ink.white, ink.black))
        self._piece = {"w": _fore(white), "b": _fore(black), ".": _fore(ink.number)}
        # Filled discs are easier to see, but then only their lightness distinguishes the sides.
        self._full = contrast(white, black) >= _MIN_CONTRAST

    def empty(self) -> str:
        return f"{self._rest}{' ' * _CELL}{_RESET}"

    def square(self, square: int, piece: str, mark: str, number: str, sign: str) -> str:
        last = mark == _LAST
        ground = self._ground[sum(self._rules.cell(square)) % 2]
        mark_colour = self._must if mark in (_MUST, _HUFFABLE) else self._mark
        if self._full:
            sign = sign.replace(_UNICODE.pieces["w"], _UNICODE.pieces["b"])
        return "".join(
            (
                self._last if last else ground,
                f"{mark_colour}{mark}{self._number[last]}{number}",
                f"{self._piece[piece.lower()]}{sign:<2}{_RESET}",
            )
        )


def _fore(colour: str) -> str:
    return f"\x1b[38;2;{_rgb(colour)}m"


def _back(colour: str) -> str:
    return f"\x1b[48;2;{_rgb(colour)}m"


def _rgb(colour: str) -> str:
    return ";".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
