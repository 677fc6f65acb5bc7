"""Size of the package for a page that loads it, compressed with gzip as by a web host."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

__all__ = ["MOST", "compressed", "report"]

MOST: Final = 350_000
"""Limit in bytes of the files that a page must load: modules, board element and one kernel."""

_KERNELS: Final = ("damka-simd.wasm", "damka.wasm")


def compressed(path: Path) -> int:
    """Return the compressed size of a file in bytes."""
    return len(gzip.compress(path.read_bytes(), 9, mtime=0))


def modules(folder: Path) -> int:
    """Return the compressed size of all modules, including the worker and the element."""
    return sum(compressed(path) for path in (*folder.glob("*.js"), *folder.glob("element/*.js")))


def report(folder: Path) -> tuple[str, int]:
    """Return a table of the loaded files, and the total with the larger kernel."""
    scripts = modules(folder)
    rows = [("modules and element", scripts)]
    largest = 0
    for name in _KERNELS:
        kernel = compressed(folder / name)
        rows += [(name, kernel), (f"a page with {name}", scripts + kernel)]
        largest = max(largest, scripts + kernel)
    rows += [(path.name, compressed(path)) for path in sorted(folder.glob("weights/*"))]
    return "\n".join(f"{name:40} {size:9,} bytes compressed" for name, size in rows), largest
