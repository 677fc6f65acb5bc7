"""Names of accounts: which are allowed, and which count as the same.

Two names are the same when people could take one for the other: `fold` removes case, the various
ways to encode a letter, separators, and lookalikes, such as the Latin and the Cyrillic "a".
"""

from __future__ import annotations

import functools
import hashlib
import unicodedata
from itertools import pairwise
from typing import Final

from damka import locales
from damka.engine import levels

__all__ = ["BadNameError", "clean", "fold", "folded_hash", "reserved"]

SHORTEST: Final = 2
LONGEST: Final = 20
_SEPARATORS: Final = "-_"
_DIGITS: Final = "0123456789"

_RESERVED: Final = frozenset(
    {
        "account",
        "admin",
        "administrator",
        "anonymous",
        "api",
        "arbiter",
        "arbitro",
        "amministratore",
        "bot",
        "computer",
        "damka",
        "deleted",
        "engine",
        "everyone",
        "guest",
        "help",
        "host",
        "info",
        "me",
        "moderator",
        "nobody",
        "null",
        "official",
        "ospite",
        "operator",
        "operatore",
        "owner",
        "player",
        "referee",
        "root",
        "staff",
        "somebody",
        "support",
        "system",
        "team",
        "undefined",
        "user",
        "webmaster",
        "administrátor",
        "hosť",
        "moderátor",
        "rozhodca",
        "počítač",
        "админ",
        "администратор",
        "гост",
        "компютър",
        "модератор",
        "оператор",
        "съдия",
    }
)


class BadNameError(ValueError):
    """A name that cannot be one: `code` is "short", "long", "letters", "script" or "reserved"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code: Final = code


def clean(text: str) -> str:
    """Return a name as it is shown and stored.

    It has 2 to 20 characters: letters of one script, and digits, "-" and "_" between them or
    behind. Raises BadNameError for another text.
    """
    if len(text) > 4 * LONGEST:
        raise BadNameError("long")
    name = unicodedata.normalize("NFKC", text.strip())
    if len(name) < SHORTEST:
        raise BadNameError("short")
    if len(name) > LONGEST:
        raise BadNameError("long")
    letters = [c for c in name if c not in _DIGITS and c not in _SEPARATORS]
    separated = any(a in _SEPARATORS and b in _SEPARATORS for a, b in pairwise(name))
    if (
        not all(unicodedata.category(c).startswith("L") for c in letters)
        or name[0] not in letters
        or name[-1] in _SEPARATORS
        or separated
    ):
        raise BadNameError("letters")
    from confusable_homoglyphs import categories  # noqa: PLC0415  reads its tables when loaded

    scripts = categories.unique_aliases("".join(letters)) - {"COMMON", "INHERITED"}
    if len(scripts) != 1:
        raise BadNameError("script")
    if fold(name) in reserved():
        raise BadNameError("reserved")
    return name


def fold(name: str) -> str:
    """Return the text under which a name is found: the same for all that look like it.

    >>> fold("Petra") == fold("PE-TRA"), fold("Olin") == fold("0l1n"), fold("Olin") == fold("Ol")
    (True, True, False)
    """
    text = unicodedata.normalize("NFKC", name[: 4 * LONGEST].strip())
    # PostgreSQL stores no NUL, for one.
    bare = "".join(c for c in text if c not in _SEPARATORS and c.isprintable())
    # Capitals first: letters of two scripts may look alike as capitals only.
    capitals = "".join(map(_prototype, bare.upper()))
    return "".join(map(_prototype, capitals.casefold()))[:80]


def folded_hash(folded: str) -> str:
    """Return what keeps a closed account's name from being taken, without telling it."""
    return f"#{hashlib.sha256(folded.encode()).hexdigest()}"


@functools.cache
def reserved() -> frozenset[str]:
    """Return the folded names that nobody may have: ours, and those of the computer's levels."""
    titles = [levels.title(n, each) for n in levels.LEVELS for each in locales.LANGUAGES]
    return frozenset(fold(each) for each in (*_RESERVED, *titles))


@functools.cache
def _prototype(letter: str) -> str:
    """Return the letter that stands for all that look like this one."""
    from confusable_homoglyphs import confusables  # noqa: PLC0415  reads its tables when loaded

    alike = [each["c"] for each in confusables.confusables_data.get(letter, ())]
    if len(alike) != 1:
        # None, or many: it stands for them.
        return letter
    back = [each["c"] for each in confusables.confusables_data.get(alike[0], ())]
    return str(alike[0] if len(back) > 1 else min(letter, alike[0]))
