"""The executable specification: the rules of every box in plain Python, to be read as one.

It is slow on purpose. Nothing here is clever, nothing is shared with the kernel, and the tests
compare the two move for move, so a rule is changed here first. What the parameters mean, in words:
docs/rules/parameters.md.

Squares are numbered 1..n from White's top-left, row by row. White ("W") stands at the bottom and
moves up, Black ("B") stands at the top and moves down, whatever the box calls them.

>>> import damka
>>> from damka import reference
>>> rules = damka.rules.load("dama64")
>>> position = reference.start(rules)
>>> [f"{move.start}-{move.end}" for move in reference.legal_moves(rules, position)]
['21-17', '22-17', '22-18', '23-18', '23-19', '24-19', '24-20']
>>> reference.perft(rules, position, 4)
1469

A king of the Bulgarian box lands right behind the man it takes, here twice:

>>> position = reference.place(rules, "W", {32: "W", 23: "b", 14: "b", 1: "b"})
>>> move, = reference.legal_moves(rules, position)
>>> move.captures, move.routes
((14, 23), ((32, 18, 9),))
>>> reference.apply(rules, position, move).pieces
'b.......W.......................'
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from damka.rules import Rules, Side

__all__ = [
    "Move",
    "Position",
    "apply",
    "captures",
    "draws",
    "is_lost",
    "legal_moves",
    "must_capture",
    "perft",
    "place",
    "quiet_moves",
    "start",
]

EMPTY: Final = "."
PIECES: Final[Mapping[Side, str]] = {"W": "wW", "B": "bB"}
OTHER: Final[Mapping[Side, Side]] = {"W": "B", "B": "W"}

Direction = tuple[Literal[-1, 1], Literal[-1, 1]]
"""One step along a diagonal: rows down, columns to the right."""

DIAGONALS: Final[tuple[Direction, ...]] = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True, slots=True)
class Position:
    """What stands where, and who is to move.

    `pieces` has one character for each square from 1: "w" and "b" are men, "W" and "B" kings, and
    "." is an empty square.
    """

    pieces: str
    turn: Side

    def at(self, square: int) -> str:
        """Return what stands on a square."""
        return self.pieces[square - 1]

    def with_changes(self, changes: Mapping[int, str]) -> Position:
        """Return the position in which other things stand on some squares."""
        squares = enumerate(self.pieces, start=1)
        return Position("".join(changes.get(s, piece) for s, piece in squares), self.turn)


@dataclass(frozen=True, slots=True)
class Move:
    """A legal move: everything that it changes, and the ways there.

    `captures` are ascending; `crowns` says that a man makes the move and is a king after it.
    `routes`, ascending too, are all the ways to play it: start, every landing square, end.
    """

    start: int
    end: int
    captures: tuple[int, ...]
    crowns: bool
    routes: tuple[tuple[int, ...], ...]


# The game.


def start(rules: Rules) -> Position:
    """Return the start position: men on the `rows` rows nearest to each player."""
    rows = {square: rules.cell(square)[0] for square in range(1, rules.square_count + 1)}
    black = {square: "b" for square, row in rows.items() if row < rules.rows}
    white = {square: "w" for square, row in rows.items() if row >= rules.height - rules.rows}
    return place(rules, rules.first, {**black, **white})


def place(rules: Rules, turn: Side, pieces: Mapping[int, str]) -> Position:
    """Return the position with these pieces on these squares and nothing else."""
    return Position(EMPTY * rules.square_count, turn).with_changes(pieces)


def legal_moves(rules: Rules, position: Position) -> list[Move]:
    """Return the moves of the side to move: its captures if it has any, else its quiet moves.

    With `obligation = "huff"` a player may play a quiet move all the same, which is an offence and
    no legal move.
    """
    return captures(rules, position) or quiet_moves(rules, position)


def must_capture(rules: Rules, position: Position) -> set[int]:
    """Return the squares of the pieces that have a compulsory capture."""
    return {move.start for move in captures(rules, position)}


def is_lost(rules: Rules, position: Position) -> bool:
    """Say whether the side to move has lost: it has no piece, or none that can move."""
    return not legal_moves(rules, position)


def apply(rules: Rules, position: Position, move: Move) -> Position:
    """Return the position after a move, which must be legal or an offence."""
    mover = position.at(move.start)
    changes = dict.fromkeys((*move.captures, move.start), EMPTY)
    # The end comes last: a capture may end on the square where it began.
    changes[move.end] = mover.upper() if move.crowns else mover
    return Position(position.with_changes(changes).pieces, OTHER[position.turn])


def draws(rules: Rules, position: Position, moves: Sequence[Move]) -> set[str]:
    """Return the reasons for which a game is a draw with the last of these moves.

    `position` is the one the game began with, and nobody has huffed. A lost game is no draw.
    """
    positions = [position]
    for move in moves:
        positions.append(apply(rules, positions[-1], move))
    if is_lost(rules, positions[-1]):
        return set()
    played = list(zip(positions, moves, strict=False))
    idle = takewhile(lambda turn: _is_idle(*turn), reversed(played))
    counts = {
        # The position the game began with is its occurrence 1.
        "repetition": (positions.count(positions[-1]), rules.repetition),
        # The same move in the same position.
        "same_move": (played.count(played[-1]) if played else 0, rules.same_move),
        # Moves of each side, counted in single moves.
        "no_progress": (len(list(idle)), 2 * rules.no_progress_moves),
    }
    return {reason for reason, (count, limit) in counts.items() if limit and count >= limit}


def _is_idle(position: Position, move: Move) -> bool:
    return position.at(move.start).isupper() and not move.captures


def perft(rules: Rules, position: Position, depth: int) -> int:
    """Return the number of ways to play `depth` moves from here."""
    if depth == 0:
        return 1
    moves = legal_moves(rules, position)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, apply(rules, position, move), depth - 1) for move in moves)


# Moving without capturing.


def quiet_moves(rules: Rules, position: Position) -> list[Move]:
    """Return the moves that take nothing, whether or not a capture is compulsory.

    A man moves one square diagonally forward, a short king one square in any diagonal direction,
    a flying king any number of empty squares.
    """
    moves = []
    for square in _squares_of(position, position.turn):
        is_king = position.at(square).isupper()
        flies = is_king and rules.king_range == "flying"
        for direction in DIAGONALS if is_king else _forward(position.turn):
            way = _line(rules, square, direction)
            free = takewhile(lambda s: position.at(s) == EMPTY, way if flies else way[:1])
            for end in free:
                crowns = not is_king and _is_crowned_on(rules, position.turn, end)
                moves.append(Move(square, end, (), crowns, ((square, end),)))
    return sorted(moves, key=_order)


# Capturing.


@dataclass(frozen=True, slots=True)
class _Capture:
    """A capture under way: the position it began in, and the route and the pieces taken so far."""

    position: Position
    route: tuple[int, ...]
    taken: tuple[int, ...] = ()
    is_king: bool = False
    heading: Direction | None = None

    @property
    def square(self) -> int:
        return self.route[-1]

    @property
    def was_king(self) -> bool:
        return self.position.at(self.route[0]).isupper()

    @property
    def kings_taken(self) -> tuple[bool, ...]:
        return tuple(self.position.at(square).isupper() for square in self.taken)


def captures(rules: Rules, position: Position) -> list[Move]:
    """Return the captures that the rules allow, routes with the same effect as one move.

    Every capture is played to its end. Of all these routes only those with the highest precedence
    are legal; then those with the same start, end, captured pieces and final rank are one move.
    """
    routes = list(_complete_captures(rules, position))
    highest = max((_precedence(rules, capture) for capture in routes), default=())
    merged: dict[tuple[int, int, tuple[int, ...], bool], list[tuple[int, ...]]] = {}
    for capture in routes:
        if _precedence(rules, capture) == highest:
            crowns = capture.is_king and not capture.was_king
            effect = (capture.route[0], capture.square, tuple(sorted(capture.taken)), crowns)
            merged.setdefault(effect, []).append(capture.route)
    moves = [Move(*effect, tuple(sorted(ways))) for effect, ways in merged.items()]
    return sorted(moves, key=_order)


def _complete_captures(rules: Rules, position: Position) -> Iterator[_Capture]:
    for square in _squares_of(position, position.turn):
        is_king = position.at(square).isupper()
        yield from _to_the_end(rules, _Capture(position, (square,), is_king=is_king))


def _to_the_end(rules: Rules, capture: _Capture) -> Iterator[_Capture]:
    """A capture must be continued as long as it can be; where it cannot be, it is complete."""
    onward = _one_jump_on(rules, capture)
    for further in onward:
        yield from _to_the_end(rules, further)
    if not onward and capture.taken:
        yield _crown_at_the_end(rules, capture)


def _one_jump_on(rules: Rules, capture: _Capture) -> list[_Capture]:
    """Every way to take one more piece."""
    further = []
    for direction in _capture_directions(rules, capture):
        victim, landings = _jump(rules, capture, direction)
        reached = [_take(rules, capture, victim, end, direction) for end in landings]
        # Behind one piece, no stopping where the capture ends if it can go on elsewhere.
        further += [after for after in reached if _can_go_on(rules, after)] or reached
    return further


def _can_go_on(rules: Rules, capture: _Capture) -> bool:
    directions = _capture_directions(rules, capture)
    return any(_jump(rules, capture, direction)[1] for direction in directions)


def _capture_directions(rules: Rules, capture: _Capture) -> Iterable[Direction]:
    """The directions in which the capturer may take its next piece."""
    turn = capture.position.turn
    if capture.is_king:
        back = capture.heading and (-capture.heading[0], -capture.heading[1])
        return [d for d in DIAGONALS if rules.u_turn or d != back]
    if capture.taken and rules.promotion == "stop" and _is_crowned_on(rules, turn, capture.square):
        return ()
    return DIAGONALS if rules.man_capture == "all" else _forward(turn)


def _jump(rules: Rules, capture: _Capture, direction: Direction) -> tuple[int, tuple[int, ...]]:
    """Return the piece that can be jumped in this direction, and the squares to land on.

    Without a square to land on there is no jump.
    """

    def is_free(square: int) -> bool:
        return _stands_on(rules, capture, square) == EMPTY

    flies = capture.is_king and rules.king_range == "flying"
    way = _line(rules, capture.square, direction)
    approach = len(list(takewhile(is_free, way))) if flies else 0
    if len(way) < approach + 2 or not _may_take(rules, capture, way[approach]):
        return 0, ()
    behind = way[approach + 1 :]
    if not flies or rules.king_landing == "adjacent":
        behind = behind[:1]
    return way[approach], tuple(takewhile(is_free, behind))


def _stands_on(rules: Rules, capture: _Capture, square: int) -> str:
    """What stands on a square in the middle of a capture."""
    if square == capture.route[0]:
        # The capturer has left: its square may be crossed and landed on.
        return EMPTY
    if square in capture.taken and rules.removal == "immediate":
        return EMPTY
    return capture.position.at(square)


def _may_take(rules: Rules, capture: _Capture, square: int) -> bool:
    piece = _stands_on(rules, capture, square)
    if piece not in PIECES[OTHER[capture.position.turn]]:
        return False
    if square in capture.taken:
        # Until the captured pieces are removed they stay in the way.
        return False
    return capture.is_king or rules.man_takes_king or piece.islower()


def _take(rules: Rules, capture: _Capture, victim: int, end: int, direction: Direction) -> _Capture:
    crowned = rules.promotion == "go" and _is_crowned_on(rules, capture.position.turn, end)
    return _Capture(
        position=capture.position,
        route=(*capture.route, end),
        taken=(*capture.taken, victim),
        is_king=capture.is_king or crowned,
        heading=direction,
    )


def _crown_at_the_end(rules: Rules, capture: _Capture) -> _Capture:
    crowned = _is_crowned_on(rules, capture.position.turn, capture.square)
    return replace(capture, is_king=capture.is_king or crowned)


def _precedence(rules: Rules, capture: _Capture) -> tuple[object, ...]:
    """The rank of a capture: the keys of the rule set, left to right, larger first."""
    ranks = {
        "count": len(capture.taken),
        "with_king": capture.was_king,
        "kings": sum(capture.kings_taken),
        # The places of the kings along the route: the earlier, the larger.
        "king_early": tuple(-place for place, king in enumerate(capture.kings_taken) if king),
    }
    return tuple(ranks[key] for key in rules.precedence)


# The board.


def _squares_of(position: Position, side: Side) -> list[int]:
    return [s for s, piece in enumerate(position.pieces, start=1) if piece in PIECES[side]]


def _forward(side: Side) -> tuple[Direction, ...]:
    return ((-1, -1), (-1, 1)) if side == "W" else ((1, -1), (1, 1))


def _is_crowned_on(rules: Rules, side: Side, square: int) -> bool:
    return rules.cell(square)[0] == (0 if side == "W" else rules.height - 1)


@functools.cache
def _line(rules: Rules, square: int, direction: Direction) -> tuple[int, ...]:
    """The squares from next to `square` to the edge."""
    row, column = rules.cell(square)
    squares: list[int] = []
    while True:
        row, column = row + direction[0], column + direction[1]
        following = rules.square_at(row, column)
        if following is None:
            return tuple(squares)
        squares.append(following)


def _order(move: Move) -> tuple[int, int, tuple[int, ...], bool]:
    return move.start, move.end, move.captures, move.crowns
