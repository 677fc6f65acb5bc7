"""Other programs for comparison, each in its own environment under build/peers/."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

__all__ = ["PeerError", "environment", "printed"]

ROOT = Path(__file__).parents[1]


class PeerError(Exception):
    """A peer that cannot be installed here, with the reason."""


@cache
def environment(name: str) -> Path:
    """Return the scripts folder of a peer's environment, created from its lock file if missing.

    Raises PeerError with pip's message if the peer cannot be installed.
    """
    lock = ROOT / "requirements" / f"peers-{name}.txt"
    home = ROOT / "build" / "peers" / name
    stamp = home / "installed"
    if not stamp.exists() or stamp.read_text("utf-8") != lock.read_text("utf-8"):
        for command in (
            (sys.executable, "-m", "venv", "--clear", home),
            (home / "bin" / "pip", "install", "--quiet", "--require-hashes", "-r", lock),
        ):
            completed = subprocess.run(
                [str(part) for part in command], capture_output=True, text=True, check=False
            )
            if completed.returncode:
                raise PeerError(f"{name} cannot be installed:\n{completed.stderr.strip()}")
        stamp.write_text(lock.read_text("utf-8"), "utf-8")
    return home / "bin"


def printed(script: str, *arguments: object, peer: str = "") -> tuple[float, ...]:
    """Run a Python script with a peer's libraries or ours; return the printed numbers."""
    python = environment(peer) / "python" if peer else sys.executable
    completed = subprocess.run(
        [str(python), "-c", script, *map(str, arguments)],
        check=True,
        capture_output=True,
        text=True,
    )
    return tuple(map(float, completed.stdout.splitlines()[-1].split()))
