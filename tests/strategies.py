"""Hypothesis strategies: random rule sets, and positions with interesting captures.

Uniformly random positions mostly have no capture, or a capture of a single man. Most positions
here have the enemy on every other row, so that captures are long, branch and return; or men near
the last row; or a king among enemies.
"""

from __future__ import annotations

import functools
from itertools import islice, permutations
from typing import TYPE_CHECKING, Any, Final

from hypothesis import assume, settings
from hypothesis import strategies as st

from damka import reference
from damka.rulebook.summary import usual
from damka.rules import PARAMETERS, Force, MaterialDraw, Parameter, Rules, Side, load, names
from damka.rules.check import precedence_fits
from damka.rules.conditions import ALWAYS, holds
from damka.rules.parameters import BOARDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "endings",
    "examples",
    "positions",
    "rule_sets",
    "rule_sets_with_draws",
    "situations",
]

MAX_ROUTES: Final = 500
"""Positions with more captures are not drawn: the reference rules follow each one, in Python."""

MAX_DRAWN: Final = 3
"""The largest value drawn for a numeric parameter."""

SIDES: Final[tuple[Side, Side]] = ("W", "B")
KEYS: Final = PARAMETERS["precedence"].values
PRECEDENCES: Final = [order for n in range(len(KEYS) + 1) for order in permutations(KEYS, n)]


def examples(count: int) -> settings:
    """Return settings for `count` examples; the profile `prove` multiplies them."""
    return settings(max_examples=count * settings().max_examples // 100)


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Any combination of the parameters that decide which moves are legal."""
    squares, width, height = draw(st.sampled_from(BOARDS))
    most = (height - 1) // 2
    rows, behind = draw(
        st.sampled_from([(rows, n) for rows in range(1, most + 1) for n in range(most - rows + 1)])
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
            drawn[key] = draw(st.sampled_from(_values(parameter, drawn)))
    fitting = [order for order in PRECEDENCES if precedence_fits(order, drawn["capture_lines"])]
    return load("dama64").replace(name="drawn", precedence=draw(st.sampled_from(fitting)), **drawn)


@st.composite
def rule_sets_with_draws(draw: st.DrawFn) -> Rules:
    """Any such combination, with an objective, an obligation and early draws."""
    return draw(rule_sets()).replace(
        obligation=draw(st.sampled_from(("huff", "huff", "huff", "forced", "free"))),
        objective=draw(st.sampled_from(("normal", "normal", "normal", "losing", "breakthrough"))),
        repetition=draw(st.sampled_from((0, 2, 3))),
        repetition_of=draw(st.sampled_from(("position", "pieces"))),
        same_move=draw(st.sampled_from((0, 2, 3))),
        same_move_in=draw(st.sampled_from(("position", "game"))),
        no_progress_moves=draw(st.sampled_from((0, 2, 5))),
        move_limit=draw(st.sampled_from((0, 0, 3, 7))),
        moves_by=draw(st.sampled_from(("each", "both"))),
        material_draws=draw(st.one_of(st.just([]), st.lists(_material_draws(), max_size=3))),
    )


@st.composite
def positions(draw: st.DrawFn, rules: Rules) -> reference.Position:
    """A plausible game position of one of several kinds, with either side to move."""
    kinds = (_scattered, _stones, _stones, _hunted, _hunted, _arriving, _crowded)
    position = draw(st.sampled_from(kinds))(draw, rules, draw(st.sampled_from(SIDES)))
    if rules.objective == "breakthrough" and _below(draw, 6):
        # With a king the game is over.
        kings = [s for s, piece in enumerate(position.pieces, start=1) if piece.isupper()]
        position = position.with_changes({s: _demoted(rules, position, s) for s in kings})
    routes = reference._complete_captures(rules, position)
    assume(next(islice(routes, MAX_ROUTES, None), None) is None)
    return position


@st.composite
def endings(draw: st.DrawFn, rules: Rules) -> reference.Position:
    """A man and one or two kings of each side, with room to move."""
    rows = {s: rules.cell(s)[0] for s in range(1, rules.square_count + 1)}
    inner = [s for s, row in rows.items() if row not in (0, rules.height - 1)]
    men = _sample(draw, inner, 2, 2)
    kings = _sample(draw, [s for s in rows if s not in men], 2, 4)
    pieces = dict(zip(men, "wb", strict=True)) | dict(zip(kings, "WBWB", strict=False))
    return reference.place(rules, draw(st.sampled_from(SIDES)), pieces)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Rules, reference.Position]:
    """A rule set of any kind and a position of it."""
    rules = draw(rule_sets())
    return rules, draw(positions(rules))


def _values(parameter: Parameter, drawn: Mapping[str, Any]) -> list[Any]:
    """Return the values to draw from; the usual value appears as often as all others together."""
    if parameter.bounds:
        least, most = parameter.bounds
        values = [*range(least, min(most, MAX_DRAWN) + 1)]
    else:
        # The first of the values that are equal in the kernel.
        distinct = {_in_kernel(parameter, value): value for value in reversed(parameter.values)}
        values = [
            value
            for value in reversed(distinct.values())
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


@st.composite
def _material_draws(draw: st.DrawFn) -> MaterialDraw:
    """A material draw whose condition is true in most positions with few pieces."""
    ranges = st.sampled_from(((0, 72), (0, 72), (0, 2), (1, 9), (2, 6), (1, 1)))
    return MaterialDraw(
        moves=draw(st.integers(0, 4)),
        strong=Force(men=draw(ranges), kings=draw(ranges)),
        weak=Force(kings=draw(ranges), pieces=draw(ranges)),
        pieces=draw(st.sampled_from(((0, 72), (0, 8), (3, 20)))),
        main_road=draw(st.sampled_from((False, False, True))),
        strong_main_road=draw(st.sampled_from((False, False, True))),
        unchanged=draw(st.booleans()),
    )


def _sample(draw: st.DrawFn, among: Sequence[int], least: int, most: int) -> list[int]:
    return draw(st.lists(st.sampled_from(among), unique=True, min_size=least, max_size=most))


def _below(draw: st.DrawFn, limit: int) -> int:
    return draw(st.integers(0, limit - 1))


def _demoted(rules: Rules, position: reference.Position, square: int) -> str:
    side: Side = "W" if position.at(square) == "W" else "B"
    return "." if rules.cell(square)[0] == rules.crowning_row(side) else side.lower()


def _scattered(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """A few pieces anywhere: open lines for kings."""
    everywhere = range(1, rules.square_count + 1)
    mine = _sample(draw, everywhere, 1, 4)
    theirs = _sample(draw, [s for s in everywhere if s not in mine], 1, 8)
    return _place(draw, rules, turn, mine, theirs)


def _crowded(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """Many pieces of both sides, as in the middlegame."""
    # In eight directions kings have too many captures for the slow reference rules.
    most = rules.square_count * 3 // 4 if rules.capture_lines == "diagonal" else 16
    both = _sample(draw, range(1, rules.square_count + 1), 8, most)
    return _place(draw, rules, turn, both[::2], both[1::2])


def _stones(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """Enemy pieces on every other row, off the edges, with a few pieces of `turn` between them."""
    cells = {s: rules.cell(s) for s in range(1, rules.square_count + 1)}
    parity = _below(draw, 2)
    if rules.squares == "dark":
        steps = {s: row % 2 for s, (row, _) in cells.items()}
    else:
        # Moves along rows and columns from the side's squares pass over these squares.
        steps = {s: (row % 2 + column % 2) % 2 for s, (row, column) in cells.items()}
    theirs = _sample(draw, [s for s in _inside(rules) if steps[s] == parity], 2, rules.width)
    mine = _sample(draw, [s for s in cells if steps[s] != parity], 1, 3)
    free = [s for s in cells if s not in mine and s not in theirs]
    return _place(draw, rules, turn, mine, theirs + _sample(draw, free, 0, 2))


def _hunted(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """A lone king among enemies that can all be captured."""
    theirs = _sample(draw, _inside(rules), 2, rules.width)
    free = [s for s in range(1, rules.square_count + 1) if s not in theirs]
    king = draw(st.sampled_from(free))
    return _place(draw, rules, turn, [], theirs).with_changes({king: turn})


def _arriving(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """Men two rows from the crowning row, and enemies in front of and behind them."""
    by_distance: dict[int, list[int]] = {}
    for square in range(1, rules.square_count + 1):
        distance = abs(rules.cell(square)[0] - rules.crowning_row(turn))
        by_distance.setdefault(distance, []).append(square)
    men = _sample(draw, by_distance[2], 1, 3)
    theirs = _sample(draw, by_distance[1], 1, 4) + _sample(
        draw, by_distance[3] + by_distance[5], 0, 3
    )
    placed = _place(draw, rules, turn, [], theirs)
    return placed.with_changes(dict.fromkeys(men, turn.lower()))


def _inside(rules: Rules) -> list[int]:
    """Return the squares on which a piece can be captured: no corners, on diagonals no edges."""
    last_row, last_column = rules.height - 1, rules.width - 1
    edges = dict.fromkeys(range(1, rules.square_count + 1), 0)
    for square in edges:
        row, column = rules.cell(square)
        edges[square] = (row in (0, last_row)) + (column in (0, last_column))
    allowed = 0 if rules.capture_lines == "diagonal" else 1
    return [square for square, count in edges.items() if count <= allowed]


def _place(
    draw: st.DrawFn, rules: Rules, turn: Side, mine: list[int], theirs: list[int]
) -> reference.Position:
    """Place men and kings on these squares; a man on its last row becomes a king."""
    pieces = {}
    for side, squares in ((turn, mine), (reference.OTHER[turn], theirs)):
        # One number for all ranks: a bit for each piece, which shrinks to men.
        ranks = _below(draw, 2 ** len(squares))
        for index, square in enumerate(squares):
            is_king = ranks >> index & 1 or rules.cell(square)[0] == rules.crowning_row(side)
            pieces[square] = side if is_king else side.lower()
    return reference.place(rules, turn, pieces)
