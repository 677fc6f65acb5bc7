"""The session in docs/build/engines.md runs as printed. `tests/docs` runs its examples."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from damka.cli import app

PAGE = Path(__file__).parents[2] / "docs" / "build" / "engines.md"


def test_the_session_runs_as_printed() -> None:
    """Compare line by line; figures and later names may differ."""
    block = next(
        part.removeprefix("text\n").partition("```")[0]
        for part in PAGE.read_text("utf-8").split("```")
        if part.startswith("text\n> hub")
    )
    with subprocess.Popen(
        [sys.executable, "-c", "from damka.cli import main; main()", "hub"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as engine:
        assert engine.stdin
        assert engine.stdout
        for line in block.splitlines():
            if line.startswith("> "):
                engine.stdin.write(line.removeprefix("> ") + "\n")
                engine.stdin.flush()
                continue
            output = engine.stdout.readline()
            words = 3 if line.startswith("param") else 1
            assert output.split()[:words] == line.split()[:words]
            if line.startswith("error"):
                assert output.strip() == line
        assert engine.wait(20) == 0


@pytest.mark.parametrize("command", ["hub", "dxp", "match", "serve"])
def test_the_commands_on_the_page_exist(command: str) -> None:
    assert command in {each.name for each in app.registered_commands}
    assert f"damka {command}" in PAGE.read_text("utf-8")
