"""Processes of `damka serve` on one database, and browsers that reach any of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.server.support import Browser, Json, Live

ARGUMENTS = ("serve", "--port", "0", "--no-browser", "--trusted-proxy", "127.0.0.1")
LIMITS = {
    "post_burst": 100_000,
    "connect_burst": 100_000,
    "connections_per_address": 500,
    "sockets_per_address": 1000,
}

TAKEOVER = 20.0
"""Seconds in which others go on with the games of a process that has ended; two on a machine that
has nothing else to do, which `python -m bench.faults` measures."""


class Node:
    """One process of `damka serve`."""

    def __init__(
        self, url: str, broker: str | None, *, arguments: Sequence[str] | None = None
    ) -> None:
        environment = {**os.environ, "DAMKA_DATABASE_URL": url, "PYTHONUNBUFFERED": "1"}
        environment.pop("DAMKA_BROKER_URL", None)
        if broker is not None:
            environment["DAMKA_BROKER_URL"] = broker
        damka = Path(sys.executable).with_name("damka")
        limits = [part for n, value in LIMITS.items() for part in ("--limit", f"{n}={value}")]
        self.process = subprocess.Popen(
            [damka, *(arguments or ARGUMENTS), *limits],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._url = ""

    @property
    def url(self) -> str:
        """Where it is, once it answers."""
        while not self._url:
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
            assert line, self.process.communicate()
            if line.startswith("Damka is at "):
                self._url = line.split()[3].rstrip("/")
        return self._url

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; return the exit status and stderr."""
        if self.process.poll() is None:
            self.process.send_signal(how)
            if how is signal.SIGTERM:
                self.process.send_signal(signal.SIGCONT)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


def through(browser: Browser, node: Node) -> Browser:
    """Return the same browser, by another process: with its cookies."""
    there = Browser(node.url)
    there.http.cookies.update(browser.http.cookies)
    return there


def again(browser: Browser, game: str, until: float) -> tuple[Live, Json]:
    """Connect again and again, as a page does, until the game is shown; before `until`."""
    while True:
        assert time.monotonic() < until, "the game is not shown again in time"
        try:
            live = browser.live(game)
            return live, live.state()
        except Exception:
            time.sleep(0.1)
