"""A child process whose standard input and output are a stream."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from damka.engine.errors import EngineDeadError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["Process"]

_CHUNK: Final = 64 * 1024
_STDERR_BYTES: Final = 2000  # length of the stored end of stderr
_GRACE_SECONDS: Final = 0.7  # time to exit, and again after SIGTERM
_EXIT_SECONDS: Final = 0.3  # time between the end of its output and its exit
_POSIX: Final = sys.platform != "win32"


class Process:
    """A running program; it and its children form a process group.

    Raises EngineDeadError if it cannot be started.
    """

    def __init__(self, command: Sequence[str], folder: Path | None = None) -> None:
        self._command: Final = command
        try:
            self._process: Final = subprocess.Popen(  # noqa: S603  the operator's own command
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                start_new_session=_POSIX,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            raise EngineDeadError(command[0], f"cannot be started: {reason or error}") from error
        self._stderr_tail = b""
        self._exit_status = "unknown exit status"
        self._stderr_thread: Final = threading.Thread(target=self._read_stderr, daemon=True)
        self._stderr_thread.start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def read(self) -> bytes:
        """Return some bytes of its output, empty at the end."""
        assert self._process.stdout is not None  # noqa: S101  a pipe
        return self._process.stdout.read(_CHUNK)

    def write(self, data: bytes) -> None:
        """Write all of `data` to its input."""
        assert self._process.stdin is not None  # noqa: S101  a pipe
        rest = memoryview(data)
        while rest:
            rest = rest[self._process.stdin.write(rest) :]

    def finish(self) -> None:
        """Close its input; most programs then exit."""
        assert self._process.stdin is not None  # noqa: S101  a pipe
        self._process.stdin.close()

    def close(self) -> None:
        """Wait briefly until it exits, then kill its process group."""
        if not self._exits_within(_GRACE_SECONDS):
            self._signal("SIGTERM")
            self._exits_within(_GRACE_SECONDS)
        self._signal("SIGKILL")
        self._process.wait()
        self._stderr_thread.join(_GRACE_SECONDS)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def close_reason(self) -> str:
        """Return its exit status and its last line on stderr."""
        if not self._exits_within(_EXIT_SECONDS):
            return "has closed its output"
        self._stderr_thread.join(_GRACE_SECONDS)
        lines = self._stderr_tail.decode("utf-8", "replace").strip().splitlines()
        stderr = f"; it reported: {lines[-1][:200]}" if lines else ""
        return f"the program has exited ({self._exit_status}){stderr}"

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None  # noqa: S101  a pipe
        with contextlib.suppress(OSError, ValueError):
            while data := self._process.stderr.read(_CHUNK):
                self._stderr_tail = (self._stderr_tail + data)[-_STDERR_BYTES:]

    def _exits_within(self, seconds: float) -> bool:
        """Whether it exits in time. It is not reaped, so its process group id stays valid."""
        until = time.monotonic() + seconds
        while not self._has_exited():
            if time.monotonic() > until:
                return False
            time.sleep(0.005)
        return True

    def _has_exited(self) -> bool:
        if self._process.returncode is not None:
            return True
        if not _POSIX:
            return self._process.poll() is not None
        try:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True
        if ended is None:
            return False
        kind = "exit status" if ended.si_code == os.CLD_EXITED else "signal"
        self._exit_status = f"{kind} {ended.si_status}"
        return True

    def _signal(self, name: str) -> None:
        if self._process.returncode is not None:
            return
        with contextlib.suppress(OSError):
            if _POSIX:
                os.killpg(self._process.pid, getattr(signal, name))
            else:
                self._process.kill()
