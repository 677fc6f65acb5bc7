"""Facts of a line: what each side takes, crowns and reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from damka.errors import PositionTooComplexError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.board import Board
    from damka.move import Move
    from damka.result import Result
    from damka.rules import Rules, Side

__all__ = ["LineFacts", "Material", "combination", "facts", "replayable", "settled"]

HORIZON: Final = 14
"""Maximum length of a line that is described by its material."""


class Material(NamedTuple):
    """Numbers of men and kings."""

    men: int = 0
    kings: int = 0

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return self.men + self.kings

    def worth(self, rules: Rules) -> float:
        """Return the value in men."""
        return self.men + self.kings * (3.0 if rules.king_range == "flying" else 1.5)


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What happens in a line, for the side that moves first.

    `given` are its pieces that the other side captures, `taken` those that it captures. `crowned`
    is the square where a man of the side crowned and remained, `other_crowned` the same of the
    other side. `sacrifices` means that the first captured piece is its own, after a quiet move.
    `result` is the result that the line reaches by the rules.
    """

    moves: tuple[Move, ...]
    given: Material
    taken: Material
    crowned: int | None
    other_crowned: int | None
    sacrifices: bool
    result: Result | None
    side: Side

    def gain(self, rules: Rules) -> float:
        """Return the material won, in men; in a losing game the material given away."""
        gain = self.taken.worth(rules) - self.given.worth(rules)
        return -gain if rules.objective == "losing" else gain

    @property
    def wins(self) -> bool:
        """Whether the line ends in a win of the side."""
        return self.result is not None and self.result.winner == self.side


@dataclass(slots=True)
class _Step:
    side: Side
    move: Move
    taken: Material
    is_quiet_after: bool
    """Whether the next side has no capture."""
    is_over: bool


def facts(board: Board, moves: Sequence[Move]) -> LineFacts:
    """Return the facts of a line from a position."""
    after = board.copy()
    side = board.turn
    taken: dict[bool, list[int]] = {True: [0, 0], False: [0, 0]}
    crowned: dict[bool, list[int]] = {True: [], False: []}
    sacrifices: bool | None = None
    for move in moves:
        own = after.turn == side
        pieces = after.pieces
        for square in move.captures:
            taken[own][pieces[square - 1] in "WB"] += 1
            if square in crowned[not own]:
                crowned[not own].remove(square)
        if move.captures and sacrifices is None:
            sacrifices = not own
        if move.start in crowned[own]:
            crowned[own].remove(move.start)
            crowned[own].append(move.end)
        after.push_unchecked(move)
        if move.crowns:
            crowned[own].append(move.end)
    return LineFacts(
        moves=tuple(moves),
        given=Material(*taken[False]),
        taken=Material(*taken[True]),
        crowned=_crowning(moves, crowned[True], 0),
        other_crowned=_crowning(moves, crowned[False], 1),
        sacrifices=bool(sacrifices),
        result=after.result if moves else None,
        side=side,
    )


def _crowning(moves: Sequence[Move], kings: Sequence[int], parity: int) -> int | None:
    """Return the square where the first of the surviving new kings crowned."""
    for at in range(parity, len(moves), 2):
        move = moves[at]
        if move.crowns:
            square = move.end
            for later in moves[at + 2 :: 2]:
                if later.start == square:
                    square = later.end
            if square in kings:
                return move.end
    return None


def combination(board: Board, moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the forced part of a line: every reply of the other side is a capture.

    It ends with the last capture or crowning, and is empty if the position after that is not quiet.
    """
    length = 0
    steps = _steps(board, moves)
    for at, step in enumerate(steps):
        if at % 2 and not step.move.captures:
            break
        ends_exchange = step.is_over or step.is_quiet_after
        if (step.move.captures or step.move.crowns) and ends_exchange:
            length = at + 1
    return tuple(moves[:length])


def settled(board: Board, moves: Sequence[Move], horizon: int = HORIZON) -> tuple[Move, ...]:
    """Return the line up to its last capture or crowning before a quiet position."""
    length = 0
    for at, step in enumerate(_steps(board, moves[:horizon])):
        changes = bool(step.move.captures or step.move.crowns)
        if changes and (step.is_over or step.is_quiet_after):
            length = at + 1
    return tuple(moves[:length])


def _steps(board: Board, moves: Sequence[Move]) -> list[_Step]:
    after = board.copy()
    steps = []
    for move in moves:
        pieces, side = after.pieces, after.turn
        kings = sum(pieces[square - 1] in "WB" for square in move.captures)
        after.push_unchecked(move)
        steps.append(
            _Step(
                side,
                move,
                Material(len(move.captures) - kings, kings),
                not _has_capture(after),
                after.is_over,
            )
        )
    return steps


def _has_capture(board: Board) -> bool:
    try:
        return any(move.captures for move in board.legal_moves)
    except PositionTooComplexError:
        return True


def replayable(board: Board, moves: Sequence[Move], *, offence: bool = False) -> tuple[Move, ...]:
    """Return the part of a line that can be played, extended while there is only one capture.

    With `offence` its first move may break the obligation to capture.
    """
    after = board.copy()
    line: list[Move] = []
    try:
        for move in moves:
            if not (offence and not line) and move not in after.legal_moves:
                break
            after.push_unchecked(move)
            line.append(move)
            if after.is_over:
                return tuple(line)
        while len(line) < 2 * HORIZON:
            legal = after.legal_moves
            if len(legal) != 1 or not legal[0].captures:
                break
            after.push_unchecked(legal[0])
            line.append(legal[0])
            if after.is_over:
                break
    except PositionTooComplexError:
        pass
    return tuple(line)
