"""Square labels as a federation prints them, on boards and in game records.

The library numbers squares from White's top left under every rule set. `rules.notation` defines the
labels that players see: numbers, possibly from another corner, or letters and digits. `Labels`
converts squares and move text between the two.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from damka.notation import squares

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from damka.rules import Rules

__all__ = ["Labels", "labels", "lettered", "numbered", "pdn_game_type"]

_CAPTURE = "xX×:хХ"  # noqa: RUF001  the last two are Cyrillic
_TOKEN: Final = re.compile(rf"({squares.SQUARE})|([{_CAPTURE}])")
_MOVE: Final = re.compile(
    rf" *(?:\( *(?:{squares.SQUARE}) *\))? *"
    rf"(?:(?:{squares.SQUARE})(?: *[-–{_CAPTURE}] *(?:{squares.SQUARE}))*)? *"
)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Labels:
    """The square labels of one rule set's board.

    >>> import damka
    >>> from damka.notation import labels
    >>> spanish = damka.rules.load("spanish").replace(notation="N1")
    >>> names = labels(spanish)
    >>> names.name(32), names.square("1"), names.shown("22x13")
    ('1', 32, '11x20')
    """

    names: tuple[str, ...]
    """The labels of squares 1, 2, …"""
    places: Mapping[str, int]
    """The square of each label."""
    algebraic: bool
    """Whether the labels are letters and digits."""
    sign: str
    """The sign between the squares of a capture."""
    rules: Rules

    def name(self, square: int) -> str:
        """Return the label of a square of the board, from 1."""
        return self.names[square - 1]

    def square(self, label: str) -> int | None:
        """Return the square with this label, or None.

        Leading zeros and capital letters are accepted, letters under rules that print numbers, and
        the library's numbers under rules that print letters.
        """
        return self.places.get(label.lstrip("0").lower()) or squares.read(self.rules, label)

    def order(self, square: int) -> int:
        """Return the rank of a square, from 1, in the order of the labels."""
        return _order(self.rules)[square - 1]

    def shown(self, text: str) -> str:
        """Translate a move text from the library's numbers to the federation's notation.

        A huffed square in parentheses before the move is translated too. A text that is not a move
        is returned unchanged.
        """
        if self.sign == "x" and self.names[0] == "1" and self.names[-1] == str(len(self.names)):
            return text  # A fast path for long lists of moves.
        return _translate(text, self._name_of_number, self.sign)

    def read(self, text: str) -> str:
        """Translate a move text from labels to the library's numbers; the inverse of `shown`.

        Unknown labels, and text that is not a move, are unchanged. Under rules that write captures
        with "-", two squares mean the quiet move if there is one; see `damka.notation.text`.
        """
        return _translate(text, self._number, "x")

    def _name_of_number(self, number: str) -> str:
        square = squares.read(self.rules, number)
        return number if square is None else self.name(square)

    def _number(self, label: str) -> str:
        square = self.square(label)
        return label if square is None else str(square)


def labels(rules: Rules) -> Labels:
    """Return the labels of a rule set's squares, cached for each kind of board."""
    return _labels(rules, rules.notation, rules.capture_sign)


def numbered(rules: Rules) -> Rules:
    """Return these rules with the library's numbers as labels.

    >>> import damka
    >>> from damka.notation import labels, numbered
    >>> labels(numbered(damka.rules.load("russian"))).names[:3]
    ('1', '2', '3')
    """
    # The corner is from the first player's view: White's top left is Black's bottom right.
    return rules.replace(notation="N2" if rules.first == "W" else "N1", capture_sign="x")


def lettered(rules: Rules) -> Labels:
    """Return letter labels for a rule set's squares, even if it prints numbers.

    They are the rule set's own if it prints letters. `damka.notation.squares` parses them.

    >>> import damka
    >>> from damka.notation import lettered
    >>> lettered(damka.rules.load("american")).name(29)
    'a1'
    """
    if rules.notation[0] == "A":
        return labels(rules)
    # The corner is from the first player's view: a1 is White's bottom left.
    return labels(rules.replace(notation="A0" if rules.first == "W" else "A3", capture_sign="x"))


def pdn_game_type(rules: Rules) -> str:
    """Return the value of PDN's GameType tag: number, first side, size, notation, inversion.

    The number is 0 for rules without one; the inversion is 1 if the bottom left corner is not a
    playing square.

    >>> import damka
    >>> from damka.notation import pdn_game_type
    >>> pdn_game_type(damka.rules.load("dama64").replace(notation="A0", game_type=25))
    '25,W,8,8,A0,0'
    """
    inverted = rules.squares == "dark" and rules.dark_corner == "right"
    parts = (rules.game_type, rules.first, rules.width, rules.height, rules.notation, int(inverted))
    return ",".join(map(str, parts))


# The notation and sign are part of the key, because equality of rules ignores them.
@functools.lru_cache(maxsize=256)
def _labels(rules: Rules, notation: str, sign: str) -> Labels:
    all_squares = range(1, rules.square_count + 1)
    if notation[0] == "A":
        names = tuple(squares.algebraic(rules, square) for square in all_squares)
    else:
        names = tuple(map(str, _order(rules)))
    places = {name: square for square, name in enumerate(names, start=1)}
    return Labels(names, places, notation[0] == "A", sign, rules)


def _order(rules: Rules) -> tuple[int, ...]:
    return _numbering(rules, rules.notation)


@functools.lru_cache(maxsize=256)
def _numbering(rules: Rules, notation: str) -> tuple[int, ...]:
    """Return the number of each square, counted from the corner of `notation`."""
    all_squares = range(1, rules.square_count + 1)
    corner = squares.corner(rules, int(notation[1]))
    in_order = sorted(
        all_squares, key=lambda square: squares.from_corner(rules, square, corner)[::-1]
    )
    number = {square: n for n, square in enumerate(in_order, start=1)}
    return tuple(number[square] for square in all_squares)


def _translate(text: str, name: Callable[[str], str], sign: str) -> str:
    if not _MOVE.fullmatch(text):
        return text
    return _TOKEN.sub(lambda match: name(match[1]) if match[1] else sign, text)
