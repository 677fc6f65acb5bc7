"""The languages and themes that the header of every page offers."""

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
"""Each language's name in itself."""

THEMES: Final = ("auto", "light", "dark")
