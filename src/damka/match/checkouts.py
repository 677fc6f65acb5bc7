"""Other commits of Damka as opponents, each built in its own folder."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Final

import platformdirs

from damka.errors import MatchError

if sys.platform != "win32":
    import fcntl

__all__ = ["program"]

_BUILD_SECONDS: Final = 3600
_OURS: Final = ("VIRTUAL_ENV", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
_ROOT: Final = Path(__file__).parents[3]


def program(commit: str) -> Path:
    """Return the program `damka` of a commit; build it (a minute or two) if it is not cached.

    `commit` is any git revision. It is built like a fresh clone, by `make build`, in
    the user's cache folder.

    Raises MatchError if this Damka is no git checkout, for an unknown commit, for a failed build,
    with its output, and on Windows, which has no `make`.
    """
    if sys.platform == "win32":
        raise MatchError(f"commit {commit}: other commits cannot be built on Windows")
    name = f"{commit}^{{commit}}"
    full = _git("rev-parse", "--verify", "--end-of-options", name).decode().strip()
    home = Path(platformdirs.user_cache_dir("damka")) / "commits" / full[:16]
    found = home / ".venv" / "bin" / "damka"
    stamp = home / ".built-for-matches"
    if stamp.exists() and found.exists():
        return found
    try:
        home.mkdir(parents=True, exist_ok=True)
        with (home.parent / f"{full[:16]}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not stamp.exists():
                _build(full, home)
                stamp.touch()
    except OSError as error:
        raise MatchError(f"commit {commit}: {error}") from error
    return found


def _build(commit: str, home: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(_git("archive", commit))) as archive:
        archive.extractall(home, filter="data")
    # Our environment's variables do not apply to that commit, nor do those of a running make.
    environment = {k: v for k, v in os.environ.items() if k not in _OURS}
    done = subprocess.run(
        ["make", "build"],  # noqa: S607  any make in PATH
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=_BUILD_SECONDS,
    )
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).splitlines()[-12:])
        raise MatchError(f"commit {commit[:12]} cannot be built in {home}:\n{last}")


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603  a commit's name cannot be an option
            ["git", *arguments],  # noqa: S607
            cwd=_ROOT,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise MatchError(f"git cannot be run: {error}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise MatchError(f"git {arguments[0]} {arguments[-1]} in {_ROOT}: {said}")
    return done.stdout
