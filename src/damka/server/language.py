"""Language of a visitor: their own choice, or else their browser's preference."""

from __future__ import annotations

from typing import Final

from damka.locales import FALLBACK, LANGUAGES

__all__ = ["COOKIE", "choose", "preferred"]

COOKIE: Final = "damka_lang"

_MAX_HEADER = 500


def choose(requested: str | None, cookie: str | None, accept: str | None) -> str:
    """Return the requested language if supported, else the cookie's, else the browser's."""
    for language in (requested, cookie):
        if language in LANGUAGES:
            return str(language)
    return preferred(accept or "")


def preferred(accept: str) -> str:
    """Return the supported language preferred by an Accept-Language header, else English.

    Czech is treated as Slovak.
    """
    best, best_weight = FALLBACK, 0.0
    for part in accept[:_MAX_HEADER].split(","):
        tag, _, parameters = part.partition(";")
        primary = tag.strip().lower().partition("-")[0]
        language = "sk" if primary == "cs" else primary
        weight = _weight(parameters)
        if language in LANGUAGES and weight > best_weight:
            best, best_weight = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if 0.0 <= weight <= 1.0 else 0.0
