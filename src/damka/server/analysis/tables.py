"""The endgame tables of a server; those of a rule set are opened once."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final, NamedTuple

from damka import Rules, rules
from damka.board import Board
from damka.engine import BEYOND, WIN
from damka.errors import MissingTableError, TablebaseError
from damka.live.evaluations import MAX_MOVES, Evaluation, EvaluationLine, keys
from damka.live.problems import Problem
from damka.move import Move
from damka.server.programs.messages import TableAnswer, TableMove
from damka.tablebase import Tablebases, find

__all__ = ["EndgameTables", "Truth"]


class Truth(NamedTuple):
    """Table values of a position's moves, and whether only the first keeps the result."""

    evaluation: Evaluation
    only: bool


class EndgameTables:
    """The tables in `folder`; calls block."""

    def __init__(self, folder: Path | None) -> None:
        self._folder: Final = folder
        self._lock: Final = threading.Lock()
        self._open: Final[dict[str, Tablebases | None]] = {}

    @property
    def exist(self) -> bool:
        """Whether the server has a folder of tables."""
        return self._folder is not None

    def pieces(self, of: Rules) -> int:
        """Return the maximum number of pieces of a table for rules; 0 without tables."""
        tables = self._tables_of(of.name) if self._has_name(of) else None
        return 0 if tables is None else tables.pieces

    def probe(self, board: Board) -> TableAnswer:
        """Probe a board of a shipped rule set. Raises Problem."""
        tables = self._tables_of(board.rules.name)
        try:
            if tables is None:
                raise Problem(404, "no_table")
            wdl, plies = tables.probe_wdl(board), tables.probe_distance(board)
            # The tables may lack the position after a move.
            moves = tables.moves(board)
        except MissingTableError as error:
            raise Problem(404, "no_table") from error
        except TablebaseError as error:
            raise Problem(503, "no_table", detail=str(error)[:300]) from error
        return TableAnswer(
            fen=board.fen,
            wdl=wdl,
            plies=abs(plies),
            moves=[TableMove(move.hub(), won, count) for move, won, count in moves],
        )

    def truth(self, board: Board, lines: int) -> Truth | None:
        """Return the best lines by the tables; None if they lack the position or a move.

        Tables ignore the counters of the draw rules: a win that may be too late for them has no
        number of plies.
        """
        if not self._has_name(board.rules):
            return None
        if board.offences or board.pending_huff is not None:
            return None
        tables = self._tables_of(board.rules.name)
        if tables is None:
            return None
        try:
            moves = tables.moves(board)
            if not moves:
                return None
            in_time = _plies_in_time(board)
            evaluation = Evaluation(
                depth=0,
                nodes=0,
                ms=0,
                lines=tuple(
                    _line(tables, board, move, wdl, plies, in_time)
                    for move, wdl, plies in moves[:lines]
                ),
            )
        except (MissingTableError, TablebaseError):
            return None
        return Truth(evaluation, len(moves) > 1 and moves[0][1] > moves[1][1])

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            for tables in self._open.values():
                if tables is not None:
                    tables.close()
            self._open.clear()

    def _has_name(self, of: Rules) -> bool:
        """Whether rules are the shipped ones of their name, which names their tables."""
        return of.name in rules.names() and of == rules.load(of.name)

    def _tables_of(self, name: str) -> Tablebases | None:
        if self._folder is None:
            return None
        with self._lock:
            if name not in self._open:
                self._open[name] = find(rules.load(name), self._folder)
            return self._open[name]


def _line(
    tables: Tablebases, board: Board, move: Move, wdl: int, plies: int, in_time: int
) -> EvaluationLine:
    exact = plies <= in_time
    score = wdl * (WIN - plies if exact else BEYOND + 1)
    return EvaluationLine(
        score=score,
        mate=wdl * plies if wdl and exact else None,
        table=True,
        moves=tuple(keys(board, _best_play(tables, board, move))),
    )


def _best_play(tables: Tablebases, board: Board, move: Move) -> list[Move]:
    """Return a line that begins with `move`, with the best moves of both sides."""
    after, line = board.copy(), [move]
    after.push(move)
    while len(line) < MAX_MOVES and not after.is_over:
        try:
            best = tables.moves(after)
        except MissingTableError:
            break
        if not best:
            break
        line.append(best[0][0])
        after.push(best[0][0])
    return line


def _plies_in_time(board: Board) -> int:
    """Return a number of plies in which no counter of the draw rules can end the game."""
    of = board.rules
    limits = [2 * each.moves for each in of.material_draws]
    if of.no_progress_plies:
        limits.append(of.no_progress_plies)
    limits += [
        counter.limit - counter.n
        for counter in board.counters
        if counter.kind not in {"repetition", "same_move"}
    ]
    return max(0, min(limits, default=WIN) - 1)
