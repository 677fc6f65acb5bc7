"""Building tablebases, one table after another."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from damka import _core
from damka.errors import TablebaseError
from damka.tablebase.folder import SUFFIX, folder_of
from damka.tablebase.tablebases import materials

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from damka.rules import Rules

__all__ = ["BuildStep", "build"]

# Per side to move. Building takes about five bytes per position; file offsets have 32 bits.
_MAX_POSITIONS: Final = 2**32
_STALE: Final = 3600  # seconds; writing takes one or two seconds


@dataclass(frozen=True, slots=True, weakref_slot=True)
class BuildStep:
    """The progress of a build.

    Pass 0 over a material is the initial one; pass `level` finds the positions that end in `level`
    plies. `share` is the completed part of the pass, from 0 to 1.
    """

    material: str
    number: int
    of: int
    level: int
    share: float
    positions_done: int
    positions: int


def build(
    rules: Rules,
    pieces: int,
    folder: Path | None = None,
    *,
    jobs: int = 1,
    on_step: Callable[[BuildStep], object] | None = None,
) -> list[str]:
    """Build the missing tables of up to `pieces` pieces (2 to 6); return their materials.

    Every table is written when it is finished, so an interrupted build can be continued. Damaged
    tables are rebuilt. `on_step` is called a few times per second.

    Raises TablebaseError if a table would have too many positions or cannot be written.
    """
    all_materials = materials(rules, pieces)
    for material, positions in all_materials.items():
        if positions > _MAX_POSITIONS:
            raise TablebaseError(f"{material}: {positions:,} positions exceed the limit of a table")
    table_folder = folder_of(rules, folder)
    try:
        table_folder.mkdir(parents=True, exist_ok=True)
        _remove_stale(table_folder)
    except OSError as error:
        raise TablebaseError(f"{table_folder}: {error.strerror}") from None
    tables = _core.Tables(rules)
    built = []
    progress = BuildStep("", 0, len(all_materials), 0, 0.0, 0, sum(all_materials.values()))
    for number, (material, positions) in enumerate(all_materials.items(), 1):
        step = replace(progress, material=material, number=number)
        report = partial(_report, on_step or _ignore, step)
        path = table_folder / f"{material}{SUFFIX}"
        if not _is_intact(rules, path):
            report(0, 0, 1)
            _write(path, tables.build(material, jobs=jobs, on_progress=report))
            built.append(material)
        tables.add(path)
        progress = replace(progress, positions_done=progress.positions_done + positions)
    return built


def _report(
    on_step: Callable[[BuildStep], object], step: BuildStep, level: int, done: int, of: int
) -> None:
    on_step(replace(step, level=level, share=done / of))


def _ignore(_: BuildStep) -> None:
    """Do nothing."""


def _remove_stale(table_folder: Path) -> None:
    """Remove partial files of killed programs, but not those that are being written."""
    for temporary in table_folder.glob("*.part"):
        if time.time() - temporary.stat().st_mtime > _STALE:
            temporary.unlink(missing_ok=True)


def _is_intact(rules: Rules, path: Path) -> bool:
    if not path.exists():
        return False
    try:
        return _core.Tables.intact(rules, path)
    except ValueError:
        return False
    except OSError as error:
        raise TablebaseError(f"{path}: {error.strerror}") from None


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise TablebaseError(f"{path}: {error.strerror}") from None
