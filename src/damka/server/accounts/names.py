"""Names of people: validation and comparison.

Names that look alike count as equal: `fold` removes case, encoding differences, separators and
lookalikes, such as the Latin and the Cyrillic "a". The lookalikes are those of Unicode Technical
Standard 39.

Members choose a name once; `member_name` validates it. `guest_name` validates the names of guests
and of players entered by an arbiter: they may contain spaces and punctuation, but must not resemble
the names of members, the server or its officials.
"""

from __future__ import annotations

import functools
import hashlib
import re
import unicodedata
from itertools import pairwise
from typing import Final

from damka import locales
from damka.engine import levels

__all__ = [
    "BadNameError",
    "fold",
    "folded_hash",
    "guest_name",
    "lookalikes",
    "member_name",
    "reserved_names",
    "skeleton",
]

MIN_LENGTH: Final = 2
MAX_LENGTH: Final = 20
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
        "арбитър",
        "бот",
        "администратор",
        "гост",
        "компютър",
        "модератор",
        "оператор",
        "съдия",
    }
)


_TITLES: Final = frozenset(
    {
        *("admin", "administrator", "administrátor", "amministratore", "админ", "администратор"),
        *("arbiter", "arbitro", "referee", "rozhodca", "арбитър", "съдия"),
        *("bot", "bots", "бот", "computer", "počítač", "компютър"),
        *("damka", "deleted", "guest", "hosť", "ospite", "гост"),
        *("moderator", "moderátor", "moderatore", "модератор"),
        *("official", "operator", "operátor", "operatore", "оператор"),
        *("root", "staff", "support", "sysop", "system", "webmaster"),
    }
)
"""Words forbidden in names, because they suggest an official role."""
_LEVEL_WORDS: Final = frozenset({"level", "livello", "úroveň", "ниво"})
"""Words before the number of a level of the computer."""
_MAX_GUEST_LENGTH: Final = 30
_ARBITER_TITLES: Final = frozenset(
    {"arbiter", "arbitro", "referee", "rozhodca", "арбитър", "съдия"}
)
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""Invisible characters; Unicode classifies some of them as letters or as printable."""
_PRECOMPOSED: Final = frozenset({"LATIN", "CYRILLIC", "GREEK", "COMMON", "INHERITED"})
"""Scripts whose accented letters all exist as single characters."""
_COMBINABLE_SCRIPTS: Final = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "BOPOMOFO"}),
    frozenset({"HAN", "HANGUL"}),
)
"""Scripts that are commonly combined."""


class BadNameError(ValueError):
    """An invalid name; `code` is "short", "long", "letters", "script" or "reserved"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code: Final = code


def member_name(text: str) -> str:
    """Normalise the name of a member.

    A name has 2 to 20 characters: letters of one script, then also digits, "-" and "_". Raises
    BadNameError for any other text.
    """
    if len(text) > 4 * MAX_LENGTH:
        raise BadNameError("long")
    name = unicodedata.normalize("NFKC", text.strip())
    if len(name) < MIN_LENGTH:
        raise BadNameError("short")
    if len(name) > MAX_LENGTH:
        raise BadNameError("long")
    letters = [c for c in name if c not in _DIGITS and c not in _SEPARATORS]
    has_double_separator = any(a in _SEPARATORS and b in _SEPARATORS for a, b in pairwise(name))
    if (
        not all(unicodedata.category(c).startswith("L") for c in letters)
        or name[0] not in letters
        or name[-1] in _SEPARATORS
        or has_double_separator
    ):
        raise BadNameError("letters")
    if len(_scripts("".join(letters))) != 1:
        raise BadNameError("script")
    words = re.split(f"[{_SEPARATORS}]", name)
    parts = {form for word in (*words, "".join(words)) for form in _forms(word)}
    if fold(name) in reserved_names() or parts & _titles():
        raise BadNameError("reserved")
    return name


def fold(name: str) -> str:
    """Return the comparison key of a name, which is equal for names that look alike.

    >>> fold("Petra") == fold("PE-TRA"), fold("Olin") == fold("0l1n"), fold("Olin") == fold("Ol")
    (True, True, False)
    """
    text = unicodedata.normalize("NFKC", name[: 4 * MAX_LENGTH].strip())
    # PostgreSQL cannot store NUL.
    bare = "".join(c for c in text if c not in _SEPARATORS and c.isprintable())
    # Capitals first: some letters of two scripts look alike only as capitals.
    capitals = "".join(map(_prototype, bare.upper()))
    return "".join(map(_prototype, capitals.casefold()))[:80]


def guest_name(text: str, *, allow_arbiter: bool = False) -> str:
    """Normalise the name of a guest; "" if it is empty.

    Invisible characters are removed. Raises BadNameError for a name that mixes scripts, has marks
    without a letter, is reserved, or contains a forbidden title; `allow_arbiter` allows the titles
    of arbiters.

    >>> guest_name("  Ana \u200b Petrova ")
    'Ana Petrova'
    """
    if len(text) > 8 * _MAX_GUEST_LENGTH:
        raise BadNameError("long")
    plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    name = " ".join("".join(c if c.isprintable() else " " for c in plain).split())
    if not name:
        return ""
    if len(name) > _MAX_GUEST_LENGTH:
        raise BadNameError("long")
    scripts = _scripts(name)
    if len(scripts) > 1 and not any(scripts <= each for each in _COMBINABLE_SCRIPTS):
        raise BadNameError("script")
    if scripts <= _PRECOMPOSED and any(unicodedata.category(c).startswith("M") for c in name):
        raise BadNameError("letters")
    allowed = {fold(each) for each in _ARBITER_TITLES} if allow_arbiter else set()
    words = re.split(r"[\W_]+", name)
    parts = {form for word in (*words, "".join(words)) for form in _forms(word)}
    if parts & (_titles() - allowed) or _forms("".join(words)) & (reserved_names() - allowed):
        raise BadNameError("reserved")
    return name


def lookalikes(name: str) -> set[str]:
    """Return the folded forms of member names with which a name could be confused.

    >>> lookalikes("Pétra!") == {"petra", "pétra"}
    True
    """
    bare = _bare(name)
    return {fold(bare), fold(_plain(bare))} - {""}


def skeleton(name: str) -> str:
    """Fold a name without spaces and punctuation, to compare guests' names."""
    return fold(_bare(name)) or name


def _bare(name: str) -> str:
    text = unicodedata.normalize("NFKC", name[: 8 * _MAX_GUEST_LENGTH])
    return "".join(c for c in text if _is_compared(c))


def _is_compared(letter: str) -> bool:
    return letter.isalnum() or unicodedata.category(letter).startswith("M")


def _plain(text: str) -> str:
    """Remove accents."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(c for c in parts if not unicodedata.category(c).startswith("M"))


def _forms(word: str) -> set[str]:
    """Return the folded forms of a word: as is, without accents, and without trailing digits."""
    texts = {word, word.rstrip(_DIGITS)}
    return {fold(form) for each in texts for form in (each, _plain(each))} - {""}


def _scripts(text: str) -> set[str]:
    """Return the scripts of the letters in `text`."""
    from confusable_homoglyphs import categories  # noqa: PLC0415  reads its tables when loaded

    return set(categories.unique_aliases(text)) - {"COMMON", "INHERITED"}


@functools.cache
def _titles() -> frozenset[str]:
    return frozenset(fold(form) for each in _TITLES for form in (each, _plain(each)))


def folded_hash(folded: str) -> str:
    """Return a hash that reserves a closed account's name without revealing it."""
    return f"#{hashlib.sha256(folded.encode()).hexdigest()}"


@functools.cache
def reserved_names() -> frozenset[str]:
    """Return the folded reserved names, including the titles and numbers of the levels."""
    titles = [levels.title(n, each) for n in levels.LEVELS for each in locales.LANGUAGES]
    words = {form for each in _LEVEL_WORDS for form in (each, _plain(each))}
    numbers = [f"{word}{n}" for word in words for n in levels.LEVELS]
    return frozenset(fold(each) for each in (*_RESERVED, *titles, *numbers))


@functools.cache
def _prototype(letter: str) -> str:
    """Return the representative of the letters that look like this one."""
    from confusable_homoglyphs import confusables  # noqa: PLC0415  reads its tables when loaded

    alike = [each["c"] for each in confusables.confusables_data.get(letter, ())]
    if len(alike) != 1:
        # Without a unique representative the letter represents itself.
        return letter
    back = [each["c"] for each in confusables.confusables_data.get(alike[0], ())]
    return str(alike[0] if len(back) > 1 else min(letter, alike[0]))
