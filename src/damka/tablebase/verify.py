"""Verification of tablebases against the rules, independent of the build."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from damka import _core
from damka.errors import TablebaseError
from damka.notation import fen
from damka.tablebase.tablebases import Counts, EndgameTable, Tablebases, materials

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["TableCheck", "verify"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class TableCheck:
    """The result for one table: the number of positions checked, and descriptions of errors."""

    material: str
    checked: int
    positions: int
    faults: tuple[str, ...]


def verify(
    tables: Tablebases,
    *,
    sample: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    on_progress: Callable[[str, float], object] | None = None,
) -> Iterator[TableCheck]:
    """Check every table and yield the results.

    The checksum must match, the number of positions must be correct, and the value of every
    position must follow from its successors. With `sample`, only about this many random positions
    per side to move are checked; `seed` selects them. `on_progress` receives the material and the
    completed share, from 0 to 1.
    """
    if sample is not None and sample < 1:
        raise ValueError(f"sample: 1 or more, not {sample}")
    if not tables.tables:
        raise TablebaseError(f"no endgame tablebases in {tables.folder}")
    check = _Check(tables, sample, seed, jobs, on_progress or _ignore)
    for material, positions in materials(tables.rules, tables.pieces).items():
        table = tables.tables.get(material)
        if table is not None:
            yield check.table(table, positions)


@dataclass(frozen=True, slots=True)
class _Check:
    tables: Tablebases
    sample: int | None
    seed: int
    jobs: int
    on_progress: Callable[[str, float], object]

    def table(self, table: EndgameTable, positions: int) -> TableCheck:
        faults = []
        try:
            if not _core.Tables.intact(self.tables.rules, table.path):
                faults.append(f"{table.path}: damaged: wrong checksum")
        except (ValueError, OSError) as error:
            faults.append(f"{table.path}: {error}")
        stored_positions = sum(counts.positions for counts in table.halves.values())
        if stored_positions != positions:
            faults.append(f"{table.material}: {stored_positions} positions instead of {positions}")
        checked = 0
        for half, counts in table.halves.items():
            n, wrong = self.half(half, counts)
            checked += n
            faults += [f"{half}: {fault}" for fault in wrong]
        return TableCheck(table.material, checked, positions, tuple(faults))

    def half(self, half: str, stored: Counts) -> tuple[int, list[str]]:
        """Return the number of positions checked and the errors."""
        one_of = 1 if self.sample is None else max(1, stored.positions // self.sample)
        try:
            numbers, wrong, first = self.tables.native.verify(
                half,
                one_of=one_of,
                seed=self.seed,
                jobs=self.jobs,
                on_progress=lambda _, now, of: self.on_progress(half, now / of),
            )
        except ValueError as error:
            return 0, [str(error).removeprefix(f"{half}: ")]
        faults = []
        counts = Counts(*numbers)
        if first is not None:
            faults.append(f"{wrong} wrong values, such as: {_fault(self.tables, *first)}")
        if one_of == 1 and counts != stored:
            faults.append(f"the counts are {counts}, but the file has {stored}")
        return counts.positions, faults


def _fault(
    tables: Tablebases, pieces: str, stored: tuple[int, int], expected: tuple[int, int]
) -> str:
    text = fen.format(tables.rules, pieces, "W")
    return f"{text} is {_value_text(*stored)} and should be {_value_text(*expected)}"


def _ignore(_half: str, _share: float) -> None:
    """Do nothing."""


def _value_text(wdl: int, plies: int) -> str:
    return {0: "drawn", 1: f"won in {plies}", -1: f"lost in {plies}"}[wdl]
