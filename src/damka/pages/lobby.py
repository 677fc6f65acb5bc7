"""Context of lobby.html.

`state` (JSON of the current lobby), `is_member`, `rule_sets` ([{name, title, first, second}], with
the names of the colours on the page), `page` with only the texts of its scripts.
"""

from __future__ import annotations

from typing import Any, Final

from damka import locales, rules
from damka.pages.templates import escape_script, script_json

__all__ = ["lobby"]

_SCRIPT_KEYS: Final = ("offline",)


def lobby(language: str, state: str, *, is_member: bool) -> dict[str, Any]:
    """Return the context of lobby.html; `state` is the lobby as JSON."""
    return {
        "state": escape_script(state),
        "is_member": is_member,
        "rule_sets": [_rule_set(name, language) for name in rules.names()],
        "page": script_json(
            {
                "lang": language,
                "strings": {
                    key: locales.translate(language, f"page.{key}") for key in _SCRIPT_KEYS
                },
            }
        ),
    }


def _rule_set(name: str, language: str) -> dict[str, str]:
    of = rules.load(name)
    names = (locales.colour(language, each) for each in of.colours)
    white, black = (name[:1].upper() + name[1:] for name in names)
    first, second = (white, black) if of.first == "W" else (black, white)
    return {"name": name, "title": of.title_in(language), "first": first, "second": second}
