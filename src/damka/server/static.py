"""Static files of the page: styles, modules, icons and sounds, cached until they change.

A file's URL contains a hash of *all* files as a folder, so that relative imports between modules
preserve it: `/static/3f9c…/game.js` imports `./board.js` from the same folder, and both may be
cached forever. Without the hash, or with an old one, a file must be revalidated on each request.

Scripts are minified, which saves a third of their size. Texts are compressed at their first
request.
"""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import rjsmin
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.types import Receive, Scope, Send

from damka.server.compression import LEAST, Encoding, compress_once, negotiate

__all__ = ["StaticFiles", "minify_script"]

_TYPES: Final = {
    # The system's table may be missing or wrong, as it often is on Windows.
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".weights": "application/octet-stream",
}
_COMPRESSED: Final = frozenset({".css", ".js", ".json", ".svg", ".wasm", ".webmanifest"})
_HASH_LENGTH: Final = 16
_STYLE_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_STYLE_SPACE: Final = re.compile(r"\s*([{};,])\s*|(?<=[\w-])(:) ")


class StaticFiles:
    """ASGI app for the files in `folder` and its subfolders, mounted at `prefix`.

    The list of files is fixed at startup, so no path can lead outside. With `suffixes`, only files
    that end with one of them are served. `headers` are those of single files.
    """

    def __init__(
        self,
        folder: Path,
        prefix: str = "/static",
        *,
        minified: bool = True,
        suffixes: tuple[str, ...] = ("",),
        headers: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self._prefix = prefix
        self._headers = headers or {}
        self._files = {
            path.relative_to(folder).as_posix(): path
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith(".") and path.name.endswith(suffixes)
        }
        self._minified = {
            name: (minify_script if path.suffix == ".js" else minify_style)(
                path.read_text("utf-8")
            ).encode()
            for name, path in self._files.items()
            if minified and path.suffix in {".css", ".js"}
        }
        self._compressible = {
            name
            for name, path in self._files.items()
            if path.suffix in _COMPRESSED
            and len(self._minified.get(name) or path.read_bytes()) >= LEAST
        }
        self._compressed: dict[tuple[str, Encoding], bytes] = {}
        self._tags = {
            name: hashlib.sha256(path.read_bytes()).hexdigest()[:_HASH_LENGTH]
            for name, path in self._files.items()
        }
        listing = "\n".join(f"{name} {tag}" for name, tag in self._tags.items())
        self._hash = hashlib.sha256(listing.encode()).hexdigest()[:_HASH_LENGTH]

    def url(self, name: str) -> str:
        """Return a file's permanent URL. Raises KeyError when there is no such file."""
        if name not in self._files:
            raise KeyError(f"no static file {name!r}")
        return f"{self._prefix}/{self._hash}/{name}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        path = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
        first, _, rest = path.partition("/")
        is_current = first == self._hash
        if _is_hash(first) and path not in self._files:
            path = rest
        if path not in self._files:
            raise HTTPException(404)
        response = await self._response(path, Headers(scope=scope), immutable=is_current)
        await response(scope, receive, send)

    async def _response(self, name: str, headers: Headers, *, immutable: bool) -> Response:
        file = self._files[name]
        encoding = negotiate(headers) if name in self._compressible else None
        cached = {
            **self._headers.get(name, {}),
            "etag": f'"{self._tags[name]}{"" if encoding is None else f"-{encoding}"}"',
            "cache-control": "public, max-age=31536000, immutable" if immutable else "no-cache",
        }
        if name in self._compressible:
            cached["vary"] = "accept-encoding"
        if cached["etag"] in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=cached)
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
        if encoding is not None:
            data = await self._encoded(name, encoding)
            return Response(data, headers={**cached, "content-encoding": encoding}, media_type=kind)
        if name in self._minified:
            return Response(self._minified[name], headers=cached, media_type=kind)
        return FileResponse(file, headers=cached, media_type=kind or "application/octet-stream")

    async def _encoded(self, name: str, encoding: Encoding) -> bytes:
        """Return a compressed file. Concurrent first requests compress it twice."""
        data = self._compressed.get((name, encoding))
        if data is None:
            # Compressing takes milliseconds, and must not delay moves in games.
            data = await asyncio.to_thread(self._compress, name, encoding)
            self._compressed[name, encoding] = data
        return data

    def _compress(self, name: str, encoding: Encoding) -> bytes:
        return compress_once(self._minified.get(name) or self._files[name].read_bytes(), encoding)


def minify_script(script: str) -> str:
    """Return a script without comments and insignificant spaces.

    Nested template literals would lose spaces; a test ensures that the page's scripts have none.
    """
    minified: str = rjsmin.jsmin(script)
    return minified


def minify_style(sheet: str) -> str:
    """Return a style sheet without comments and insignificant spaces."""
    return _STYLE_SPACE.sub(r"\1\2", _STYLE_COMMENT.sub("", sheet)).replace(";}", "}").strip()


def _is_hash(text: str) -> bool:
    return len(text) == _HASH_LENGTH and all(letter in "0123456789abcdef" for letter in text)
