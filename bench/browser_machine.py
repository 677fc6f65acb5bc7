"""Throttled network and CPU for Chromium, and memory and time of its processes.

Chromium can only throttle pages: for a worker it answers "Operation is only supported for pages,
not workers". So all its processes are stopped for part of every few milliseconds.
"""

from __future__ import annotations

import gzip
import http.server
import mimetypes
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser

__all__ = ["Host", "processor_seconds", "proportional_bytes", "renderers", "slowed"]

BINARY: Final = {".png", ".webp", ".woff2", ".gz", ".zip", ".whl", ".tar"}
"""Suffixes of files that static hosts do not compress."""
CHUNK: Final = 8192
RUN_SECONDS: Final = 0.004
"""How long the processes run between two stops."""
TICK: Final = os.sysconf("SC_CLK_TCK")


class Host:
    """Static file server on loopback, optionally limited to a number of bits per second.

    All connections share the bandwidth. `sent` counts the bytes of all bodies, which are compressed
    beforehand.
    """

    def __init__(self, folder: Path, bits_per_second: float | None = None) -> None:
        self.sent = 0
        self._seconds: Final = 0.0 if bits_per_second is None else 8 / bits_per_second
        self._lock: Final = threading.Lock()
        self._free = 0.0
        mimetypes.add_type("text/javascript", ".mjs")
        files = {
            f"/{path.relative_to(folder).as_posix()}": _headers_and_body(path)
            for path in folder.rglob("*")
            if path.is_file()
        }
        host = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                path = unquote(urlsplit(self.path).path)
                if path not in files:
                    self.send_error(404)
                    return
                headers, body = files[path]
                immutable = path.startswith(("/static/", "/data/", "/pyodide/"))
                self.send_response(200)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("cache-control", f"max-age={31_536_000 if immutable else 0}")
                self.end_headers()
                with suppress(ConnectionError):
                    for start in range(0, len(body), CHUNK):
                        part = body[start : start + CHUNK]
                        host._pass(len(part))
                        self.wfile.write(part)
                    return
                self.close_connection = True

        self._server: Final = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url: Final = f"http://127.0.0.1:{self._server.server_port}/"

    def _pass(self, size: int) -> None:
        """Wait until `size` bytes have been sent at the limited rate."""
        with self._lock:
            self.sent += size
            self._free = max(self._free, time.monotonic()) + size * self._seconds
            wait = self._free - time.monotonic()
        time.sleep(max(0.0, wait))

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _headers_and_body(path: Path) -> tuple[dict[str, str], bytes]:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers, body = {"content-type": kind}, path.read_bytes()
    if path.suffix and path.suffix not in BINARY:
        headers["content-encoding"], body = "gzip", gzip.compress(body, 6)
    return headers | {"content-length": str(len(body))}, body


def renderers(browser: Browser) -> list[int]:
    """Return the renderer processes, which run pages and their workers."""
    return _processes(browser, "renderer")


def _processes(browser: Browser, kind: str) -> list[int]:
    session = browser.new_browser_cdp_session()
    try:
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    finally:
        session.detach()
    return [int(each["id"]) for each in processes if each["type"] == kind]


def proportional_bytes(process: int) -> int:
    """Return the memory of a process, with shared pages divided among their users (PSS)."""
    for line in Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise ValueError(f"no Pss of process {process}")


def _fields(process: int | str) -> list[str]:
    text = Path(f"/proc/{process}/stat").read_text("ascii", "replace")
    return text.rpartition(")")[2].split()


def processor_seconds(process: int) -> float:
    """Return the CPU time used by all threads of a process."""
    return sum(map(int, _fields(process)[11:13])) / TICK


def _family(root: int) -> list[int]:
    """Return a process and all its descendants."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            parents[int(path.name)] = int(_fields(path.name)[1])
    family = [root]
    for each in family:
        family += [process for process, parent in parents.items() if parent == each]
    return family


@contextmanager
def slowed(browser: Browser, times: float) -> Iterator[None]:
    """Run the browser for only 1/`times` of the time, on every CPU."""
    if times <= 1:
        yield
        return
    (root,) = _processes(browser, "browser")
    ended = threading.Event()
    thread = threading.Thread(target=_brake, args=(root, times, ended))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _brake(root: int, times: float, ended: threading.Event) -> None:
    family = _family(root)
    listed_at = continued_at = time.monotonic()
    while not ended.wait(RUN_SECONDS):
        _signal(family, signal.SIGSTOP)
        stopped_at = time.monotonic()
        try:
            if stopped_at - listed_at > 0.1:
                family, listed_at = _family(root), stopped_at
                _signal(family, signal.SIGSTOP)
            # In proportion to how long they actually ran.
            until = stopped_at + (stopped_at - continued_at) * (times - 1)
            time.sleep(max(0.0, until - time.monotonic()))
        finally:
            _signal(family, signal.SIGCONT)
            continued_at = time.monotonic()


def _signal(family: list[int], what: signal.Signals) -> None:
    for process in family:
        with suppress(ProcessLookupError):
            os.kill(process, what)
