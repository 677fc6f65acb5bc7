"""Lines of the engine as JSON, both ways.

An evaluation is `{depth, nodes, ms, lines: [{score, mate, table, moves}]}`. Scores are in
hundredths of a man for the side to move, `mate` in plies or null. `table` means that an endgame
tablebase decides the score. Moves are keys as on the page (`live_game.key_of`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from damka.engine import BEYOND, WIN, Analysis, Variation
from damka.errors import PositionTooComplexError
from damka.live.live_game import key_of
from damka.live.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from damka.board import Board
    from damka.move import Move

__all__ = [
    "MAX_LINES",
    "MAX_MOVES",
    "Evaluation",
    "EvaluationLine",
    "evaluation_json",
    "keys",
    "move_of",
    "read_evaluation",
]

MAX_LINES: Final = 5
MAX_MOVES: Final = 12
"""Maximum length of a line."""
_PROVED: Final = WIN - 1_000

Key = Annotated[str, Meta(max_length=200)]


class EvaluationLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line, and its score for the side to move."""

    score: Annotated[int, Meta(ge=-WIN, le=WIN)]
    moves: Annotated[tuple[Key, ...], Meta(min_length=1, max_length=MAX_MOVES)]
    mate: Annotated[int, Meta(ge=-1_000, le=1_000)] | None = None
    table: bool = False


class Evaluation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a search."""

    depth: Annotated[int, Meta(ge=0, le=1_000)]
    nodes: Annotated[int, Meta(ge=0, le=2**53)]
    ms: Annotated[float, Meta(ge=0, le=2**53)]
    lines: Annotated[tuple[EvaluationLine, ...], Meta(min_length=1, max_length=MAX_LINES)]


def evaluation_json(board: Board, analysis: Analysis) -> dict[str, Any]:
    """Return an analysis of a position as JSON values."""
    return {
        "depth": analysis.depth,
        "nodes": analysis.nodes,
        "ms": round(analysis.seconds * 1000),
        "lines": [
            {
                "score": line.score,
                "mate": line.mate,
                "table": abs(line.score) > BEYOND and line.mate is None,
                "moves": keys(board, line.pv[:MAX_MOVES]),
            }
            for line in analysis.lines[:MAX_LINES]
            if line.pv
        ],
    }


def keys(board: Board, line: Sequence[Move]) -> list[str]:
    """Return the keys of a line's moves."""
    after = board.copy()
    found = []
    for move in line:
        # Only a move that crowns needs the others: its key tells it from one that does not.
        found.append(key_of(move, after.legal_moves if move.crowns else ()))
        after.push_unchecked(move)
    return found


def read_evaluation(board: Board, evaluation: Evaluation) -> Analysis:
    """Return the analysis of a position that an evaluation states.

    A line ends before its first illegal move. Raises Problem for a line that begins with one.
    """
    lines = [_line(board, line, number) for number, line in enumerate(evaluation.lines)]
    best, *others = lines
    return Analysis(
        best.move,
        best.score,
        evaluation.depth,
        evaluation.nodes,
        evaluation.ms / 1000,
        best.pv,
        tuple(others),
    )


def _line(board: Board, line: EvaluationLine, number: int) -> Variation:
    after = board.copy()
    moves: list[Move] = []
    for key in line.moves:
        move = move_of(after, key, offences=not moves)
        if move is None:
            break
        after.push_unchecked(move)
        moves.append(move)
        if after.is_over:
            break
    if not moves:
        raise Problem(422, "bad_field", where=f"lines[{number}].moves")
    score = line.score
    if line.mate:
        score = WIN - line.mate if line.mate > 0 else -WIN - line.mate
    elif abs(score) > _PROVED:
        score = BEYOND + 1 if score > 0 else -BEYOND - 1
    return Variation(score, tuple(moves))


def move_of(board: Board, key: str, *, offences: bool = False) -> Move | None:
    """Return the move with a key, or None; with `offences` also one that misses a capture."""
    try:
        legal: Iterable[Move] = board.legal_moves
    except PositionTooComplexError:
        return None
    playable = tuple(legal)
    if offences and board.rules.obligation == "huff":
        playable = (*playable, *(move for move in board.quiet_moves if move not in playable))
    return next((move for move in playable if key_of(move, playable) == key), None)
