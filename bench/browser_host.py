"""A host of static files that sends as a line of a certain speed does, for `bench.browser`."""

from __future__ import annotations

import gzip
import http.server
import mimetypes
import threading
import time
from pathlib import Path
from typing import Final, Self
from urllib.parse import unquote, urlsplit

__all__ = ["Host"]

TYPES: Final = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
COMPRESSED: Final = {
    ".html",
    ".css",
    ".js",
    ".mjs",
    ".json",
    ".svg",
    ".wasm",
    ".webmanifest",
    ".txt",
}
"""What hosts of static files compress."""
CHUNK: Final = 8192


class _Line:
    """A line that all connections share."""

    def __init__(self, bytes_a_second: float | None) -> None:
        self._rate: Final = bytes_a_second
        self._lock: Final = threading.Lock()
        self._free = 0.0

    def wait(self, size: int) -> None:
        """Wait until so many bytes have gone through."""
        if self._rate is None:
            return
        with self._lock:
            self._free = max(self._free, time.monotonic()) + size / self._rate
            until = self._free
        time.sleep(max(0.0, until - time.monotonic()))


class Host:
    """The files of a folder on loopback, at so many bits a second, or as fast as they go.

    `sent` counts the bytes of all answers, without their heads. Files are compressed beforehand.
    """

    def __init__(self, folder: Path, bits_a_second: float | None = None) -> None:
        self.sent = 0
        self._files: Final = {
            f"/{path.relative_to(folder).as_posix()}": _body(path)
            for path in folder.rglob("*")
            if path.is_file()
        }
        line = _Line(None if bits_a_second is None else bits_a_second / 8)
        host = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                place = unquote(urlsplit(self.path).path)
                found = host._files.get(place)
                if found is None:
                    self.send_error(404)
                    return
                kind, packed, body = found
                self.send_response(200)
                self.send_header("content-type", kind)
                if packed:
                    self.send_header("content-encoding", "gzip")
                lasting = place.startswith(("/static/", "/data/", "/pyodide/"))
                self.send_header("cache-control", f"max-age={31_536_000 if lasting else 0}")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                for start in range(0, len(body), CHUNK):
                    part = body[start : start + CHUNK]
                    line.wait(len(part))
                    host.sent += len(part)
                    try:
                        self.wfile.write(part)
                    except ConnectionError:
                        self.close_connection = True
                        return

        self._server: Final = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url: Final = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _body(path: Path) -> tuple[str, bool, bytes]:
    """Return the type, whether it is compressed, and what is sent."""
    kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    packed = path.suffix in COMPRESSED
    data = path.read_bytes()
    body = gzip.compress(data, 6) if packed else data
    return kind or "application/octet-stream", packed, body
