"""Folders of tablebases: a common one with a subfolder for each way to play."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damka import _core

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["SUFFIX", "default_folder", "folder_of"]

SUFFIX: Final = ".dtb"


def default_folder() -> Path:
    """Return the common folder: DAMKA_TABLEBASES, or else one in the user's data folder."""
    folder = os.environ.get("DAMKA_TABLEBASES")
    if folder:
        return Path(folder)
    import platformdirs  # noqa: PLC0415

    return Path(platformdirs.user_data_dir("damka")) / "tablebases"


def folder_of(rules: Rules, folder: Path | None = None) -> Path:
    """Return the folder inside `folder` for these rules.

    Rule sets share a folder if they differ only in what does not affect endings: the start
    position, the draw rules, or a mirrored board.
    """
    board = f"{rules.width}x{rules.height}"
    name = f"{board}-{_core.table_fingerprint(rules):016x}"
    return (default_folder() if folder is None else folder) / name
