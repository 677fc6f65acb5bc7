"""Servers to be measured: processes of `damka serve`, their memory and processor time.

What each scenario needs beyond the default limits is in its own list of `--limit` options. The
limits of an address stay as they are: every player says another one in `X-Forwarded-For`, which
the server believes of this machine (`--trusted-proxy`).
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["Server", "Usage", "allow_descriptors", "serving"]

_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 30.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Usage:
    """The processor time of a process from now on. Linux only."""

    def __init__(self, pid: int) -> None:
        self._pid: Final = pid
        self._since: Final = time.monotonic()
        self._used: Final = self._seconds()

    def share(self) -> float:
        """Return the share of one processor that it has used since."""
        return (self._seconds() - self._used) / max(0.001, time.monotonic() - self._since)

    def _seconds(self) -> float:
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


class Server:
    """One process of `damka serve` with a database, at a port of its own."""

    def __init__(
        self,
        folder: Path,
        *,
        database_url: str | None = None,
        limits: Mapping[str, float] | None = None,
        environment: Mapping[str, str] | None = None,
        name: str = "server",
    ) -> None:
        self.database: Final = folder / "games.sqlite3"
        self.database_url: Final = database_url or f"sqlite:///{self.database}"
        self.log: Final = folder / f"{name}.log"
        self.port = 0
        self._limits: Final = dict(limits or {})
        self._environment: Final = dict(environment or {})
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def memory(self) -> int:
        """Its resident memory, in bytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE

    @property
    def is_running(self) -> bool:
        """Whether its process is there."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, at the port that it had before if there was one; wait until it answers."""
        limits = [f"--limit={name}={number:g}" for name, number in self._limits.items()]
        command = [
            *(str(Path(sys.executable).with_name("damka")), "serve", "--no-browser"),
            *("--port", str(self.port), "--trusted-proxy", "127.0.0.1", *limits),
        ]
        environment = {
            **os.environ,
            "DAMKA_DATABASE": self.database_url,
            "DAMKA_DATABASE_URL": self.database_url,
            **self._environment,
        }
        with self.log.open("a") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
            )
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            if line.startswith("Damka is at "):
                self.port = int(line.split()[3].rstrip("/").rpartition(":")[2])
                return
        raise RuntimeError(f"the server did not start: {self.errors() or 'it said nothing'}")

    def kill(self) -> float:
        """End it by SIGKILL; return the wall-clock time of that."""
        assert self._process is not None
        at = time.time()
        self._end(signal.SIGKILL)
        return at

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        if self.is_running:
            self._end(signal.SIGTERM)

    def errors(self) -> str:
        """Return what it has written to its log, without the first lines of a long one."""
        return self.log.read_text()[-2000:] if self.log.exists() else ""

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise RuntimeError("the server does not stop") from None
        finally:
            if self._process.stdout is not None:
                self._process.stdout.close()


@contextmanager
def serving(
    folder: Path,
    *,
    count: int = 1,
    database_url: str | None = None,
    limits: Mapping[str, float] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[list[Server]]:
    """Run some servers on one database until the end."""
    servers = [
        Server(
            folder,
            database_url=database_url,
            limits=limits,
            environment=environment,
            name=f"server-{number}",
        )
        for number in range(1, count + 1)
    ]
    try:
        for server in servers:
            server.start()
        yield servers
    finally:
        for server in servers:
            server.stop()


def allow_descriptors() -> None:
    """Let this process, and the servers that it starts, have as many connections as may be."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
