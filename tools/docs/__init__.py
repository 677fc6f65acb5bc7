"""What the documentation's pages need besides Sphinx and its extensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.docs import links, reference

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["setup"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect with Sphinx."""
    links.setup(app)
    reference.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
