"""Opening, listing and probing tablebases."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self, TypeVar, overload

from damka import _core
from damka._former import warn_former
from damka.errors import MissingTableError, TablebaseError
from damka.rules import Rules, load
from damka.tablebase.folder import SUFFIX, folder_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from damka.board import Board
    from damka.move import Move

__all__ = ["MAX_PIECES", "Counts", "EndgameTable", "Tablebases", "find", "materials"]

MAX_PIECES: Final = 6

T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Counts:
    """The results in a table for one side to move, from its view; the longest in plies."""

    positions: int
    wins: int
    draws: int
    losses: int
    longest_win: int
    longest_loss: int


@dataclass(frozen=True, slots=True, weakref_slot=True)
class EndgameTable:
    """A table file.

    `halves` has the counts for each side to move: "KKvM" if the side with two kings is to move,
    "MvKK" if the other side is. If both sides have the same material, there is only one entry.
    """

    material: str
    path: Path
    size: int
    halves: Mapping[str, Counts]


class Tablebases:
    """The endgame tablebases of one rule set in a folder, read block by block.

    `rules` is a rule set or an argument of `damka.rules.load`. `folder` is the common folder of all
    rules, by default `damka.tablebase.default_folder()`; it may have no tables. Tables of more than
    `pieces` pieces are not opened. Values ignore draws by repetition and by counters. Under rules
    with huffing, captures are assumed to be compulsory.

    Probing is thread-safe. Close the tablebases, or use them as a context manager.

    Raises TablebaseError for a file that is not a complete table of these rules.
    """

    def __init__(
        self,
        rules: Rules | str | Path,
        folder: Path | str | None = None,
        *,
        pieces: int = MAX_PIECES,
    ) -> None:
        self.rules = rules if isinstance(rules, Rules) else load(rules)
        self.folder = folder_of(self.rules, Path(folder) if folder is not None else None)
        self._native = _core.Tables(self.rules)
        self._tables: dict[str, EndgameTable] = {}
        for path in sorted(self.folder.glob(f"*{SUFFIX}"), key=lambda p: (len(p.name), p.name)):
            if len(path.stem.replace("v", "")) <= pieces:
                self._open(path)

    @property
    def tables(self) -> Mapping[str, EndgameTable]:
        """The tables by material, as in "KKvM"; the stronger side is first."""
        return MappingProxyType(self._tables)

    @property
    def pieces(self) -> int:
        """The maximum number of pieces of a table; 0 without tables."""
        return self._native.pieces

    @property
    def native(self) -> _core.Tables:
        """The tables for the search."""
        return self._native

    def probe_wdl(self, board: Board) -> int:
        """Return 1 if the side to move wins, -1 if it loses, 0 for a draw.

        Raises MissingTableError without a table, TablebaseError for a damaged table, and ValueError
        for a board with other rules.
        """
        return self._probe(board)[0]

    def probe_distance(self, board: Board) -> int:
        """Return the plies to the end of the game: positive for a win, negative for a loss.

        The winner plays for the shortest win, the loser for the longest loss. 0 is a draw or the
        end of the game. Raises like `probe_wdl`.
        """
        wdl, plies = self._probe(board)
        return wdl * plies

    @overload
    def get_wdl(self, board: Board) -> int | None: ...
    @overload
    def get_wdl(self, board: Board, default: T) -> int | T: ...
    def get_wdl(self, board: Board, default: object = None) -> object:
        """Return the value of `probe_wdl`, or `default` without a table."""
        try:
            return self.probe_wdl(board)
        except MissingTableError:
            return default

    @overload
    def get_distance(self, board: Board) -> int | None: ...
    @overload
    def get_distance(self, board: Board, default: T) -> int | T: ...
    def get_distance(self, board: Board, default: object = None) -> object:
        """Return the value of `probe_distance`, or `default` without a table."""
        try:
            return self.probe_distance(board)
        except MissingTableError:
            return default

    def moves(self, board: Board) -> list[tuple[Move, int, int]]:
        """Return the legal moves, best first, each with its result and the plies to the end.

        Results are from the view of the side to move: (move, 1, 5) wins in 5 plies, including this
        move. Raises like `probe_wdl`.
        """
        after = board.copy()
        moves = []
        for move in board.legal_moves:
            after.push(move)
            wdl, plies = self._probe(after)
            after.pop()
            moves.append((move, -wdl, plies + 1 if wdl else 0))
        # The shortest wins first, then draws, then the longest losses.
        moves.sort(key=lambda entry: (-entry[1], entry[1] * entry[2], entry[0].hub()))
        return moves

    def longest(self, half: str, n: int) -> list[tuple[Board, int]]:
        """Return the `n` longest wins with White to move, with their plies.

        `half` is the material of White, then of Black, as in "KKvM". Raises TablebaseError for a
        missing or damaged table.
        """
        start = _board(self.rules)
        positions = self._query(lambda: self._native.longest(half, n))
        return [(start.with_pieces(pieces, "W"), plies) for pieces, plies in positions]

    def max_no_progress_plies(self, material: str) -> int:
        """Return the maximum number of plies without progress in won endings of a material.

        Progress is a capture or a man's move. The maximum is over all won and lost positions with
        either side to move, all best moves of the winner and all moves of the loser. If the rules
        allow as many plies (`Rules.no_progress_plies`), every win is in time. Takes seconds
        to minutes. Raises TablebaseError for a missing or damaged table.
        """
        return self._query(lambda: self._native.stretch(material))

    def stretch(self, material: str) -> int:
        """Deprecated: use `max_no_progress_plies`."""
        warn_former("Tablebases.stretch", "max_no_progress_plies")
        return self.max_no_progress_plies(material)

    def _query(self, query: Callable[[], T]) -> T:
        try:
            return query()
        except ValueError as error:
            raise TablebaseError(f"{self.folder}: {error}") from None

    def close(self) -> None:
        """Close the files; afterwards there are no tables."""
        self._native = _core.Tables(self.rules)
        self._tables = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} tables of {self.rules.name} in {self.folder}>"

    def _probe(self, board: Board) -> tuple[int, int]:
        try:
            value = self._native.probe(board)
        except RuntimeError as error:
            raise TablebaseError(f"{self.folder}: {error}") from None
        if value is None:
            raise MissingTableError(material_of(board), self.folder)
        return value

    def _open(self, path: Path) -> None:
        try:
            halves = self._native.add(path)
        except ValueError as error:
            raise TablebaseError(f"{path}: {error}") from None
        except OSError as error:
            raise TablebaseError(f"{path}: {error.strerror}") from None
        material = halves[0][0]
        counts = {name: Counts(*numbers) for name, numbers in halves}
        self._tables[material] = EndgameTable(
            material, path, path.stat().st_size, MappingProxyType(counts)
        )


def _board(rules: Rules) -> Board:
    from damka.board import Board  # noqa: PLC0415

    return Board(rules)


def find(rules: Rules, folder: Path | str | None = None) -> Tablebases | None:
    """Return the tablebases for `rules`, or None if there are none or a table is damaged.

    For programs that also work without tablebases; damage is logged.
    """
    try:
        tables = Tablebases(rules, folder)
    except (TablebaseError, OSError) as error:
        _log.warning("endgame tablebases disabled: %s", error)
        return None
    return tables if len(tables) else None


def materials(rules: Rules, pieces: int) -> dict[str, int]:
    """Return the materials of up to `pieces` pieces (2 to 6) with their numbers of positions.

    They are in build order: every material comes after those that its moves can lead to.
    """
    if not 2 <= pieces <= MAX_PIECES:
        raise ValueError(f"pieces: 2 to {MAX_PIECES}, not {pieces}")
    return dict(_core.table_materials(rules, pieces))


def material_of(board: Board) -> str:
    """Return the material of a board as in table names, the stronger side first.

    >>> from damka import Board
    >>> material_of(Board("american", "W:W30:BK1,K2"))
    'KKvM'
    """

    def letters(men: str, kings: str) -> str:
        return "K" * board.pieces.count(kings) + "M" * board.pieces.count(men)

    sides = [letters("w", "W"), letters("b", "B")]
    sides.sort(key=lambda side: (len(side), side.count("K")), reverse=True)
    return "v".join(sides)
