"""Small boards on empty pages and errors."""

from __future__ import annotations

import functools
from typing import Final

from markupsafe import Markup

from damka import rules
from damka.draw import svg

__all__ = ["vignette"]

_PIECES: Final = {
    # White is ready and waits for an opponent.
    "alone": "." * 20 + "W" * 12,
    # Both sides are ready.
    "ready": "B" * 12 + "." * 8 + "W" * 12,
    # One man is left, far from everything.
    "lost": "." * 17 + "W" + "." * 14,
}
"""Pieces of each picture, by square."""


@functools.cache
def vignette(name: str) -> Markup:
    """Return a picture: "alone", "ready" or "lost"."""
    return Markup(svg.mini(rules.load("dama64"), _PIECES[name]))  # noqa: S704  our own drawing
