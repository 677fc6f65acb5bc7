"""Size of a site, compressed with gzip as by a web host."""

from __future__ import annotations

import functools
import gzip
from collections import Counter
from pathlib import Path
from typing import Final

__all__ = ["MOST", "compressed", "report", "sent"]

MOST: Final = 12 * 1000 * 1000


def sent(data: bytes) -> int:
    """Return the compressed size in bytes."""
    return len(gzip.compress(data, 6))


@functools.cache
def _sent(path: Path) -> int:
    return sent(path.read_bytes())


def compressed(folder: Path) -> int:
    """Return the total size of all files, compressed separately."""
    return sum(_sent(path) for path in folder.rglob("*") if path.is_file())


def report(folder: Path) -> str:
    """Return a table of the site's parts: files, bytes, bytes compressed."""
    parts: dict[str, Counter[str]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            place = path.relative_to(folder).parts
            part = parts.setdefault(place[0] if len(place) > 1 else "(top)", Counter())
            part.update(files=1, raw=path.stat().st_size, sent=_sent(path))
    total: Counter[str] = Counter()
    for part in parts.values():
        total.update(part)
    rows = [*parts.items(), ("all", total)]
    return "\n".join(
        f"{name:10} {n['files']:5} files {n['raw']:11,} bytes, {n['sent']:11,} compressed"
        for name, n in rows
    )
