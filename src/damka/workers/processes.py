"""Workers as child processes of the server."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from damka.errors import PositionTooComplexError
from damka.workers import wire
from damka.workers.protocol import TaskFailedError, WorkerDiedError

if TYPE_CHECKING:
    from damka.workers.protocol import Duty, OnPartial
    from damka.workers.tasks import Equipment

__all__ = ["Processes"]

_SHUTDOWN_SECONDS: Final = 2.0
_NEW_PROCESS_GROUP: Final = 0x200  # of Windows
_BELOW_NORMAL: Final = 0x4000  # priority class of Windows
_COMMAND: Final = ("-P", "-m", "damka.workers")


class Processes:
    """Worker processes, up to `count` of them for games."""

    def __init__(self, count: int, equipment: Equipment) -> None:
        self._count: Final = count
        self._equipment: Final = equipment

    @property
    def count(self) -> int:
        """The maximum number of concurrent workers for games."""
        return self._count

    async def start(self, duty: Duty) -> _Process:
        """Start a process. Raises WorkerDiedError."""
        background = duty == "background"
        options = (
            {"creationflags": _NEW_PROCESS_GROUP | (_BELOW_NORMAL if background else 0)}
            if sys.platform == "win32"
            else {"start_new_session": True}
        )
        try:
            # A separate process group, so that Ctrl-C in a terminal reaches only the server.
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *_COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                **options,
            )
        except OSError as error:
            raise WorkerDiedError(f"no worker process can be started: {error}") from error
        worker = _Process(process)
        worker.send(msgspec.structs.replace(self._equipment, background=background))
        return worker


class _Process:
    """One worker process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process: Final = process
        self._number = 0
        self._is_running = False

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, message: wire.Begin | wire.Halt | Equipment) -> None:
        """Write a message to the pipe, unless the process has ended, which `run` reports."""
        pipe = self._process.stdin
        if pipe is not None and not pipe.is_closing():
            pipe.write(wire.frame(message))

    async def run(self, task: bytes, on_partial: OnPartial) -> bytes:
        """See `Worker.run`."""
        self._number += 1
        self._is_running = True
        try:
            self.send(wire.Begin(self._number, task))
            while True:
                match await self._receive():
                    case wire.Partial(result):
                        on_partial(result)
                    case wire.Done(result):
                        return result
                    case wire.Failed(message, too_complex):
                        raise (PositionTooComplexError if too_complex else TaskFailedError)(message)
        finally:
            self._is_running = False

    async def _receive(self) -> wire.Partial | wire.Done | wire.Failed:
        results = self._process.stdout
        if results is None:
            raise WorkerDiedError("the worker has no pipe")
        try:
            head = await results.readexactly(wire.LENGTH.size)
            return wire.from_worker(await results.readexactly(wire.LENGTH.unpack(head)[0]))
        except (asyncio.IncompleteReadError, OSError) as error:
            status = await self._process.wait()
            raise WorkerDiedError(f"a worker process has ended with {status}") from error

    def stop(self) -> None:
        """Stop the current task early."""
        if self._is_running:
            self.send(wire.Halt(self._number))

    def kill(self) -> None:
        """Kill the process."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def close(self) -> None:
        """Shut the process down, within two seconds, and wait for its end."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(_SHUTDOWN_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()
