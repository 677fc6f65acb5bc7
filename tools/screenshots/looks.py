"""Looks of a page: window sizes, languages and themes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from playwright.sync_api import ViewportSize

from damka.locales import LANGUAGES

Theme = Literal["light", "dark"]

SIZES: Final = ("1280x800", "1366x650", "390x844", "320x568")
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
LARGEST_PHONE: Final = 600
"""Width in pixels up to which a window belongs to a phone with a touch screen."""


@dataclass(frozen=True)
class Look:
    """One picture of a state: a window size, a language and a theme."""

    size: str
    language: str
    theme: Theme

    def __str__(self) -> str:
        return f"{self.language}-{self.size}-{self.theme}"


@dataclass(frozen=True)
class Looks:
    """The chosen sizes, languages and themes."""

    sizes: Sequence[str] = SIZES
    languages: Sequence[str] = LANGUAGES
    themes: Sequence[Theme] = THEMES

    def __iter__(self) -> Iterator[Look]:
        for language, size, theme in itertools.product(self.languages, self.sizes, self.themes):
            yield Look(size, language, theme)

    def __len__(self) -> int:
        return len(self.sizes) * len(self.languages) * len(self.themes)

    def of_device(self, *, phone: bool) -> list[str]:
        """Return the sizes of phones, or of desktops."""
        return [size for size in self.sizes if is_phone(size) == phone]


def viewport(size: str) -> ViewportSize:
    """Return a size as Playwright expects it."""
    width, height = map(int, size.split("x"))
    return {"width": width, "height": height}


def is_phone(size: str) -> bool:
    """Return whether a window of this size belongs to a phone."""
    return viewport(size)["width"] <= LARGEST_PHONE
