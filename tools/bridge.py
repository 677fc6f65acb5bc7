"""Install the browser's `damka._core` in this process, backed by a shared library.

The tests use it with DAMKA_CORE=bridge; DAMKA_LIBRARY is the path of the library, which `make
check-site` builds.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

__all__ = ["FOLDER", "install", "load"]

FOLDER: Final = Path(__file__).parents[1] / "site" / "python" / "bridge"


def install() -> None:
    """Install the bridge as `damka._core`. Raises RuntimeError if `damka` is already imported."""
    if "damka" in sys.modules:
        raise RuntimeError("damka is imported already")
    load("damka._core")


def load(name: str) -> ModuleType:
    """Load the bridge as a module of this name."""
    spec = importlib.util.spec_from_file_location(
        name, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)]
    )
    if spec is None or spec.loader is None:
        raise RuntimeError(f"no bridge in {FOLDER}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
