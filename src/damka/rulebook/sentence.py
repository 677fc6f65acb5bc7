"""A catalogue sentence with its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from damka import locales

__all__ = ["Sentence"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A catalogue key without "rulebook.", with its values; `n` selects the plural form.

    Values that are sentences are translated first.
    """

    key: str
    values: Mapping[str, object] = field(default_factory=dict)
    n: int | None = None

    def say(self, language: str) -> str:
        """Return the text in `language`."""
        values = {
            name: value.say(language) if isinstance(value, Sentence) else value
            for name, value in self.values.items()
        }
        key = f"rulebook.{self.key}"
        if self.n is None:
            return locales.translate(language, key, **values)
        return locales.plural(language, key, self.n, **values)
