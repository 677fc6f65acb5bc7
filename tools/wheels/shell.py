"""Running other programs, with their progress shown."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

__all__ = ["HOME", "ROOT", "WheelError", "jobs", "output", "run"]

ROOT: Final = Path(__file__).parents[2]
HOME: Final = ROOT / "build" / "wheels"
"""Where interpreters, compilers' caches and chroots are kept between runs."""


class WheelError(Exception):
    """What was to be done cannot be done here; the text says why."""


def jobs() -> str:
    """Return how many compilers may run at once."""
    return str(len(os.sched_getaffinity(0)))


def run(
    title: str, *command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None
) -> None:
    """Run a command and show its title and time. Raises WheelError if it fails."""
    progress = [sys.executable, str(ROOT / "tools" / "progress.py"), title]
    done = subprocess.run(  # noqa: S603
        [*progress, *map(str, command)], cwd=cwd, env={**os.environ, **(env or {})}, check=False
    )
    if done.returncode:
        raise WheelError(f"{title}: failed")


def output(*command: str | Path, env: dict[str, str] | None = None, seconds: float = 900) -> str:
    """Return what a command prints. Raises WheelError, with the last lines, if it fails."""
    try:
        done = subprocess.run(  # noqa: S603
            list(map(str, command)),
            env={**os.environ, **(env or {})},
            check=False,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WheelError(str(error)) from error
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise WheelError("; ".join(lines[-3:])[-300:] or f"exit status {done.returncode}")
    return done.stdout
