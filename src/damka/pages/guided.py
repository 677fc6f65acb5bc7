"""Context of the page that starts a guided game.

- guided.html: `title` of the rules, `picture` of their board, `request` (the JSON body of the
  request for the game)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from damka import rules
from damka.draw import svg
from damka.pages.templates import page_data, trusted_svg

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["context"]


def context(of: Rules, language: str) -> dict[str, Any]:
    """Return the context of guided.html."""
    is_shipped = of.name in rules.names() and rules.load(of.name).to_dict() == of.to_dict()
    request = {"rules": of.name if is_shipped else of.to_dict(), "opponent": "guide"}
    return {
        "title": of.title_in(language),
        "picture": trusted_svg(svg.mini(of)),
        "request": msgspec.json.encode(request).decode(),
        "page": page_data(language),
    }
