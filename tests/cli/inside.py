"""Run the command `damka` in the test's process or a separate one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TextIO
from unittest import mock

from damka.cli import main

__all__ = ["DAMKA", "damka", "damka_process", "run_main"]

DAMKA = str(Path(sys.executable).parent / "damka")


def run_main(*arguments: str, typed: str, output: TextIO, errors: TextIO) -> int:
    """Run the command in this process with these streams; return its exit status."""
    with (
        mock.patch.object(sys, "argv", ["damka", *arguments]),
        # Otherwise Click names the program "python -m pytest".
        mock.patch.object(sys.modules["__main__"], "__package__", ""),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8")),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            main()
        except SystemExit as error:
            return error.code if isinstance(error.code, int) else 0
    return 0


def damka(*arguments: str, home: Path, status: int = 0, typed: str = "", lang: str = "C") -> str:
    """Return the output of the command, run in a folder; check its exit status."""
    output = io.StringIO()
    with chdir(home), mock.patch.dict(os.environ, _environment(home, lang)):
        code = run_main(*arguments, typed=typed, output=output, errors=output)
    assert code == status, output.getvalue()
    return output.getvalue()


def damka_process(*arguments: str, home: Path, typed: str = "") -> str:
    """Return the output of the command, run in a separate process; it must succeed."""
    completed = subprocess.run(
        [DAMKA, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=home,
        env={**os.environ, **_environment(home, "C"), "PYTHONIOENCODING": "utf-8"},
    )
    output = completed.stdout + completed.stderr
    assert completed.returncode == 0, output
    assert "Traceback" not in output
    return output


def _environment(home: Path, lang: str) -> dict[str, str]:
    return {
        "LC_ALL": lang,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home),
        "COLUMNS": "120",
        "NO_COLOR": "1",
    }
