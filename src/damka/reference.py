"""The executable specification: the rules of every game in plain Python.

It is deliberately slow and simple and shares no code with the kernel. The tests compare the two
move by move, so a rule is changed here first. docs/rules/parameters.md explains the parameters.

Squares are numbered 1..n from White's top left, row by row. White ("W") is at the bottom and moves
up, Black ("B") is at the top and moves down, whatever the rule set calls them.

The order is: the course of a game, quiet moves, captures, precedence, and the board.

>>> import damka
>>> from damka import reference
>>> rules = damka.rules.load("dama64")
>>> position = reference.start(rules)
>>> [f"{move.start}-{move.end}" for move in reference.legal_moves(rules, position)]
['21-17', '22-17', '22-18', '23-18', '23-19', '24-19', '24-20']
>>> reference.perft(rules, position, 4)
1469

A king in the Bulgarian rules lands right behind the captured man, here twice:

>>> position = reference.place(rules, "W", {32: "W", 23: "b", 14: "b", 1: "b"})
>>> move, = reference.legal_moves(rules, position)
>>> move.captures, move.routes
((14, 23), ((32, 18, 9),))
>>> reference.apply(rules, position, move).pieces
'b.......W.......................'
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from damka.rules import Force, MaterialDraw, Rules, Side

__all__ = [
    "Move",
    "Position",
    "apply",
    "captures",
    "draws",
    "fulfils",
    "huff",
    "legal_moves",
    "must_capture",
    "occurrences",
    "perft",
    "place",
    "quiet_moves",
    "start",
    "times_made",
    "winner",
]


def __dir__() -> list[str]:
    return __all__


EMPTY: Final = "."
PIECES: Final[Mapping[Side, str]] = {"W": "wW", "B": "bB"}
OTHER: Final[Mapping[Side, Side]] = {"W": "B", "B": "W"}

Direction = tuple[int, int]
"""One step along a line: rows down, columns to the right."""

DIAGONALS: Final[tuple[Direction, ...]] = ((-1, -1), (-1, 1), (1, -1), (1, 1))
ORTHOGONALS: Final[tuple[Direction, ...]] = ((-1, 0), (0, -1), (0, 1), (1, 0))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Position:
    """Pieces and side to move.

    `pieces` has one character per square from 1: "w" and "b" are men, "W" and "B" kings, "." is an
    empty square. `streaks` are consecutive quiet moves by one king, if the rules limit them:
    (square, moves), at most one per side.
    """

    pieces: str
    turn: Side
    streaks: tuple[tuple[int, int], ...] = ()

    def at(self, square: int) -> str:
        """Return the piece on a square."""
        return self.pieces[square - 1]

    def with_changes(self, changes: Mapping[int, str]) -> Position:
        """Return the position with other contents of some squares."""
        squares = enumerate(self.pieces, start=1)
        return replace(self, pieces="".join(changes.get(s, piece) for s, piece in squares))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Move:
    """A legal move: all its effects, and its routes.

    `captures` are ascending; `crowns` means that a man moves and ends as a king. `routes`, also
    ascending, are all ways to play the move: start, every landing square, end.
    """

    start: int
    end: int
    captures: tuple[int, ...]
    crowns: bool
    routes: tuple[tuple[int, ...], ...]


# The game.


def start(rules: Rules) -> Position:
    """Return the start position: `rows` rows of men with `rows_behind` empty rows behind them."""
    men = {}
    for square in range(1, rules.square_count + 1):
        row, _ = rules.cell(square)
        for side, distance in (("B", row), ("W", rules.height - 1 - row)):
            if 0 <= distance - rules.rows_behind < rules.rows:
                men[square] = side.lower()
    return place(rules, rules.first, men)


def place(rules: Rules, turn: Side, pieces: Mapping[int, str]) -> Position:
    """Return the position with only these pieces."""
    return Position(EMPTY * rules.square_count, turn).with_changes(pieces)


def legal_moves(rules: Rules, position: Position) -> list[Move]:
    """Return the moves of the side to move: its captures if it has any, otherwise its quiet moves.

    With `obligation = "huff"` a player may still play a quiet move, which is an offence and not a
    legal move; with "free" it is a legal move. The list is empty after a win by a king.
    """
    if _sides_with_king(rules, position):
        return []
    if rules.obligation == "free":
        return sorted(captures(rules, position) + quiet_moves(rules, position), key=_order)
    return captures(rules, position) or quiet_moves(rules, position)


def must_capture(rules: Rules, position: Position) -> set[int]:
    """Return the squares of the pieces that have a compulsory capture."""
    if rules.obligation == "free":
        return set()
    return {move.start for move in legal_moves(rules, position) if move.captures}


def winner(rules: Rules, position: Position) -> Side | None:
    """Return the winner in this position, or None if the game continues.

    A side without pieces or legal moves has lost, or won in a losing game. In breakthrough the
    first king wins; the side that has just moved is checked first.
    """
    other = OTHER[position.turn]
    if kings := _sides_with_king(rules, position):
        return other if other in kings else position.turn
    if legal_moves(rules, position):
        return None
    return position.turn if rules.objective == "losing" else other


def _sides_with_king(rules: Rules, position: Position) -> list[Side]:
    """Return the sides whose king ends the game."""
    if rules.objective != "breakthrough":
        return []
    return [side for side in OTHER if side in position.pieces]


def apply(rules: Rules, position: Position, move: Move) -> Position:
    """Return the position after a move, which must be legal or an offence."""
    mover = position.at(move.start)
    changes = dict.fromkeys((*move.captures, move.start), EMPTY)
    # The end is set last: a capture may end on its start square.
    changes[move.end] = mover.upper() if move.crowns else mover
    after = replace(position.with_changes(changes), turn=OTHER[position.turn])
    if not rules.king_streak:
        return after
    # A streak counts only its own side's moves: the other side's is unchanged.
    others = _squares_of(position, after.turn)
    streaks = {square: n for square, n in position.streaks if square in others}
    if _is_idle(position, move):
        streaks[move.end] = dict(position.streaks).get(move.start, 0) + 1
    # A king that ends on a captured king's square does not inherit its streak.
    return _with_streaks(after, {s: n for s, n in streaks.items() if s not in move.captures})


def huff(position: Position, square: int) -> Position:
    """Return the position without a piece that failed to capture; the side to move is unchanged."""
    after = position.with_changes({square: EMPTY})
    return _with_streaks(after, dict(position.streaks))


def _with_streaks(position: Position, streaks: Mapping[int, int]) -> Position:
    """Drop the streaks of captured kings, and of sides without men."""
    sides_with_men = [side for side in OTHER if side.lower() in position.pieces]
    remembered = {s: n for s, n in streaks.items() if position.at(s) in sides_with_men}
    return replace(position, streaks=tuple(sorted(remembered.items())))


def draws(rules: Rules, position: Position, moves: Sequence[Move]) -> set[str]:
    """Return the draw reasons that the last of these moves fulfils.

    `position` is the game's first position; the game has no huffs. A won game is not a draw.
    """
    positions = [position]
    for move in moves:
        positions.append(apply(rules, positions[-1], move))
    if winner(rules, positions[-1]):
        return set()
    played = list(zip(positions, moves, strict=False))
    idle = takewhile(lambda turn: _is_idle(*turn), reversed(played))
    plies_per_move = 1 if rules.moves_by == "both" else 2
    counts = {
        # The first position counts as occurrence 1.
        "repetition": (occurrences(rules, positions), rules.repetition),
        "same_move": (times_made(rules, played), rules.same_move),
        "no_progress": (len(list(idle)), plies_per_move * rules.no_progress_moves),
        "move_limit": (len(moves), plies_per_move * rules.move_limit),
    }
    reasons = {reason for reason, (count, limit) in counts.items() if limit and count >= limit}
    if any(_is_drawn(rules, draw, positions, moves) for draw in rules.material_draws):
        reasons.add("material")
    return reasons


def occurrences(rules: Rules, positions: Sequence[Position]) -> int:
    """Return how often the last position occurred, or only its pieces with either side to move."""
    if rules.repetition_of == "position":
        return positions.count(positions[-1])
    return [position.pieces for position in positions].count(positions[-1].pieces)


def times_made(rules: Rules, played: Sequence[tuple[Position, Move]]) -> int:
    """Return how often the last move was made in its position, or anywhere by its side.

    `played` has each move with the position before it. Anywhere, moves are the same if the same
    side moves between the same squares and captures on the same squares, with any piece.
    """
    if not played:
        return 0
    if rules.same_move_in == "position":
        return list(played).count(played[-1])
    written = [(before.turn, move.start, move.end, move.captures) for before, move in played]
    return written.count(written[-1])


def _is_drawn(
    rules: Rules, draw: MaterialDraw, positions: Sequence[Position], moves: Sequence[Move]
) -> bool:
    """Whether the material condition has held long enough for a draw."""
    if not fulfils(rules, draw, positions[-1]):
        return False
    if draw.moves == 0:
        return not captures(rules, positions[-1])
    count = 0
    for before, move in zip(reversed(positions[:-1]), reversed(moves), strict=True):
        restarts = move.captures or (draw.unchanged and move.crowns)
        if restarts or not fulfils(rules, draw, before):
            break
        count += 1
    return count >= 2 * draw.moves


def fulfils(rules: Rules, draw: MaterialDraw, position: Position) -> bool:
    """Whether the position fulfils the material condition, with either side as the strong one."""
    return any(
        _is_force(draw.strong, position, OTHER[weak])
        and _is_force(draw.weak, position, weak)
        and draw.pieces[0] <= sum(piece != EMPTY for piece in position.pieces) <= draw.pieces[1]
        and (not draw.main_road or _has_main_road(rules, position, weak))
        and (not draw.strong_main_road or _is_on_main_road(rules, position, OTHER[weak]))
        for weak in OTHER
    )


def _is_force(force: Force, position: Position, side: Side) -> bool:
    men, kings = position.pieces.count(side.lower()), position.pieces.count(side)
    return (
        force.men[0] <= men <= force.men[1]
        and force.kings[0] <= kings <= force.kings[1]
        and force.pieces[0] <= men + kings <= force.pieces[1]
    )


def _has_main_road(rules: Rules, position: Position, side: Side) -> bool:
    """Whether a side's only king is on a diagonal that joins two corners of the board."""
    return position.pieces.count(side) == 1 and _is_on_main_road(rules, position, side)


def _is_on_main_road(rules: Rules, position: Position, side: Side) -> bool:
    """Whether a king of a side is on a diagonal that joins two corners of the board."""
    if rules.width != rules.height:
        return False
    cells = [rules.cell(s) for s in _squares_of(position, side) if position.at(s) == side]
    return any(row in (column, rules.width - 1 - column) for row, column in cells)


def _is_idle(position: Position, move: Move) -> bool:
    return position.at(move.start).isupper() and not move.captures


def perft(rules: Rules, position: Position, depth: int) -> int:
    """Return the number of ways to play `depth` plies from here."""
    if depth == 0:
        return 1
    moves = legal_moves(rules, position)
    if depth == 1:
        return len(moves)
    return sum(perft(rules, apply(rules, position, move), depth - 1) for move in moves)


# Quiet moves.


def quiet_moves(rules: Rules, position: Position) -> list[Move]:
    """Return the quiet moves, whether or not a capture is compulsory.

    A man moves one square along a line of `move_lines`, but never backwards; a short king moves one
    square in any direction, a flying king any number of empty squares. A king with `king_streak`
    consecutive moves may not move.
    """
    moves = []
    for square in _squares_of(position, position.turn):
        is_king = position.at(square).isupper()
        if (square, rules.king_streak) in position.streaks:
            continue
        flies = is_king and rules.king_range == "flying"
        directions = _directions(rules.move_lines)
        for direction in directions if is_king else _not_back(directions, position.turn):
            path = _line(rules, square, direction)
            free = takewhile(lambda s: position.at(s) == EMPTY, path if flies else path[:1])
            for end in free:
                crowns = not is_king and _is_crowned_on(rules, position.turn, end)
                moves.append(Move(square, end, (), crowns, ((square, end),)))
    return sorted(moves, key=_order)


# Captures.


@dataclass(frozen=True, slots=True)
class _Capture:
    """A partial capture: the position before it, the route and the captured pieces so far."""

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
    """Return the legal captures, merging routes with the same effect.

    Every capture is played to its end. Of all routes, only those with the highest precedence are
    legal; those with the same start, end, captured pieces and final rank are one move.
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
        yield from _extend_fully(rules, _Capture(position, (square,), is_king=is_king))


def _extend_fully(rules: Rules, capture: _Capture) -> Iterator[_Capture]:
    """Yield the complete captures that continue a partial one."""
    jumps = _next_jumps(rules, capture)
    for jump in jumps:
        yield from _extend_fully(rules, jump)
    if not jumps and capture.taken:
        yield _crown_at_end(rules, capture)


def _next_jumps(rules: Rules, capture: _Capture) -> list[_Capture]:
    """Return every way to capture one more piece."""
    jumps = []
    for direction in _capture_directions(rules, capture):
        victim, landings = _jump(rules, capture, direction)
        reached = [_after_jump(rules, capture, victim, end, direction) for end in landings]
        # If any landing square behind a piece allows a continuation, the others are illegal.
        continuing = [after for after in reached if _can_continue(rules, after)]
        if rules.king_landing == "killer" and capture.position.at(victim).isupper():
            # If the last captured piece is a king, the capturer lands right behind it.
            reached = reached[:1]
        jumps += continuing or reached
    return jumps


def _can_continue(rules: Rules, capture: _Capture) -> bool:
    directions = _capture_directions(rules, capture)
    return any(_jump(rules, capture, direction)[1] for direction in directions)


def _capture_directions(rules: Rules, capture: _Capture) -> list[Direction]:
    """The directions of the next capture."""
    turn = capture.position.turn
    directions = _directions(rules.capture_lines)
    if capture.is_king:
        back = capture.heading and (-capture.heading[0], -capture.heading[1])
        return [d for d in directions if rules.u_turn or d != back]
    if capture.taken and rules.promotion == "stop" and _is_crowned_on(rules, turn, capture.square):
        return []
    return directions if rules.man_capture == "all" else _not_back(directions, turn)


def _jump(rules: Rules, capture: _Capture, direction: Direction) -> tuple[int, tuple[int, ...]]:
    """Return the piece that can be jumped in this direction, and the landing squares in order.

    There is no jump without a landing square.
    """

    def is_free(square: int) -> bool:
        return _piece_during(rules, capture, square) == EMPTY

    flies = capture.is_king and rules.king_range == "flying"
    path = _line(rules, capture.square, direction)
    approach = len(list(takewhile(is_free, path))) if flies else 0
    if len(path) < approach + 2 or not _may_capture(rules, capture, path[approach]):
        return 0, ()
    behind = path[approach + 1 :]
    if not flies or rules.king_landing == "adjacent":
        behind = behind[:1]
    return path[approach], tuple(takewhile(is_free, behind))


def _piece_during(rules: Rules, capture: _Capture, square: int) -> str:
    """Return the contents of a square during a capture."""
    if square == capture.route[0]:
        # The capturer's start square is empty: it may be crossed and landed on.
        return EMPTY
    if square in capture.taken and rules.removal == "immediate":
        return EMPTY
    return capture.position.at(square)


def _may_capture(rules: Rules, capture: _Capture, square: int) -> bool:
    piece = _piece_during(rules, capture, square)
    if piece not in PIECES[OTHER[capture.position.turn]]:
        return False
    if square in capture.taken:
        # Captured pieces block the path until they are removed.
        return False
    return capture.is_king or rules.man_takes_king or piece.islower()


def _after_jump(
    rules: Rules, capture: _Capture, victim: int, end: int, direction: Direction
) -> _Capture:
    crowned = rules.promotion == "go" and _is_crowned_on(rules, capture.position.turn, end)
    return _Capture(
        position=capture.position,
        route=(*capture.route, end),
        taken=(*capture.taken, victim),
        is_king=capture.is_king or crowned,
        heading=direction,
    )


def _crown_at_end(rules: Rules, capture: _Capture) -> _Capture:
    crowned = _is_crowned_on(rules, capture.position.turn, capture.square)
    return replace(capture, is_king=capture.is_king or crowned)


def _precedence(rules: Rules, capture: _Capture) -> tuple[object, ...]:
    """The rank of a capture: the keys of the precedence, left to right, larger first."""
    kings = sum(capture.kings_taken)
    ranks = {
        "count": len(capture.taken),
        # A king is worth two men, but any number of kings slightly less than twice as many men.
        "value": (len(capture.taken) + kings, -kings),
        # A man counts one and a king two.
        "points": len(capture.taken) + kings,
        "with_king": capture.was_king,
        "kings": kings,
        # The positions of the kings in the route: earlier is larger.
        "king_early": tuple(-place for place, king in enumerate(capture.kings_taken) if king),
    }
    return tuple(ranks[key] for key in rules.precedence)


# The board.


def _squares_of(position: Position, side: Side) -> list[int]:
    return [s for s, piece in enumerate(position.pieces, start=1) if piece in PIECES[side]]


def _directions(lines: str) -> list[Direction]:
    diagonal = DIAGONALS if "diagonal" in lines.split("+") else ()
    orthogonal = ORTHOGONALS if "orthogonal" in lines.split("+") else ()
    return [*diagonal, *orthogonal]


def _not_back(directions: list[Direction], side: Side) -> list[Direction]:
    """Return the directions forward and, along a row, sideways."""
    forward = -1 if side == "W" else 1
    return [(down, right) for down, right in directions if down in (0, forward)]


def _is_crowned_on(rules: Rules, side: Side, square: int) -> bool:
    return rules.cell(square)[0] == (0 if side == "W" else rules.height - 1)


@functools.cache
def _line(rules: Rules, square: int, direction: Direction) -> tuple[int, ...]:
    """Return the playing squares from `square` to the edge, without `square`."""
    row, column = rules.cell(square)
    squares: list[int] = []
    while 0 <= row < rules.height and 0 <= column < rules.width:
        row, column = row + direction[0], column + direction[1]
        # With pieces on one colour, every second cell of a row or column is a playing square.
        following = rules.square_at(row, column)
        if following is not None:
            squares.append(following)
    return tuple(squares)


def _order(move: Move) -> tuple[int, int, tuple[int, ...], bool]:
    return move.start, move.end, move.captures, move.crowns
