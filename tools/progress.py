#!/usr/bin/env python3
"""Run a command and show its progress.

Usage: progress.py TITLE COMMAND [ARGUMENT ...]

Ninja's lines, such as `[3/29] Building CXX object ...`, determine the progress. Otherwise it shows
the elapsed time. The command's own output is printed only if it fails. The exit status is the
command's. This script runs on the system's Python, before a virtual environment exists, so it uses
only the standard library.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from typing import TextIO

EVERY = 8.0
"""Seconds between two lines if the output is not a terminal."""

REFRESH = 1.0
"""Seconds between two updates of the line on a terminal."""

STEP = re.compile(r"\s*\[(\d+)/(\d+)\] ")
"""Ninja's count of finished and total steps, at the beginning of a line."""


class Progress:
    """Progress of a command, from its output."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.output: list[str] = []
        self._started = time.monotonic()
        self._done = self._steps = 0

    def read(self, line: str) -> None:
        """Process a line of the command's output."""
        self.output.append(line)
        if step := STEP.match(line):
            self._done, self._steps = int(step[1]), int(step[2])

    def __str__(self) -> str:
        seconds = int(time.monotonic() - self._started)
        passed = f"{seconds // 60}:{seconds % 60:02}"
        if not self._steps:
            return f"{self.title}: {passed}"
        share = 100 * self._done // self._steps
        return f"{self.title}: {share}%, {self._done} of {self._steps} steps, {passed}"


def run(title: str, command: list[str], out: TextIO) -> int:
    """Run a command, show its progress on `out`, and return its exit status."""
    progress = Progress(title)
    try:
        process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=out)
        return 127
    with process:
        reader = threading.Thread(target=_read, args=(process.stdout, progress))
        reader.start()
        _show(progress, reader, out)
    status = process.returncode
    if status:
        out.writelines(progress.output)
        print(f"{title}: failed ({' '.join(command)})", file=out)
    return status if status >= 0 else 128 - status


def _read(lines: Iterable[str] | None, progress: Progress) -> None:
    for line in lines or ():
        progress.read(line)


def _show(progress: Progress, reader: threading.Thread, out: TextIO) -> None:
    """Print the progress until the command has closed its output."""
    terminal = out.isatty()
    print(progress, end="" if terminal else "\n", file=out, flush=True)
    while reader.is_alive():
        reader.join(REFRESH if terminal else EVERY)
        if terminal:
            text = str(progress)[: shutil.get_terminal_size().columns - 1]
            print(f"\r\x1b[K{text}", end="", file=out, flush=True)
        else:
            print(progress, file=out, flush=True)
    if terminal:
        print(file=out, flush=True)


def main(arguments: list[str]) -> int:
    """Run the command in the arguments; return its exit status."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    title, *command = arguments
    try:
        return run(title, command, sys.stdout)
    except KeyboardInterrupt:  # The command receives the signal too, and exits.
        print()
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
