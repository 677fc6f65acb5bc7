"""Clock of a server, and the last heartbeat of the previous server.

Game clocks use the monotonic clock. For storage, times are converted to wall-clock time, which is
read only at startup: later adjustments of the system clock do not affect a running game.

While any clock runs, the time is written to a small memory-mapped file beside the database many
times a second. The kernel preserves those writes even if the process is killed. So the next server
knows how much of a turn had passed, and does not charge the downtime to any player.
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
    """Heartbeat file at `path`, with the time at which a server was last running; None disables it.

    Raises OSError when the file cannot be written.
    """

    def __init__(self, path: Path | None) -> None:
        self.last: datetime | None = None
        """Last heartbeat of the previous server."""
        self._map: mmap.mmap | None = None
        self._stopped = threading.Event()
        self._beats = threading.Event()
        self._thread: threading.Thread | None = None
        self._keeper: Timekeeper | None = None
        self._is_frozen = False
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
        """Start the thread that writes the time of `keeper` while the heartbeat runs."""
        self._keeper = keeper
        if self._map is not None:
            self._thread = threading.Thread(target=self._beat, name="damka-beat", daemon=True)
            self._thread.start()

    def run(self, on: bool) -> None:
        """Start or stop the heartbeat; it runs while any clock runs."""
        if on and not self._beats.is_set():
            self._write()
            self._beats.set()
        elif not on:
            self._beats.clear()

    def freeze(self, on: bool) -> None:
        """Freeze the time in the file while all clocks are stopped; resume if `on` is false."""
        self._is_frozen = on

    def close(self) -> None:
        """Stop; the last time remains in the file."""
        is_running = self._beats.is_set()
        self._stopped.set()
        self._beats.set()
        if self._thread is not None:
            self._thread.join()
        if self._map is not None:
            if is_running:
                self._write()
            self._map.close()
            self._map = None

    def _beat(self) -> None:
        while not self._stopped.is_set():
            self._beats.wait()
            if self._stopped.wait(_BEAT_SECONDS):
                return
            if self._beats.is_set():
                self._write()

    def _write(self) -> None:
        if self._map is not None and self._keeper is not None and not self._is_frozen:
            _TIME.pack_into(self._map, 0, self._keeper.wall().timestamp())


class Timekeeper:
    """Clock of one server: seconds of the monotonic clock, and wall-clock times for storage."""

    def __init__(self) -> None:
        self._zero: Final = time.monotonic()
        self.started: Final = datetime.now(UTC)

    @staticmethod
    def now() -> float:
        """Return the time of the monotonic clock."""
        return time.monotonic()

    def wall(self, now: float | None = None) -> datetime:
        """Convert a time of the monotonic clock, by default now, to wall-clock time."""
        return self.started + timedelta(seconds=(self.now() if now is None else now) - self._zero)

    def monotonic(self, moment: datetime) -> float:
        """Convert a wall-clock time to a time of the monotonic clock."""
        return self._zero + (moment - self.started).total_seconds()
