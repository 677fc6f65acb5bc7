"""What installing takes: from the sdist, and from a wheel until the page answers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tools.wheels.shell import HOME, ROOT, WheelError, output, run

__all__ = ["install_sdist", "time_to_page"]

PAGE_GOAL: Final = 15.0
SDIST_GOAL: Final = 180.0
_PIP: Final = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def time_to_page(wheel: Path) -> str:
    """Return how long `pip install 'damka[server]'` and `damka serve` take, in words.

    The clock runs from before pip starts until the page has arrived. What the wheel depends on has
    been downloaded before; there is no compiler on the PATH.
    """
    cache = HOME / "downloads"
    cache.mkdir(parents=True, exist_ok=True)
    lock = ROOT / "requirements" / "run.txt"
    run(
        "downloading what the server needs",
        *(*_PIP, "download", "--quiet", "--require-hashes", "--only-binary=:all:"),
        *("-r", lock, "--dest", cache),
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        output(sys.executable, "-m", "venv", folder / "venv")
        programs = folder / "venv" / "bin"
        bare = {"PATH": str(programs), "HOME": name, "XDG_DATA_HOME": name}
        begun = time.monotonic()
        output(
            *(programs / "python", "-m", "pip", "install", "--quiet", "--no-index"),
            *("--only-binary=:all:", "--find-links", cache, f"{wheel}[server]"),
            env=bare,
        )
        installed = time.monotonic() - begun
        with _served(programs / "damka", bare, folder) as address:
            with urllib.request.urlopen(f"{address}/", timeout=20) as page:  # noqa: S310
                if b"dama64" not in page.read():
                    raise WheelError("the page is not the page")
            passed = time.monotonic() - begun
    goal = "" if passed <= PAGE_GOAL else f" (goal: {PAGE_GOAL:.0f} s)"
    return f"the page answers {passed:.1f} s after pip began, {installed:.1f} s of it pip's{goal}"


@contextmanager
def _served(program: Path, environment: dict[str, str], folder: Path) -> Iterator[str]:
    """Serve, and yield the address."""
    with subprocess.Popen(  # noqa: S603
        [str(program), "serve", "--port", "0", "--no-browser"],
        env={**environment, "PYTHONUNBUFFERED": "1"},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None  # noqa: S101  it was asked for
            for line in server.stdout:
                if found := re.search(r"http://[\w.\[\]:]+", line):
                    yield found[0].rstrip("/")
                    return
            raise WheelError("the server told no address")
        finally:
            server.terminate()


def install_sdist(sdist: Path) -> str:
    """Build and install the sdist with this system's compiler; return how long it took."""
    if shutil.which(os.environ.get("CXX", "g++")) is None:
        return "not tried: no g++ here"
    with tempfile.TemporaryDirectory() as name:
        target = Path(name)
        begun = time.monotonic()
        run(
            "building the kernel from the sdist",
            *(*_PIP, "install", "--no-deps", "--no-build-isolation", "--target", target, sdist),
            env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        )
        passed = time.monotonic() - begun
        if not list(target.glob("damka/_core*")):
            raise WheelError("the sdist built no kernel")
    goal = "" if passed <= SDIST_GOAL else f" (goal: {SDIST_GOAL:.0f} s on 2 quiet cores)"
    return f"built and installed in {passed:.0f} s{goal}"


def main(arguments: list[str]) -> int:
    """Measure the wheel that is named."""
    if len(arguments) != 1:
        print("Usage: python -m tools.wheels.install WHEEL", file=sys.stderr)
        return 2
    print(time_to_page(Path(arguments[0]).resolve()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
