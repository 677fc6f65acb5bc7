"""Build the sdist and the wheels into dist/, check them, and print a table: `make wheels`.

Usage: python -m tools.wheels [WORD ...]: only wheels whose tags contain all the words.

It runs in an environment of its own, made from requirements/wheels.txt. What has no interpreter or
cannot be tried here is said in the table. A wheel that fails to build or fails a check makes the
exit status 1.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from tools.wheels.build import build_sdist, build_wheel
from tools.wheels.check import check
from tools.wheels.install import install_sdist, time_to_page
from tools.wheels.interpreters import interpreter
from tools.wheels.shell import ROOT, WheelError
from tools.wheels.targets import PLATFORMS, wanted


@dataclass
class Row:
    """A line of the table."""

    name: str
    size: str
    how: str


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


def main(words: list[str]) -> int:
    """Build and check what the words choose; return the exit status."""
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    rows: list[Row] = []
    wrong = False
    if not words:
        sdist = build_sdist(dist)
        try:
            rows.append(Row(sdist.name, _size(sdist), install_sdist(sdist)))
        except WheelError as failed:
            rows.append(Row(sdist.name, _size(sdist), f"WRONG: {failed}"))
            wrong = True
    for platform, abi in wanted(words):
        name = f"{abi.tags}-{platform.tag}"
        try:
            interpreter(abi.python)
        except WheelError as failed:
            rows.append(Row(name, "", f"not built: {failed}"))
            continue
        try:
            wheel = build_wheel(platform, abi, dist)
        except WheelError as failed:
            rows.append(Row(name, "", f"WRONG: {failed}"))
            wrong = True
            continue
        try:
            how = check(wheel, platform, abi)
            if platform is PLATFORMS[0] and abi.python == "3.11":
                how += f"; {time_to_page(wheel)}"
        except WheelError as failed:
            how, wrong = f"WRONG: {failed}", True
        rows.append(Row(wheel.name, _size(wheel), how))
        _print(rows[-1:])
    print()
    _print(rows)
    return 1 if wrong else 0


def _print(rows: list[Row]) -> None:
    for row in rows:
        print(f"{row.name:<58} {row.size:>8}  {row.how}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
