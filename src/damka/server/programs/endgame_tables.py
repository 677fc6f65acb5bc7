"""The endgame tables of a server, for programs; those of a rule set are opened once."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from damka import rules
from damka.board import Board
from damka.errors import MissingTableError, TablebaseError
from damka.live.problems import Problem
from damka.server.programs.messages import TableAnswer, TableMove
from damka.tablebase import Tablebases, find

__all__ = ["EndgameTables"]


class EndgameTables:
    """The tables in `folder`; calls block."""

    def __init__(self, folder: Path | None) -> None:
        self._folder: Final = folder
        self._lock: Final = threading.Lock()
        self._open: Final[dict[str, Tablebases | None]] = {}

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

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            for tables in self._open.values():
                if tables is not None:
                    tables.close()
            self._open.clear()

    def _tables_of(self, name: str) -> Tablebases | None:
        if self._folder is None:
            return None
        with self._lock:
            if name not in self._open:
                self._open[name] = find(rules.load(name), self._folder)
            return self._open[name]
