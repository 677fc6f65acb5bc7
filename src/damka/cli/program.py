"""The command by which this program was started, for use in its messages."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

__all__ = ["program_name"]

NAME = "damka"


def program_name() -> str:
    """Return the command that starts this program: its name if it is in PATH, else its path."""
    invoked = Path(sys.argv[0])
    if invoked.name != NAME or not invoked.is_file():
        return NAME  # a test, or `python -m`
    in_path = shutil.which(NAME)
    if in_path and Path(in_path).resolve() == invoked.resolve():
        return NAME
    relative = os.path.relpath(invoked)
    return shlex.quote(str(invoked) if relative.startswith(os.pardir) else relative)
