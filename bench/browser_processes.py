"""The processes of a Chromium: their memory, their processor time, and a slower processor.

Chromium slows down pages alone: for a worker it answers "Operation is only supported for pages, not
workers". So all of its processes are stopped for a part of every few milliseconds.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

__all__ = ["processor_seconds", "proportional_bytes", "renderers", "slowed"]

RUN: Final = 0.004
"""Seconds that the processes run, again and again."""
LOOK: Final = 0.1
"""Seconds until new processes are looked for."""
TICK: Final = os.sysconf("SC_CLK_TCK")


def renderers(browser: Browser) -> list[int]:
    """Return the processes that have pages, with their workers."""
    return [int(each["id"]) for each in _all(browser) if each["type"] == "renderer"]


def _all(browser: Browser) -> list[dict[str, int | str]]:
    session = browser.new_browser_cdp_session()
    try:
        told = session.send("SystemInfo.getProcessInfo")
    finally:
        session.detach()
    found: list[dict[str, int | str]] = told["processInfo"]
    return found


def proportional_bytes(process: int) -> int:
    """Return the memory of a process; what it shares with others is divided among them (PSS)."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"no Pss of process {process}")


def processor_seconds(process: int) -> float:
    """Return what a process has used so far, all its threads together."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def _family(root: int) -> list[int]:
    """Return a process and all that it has started, directly or not."""
    parents = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                fields = (path / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(path.name)] = int(fields[1])
    found = [root]
    for each in found:
        found += [process for process, parent in parents.items() if parent == each]
    return found


@contextmanager
def slowed(browser: Browser, times: float) -> Iterator[None]:
    """Make the browser run one part in `times` of the time, on every processor."""
    if times <= 1:
        yield
        return
    root = next(int(each["id"]) for each in _all(browser) if each["type"] == "browser")
    ended = threading.Event()
    thread = threading.Thread(target=_brake, args=(root, times, ended))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _brake(root: int, times: float, ended: threading.Event) -> None:
    family = _family(root)
    looked = continued = time.monotonic()
    while not ended.wait(RUN):
        _signal(family, signal.SIGSTOP)
        stopped = time.monotonic()
        try:
            if stopped - looked > LOOK:
                found, looked = _family(root), stopped
                _signal(found, signal.SIGSTOP)
                family = found
            # As much longer as they ran, which is a little more than what was asked for.
            until = stopped + (stopped - continued) * (times - 1)
            time.sleep(max(0.0, until - time.monotonic()))
        finally:
            _signal(family, signal.SIGCONT)
            continued = time.monotonic()


def _signal(family: list[int], what: signal.Signals) -> None:
    for process in family:
        try:
            os.kill(process, what)
        except ProcessLookupError:
            continue
