"""The version is the same everywhere."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import damka

ROOT = Path(__file__).parents[2]


def test_the_package_and_the_command_have_the_project_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert damka.__version__ == project["version"]
    program = Path(sys.executable).parent / "damka"
    completed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert completed.stdout == f"damka {damka.__version__}\n"
