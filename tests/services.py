"""Databases, brokers and servers in processes of their own, for tests and benchmarks."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import quote

import psycopg

__all__ = ["LIMITS", "Broker", "PostgreSql", "Program", "ServerProcess", "fleet", "free_port"]

PATIENCE: Final = 60.0
ARGUMENTS: Final = ("serve", "--no-browser", "--trusted-proxy", "127.0.0.1")
LIMITS: Final[Mapping[str, float]] = {
    "post_burst": 100_000,
    "connect_burst": 100_000,
    "connections_per_address": 500,
    "sockets_per_address": 1000,
    "silent_seconds": 30,
}
"""Generous limits: tests of a limit set it themselves."""


def free_port() -> int:
    """Return a free loopback port, which no other program gets until this process ends.

    A bound socket reserves it. A server can still listen on it, with SO_REUSEADDR as usual.
    """
    reserving = socket.socket()
    reserving.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserving.bind(("127.0.0.1", 0))
    port: int = reserving.getsockname()[1]
    reserving.detach()  # It stays open.
    return port


class Program:
    """A program in its own folder, run by a user other than root."""

    def __init__(self, name: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"damka-{name}-", dir="/tmp"))
        self.user: dict[str, Any] = {}
        if os.geteuid() == 0:
            # PostgreSQL does not run as root.
            user = (
                "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
            )
            self.user = {"user": user, "extra_groups": []}
            os.chown(self.folder, pwd.getpwnam(user).pw_uid, -1)
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, *command: str | Path, answers: Callable[[], bool]) -> None:
        """Start the program and wait until `answers()` is true."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **self.user,
            )
        deadline = time.monotonic() + PATIENCE
        while not answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.01)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Send a signal, SIGKILL to the whole process group, and wait for the end."""
        if self.process is not None:
            if how is signal.SIGKILL:
                os.killpg(self.process.pid, how)
            else:
                self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def close(self) -> None:
        """Stop the program and delete its folder."""
        self.end(signal.SIGINT)
        shutil.rmtree(self.folder)


class PostgreSql(Program):
    """PostgreSQL on a Unix socket, for any number of databases.

    The data survives a crash of the program; if it is `durable`, also a crash of the machine.
    """

    def __init__(self, *, durable: bool = False) -> None:
        super().__init__("postgresql")
        self._durable = durable
        self._programs = _postgresql_programs()
        self._data = self.folder / "data"
        self._count = 0
        subprocess.run(
            [
                *(self._programs / "initdb", "-D", self._data, "-U", "damka"),
                *("--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"),
            ],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self.user,
        )
        self.start()

    def start(self) -> None:
        """Start the server with its existing data."""
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "max_connections": "200",
            "shared_buffers": "32MB",
        }
        if not self._durable:
            # Transactions are still written at once: some tests kill the server.
            options |= {"fsync": "off", "full_page_writes": "off"}
        settings = [f"--{name}={value}" for name, value in options.items()]
        self.begin(self._programs / "postgres", "-D", self._data, *settings, answers=self._answers)

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError), self.connect("postgres"):
            return True
        return False

    def connect(self, database: str) -> psycopg.Connection[Any]:
        """Connect to one of the databases."""
        return psycopg.connect(
            f"host={self.folder} user=damka dbname={database}", autocommit=True, connect_timeout=2
        )

    def restart(self) -> None:
        """Restart in fast mode, as an operator would: connections are cut, no data is lost."""
        self.end(signal.SIGINT)
        self.start()

    def new_database(self) -> str:
        """Create an empty database; return its URL."""
        self._count += 1
        name = f"games{self._count}"
        with self.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://damka@/{name}?host={quote(str(self.folder))}"


class Broker(Program):
    """Redis or Valkey on a loopback port."""

    def __init__(self) -> None:
        super().__init__("broker")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start with an empty database."""
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        assert program, "neither Valkey nor Redis is installed: tools/prerequisites.py databases"
        self.begin(
            *(program, "--port", str(self.port), "--bind", "127.0.0.1"),
            *("--save", "", "--appendonly", "no"),
            answers=self._answers,
        )

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as c:
            c.sendall(b"PING\r\n")
            return c.recv(16).startswith(b"+PONG")
        return False


def _postgresql_programs() -> Path:
    program = shutil.which("postgres")
    if program:
        return Path(program).resolve().parent
    # Debian installs each version in a folder of its own.
    folders = sorted(
        (path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")),
        key=lambda folder: int(folder.parent.name),
    )
    assert folders, "PostgreSQL is not installed: tools/prerequisites.py databases"
    return folders[-1]


class ServerProcess:
    """A `damka serve` process, which keeps its port when it is restarted.

    It starts immediately; reading `url` waits until it accepts requests.
    """

    def __init__(
        self,
        database_url: str,
        broker: str | None = None,
        *,
        port: int = 0,
        limits: Mapping[str, float] = LIMITS,
        arguments: Sequence[str] | None = None,
    ) -> None:
        self.database_url: Final = database_url
        self.port = port or free_port()
        self._limits: Final = [f"--limit={name}={value:g}" for name, value in limits.items()]
        self._arguments: Final = arguments
        self._environment = {
            **os.environ,
            "DAMKA_DATABASE_URL": database_url,
            "PYTHONUNBUFFERED": "1",
        }
        self._environment.pop("DAMKA_BROKER_URL", None)
        if broker is not None:
            self._environment["DAMKA_BROKER_URL"] = broker
        self._log: Final = tempfile.TemporaryFile()  # noqa: SIM115
        self.start()

    def start(self) -> None:
        """Start the process, or restart it after it ended."""
        arguments = self._arguments or (*ARGUMENTS, "--port", str(self.port))
        damka = Path(sys.executable).with_name("damka")
        self.process: subprocess.Popen[str] = subprocess.Popen(
            [damka, *arguments, *self._limits],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self._answers = False

    @property
    def url(self) -> str:
        """URL of the server; waits until it accepts requests."""
        assert self.process.stdout is not None
        while not self._answers:
            line = self.process.stdout.readline()
            assert line, self.end()
            if line.startswith("Damka is at "):
                self.port = int(line.split()[3].rstrip("/").rpartition(":")[2])
                self._answers = True
        return f"http://127.0.0.1:{self.port}"

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self.process.poll() is None

    def errors(self) -> str:
        """Return the output on stderr so far."""
        # The process shares the file offset, so read with an explicit one.
        return os.pread(self._log.fileno(), 2**24, 0).decode()

    def wait(self, seconds: float = PATIENCE) -> tuple[int, str]:
        """Wait for the process to end; return the exit status and stderr."""
        code = self.process.wait(seconds)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code, self.errors()

    def end(self, how: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send a signal; return the exit status and stderr."""
        if self.is_running:
            self.process.send_signal(how)
            if how is signal.SIGTERM:
                self.process.send_signal(signal.SIGCONT)
        return self.wait()

    def close(self) -> None:
        """Stop the process; kill it and raise if it does not end."""
        try:
            self.end()
        except subprocess.TimeoutExpired:
            self.end(signal.SIGKILL)
            raise
        finally:
            self._log.close()


@contextmanager
def fleet(
    database_url: str,
    broker: str | None = None,
    *,
    count: int = 1,
    limits: Mapping[str, float] = LIMITS,
) -> Iterator[list[ServerProcess]]:
    """Serve one database from `count` processes, which start in parallel."""
    servers: list[ServerProcess] = []
    try:
        for _ in range(count):
            servers.append(ServerProcess(database_url, broker, limits=limits))
        for server in servers:
            assert server.url
        yield servers
    finally:
        for server in servers:
            server.close()
