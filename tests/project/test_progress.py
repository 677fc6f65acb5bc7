"""A build shows its progress, and its complete output if it fails."""

from __future__ import annotations

import io
import re
import sys

import pytest
from tools import progress

STEPS = """
import time
for step in range(1, 4):
    print(f"  [{step}/3] Building CXX object", flush=True)
    time.sleep(0.2)  # eight times the refresh interval
"""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(program: str, out: io.StringIO) -> int:
    return progress.run("building", [sys.executable, "-c", program], out)


@pytest.mark.parametrize("out", [io.StringIO(), Terminal()])
def test_the_finished_share_is_shown(out: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.025)
    monkeypatch.setattr(progress, "REFRESH", 0.025)
    assert run(STEPS, out) == 0
    assert re.search(r"building: 33%, 1 of 3 steps, 0:\d\d", out.getvalue())
    assert re.search(r"building: 100%, 3 of 3 steps, 0:\d\d\n$", out.getvalue())
    assert "CXX" not in out.getvalue()


def test_a_command_without_steps_shows_the_elapsed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.025)
    out = io.StringIO()
    assert run("import time; time.sleep(0.3)", out) == 0
    assert len(re.findall(r"building: 0:\d\d\n", out.getvalue())) > 2


def test_lines_are_less_than_ten_seconds_apart() -> None:
    assert progress.EVERY < 10


def test_a_failure_shows_the_complete_output() -> None:
    out = io.StringIO()
    assert run("import sys; print('error: no compiler'); sys.exit(3)", out) == 3
    assert "error: no compiler\nbuilding: failed" in out.getvalue()


def test_a_missing_command_is_reported() -> None:
    out = io.StringIO()
    assert progress.run("building", ["no-such-command"], out) == 127
    assert "no-such-command: No such file" in out.getvalue()
    assert progress.main(["building"]) == 2
