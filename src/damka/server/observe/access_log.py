"""The access log: one line of JSON per request and per live connection.

It records routes, not URLs: "/account/reset/{token}" is logged, never the token. Queries,
headers, cookies and bodies are omitted. Every line is printable ASCII, so that input can neither
start a new line nor send control sequences to a terminal.
"""

from __future__ import annotations

import json
import logging
import queue
import re
import sys
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener, WatchedFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from damka.server.accounts import Identity

__all__ = ["LOGGER", "AccessLog", "entry", "write"]

LOGGER: Final = logging.getLogger("damka.access")
_QUEUE_SIZE: Final = 10_000
"""Maximum number of lines that wait for a slow disk; more are dropped, so that games never wait."""
_MAX_LENGTH: Final = 200
_SECRET: Final = re.compile(r"damka_[A-Za-z0-9_-]+|[A-Za-z0-9_-]{40,}")
"""Possible token or cookie that was put into a URL by mistake."""


def entry(
    scope: dict[str, Any], path: str, request_id: str, status: int, size: int, seconds: float
) -> dict[str, Any]:
    """Return the log entry of a request to `path`."""
    route = getattr(scope.get("route"), "path", None)
    identity: Identity | None = scope.get("state", {}).get("identity")
    record: dict[str, Any] = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "id": request_id,
        "address": scope["client"][0] if scope.get("client") else "",
        "method": scope.get("method", "WEBSOCKET"),
        "route": route or ("/static" if path.startswith("/static/") else None),
    }
    if record["route"] is None:
        # Unknown paths are logged, because they may reveal an attack.
        record["path"] = _SECRET.sub("[removed]", path[:_MAX_LENGTH])
    game = scope.get("path_params", {}).get("game_id", "")
    if re.fullmatch(r"[A-Za-z0-9_-]{22}", str(game)):
        record["game"] = game
    record |= {"status": status, "bytes": size, "ms": round(1000 * seconds, 1)}
    if identity is not None and identity.account is not None:
        record["account"] = identity.account.name
    if identity is not None and identity.bearer is not None:
        # This prefix identifies the token in the database but does not authorize anything.
        record["token"] = identity.bearer[:12]
    return record


def write(record: dict[str, Any]) -> None:
    """Log an entry."""
    text = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
    LOGGER.info("%s", text.replace("\x7f", "\\u007f"))


class AccessLog:
    """Writer of the access log to a file, or with "-" to standard output, until it is closed.

    A file that was renamed or deleted is reopened, so that other programs can rotate it. Writing
    happens in a thread, so that a stalled disk delays no request. Raises OSError when the file
    cannot be opened.
    """

    def __init__(self, target: str) -> None:
        handler: logging.Handler
        if target == "-":
            handler = logging.StreamHandler(sys.stdout)
        else:
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            handler = WatchedFileHandler(target, encoding="ascii")
        handler.setFormatter(logging.Formatter("%(message)s"))
        self._handler: Final = handler
        lines: queue.Queue[Any] = queue.Queue(_QUEUE_SIZE)
        self._sender: Final = _DroppingQueueHandler(lines)
        self._listener: Final = QueueListener(lines, handler)
        self._listener.start()
        LOGGER.addHandler(self._sender)
        LOGGER.setLevel(logging.INFO)
        LOGGER.propagate = False

    def close(self) -> None:
        """Write the pending lines and stop."""
        LOGGER.removeHandler(self._sender)
        LOGGER.setLevel(logging.NOTSET)
        LOGGER.propagate = True
        self._listener.stop()
        self._handler.close()


class _DroppingQueueHandler(QueueHandler):
    """Queue handler that drops lines when the queue is full."""

    def enqueue(self, record: logging.LogRecord) -> None:
        """Queue a line, or drop it."""
        try:
            self.queue.put_nowait(record)
        except queue.Full:
            return
