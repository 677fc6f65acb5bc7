"""What Hypothesis draws: rule sets of any combination of parameters, and positions worth a look.

Positions drawn at random are mostly dull: nothing can be taken, or one man. Half of those drawn
here put the enemy on every other row, as stepping stones, so that captures are long, branch and
come back to where they were.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from damka import reference
from damka.rules import Force, MaterialDraw, Rules, Side, load
from damka.rules.check import SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["endings", "material_draws", "positions", "rule_sets", "situations"]

KEYS = ("count", "value", "with_king", "kings", "king_early")
PRECEDENCES = [order for n in range(len(KEYS) + 1) for order in permutations(KEYS, n)]
SIDES: tuple[Side, Side] = ("W", "B")
LINES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "dark": (("diagonal",), ("diagonal", "diagonal", "diagonal+orthogonal")),
    "all": (("orthogonal", "diagonal+orthogonal"), ("orthogonal", "diagonal+orthogonal")),
}
"""On which lines pieces may move and capture, by the squares that are played on."""


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Any combination of the parameters that decide which moves are legal."""
    squares = draw(st.sampled_from(("dark", "dark", "dark", "all")))
    width, height = draw(st.sampled_from(SIZES[squares]))
    rows_and_behind = [
        (rows, behind)
        for rows in range(1, (height - 1) // 2 + 1)
        for behind in range((height - 1) // 2 - rows + 1)
    ]
    rows, rows_behind = draw(st.sampled_from(rows_and_behind))
    moving, capturing = LINES[squares]
    capture_lines = draw(st.sampled_from(capturing))
    precedences = [
        order
        for order in PRECEDENCES
        if "king_early" not in order or (capture_lines == "diagonal" and "value" not in order)
    ]
    return load("dama64").replace(
        name="drawn",
        squares=squares,
        width=width,
        height=height,
        rows=rows,
        rows_behind=rows_behind,
        dark_corner=draw(st.sampled_from(("left", "right"))),
        first=draw(st.sampled_from(SIDES)),
        move_lines=draw(st.sampled_from(moving)),
        man_capture=draw(st.sampled_from(("forward", "all"))),
        man_takes_king=draw(st.booleans()),
        king_range=draw(st.sampled_from(("flying", "flying", "short"))),
        king_landing=draw(st.sampled_from(("any", "any", "adjacent", "killer"))),
        capture_lines=capture_lines,
        removal=draw(st.sampled_from(("after", "immediate"))),
        u_turn=draw(st.booleans()),
        promotion=draw(st.sampled_from(("stop", "pass", "go"))),
        king_streak=draw(st.sampled_from((0, 0, 0, 1, 2, 3))),
        precedence=draw(st.sampled_from(precedences)),
        obligation=draw(st.sampled_from(("forced", "forced", "forced", "free"))),
        objective=draw(st.sampled_from((*["normal"] * 5, "losing", "breakthrough"))),
    )


@st.composite
def material_draws(draw: st.DrawFn) -> MaterialDraw:
    """A draw by what is left that most positions with few pieces fulfil."""

    def some() -> tuple[int, int]:
        return draw(st.sampled_from(((0, 72), (0, 72), (0, 2), (1, 9), (2, 6), (1, 1))))

    return MaterialDraw(
        moves=draw(st.integers(0, 4)),
        strong=Force(men=some(), kings=some()),
        weak=Force(kings=some(), pieces=some()),
        pieces=draw(st.sampled_from(((0, 72), (0, 8), (3, 20)))),
        main_road=draw(st.sampled_from((False, False, True))),
        unchanged=draw(st.booleans()),
    )


@st.composite
def situations(draw: st.DrawFn) -> tuple[Rules, reference.Position]:
    """A rule set of any kind and a position of it."""
    rules = draw(rule_sets())
    return rules, draw(positions(rules))


@st.composite
def positions(draw: st.DrawFn, rules: Rules) -> reference.Position:
    """A position that a game could have, of one of several kinds, either side to move."""
    kinds = (_scattered, _stones, _stones, _hunted, _hunted, _arriving, _crowded)
    kind = draw(st.sampled_from(kinds))
    position = kind(draw, rules, draw(st.sampled_from(SIDES)))
    if rules.objective == "breakthrough" and draw(st.integers(0, 5)):
        # With a king the game is over.
        return position.with_changes({s: _no_king(rules, position, s) for s in _kings(position)})
    return position


@st.composite
def endings(draw: st.DrawFn, rules: Rules) -> reference.Position:
    """A man and one or two kings of each side, with room to move."""
    rows = {s: rules.cell(s)[0] for s in range(1, rules.square_count + 1)}
    men = [s for s, row in rows.items() if row not in (0, rules.height - 1)]
    stand = _squares(draw, men, 2, 2)
    kings = _squares(draw, [s for s in rows if s not in stand], 2, 4)
    pieces = dict(zip(stand, "wb", strict=True)) | dict(zip(kings, "WBWB", strict=False))
    return reference.place(rules, draw(st.sampled_from(SIDES)), pieces)


def _kings(position: reference.Position) -> list[int]:
    return [s for s, piece in enumerate(position.pieces, start=1) if piece.isupper()]


def _no_king(rules: Rules, position: reference.Position, square: int) -> str:
    side: Side = "W" if position.at(square) == "W" else "B"
    return "." if rules.cell(square)[0] == rules.crowning_row(side) else side.lower()


def _scattered(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """A few pieces anywhere: open lines for kings."""
    everywhere = range(1, rules.square_count + 1)
    mine = _squares(draw, everywhere, 1, 4)
    theirs = _squares(draw, [s for s in everywhere if s not in mine], 1, 8)
    return _stand(draw, rules, turn, mine, theirs)


def _crowded(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """Many pieces of both sides, as in the middle of a game."""
    everywhere = range(1, rules.square_count + 1)
    # In eight directions kings have more ways to capture than the specification can walk soon.
    most = rules.square_count * 3 // 4 if rules.capture_lines == "diagonal" else 16
    both = _squares(draw, everywhere, 8, most)
    return _stand(draw, rules, turn, both[::2], both[1::2])


def _stones(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """The enemy on every other row and inside the edges, a few own pieces between them."""
    cells = {s: rules.cell(s) for s in range(1, rules.square_count + 1)}
    parity = draw(st.integers(0, 1))
    if rules.squares == "dark":
        steps = {s: row % 2 for s, (row, _) in cells.items()}
    else:
        # From every other square of every other row, a row or a column leads over these.
        steps = {s: (row % 2 + column % 2) % 2 for s, (row, column) in cells.items()}
    theirs = _squares(draw, [s for s in _inside(rules) if steps[s] == parity], 2, rules.width)
    mine = _squares(draw, [s for s in cells if steps[s] != parity], 1, 3)
    free = [s for s in cells if s not in mine and s not in theirs]
    return _stand(draw, rules, turn, mine, theirs + _squares(draw, free, 0, 2))


def _hunted(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """A lonely king among enemies who all stand inside the edges."""
    theirs = _squares(draw, _inside(rules), 2, rules.width)
    king = draw(st.sampled_from([s for s in range(1, rules.square_count + 1) if s not in theirs]))
    position = _stand(draw, rules, turn, [], theirs)
    return position.with_changes({king: turn})


def _arriving(draw: st.DrawFn, rules: Rules, turn: Side) -> reference.Position:
    """Men two rows before the one where they are crowned, and enemies before and behind that."""
    away: dict[int, list[int]] = {}
    for square in range(1, rules.square_count + 1):
        distance = abs(rules.cell(square)[0] - rules.crowning_row(turn))
        away.setdefault(distance, []).append(square)
    men = _squares(draw, away[2], 1, 3)
    theirs = _squares(draw, away[1], 1, 4) + _squares(draw, away[3] + away[5], 0, 3)
    position = _stand(draw, rules, turn, [], theirs)
    return position.with_changes(dict.fromkeys(men, turn.lower()))


def _inside(rules: Rules) -> list[int]:
    """The squares on which a piece can be taken on a diagonal, or those in a row with others."""
    last_row, last_column = rules.height - 1, rules.width - 1
    edges = dict.fromkeys(range(1, rules.square_count + 1), 0)
    for square in edges:
        row, column = rules.cell(square)
        edges[square] = (row in (0, last_row)) + (column in (0, last_column))
    allowed = 0 if rules.capture_lines == "diagonal" else 1
    return [square for square, count in edges.items() if count <= allowed]


def _squares(draw: st.DrawFn, among: Sequence[int], least: int, most: int) -> list[int]:
    return draw(st.lists(st.sampled_from(among), unique=True, min_size=least, max_size=most))


def _stand(
    draw: st.DrawFn, rules: Rules, turn: Side, mine: list[int], theirs: list[int]
) -> reference.Position:
    """Men and kings on these squares, a man on its last row being a king."""
    pieces = {}
    for side, squares in ((turn, mine), (reference.OTHER[turn], theirs)):
        # One number for all ranks: a bit for each piece, which shrinks to men.
        ranks = draw(st.integers(0, 2 ** len(squares) - 1))
        for index, square in enumerate(squares):
            is_king = ranks >> index & 1 or rules.cell(square)[0] == rules.crowning_row(side)
            pieces[square] = side if is_king else side.lower()
    return reference.place(rules, turn, pieces)
