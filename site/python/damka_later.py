"""What comes after a first game has begun: the modules of the second archive.

The worker adds it when it has arrived. Where something of it is imported before, the import waits
for it: such an import is never wrong, only late. Nothing of `damka` is imported here, so that this
is there before any of it is.
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
"""The names of its modules, beside this one."""
EARLY: Final = "imported before it has arrived:"
"""How the note in the console begins."""


class Later(MetaPathFinder):
    """Finds the modules with these names once `unpack` has got the archive that `fetch` returns."""

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
        """Return where a module is; fetch it first."""
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
        """Note that the archive is unpacked."""
        self._there = True
        # `importlib.invalidate_caches` would import what a browser has no use for.
        for finder in sys.path_importer_cache.values():
            if isinstance(finder, FileFinder):
                finder.invalidate_caches()


def install(fetch: Callable[[], bytes], unpack: Callable[[bytes], object]) -> Later:
    """Have imports find what is not there yet."""
    names = Path(__file__).with_name(NAMES).read_text("utf-8").split("\n")
    later = Later(frozenset(names), fetch, unpack)
    sys.meta_path.append(later)
    return later


def in_worker(fetch: Any, unpack: Any) -> Later:
    """Install it with functions of JavaScript."""
    from pyodide.ffi import to_js  # noqa: PLC0415  only there

    return install(lambda: bytes(fetch().to_bytes()), lambda tar: unpack(to_js(tar)))
