#!/usr/bin/env python3
"""Check what Damka needs from the system, install Debian's packages when that is allowed.

Usage: prerequisites.py build|chromium

Only what is missing is asked for. As root on a machine with apt-get the Debian packages are
installed; anyone else is told exactly which command would do it. Runs on the system's Python,
before there is a virtual environment, so it uses the standard library alone.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_CHROMIUM = "chromium fonts-dejavu-core"


def missing_for_build() -> dict[str, str]:
    """Return what is missing to build and run, as {thing: Debian packages}."""
    missing = {}
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if importlib.util.find_spec("ensurepip") is None:
        missing["Python's venv module"] = f"python{version}-venv"
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    if not header.exists():
        missing[f"Python's headers ({header})"] = f"python{version}-dev"
    if shutil.which(os.environ.get("CXX", "g++")) is None:
        missing["a C++20 compiler (g++)"] = "g++"
    return missing


def missing_for_chromium() -> dict[str, str]:
    """Return {} when a browser for the page's tests is there, else it and its packages."""
    chosen = os.environ.get("DAMKA_CHROMIUM")
    if chosen:
        return {} if Path(chosen).exists() else {f"DAMKA_CHROMIUM={chosen}": _CHROMIUM}
    if any(shutil.which(name) for name in CHROMIUM_NAMES):
        return {}
    return {"Chromium, which the page's tests drive": _CHROMIUM}


def install(packages: list[str]) -> bool:
    """Install Debian packages if this user may; say whether that was tried and worked."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return False
    print(f"Installing {' '.join(packages)} ...", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["update", "-qq"],
        ["install", "-y", "-qq", "--no-install-recommends", *packages],
    ):
        done = subprocess.run(  # noqa: S603
            [apt, *command], env=environment, stdout=subprocess.DEVNULL, check=False
        )
        if done.returncode:
            return False
    return True


def _packages(missing: dict[str, str]) -> list[str]:
    return sorted({package for packages in missing.values() for package in packages.split()})


def main(arguments: list[str]) -> int:
    """Check one group of prerequisites; return the exit status."""
    checks = {"build": missing_for_build, "chromium": missing_for_chromium}
    if len(arguments) != 1 or arguments[0] not in checks:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.version_info < (3, 11):  # noqa: UP036  the system's Python may be older
        found = ".".join(map(str, sys.version_info[:3]))
        print(
            f"Damka needs Python 3.11 or newer; {sys.executable} is {found}.\n"
            "Name another one with: make PYTHON=python3.11 ...",
            file=sys.stderr,
        )
        return 1
    check = checks[arguments[0]]
    missing = check()
    if missing and install(_packages(missing)):
        # Asked again, not assumed: a package may not hold what was missing.
        missing = check()
    if not missing:
        return 0
    for thing in missing:
        print(f"Missing: {thing}", file=sys.stderr)
    print(f"On Debian: sudo apt-get install {' '.join(_packages(missing))}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
