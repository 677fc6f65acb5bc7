"""How large the package is for a page that loads it: compressed with gzip, as a host sends it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Final

__all__ = ["MOST", "compressed", "told"]

MOST: Final = 350_000
"""Bytes of what a page must load: the modules, the board element and one kernel."""

_KERNELS: Final = ("damka-simd.wasm", "damka.wasm")


def compressed(path: Path) -> int:
    """Return the bytes of a file as it is sent."""
    return len(gzip.compress(path.read_bytes(), 9, mtime=0))


def modules(folder: Path) -> int:
    """Return the bytes of all modules, the worker's and the element's included."""
    return sum(compressed(path) for path in (*folder.glob("*.js"), *folder.glob("element/*.js")))


def told(folder: Path) -> tuple[str, int]:
    """Return a table of what is loaded, and the bytes of the larger choice."""
    scripts = modules(folder)
    rows = [("modules and element", scripts)]
    largest = 0
    for name in _KERNELS:
        kernel = compressed(folder / name)
        rows += [(name, kernel), (f"a page with {name}", scripts + kernel)]
        largest = max(largest, scripts + kernel)
    rows += [(path.name, compressed(path)) for path in sorted(folder.glob("weights/*"))]
    return "\n".join(f"{name:40} {size:9,} bytes compressed" for name, size in rows), largest
