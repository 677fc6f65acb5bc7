"""Languages and themes in the header of every page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["NAMES", "THEMES"]

NAMES: Final[Mapping[str, str]] = {
    "bg": "Български",
    "en": "English",
    "it": "Italiano",
    "sk": "Slovenčina",
}
"""Native names of the languages."""

THEMES: Final = ("auto", "light", "dark")
