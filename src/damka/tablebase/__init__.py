"""Endgame tablebases for any rules: win, draw or loss with few pieces, and the distance to the end.

Build them with `damka tablebase build american --pieces 4`, then probe::

    from damka import Board
    from damka.tablebase import Tablebases

    with Tablebases("american") as tables:
        board = Board("american", "W:WK18:BK1")
        tables.probe_wdl(board)         # 1: the side to move wins, 0: a draw, -1: it loses
        tables.probe_distance(board)    # plies to the end, negative for a loss

The page docs/build/tablebases.md explains the values and the file format.
"""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.errors import MissingTableError, TablebaseError
from damka.tablebase.build import BuildStep, build
from damka.tablebase.folder import default_folder, folder_of
from damka.tablebase.tablebases import MAX_PIECES, Counts, EndgameTable, Tablebases, find, materials
from damka.tablebase.verify import TableCheck, verify

__all__ = [
    "MAX_PIECES",
    "BuildStep",
    "Counts",
    "EndgameTable",
    "MissingTableError",
    "TableCheck",
    "TablebaseError",
    "Tablebases",
    "build",
    "default_folder",
    "find",
    "folder_of",
    "materials",
    "verify",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Table": "EndgameTable", "Verdict": "TableCheck"})
