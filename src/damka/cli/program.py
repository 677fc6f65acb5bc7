"""The name of this program as it was called, for the commands in its messages."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

__all__ = ["program_name"]

NAME = "damka"


def program_name() -> str:
    """Return the word that starts this program: its name if it is in PATH, else its path."""
    mine = Path(sys.argv[0])
    if mine.name != NAME or not mine.is_file():
        return NAME  # a test, or `python -m`
    found = shutil.which(NAME)
    if found and Path(found).resolve() == mine.resolve():
        return NAME
    near = os.path.relpath(mine)
    return shlex.quote(str(mine) if near.startswith(os.pardir) else near)
