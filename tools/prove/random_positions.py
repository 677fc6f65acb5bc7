"""Random rule sets and positions with interesting captures.

Uniformly random positions mostly have no capture, or one of one man. Most positions here have the
enemy on every other row, so that captures are long, branch and return; or men before the last row;
or a king among enemies.

A `Chooser` makes the random choices: `random.Random` for many positions, Hypothesis for positions
that shrink.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any, Final, Protocol, TypeVar

from damka import reference
from damka.rulebook.summary import usual
from damka.rules import PARAMETERS, Parameter, Rules, Side, load, names
from damka.rules.check import precedence_fits
from damka.rules.conditions import ALWAYS, holds
from damka.rules.parameters import BOARDS

__all__ = ["Chooser", "RandomChooser", "ending", "position", "rule_set"]

T = TypeVar("T")

SIDES: Final[tuple[Side, Side]] = ("W", "B")
KEYS: Final = PARAMETERS["precedence"].values
PRECEDENCES: Final = [order for n in range(len(KEYS) + 1) for order in permutations(KEYS, n)]
MOST: Final = 3
"""The largest number that is drawn for a parameter that is one."""


class Chooser(Protocol):
    """Makes the random choices."""

    def choice(self, among: Sequence[T]) -> T:
        """Return one of some things."""

    def sample(self, among: Sequence[int], least: int, most: int) -> list[int]:
        """Return from `least` to `most` different numbers, or all if there are fewer."""

    def below(self, limit: int) -> int:
        """Return a number from 0 up to, not including, the limit."""


class RandomChooser:
    """Random choices from a seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def choice(self, among: Sequence[T]) -> T:
        """Return one of some things."""
        return self._random.choice(among)

    def sample(self, among: Sequence[int], least: int, most: int) -> list[int]:
        """Return from `least` to `most` different numbers, or all if there are fewer."""
        count = self._random.randint(least, min(most, len(among)))
        return self._random.sample(among, count)

    def below(self, limit: int) -> int:
        """Return a number from 0 up to, not including, the limit."""
        return self._random.randrange(limit)


def rule_set(chooser: Chooser) -> Rules:
    """Draw any combination of the parameters that decide which moves are legal."""
    squares, width, height = chooser.choice(BOARDS)
    most = (height - 1) // 2
    rows, behind = chooser.choice(
        [(rows, behind) for rows in range(1, most + 1) for behind in range(most - rows + 1)]
    )
    drawn: dict[str, Any] = {
        "squares": squares,
        "width": width,
        "height": height,
        "rows": rows,
        "rows_behind": behind,
    }
    for key, parameter in PARAMETERS.items():
        if parameter.kernel and key not in drawn and parameter.kind != "order":
            drawn[key] = chooser.choice(_likely(parameter, drawn))
    drawn["precedence"] = chooser.choice(
        [order for order in PRECEDENCES if precedence_fits(order, drawn["capture_lines"])]
    )
    return load("dama64").replace(name="drawn", **drawn)


def _likely(parameter: Parameter, drawn: Mapping[str, Any]) -> list[Any]:
    """Return the values to draw from; what most rule sets have comes oftener than the others."""
    if parameter.bounds:
        least, most = parameter.bounds
        values = [*range(least, min(most, MOST) + 1)]
    else:
        # What the kernel cannot tell apart is drawn once.
        apart = {_in_kernel(parameter, value): value for value in reversed(parameter.values)}
        values = [
            value
            for value in reversed(apart.values())
            if holds(parameter.fits.get(value, ALWAYS), drawn.__getitem__)
        ]
    common = _usual()[parameter.key]
    return [*values, *[common] * len(values)] if common in values else values


def _in_kernel(parameter: Parameter, value: Any) -> tuple[int, ...]:
    return tuple(
        int(value) if field.numbers is None else field.numbers[value] for field in parameter.kernel
    )


@functools.cache
def _usual() -> Mapping[str, Any]:
    return usual([load(name) for name in names()])


def position(rules: Rules, chooser: Chooser) -> reference.Position:
    """Draw a position that a game could have, of one of several kinds, either side to move."""
    kinds: tuple[Callable[[Rules, Side, Chooser], reference.Position], ...]
    kinds = (_scattered, _stones, _stones, _hunted, _hunted, _arriving, _crowded)
    drawn = chooser.choice(kinds)(rules, chooser.choice(SIDES), chooser)
    if rules.objective == "breakthrough" and chooser.below(6):
        # With a king the game is over.
        kings = [s for s, piece in enumerate(drawn.pieces, start=1) if piece.isupper()]
        return drawn.with_changes({s: _no_king(rules, drawn, s) for s in kings})
    return drawn


def ending(rules: Rules, chooser: Chooser) -> reference.Position:
    """Draw a man and one or two kings of each side, with room to move."""
    rows = {s: rules.cell(s)[0] for s in range(1, rules.square_count + 1)}
    men = chooser.sample([s for s, row in rows.items() if row not in (0, rules.height - 1)], 2, 2)
    kings = chooser.sample([s for s in rows if s not in men], 2, 4)
    pieces = dict(zip(men, "wb", strict=True)) | dict(zip(kings, "WBWB", strict=False))
    return reference.place(rules, chooser.choice(SIDES), pieces)


def _no_king(rules: Rules, drawn: reference.Position, square: int) -> str:
    side: Side = "W" if drawn.at(square) == "W" else "B"
    return "." if rules.cell(square)[0] == rules.crowning_row(side) else side.lower()


def _scattered(rules: Rules, turn: Side, chooser: Chooser) -> reference.Position:
    """A few pieces anywhere: open lines for kings."""
    everywhere = range(1, rules.square_count + 1)
    mine = chooser.sample(everywhere, 1, 4)
    theirs = chooser.sample([s for s in everywhere if s not in mine], 1, 8)
    return _stand(rules, turn, mine, theirs, chooser)


def _crowded(rules: Rules, turn: Side, chooser: Chooser) -> reference.Position:
    """Many pieces of both sides, as in the middle of a game."""
    # In eight directions kings have more ways to capture than the specification can walk soon.
    most = rules.square_count * 3 // 4 if rules.capture_lines == "diagonal" else 16
    both = chooser.sample(range(1, rules.square_count + 1), 8, most)
    return _stand(rules, turn, both[::2], both[1::2], chooser)


def _stones(rules: Rules, turn: Side, chooser: Chooser) -> reference.Position:
    """The enemy on every other row and inside the edges, a few own pieces between them."""
    cells = {s: rules.cell(s) for s in range(1, rules.square_count + 1)}
    parity = chooser.below(2)
    if rules.squares == "dark":
        steps = {s: row % 2 for s, (row, _) in cells.items()}
    else:
        # From every other square of every other row, a row or a column leads over these.
        steps = {s: (row % 2 + column % 2) % 2 for s, (row, column) in cells.items()}
    theirs = chooser.sample([s for s in _inside(rules) if steps[s] == parity], 2, rules.width)
    mine = chooser.sample([s for s in cells if steps[s] != parity], 1, 3)
    free = [s for s in cells if s not in mine and s not in theirs]
    return _stand(rules, turn, mine, theirs + chooser.sample(free, 0, 2), chooser)


def _hunted(rules: Rules, turn: Side, chooser: Chooser) -> reference.Position:
    """A lonely king among enemies who can all be taken."""
    theirs = chooser.sample(_inside(rules), 2, rules.width)
    king = chooser.choice([s for s in range(1, rules.square_count + 1) if s not in theirs])
    return _stand(rules, turn, [], theirs, chooser).with_changes({king: turn})


def _arriving(rules: Rules, turn: Side, chooser: Chooser) -> reference.Position:
    """Men two rows before the one where they are crowned, and enemies before and behind that."""
    away: dict[int, list[int]] = {}
    for square in range(1, rules.square_count + 1):
        distance = abs(rules.cell(square)[0] - rules.crowning_row(turn))
        away.setdefault(distance, []).append(square)
    men = chooser.sample(away[2], 1, 3)
    theirs = chooser.sample(away[1], 1, 4) + chooser.sample(away[3] + away[5], 0, 3)
    stand = _stand(rules, turn, [], theirs, chooser)
    return stand.with_changes(dict.fromkeys(men, turn.lower()))


def _inside(rules: Rules) -> list[int]:
    """The squares on which a piece can be taken: no corners, and on diagonals no edges."""
    last_row, last_column = rules.height - 1, rules.width - 1
    edges = dict.fromkeys(range(1, rules.square_count + 1), 0)
    for square in edges:
        row, column = rules.cell(square)
        edges[square] = (row in (0, last_row)) + (column in (0, last_column))
    allowed = 0 if rules.capture_lines == "diagonal" else 1
    return [square for square, count in edges.items() if count <= allowed]


def _stand(
    rules: Rules, turn: Side, mine: list[int], theirs: list[int], chooser: Chooser
) -> reference.Position:
    """Men and kings on these squares, a man on its last row being a king."""
    pieces = {}
    for side, squares in ((turn, mine), (reference.OTHER[turn], theirs)):
        # One number for all ranks: a bit for each piece, which shrinks to men.
        ranks = chooser.below(2 ** len(squares))
        for index, square in enumerate(squares):
            is_king = ranks >> index & 1 or rules.cell(square)[0] == rules.crowning_row(side)
            pieces[square] = side if is_king else side.lower()
    return reference.place(rules, turn, pieces)
