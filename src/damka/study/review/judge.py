"""Judgement of a retried move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from damka.engine import Engine, winning_chances
from damka.study.review.request import Request

if TYPE_CHECKING:
    from damka.board import Board
    from damka.engine import Analysis
    from damka.game import Game
    from damka.move import Move

__all__ = ["RIGHT_WITHIN", "Judge", "Verdict", "judge"]

RIGHT_WITHIN: Final = 0.05
"""Expected score that a right move may lose."""
_NODES: Final = 200_000


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Verdict:
    """Whether a retried move is right: it loses at most 0.05 of the expected score."""

    is_right: bool
    chance_lost: float
    best: Move
    line: tuple[Move, ...]
    """The line after the retried move, which it begins with."""


class Judge:
    """Judgement of a move without an engine of its own: `next`, `receive`, `verdict`.

    `board` is the position; `ply` is its number in the requests. `best` is the best move if it is
    known, for example that of a moment, which then needs no judgement of its own.
    """

    def __init__(
        self,
        board: Board,
        move: Move,
        best: Move | None = None,
        *,
        nodes: int = _NODES,
        ply: int = 0,
    ) -> None:
        if move not in board.legal_moves:
            raise ValueError(f"not a legal move: {move}")
        self.board: Final = board.copy()
        self.move: Final = move
        self._best = best
        self._nodes: Final = nodes
        self._ply: Final = ply
        self._free: Analysis | None = None
        self._own: Analysis | None = None

    def next(self) -> Request | None:
        """Return the next search, or None when the verdict is known."""
        if self.move == self._best or len(self.board.legal_moves) == 1:
            return None
        if self._free is None:
            return Request(self._ply, self._nodes)
        if self._own is None and self._free.move != self.move:
            return Request(self._ply, self._nodes, moves=(self.move,))
        return None

    def receive(self, request: Request, analysis: Analysis) -> None:
        """Take the analysis of a request."""
        if request.moves is None:
            self._free = analysis
        else:
            self._own = analysis

    def verdict(self) -> Verdict:
        """Return the verdict. Raises ValueError before the searches are done."""
        if self.next() is not None:
            raise ValueError("the move is not judged yet")
        if self._free is None or self._free.move is None:
            return Verdict(True, 0.0, self.move, (self.move,))
        own = self._own or self._free
        lost = max(0.0, self._expected(self._free.score) - self._expected(own.score))
        best = self._free.move if lost > 0 else self.move
        return Verdict(lost <= RIGHT_WITHIN, round(lost, 4), best, own.pv)

    def _expected(self, score: int) -> float:
        pieces = self.board.pieces
        count = len(pieces) - pieces.count(".")
        return winning_chances(self.board.rules, score, count).expected


def judge(
    game: Game | Board,
    move: Move,
    best: Move | None = None,
    *,
    nodes: int = _NODES,
    engine: Engine | None = None,
) -> Verdict:
    """Return the verdict on a move in a position, by an engine of this process.

    Moves within 0.05 of the best one's expected score are right, too. Raises ValueError for an
    illegal move.

    >>> import damka
    >>> from damka.study.review import judge
    >>> board = damka.Board("american", "W:W22:B3,18")
    >>> judge(board, board.parse("22x15"), nodes=100).is_right
    True
    """
    from damka.board import Board  # noqa: PLC0415  the name is for types above

    judgement = Judge(game if isinstance(game, Board) else game.board, move, best, nodes=nodes)
    with Engine(16) if engine is None else _Borrowed(engine) as searcher:
        while (request := judgement.next()) is not None:
            analysis = searcher.search(judgement.board, nodes=request.nodes, moves=request.moves)
            judgement.receive(request, analysis)
    return judgement.verdict()


class _Borrowed:
    """Context of an engine that the caller closes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def __enter__(self) -> Engine:
        return self._engine

    def __exit__(self, *_: object) -> None:
        pass
