"""Former public names, which remain for one release with a DeprecationWarning."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["former_names", "warn_former"]


def former_names(module: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """Return a module's `__getattr__` for its former names; `names` has the current ones."""

    def lookup(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        new = names[name]
        warn_former(f"{module}.{name}", new)
        return getattr(import_module(module), new)

    return lookup


def warn_former(name: str, new: str) -> None:
    """Warn the caller's caller that a name is deprecated."""
    warnings.warn(f"{name} is deprecated: use {new}", DeprecationWarning, stacklevel=3)
