"""A link to another program: messages with a terminator over any byte stream.

One thread reads and another writes, so a program that sends nothing, or does not read, cannot block
the caller. Messages and queues are limited in size.
"""

from __future__ import annotations

import queue
import threading
import time
from typing import Final, Protocol

from damka.engine.errors import EngineDeadError, EngineGarbageError, EngineSilentError

__all__ = ["Link", "Stream"]

MAX_MESSAGE: Final = 64 * 1024
"""Maximum bytes of a message; reading stops after a longer one."""
_IN_LIMIT: Final = 1000  # messages in the receive queue; if it is full, the other program waits
_OUT_LIMIT: Final = 1000  # messages in the send queue; if it is full, sending fails
_POLL_SECONDS: Final = 0.05
_FLUSH_SECONDS: Final = 0.5  # seconds to send the remaining messages on close


class Stream(Protocol):
    """A bidirectional byte stream. Calls block; `close`, from any thread, unblocks them."""

    def read(self) -> bytes:
        """Return some bytes, empty at the end. Raises OSError."""

    def write(self, data: bytes) -> None:
        """Send all of `data`. Raises OSError."""

    def finish(self) -> None:
        """Close the sending direction."""

    def close(self) -> None:
        """Close the stream within a second or two, and release all resources."""

    def close_reason(self) -> str:
        """Return why the stream has ended, if known."""


class Link:
    """Messages to and from `name` that end with `terminator` (a line feed, a zero byte)."""

    def __init__(
        self, name: str, stream: Stream, terminator: bytes, max_bytes: int = MAX_MESSAGE
    ) -> None:
        self.name = name
        self._stream: Final = stream
        self._terminator: Final = terminator
        self._max_bytes: Final = max_bytes
        self._closed = threading.Event()
        self._ended = False
        self._in: queue.Queue[str | None] = queue.Queue(_IN_LIMIT)
        self._out: queue.Queue[bytes | None] = queue.Queue(_OUT_LIMIT)
        self._overlong = False
        self._threads = [
            threading.Thread(target=work, name=f"{name} {work.__name__}", daemon=True)
            for work in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    def send(self, message: str) -> None:
        """Queue a message for sending. Raises EngineDeadError and EngineSilentError."""
        if self._ended:
            raise self._closed_error()
        try:
            self._out.put_nowait(message.encode() + self._terminator)
        except queue.Full:
            raise EngineSilentError(self.name, "does not read its input") from None

    def receive(self, seconds: float) -> str | None:
        """Return the next message, or None on a timeout.

        Raises EngineDeadError at the end of the stream and EngineGarbageError after an overlong
        message.
        """
        if self._ended:
            raise self._closed_error()
        try:
            message = self._in.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            return None
        if message is None:
            self._ended = True
            raise self._closed_error()
        return message

    def close(self) -> None:
        """Send the queued messages, then close the stream and stop the threads; idempotent."""
        if self._closed.is_set():
            return
        try:
            self._out.put(None, timeout=_POLL_SECONDS)
        except queue.Full:
            pass
        else:
            self._threads[1].join(_FLUSH_SECONDS)
        self._closed.set()
        self._stream.close()
        for thread in self._threads:
            thread.join(_FLUSH_SECONDS)

    def _closed_error(self) -> EngineDeadError | EngineGarbageError:
        if self._overlong:
            return EngineGarbageError(self.name, f"a message of more than {self._max_bytes} bytes")
        if self._closed.is_set():
            return EngineDeadError(self.name, "the connection was closed on this side")
        return EngineDeadError(self.name, self._stream.close_reason())

    def _read(self) -> None:
        remainder = b""
        try:
            while not self._overlong and (data := self._stream.read()):
                *messages, remainder = (remainder + data).split(self._terminator)
                self._overlong = any(
                    len(message) > self._max_bytes for message in (*messages, remainder)
                )
                for message in messages:
                    if len(message) <= self._max_bytes:
                        self._enqueue(message.decode("utf-8", "replace"))
        except (OSError, ValueError):
            pass  # closed by either side
        self._enqueue(None)

    def _enqueue(self, message: str | None) -> None:
        """Wait for space in the queue and append a message."""
        while not self._closed.is_set():
            try:
                self._in.put(message, timeout=_POLL_SECONDS)
            except queue.Full:
                continue
            return
        # Notify a waiting receiver of the end.
        while message is None:
            try:
                self._in.put_nowait(None)
            except queue.Full:
                _drop_oldest(self._in)
                continue
            return

    def _write(self) -> None:
        try:
            while (data := self._out.get()) is not None:
                self._stream.write(data)
            self._stream.finish()
        except (OSError, ValueError):
            pass


def _drop_oldest(messages: queue.Queue[str | None]) -> None:
    try:
        messages.get_nowait()
    except queue.Empty:
        time.sleep(0)
