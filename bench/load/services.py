"""PostgreSQL, and Redis or Valkey, for one scenario: started, killed, started again."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

__all__ = ["MissingError", "Postgres", "Redis"]

_START_SECONDS: Final = 30.0
_DEBIAN: Final = Path("/usr/lib/postgresql")


class MissingError(Exception):
    """A program is not installed: which."""


class _Service:
    """A program at a port of its own, which keeps its data when it is killed."""

    def __init__(self, user: str | None = None) -> None:
        self._user: Final = user
        # Root has to give it to the user that the program runs as; nobody else looks into it.
        self.folder: Final = Path(tempfile.mkdtemp(prefix="damka-bench-"))
        if user is not None:
            owner = pwd.getpwnam(user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        self.port: Final = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self._prepare()
            self.start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None and self._process.poll() is None:
            self._end(signal.SIGINT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start it, and wait until it listens."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(),
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=self._user,
                group=self._user,
                # What it starts itself is killed with it.
                start_new_session=True,
            )
        until = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(
                    f"{self._command()[0]}: {(self.folder / 'log').read_text()[-500:]}"
                )
            time.sleep(0.05)

    def kill(self) -> None:
        """End it by SIGKILL, with all its processes."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def _prepare(self) -> None:
        pass

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class Postgres(_Service):
    """A PostgreSQL server with an empty database, reached over loopback."""

    def __init__(self) -> None:
        # It refuses to run as root.
        super().__init__("postgres" if os.geteuid() == 0 else None)
        self._data: Final = self.folder / "data"

    @property
    def url(self) -> str:
        """Its database, for SQLAlchemy."""
        return f"postgresql+psycopg://damka@127.0.0.1:{self.port}/postgres"

    def _prepare(self) -> None:
        subprocess.run(
            [*(_program("initdb"), "--auth=trust", "--username=damka"), "-D", str(self._data)],
            check=True,
            capture_output=True,
            cwd=self.folder,
            user=self._user,
            group=self._user,
        )

    def _command(self) -> list[str]:
        return [
            *(_program("postgres"), "-D", str(self._data), "-p", str(self.port)),
            *("-c", "listen_addresses=127.0.0.1"),
            *("-c", f"unix_socket_directories={self.folder}"),
        ]

    def _answers(self) -> bool:
        ready = subprocess.run(
            [_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False
        )
        return ready.returncode == 0


class Redis(_Service):
    """A Redis or Valkey server that keeps nothing."""

    @property
    def url(self) -> str:
        """Where it is."""
        return f"redis://127.0.0.1:{self.port}/0"

    def _command(self) -> list[str]:
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        if program is None:
            raise MissingError("valkey-server or redis-server is not installed")
        return [
            *(program, "--port", str(self.port), "--bind", "127.0.0.1"),
            *("--save", "", "--appendonly", "no", "--dir", str(self.folder)),
        ]


def _program(name: str) -> str:
    """Return a program of PostgreSQL's, which Debian does not put on the path."""
    found = shutil.which(name)
    versions = sorted(_DEBIAN.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    if found is None and not versions:
        raise MissingError(f"{name} is not installed (Debian: postgresql)")
    return found or str(versions[-1])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
