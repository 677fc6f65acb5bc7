"""Sphinx extension: diagrams of the rule pages, links between Markdown pages, API reference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from damka import rules
from damka.rulebook import pages, paragraphs
from tools.docs import links, reference

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["setup"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    app.connect("builder-inited", _draw, priority=100)  # before the reference changes the kernel
    links.setup(app)
    reference.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _draw(app: Sphinx) -> None:
    """Draw the diagrams of the rule pages."""
    for loaded in map(rules.load, rules.names()):
        for place, picture in pages.pictures(loaded, paragraphs(loaded, "en")).items():
            path = Path(app.srcdir, "rules", place)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(picture, "utf-8")
