"""Lazy import of the second archive's modules, which a first game does not need.

The worker adds the archive when it has arrived. An earlier import of one of its modules waits for
it: such an import succeeds, only late. This module imports nothing of `damka`, so that it can be
installed before any of `damka`.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

__all__ = ["Later", "in_worker", "install"]

NAMES: Final = "damka_later.txt"
"""File with the names of its modules, beside this one."""
EARLY: Final = "imported before it has arrived:"
"""Prefix of the message in the console."""


class Later(MetaPathFinder):
    """Finder of these modules; fetches and unpacks their archive on the first use."""

    def __init__(
        self, names: frozenset[str], fetch: Callable[[], bytes], unpack: Callable[[bytes], object]
    ) -> None:
        self._names: Final = names
        self._fetch: Final = fetch
        self._unpack: Final = unpack
        self._there = False

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the spec of a module; fetch the archive first."""
        if self._there or fullname not in self._names:
            return None
        print(f"{EARLY} {fullname}")
        self.add(self._fetch())
        return PathFinder.find_spec(fullname, path, target)

    def add(self, deflated: bytes) -> None:
        """Unpack the archive, unless it is there."""
        if self._there:
            return
        self._unpack(zlib.decompress(deflated))
        self.arrived()

    def arrived(self) -> None:
        """Mark the archive as unpacked."""
        self._there = True
        # `importlib.invalidate_caches` would import modules that a browser does not need.
        for finder in sys.path_importer_cache.values():
            if isinstance(finder, FileFinder):
                finder.invalidate_caches()


def install(fetch: Callable[[], bytes], unpack: Callable[[bytes], object]) -> Later:
    """Install the finder of the missing modules."""
    names = Path(__file__).with_name(NAMES).read_text("utf-8").split("\n")
    later = Later(frozenset(names), fetch, unpack)
    sys.meta_path.append(later)
    return later


def in_worker(fetch: Any, unpack: Any) -> Later:
    """Install the finder with functions of JavaScript."""
    from pyodide.ffi import to_js  # noqa: PLC0415  only there

    return install(lambda: bytes(fetch().to_bytes()), lambda tar: unpack(to_js(tar)))
