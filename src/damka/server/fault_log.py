"""Rate-limited logging of faults.

An expected fault, such as an unreachable database, is logged in one line without a traceback.
Repetitions are only counted: each kind of line appears at most once in `SECONDS`.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from damka.live.problems import Problem, Refused
from damka.server.limits import network
from damka.server.store import ConflictError, StoreError

__all__ = ["BoundedLog", "LineLimit", "limit", "log_closed", "log_fault"]

SECONDS: Final = 60.0
"""Seconds between two lines of one kind."""
_MAX_KINDS: Final = 1000
_MAX_LENGTH: Final = 500
_EXPECTED: Final = (
    StoreError,
    ConflictError,
    Problem,
    Refused,
    TimeoutError,
    ConnectionError,
)
_MAX_CLOSED_LINES: Final = 20
"""Maximum number of lines about closed connections in `SECONDS`, for all networks."""


class LineLimit:
    """Allows one line of each kind per `seconds`, and counts the dropped ones.

    At most `kinds` of them are remembered; the oldest is forgotten first.
    """

    def __init__(
        self,
        seconds: float = SECONDS,
        kinds: int = _MAX_KINDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock = clock
        self._seconds: Final = seconds
        self._kinds: Final = kinds
        self._last_lines: Final[OrderedDict[Hashable, tuple[float, int]]] = OrderedDict()
        self._closed: list[float] = []

    def admit(self, kind: Hashable) -> int | None:
        """Return the number of lines of the kind dropped since the last; None to drop this one."""
        now = self.clock()
        logged_at, dropped = self._last_lines.get(kind, (None, 0))
        if logged_at is not None and now - logged_at < self._seconds:
            self._last_lines[kind] = (logged_at, dropped + 1)
            return None
        self._last_lines[kind] = (now, 0)
        self._last_lines.move_to_end(kind)
        if len(self._last_lines) > self._kinds:
            self._last_lines.popitem(last=False)
        return dropped

    def admit_closed(self, key: str) -> int | None:
        """Do the same for a closed connection, per network and with a total limit."""
        now = self.clock()
        self._closed = [each for each in self._closed if now - each < self._seconds]
        if len(self._closed) >= _MAX_CLOSED_LINES:
            return None
        dropped = self.admit(("closed", key))
        if dropped is not None:
            self._closed.append(now)
        return dropped

    def reset(self) -> None:
        """Forget all lines."""
        self._last_lines.clear()
        self._closed.clear()
        self.clock = time.monotonic


limit: Final = LineLimit()
"""Limit of this process's log."""


def log_fault(
    log: logging.Logger, error: BaseException, message: str, *args: object, expected: bool = False
) -> None:
    """Log a failure caused by `error`.

    An expected error is logged in one line; any other with its traceback. Errors of the store and
    of connections are always expected.
    """
    expected = expected or isinstance(error, _EXPECTED)
    kind = (log.name, message, _fault_key(error, expected=expected))
    dropped = limit.admit(kind)
    if dropped is None:
        return
    repetitions = _repetitions(dropped)
    if expected:
        log.error(f"{message}: %s%s", *args, _one_line(error), repetitions)
    else:
        log.error(f"{message}%s", *args, repetitions, exc_info=error)


def log_closed(log: logging.Logger, address: str, reason: str) -> None:
    """Log that a connection from `address` was closed because of its input."""
    key = network(address)
    dropped = limit.admit_closed(key)
    if dropped is not None:
        log.warning("%s: a connection was closed: %s%s", key, reason, _repetitions(dropped))


class BoundedLog(logging.Filter):
    """Logging filter that limits a logger's warnings and errors, including tracebacks."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the record."""
        if record.levelno < logging.WARNING:
            return True
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and isinstance(error, _EXPECTED):
            record.msg, record.args = f"{str(record.msg).strip()}: {_one_line(error)}", None
            record.exc_info = None
        key = None if error is None else _fault_key(error, expected=isinstance(error, _EXPECTED))
        template = record.msg if record.args or error is None else ""
        dropped = limit.admit((record.name, template, key))
        if dropped:
            record.msg, record.args = f"{record.getMessage().strip()}{_repetitions(dropped)}", None
        return dropped is not None


def _fault_key(error: BaseException, *, expected: bool) -> Hashable:
    """Return a key shared by repeated errors with the same cause."""
    if expected:
        return type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    where = (frames[-1].filename, frames[-1].lineno) if frames else None
    return type(error).__name__, where


def _one_line(error: BaseException) -> str:
    """Return the error's text as one short line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"


def _repetitions(dropped: int) -> str:
    return f" ({dropped} more since the last line)" if dropped else ""
