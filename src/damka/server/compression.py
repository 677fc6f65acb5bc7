"""Compression of pages and static files for browsers that accept it."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Final

__all__ = ["ENCODING", "LEAST", "accepts_gzip", "compress"]

ENCODING: Final = {"content-encoding": "gzip"}
LEAST: Final = 1000
"""Size in bytes below which compression saves no packet."""


def accepts_gzip(headers: Mapping[str, str]) -> bool:
    """Return whether a request accepts a compressed response."""
    for part in headers.get("accept-encoding", "").lower().split(","):
        name, _, parameters = part.partition(";")
        if name.strip() == "gzip":
            return parameters.replace(" ", "").rstrip("0") not in {"q=", "q=0."}
    return False


def compress(data: bytes, level: int = 6) -> bytes:
    """Return the data in gzip format, the same bytes for the same data."""
    return gzip.compress(data, level, mtime=0)
