"""What time it is for a server, and until when the one before it served.

Clocks of games run by the monotonic clock. So that their moments can be stored, they are told as
wall-clock time, which is read once, at the start: later corrections of the machine's clock change
nothing for a game under way.

While any clock runs, the time is written to a small memory-mapped file beside the database many
times a second. The system keeps what was written there even when the process is killed; so the next
server knows how much of a turn was over by then, and the time in between is charged to nobody.
"""

from __future__ import annotations

import math
import mmap
import struct
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

__all__ = ["Heartbeat", "Timekeeper"]

_TIME: Final = struct.Struct("<d")
_BEAT_SECONDS: Final = 0.05


class Heartbeat:
    """The file at `path` with the time at which a server last served; None keeps nothing.

    Raises OSError when the file cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        self.last: datetime | None = None
        """When the server before this one was there last."""
        self._map: mmap.mmap | None = None
        self._ended = threading.Event()
        self._beats = threading.Event()
        self._thread: threading.Thread | None = None
        self._wall: Timekeeper | None = None
        self._held = False
        if path is None:
            return
        with suppress(FileExistsError):
            path.touch(mode=0o600, exist_ok=False)
        with path.open("r+b") as file:
            if len(file.read()) < _TIME.size:
                file.seek(0)
                file.write(_TIME.pack(math.nan))
                file.flush()
            self._map = mmap.mmap(file.fileno(), _TIME.size)
        (last,) = _TIME.unpack_from(self._map)
        if math.isfinite(last) and last > 0:
            with suppress(OverflowError, ValueError, OSError):
                self.last = datetime.fromtimestamp(last, UTC)

    def follow(self, keeper: Timekeeper) -> None:
        """Write the time of `keeper` from now on, while told to `run`."""
        self._wall = keeper
        if self._map is not None:
            self._thread = threading.Thread(target=self._beat, name="damka-beat", daemon=True)
            self._thread.start()

    def run(self, on: bool) -> None:
        """Beat as long as a clock runs."""
        if on and not self._beats.is_set():
            self._write()
            self._beats.set()
        elif not on:
            self._beats.clear()

    def hold(self, on: bool) -> None:
        """Keep the time in the file as it is, while nobody's clock runs; or no more."""
        self._held = on

    def close(self) -> None:
        """Stop; the file keeps the last time."""
        beating = self._beats.is_set()
        self._ended.set()
        self._beats.set()
        if self._thread is not None:
            self._thread.join()
        if self._map is not None:
            if beating:
                self._write()
            self._map.close()
            self._map = None

    def _beat(self) -> None:
        while not self._ended.is_set():
            self._beats.wait()
            if self._ended.wait(_BEAT_SECONDS):
                return
            if self._beats.is_set():
                self._write()

    def _write(self) -> None:
        if self._map is not None and self._wall is not None and not self._held:
            _TIME.pack_into(self._map, 0, self._wall.wall().timestamp())


class Timekeeper:
    """The time of one server, in seconds of the monotonic clock, and as moments to be stored."""

    def __init__(self) -> None:
        self._zero: Final = time.monotonic()
        self.started: Final = datetime.now(UTC)

    @staticmethod
    def now() -> float:
        """Return the time by the monotonic clock."""
        return time.monotonic()

    def wall(self, now: float | None = None) -> datetime:
        """Return the moment that it is at a time of the monotonic clock."""
        return self.started + timedelta(seconds=(self.now() if now is None else now) - self._zero)

    def monotonic(self, moment: datetime) -> float:
        """Return the time of the monotonic clock at a moment."""
        return self._zero + (moment - self.started).total_seconds()
