"""A real PostgreSQL and a real Redis or Valkey, started for the tests and stopped after them."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psycopg

_PATIENCE: Final = 60.0


class Program:
    """A program in a folder of its own, run by a user that is not root."""

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

    def begin(self, *command: str | Path) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **self.user,
            )

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop it by a signal, and wait."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(_PATIENCE)
            self.process = None

    def wait_for(self, is_there: Any) -> None:
        until = time.monotonic() + _PATIENCE
        while not is_there():
            if self.process is None or self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text())
            assert time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.01)

    def close(self) -> None:
        self.end(signal.SIGINT)
        shutil.rmtree(self.folder)


class PostgreSql(Program):
    """PostgreSQL on a Unix socket; each test has a database of its own in it."""

    def __init__(self) -> None:
        super().__init__("postgresql")
        self._programs = _programs("postgres")
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
        # Nothing here has to outlive the machine's power.
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": "off",
            "max_connections": "200",
            "shared_buffers": "32MB",
        }
        settings = [f"--{name}={value}" for name, value in options.items()]
        self.begin(self._programs / "postgres", "-D", self._data, *settings)
        self.wait_for(self._answers)

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError), self.connect("postgres"):
            return True
        return False

    def connect(self, database: str) -> psycopg.Connection[Any]:
        return psycopg.connect(
            f"host={self.folder} user=damka dbname={database}", autocommit=True, connect_timeout=2
        )

    def restart(self) -> None:
        """Stop it at once, as an operator would: connections are cut, nothing is lost."""
        self.end(signal.SIGINT)
        self.start()

    def new_database(self) -> str:
        """Make an empty database; return its URL."""
        self._count += 1
        name = f"games{self._count}"
        with self.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, name: str) -> str:
        return f"postgresql://damka@/{name}?host={quote(str(self.folder))}"


class Broker(Program):
    """Redis or Valkey on a port of loopback."""

    def __init__(self) -> None:
        super().__init__("broker")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        assert program, "neither Valkey nor Redis is installed: tools/prerequisites.py databases"
        self.begin(
            program,
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        )
        self.wait_for(self._answers)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as c:
            c.sendall(b"PING\r\n")
            return c.recv(16).startswith(b"+PONG")
        return False


def _programs(name: str) -> Path:
    found = shutil.which(name)
    if found:
        return Path(found).resolve().parent
    # Debian keeps them apart, by version.
    folders = sorted(
        (path.parent for path in Path("/usr/lib/postgresql").glob(f"*/bin/{name}")),
        key=lambda folder: int(folder.parent.name),
    )
    assert folders, "PostgreSQL is not installed: tools/prerequisites.py databases"
    return folders[-1]
