#!/usr/bin/env python3
"""Check the system packages that Damka needs, and install missing ones if possible.

Usage: prerequisites.py GROUP ...

  build      to build and run: Python's venv module and headers, a C++ compiler
  chromium   to test the page: Chromium
  databases  to test several processes: PostgreSQL, Redis or Valkey, nginx
  node       to build the site and the JavaScript package, and to check the page's types: npm

Run as root on a machine with apt-get, it installs the Debian packages. Otherwise it prints the
command that installs them. It runs on the system's Python, before a virtual environment exists, so
it uses only the standard library.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

# The headless shell comes first: it has no toolbars, and the tests take a third less time with it.
CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
_CHROMIUM = "chromium-headless-shell fonts-dejavu-core"


def missing_for_build() -> dict[str, str]:
    """Return missing prerequisites of building and running, as {thing: Debian packages}."""
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
    """Return missing prerequisites of testing the page, as {thing: Debian packages}."""
    chosen = os.environ.get("DAMKA_CHROMIUM")
    if chosen:
        return {} if Path(chosen).exists() else {f"DAMKA_CHROMIUM={chosen}": _CHROMIUM}
    if any(shutil.which(name) for name in CHROMIUM_NAMES):
        return {}
    return {"Chromium, for the tests of the page": _CHROMIUM}


def missing_for_databases() -> dict[str, str]:
    """Return missing prerequisites of testing several processes, as {thing: Debian packages}."""
    missing = {}
    # Debian installs PostgreSQL's programs in a folder for each version.
    if not shutil.which("postgres") and not list(
        Path("/usr/lib/postgresql").glob("*/bin/postgres")
    ):
        missing["PostgreSQL, for the tests of several processes"] = "postgresql"
    if not shutil.which("valkey-server") and not shutil.which("redis-server"):
        missing["Redis or Valkey, for the tests of several processes"] = "redis-server"
    if not shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin"):
        missing["nginx, for the tests of several processes"] = "nginx"
    return missing


def missing_for_node() -> dict[str, str]:
    """Return missing prerequisites of the Node.js builds, as {thing: Debian packages}."""
    return {} if shutil.which("npm") else {"npm, to build and check JavaScript": "nodejs npm"}


CHECKS = {
    "build": missing_for_build,
    "chromium": missing_for_chromium,
    "databases": missing_for_databases,
    "node": missing_for_node,
}


def install(packages: list[str]) -> bool:
    """Install Debian packages if this user is root; return whether they were installed."""
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return False
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for title, *command in (
        ["reading package lists", "update"],
        [f"installing {' '.join(packages)}", "install", "-y", "--no-install-recommends", *packages],
    ):
        progress = [sys.executable, str(Path(__file__).with_name("progress.py")), title]
        completed = subprocess.run([*progress, apt, *command], env=environment, check=False)  # noqa: S603
        if completed.returncode:
            return False
    return True


def _packages(missing: dict[str, str]) -> list[str]:
    return sorted({package for packages in missing.values() for package in packages.split()})


def _missing(groups: list[str]) -> dict[str, str]:
    return {thing: packages for group in groups for thing, packages in CHECKS[group]().items()}


def main(arguments: list[str]) -> int:
    """Check groups of prerequisites; return the exit status."""
    if not arguments or not set(arguments) <= set(CHECKS):
        print(__doc__, file=sys.stderr)
        return 2
    if sys.version_info < (3, 11):  # noqa: UP036  the system's Python may be older
        found = ".".join(map(str, sys.version_info[:3]))
        print(
            f"Damka needs Python 3.11 or newer; {sys.executable} is {found}.\n"
            "If another one is installed, name it: make PYTHON=python3.11 ...",
            file=sys.stderr,
        )
        return 1
    missing = _missing(arguments)
    if missing and install(_packages(missing)):
        # Check again: the packages may lack the missing program.
        missing = _missing(arguments)
    if not missing:
        return 0
    for thing in missing:
        print(f"Missing: {thing}", file=sys.stderr)
    print("Install it; on Debian:", file=sys.stderr)
    print(f"  sudo apt-get install {' '.join(_packages(missing))}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
