"""The command `damka`, run inside the process of the test: quicker than in one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from unittest import mock

from damka.cli import main

__all__ = ["damka"]


def damka(*arguments: str, home: Path, status: int = 0) -> str:
    """Return what the command prints in a folder; its exit status must be the one given."""
    environment = {"LC_ALL": "C", "XDG_DATA_HOME": str(home), "COLUMNS": "120", "NO_COLOR": "1"}
    output, found = io.StringIO(), 0
    with (
        contextlib.chdir(home),
        mock.patch.dict(os.environ, environment),
        mock.patch.object(sys, "argv", ["damka", *arguments]),
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
    ):
        try:
            main()
        except SystemExit as left:
            found = left.code if isinstance(left.code, int) else 0
    assert found == status, output.getvalue()
    return output.getvalue()
