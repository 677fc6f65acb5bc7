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

__all__ = ["executable_of"]

_BUILD_SECONDS: Final = 3600
_OWN_VARIABLES: Final = ("VIRTUAL_ENV", "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
_ROOT: Final = Path(__file__).parents[3]


def executable_of(commit: str) -> Path:
    """Return the executable `damka` of a commit; build it (a minute or two) if it is not cached.

    `commit` is any git revision. It is built like a fresh clone, by `make build`, in the user's
    cache folder.

    Raises MatchError if Damka does not run from a git checkout, for an unknown commit, for a failed
    build (with its output), and on Windows, which has no `make`.
    """
    if sys.platform == "win32":
        raise MatchError(f"commit {commit}: other commits cannot be built on Windows")
    name = f"{commit}^{{commit}}"
    commit_hash = _git("rev-parse", "--verify", "--end-of-options", name).decode().strip()
    home = Path(platformdirs.user_cache_dir("damka")) / "commits" / commit_hash[:16]
    executable = home / ".venv" / "bin" / "damka"
    stamp = home / ".built-for-matches"
    if stamp.exists() and executable.exists():
        return executable
    try:
        home.mkdir(parents=True, exist_ok=True)
        with (home.parent / f"{commit_hash[:16]}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not stamp.exists():
                _build(commit_hash, home)
                stamp.touch()
    except OSError as error:
        raise MatchError(f"commit {commit}: {error}") from error
    return executable


def _build(commit: str, home: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(_git("archive", commit))) as archive:
        archive.extractall(home, filter="data")
    # Variables of our virtual environment, and of a running make, would affect the build.
    environment = {k: v for k, v in os.environ.items() if k not in _OWN_VARIABLES}
    result = subprocess.run(
        ["make", "build"],  # noqa: S607  any make in PATH
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=_BUILD_SECONDS,
    )
    if result.returncode:
        tail = "\n".join((result.stdout + result.stderr).splitlines()[-12:])
        raise MatchError(f"commit {commit[:12]} cannot be built in {home}:\n{tail}")


def _git(*arguments: str) -> bytes:
    try:
        result = subprocess.run(  # noqa: S603  a commit's name cannot be an option
            ["git", *arguments],  # noqa: S607
            cwd=_ROOT,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise MatchError(f"git cannot be run: {error}") from error
    if result.returncode:
        message = result.stderr.decode("utf-8", "replace").strip()
        raise MatchError(f"git {arguments[0]} {arguments[-1]} in {_ROOT}: {message}")
    return result.stdout
