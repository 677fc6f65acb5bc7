"""Lazy import of the second archive's modules, which a first game does not need.

The worker adds the archive in the background. An earlier import of one of its modules fetches it
synchronously. This module does not import `damka`, so that it can be installed before `damka` is
imported.
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

__all__ = ["LazyFinder", "in_worker", "install"]

NAMES_FILE: Final = "lazy_modules.txt"
"""File with the names of the archive's modules, beside this one."""
EARLY_IMPORT: Final = "imported before it was loaded:"
"""Prefix of the console message of such an import."""


class LazyFinder(MetaPathFinder):
    """Finder of the archive's modules; fetches and unpacks the archive on first use."""

    def __init__(
        self, names: frozenset[str], fetch: Callable[[], bytes], unpack: Callable[[bytes], object]
    ) -> None:
        self._names: Final = names
        self._fetch: Final = fetch
        self._unpack: Final = unpack
        self._is_loaded = False

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the spec of a module; fetch the archive first."""
        if self._is_loaded or fullname not in self._names:
            return None
        print(f"{EARLY_IMPORT} {fullname}")
        self.add(self._fetch())
        return PathFinder.find_spec(fullname, path, target)

    def add(self, deflated: bytes) -> None:
        """Unpack the archive, unless it is loaded."""
        if self._is_loaded:
            return
        self._unpack(zlib.decompress(deflated))
        self.mark_loaded()

    def mark_loaded(self) -> None:
        """Mark the archive as unpacked."""
        self._is_loaded = True
        # `importlib.invalidate_caches` would import unneeded modules.
        for finder in sys.path_importer_cache.values():
            if isinstance(finder, FileFinder):
                finder.invalidate_caches()


def install(fetch: Callable[[], bytes], unpack: Callable[[bytes], object]) -> LazyFinder:
    """Install the finder of the missing modules."""
    names = Path(__file__).with_name(NAMES_FILE).read_text("utf-8").split("\n")
    finder = LazyFinder(frozenset(names), fetch, unpack)
    sys.meta_path.append(finder)
    return finder


def in_worker(fetch: Any, unpack: Any) -> LazyFinder:
    """Install the finder with JavaScript functions."""
    from pyodide.ffi import to_js  # noqa: PLC0415  only in Pyodide

    return install(lambda: bytes(fetch().to_bytes()), lambda tar: unpack(to_js(tar)))
