"""Recognition of the code page of text by its letters.

Every page is scored by how plausible its letters are: how frequent they are in the languages that
use the page, whether vowels and consonants alternate, and whether capitals begin words.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

__all__ = ["CodePage", "best_page", "pages", "scores", "words_of"]

# Letters of the languages that use a page: frequent ones, then rare ones.
_WESTERN: Final = "éèêëáàâãäåíìïóòôõöøúùüñçßæ", "îûœÿýðþšž"
_CENTRAL: Final = "áäąčćďéěęíłńóöőôřśšťúůüýžż", "âăçđëîĺľňŕșţűź"
_TURKISH: Final = "çğıöşüi̇", "âîû"  # noqa: RUF001
_BALTIC: Final = "āąčėēęģīįķļņšūųžõäöü", "éóńśźż"
# The most frequent ones first.
_RUSSIAN: Final = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"

_QUOTES: Final = "‘’“”„«»–—…№"  # noqa: RUF001
_SIGNS: Final = "½±°§×\xa0"
_LOWEST: Final = -6.0

_VOWELS: Final = frozenset("aeiouyæøœı")  # noqa: RUF001
# A sign between letters, in the kinds of the characters.
_INNER_SIGN: Final = re.compile(rb"[vcwdVCWD]s+(?=[vcwd])")
# A word with a byte outside ASCII.
_HIGH_WORDS: Final = re.compile(rb"(?<![A-Za-z])[A-Za-z]*+[\x80-\xff][A-Za-z\x80-\xff]*")

_MAX_BYTES: Final = 1000
"""Maximum bytes of words to examine."""
_MAX_LETTERS: Final = 15
"""Maximum weight of a sample, in letters."""
_MAX_DIFFERENCE: Final = 12.0
"""Difference between pages for one byte; larger ones are very rare."""
_HIGH: Final = bytes(range(128, 256))


@dataclass(frozen=True)
class CodePage:
    """A code page, with the scores of its letters."""

    characters: str
    """Characters of the 256 bytes."""
    weights: tuple[float, ...]
    """Scores of the bytes from 128."""
    kinds: bytes
    """Kinds of the 256 bytes: v and c are vowels and consonants in ASCII, w and d others, V, C, W
    and D their capitals, s signs outside ASCII, blanks anything else."""
    pairs: dict[tuple[int, int], float]
    """Scores of adjacent kinds; missing ones are 0."""
    prior: float
    """Score without any letters."""

    def decode(self, text: bytes) -> str:
        """Decode any bytes; those without a character as in code page 1252 or Latin-1."""
        return text.decode("latin-1").translate(self.characters)

    def score(self, words: bytes) -> float:
        """Return the score of words that are separated by spaces."""
        letters = Counter(words)
        kinds = words.translate(self.kinds)
        pairs = Counter(pairwise(kinds))
        score = sum(self.weights[byte - 128] * n for byte, n in letters.items() if byte >= 128)
        score += sum(self.pairs.get(pair, 0.0) * n for pair, n in pairs.items())
        return score - 3 * len(_INNER_SIGN.findall(kinds))


@functools.cache
def pages() -> tuple[CodePage, ...]:
    """Return all pages, the likeliest one first."""
    return (
        _page("cp1252", _WESTERN, 4),
        _page("cp1251", _RUSSIAN, 2),
        _page("cp1250", _CENTRAL, 1),
        _page("koi8-r", _RUSSIAN, 1),
        _page("cp866", _RUSSIAN, 1),
        _page("iso8859-2", _CENTRAL, 0),
        _page("cp852", _CENTRAL, 0),
        _page("cp850", _WESTERN, 0),
        _page("cp1254", _TURKISH, 0),
        _page("cp1257", _BALTIC, 0),
    )


def words_of(text: bytes) -> bytes:
    """Return the first words that are not UTF-8, separated by spaces."""
    words = []
    size = 0
    for match in _HIGH_WORDS.finditer(text):
        word = match[0][:_MAX_BYTES]
        if not _is_utf8(word):
            words.append(word)
            size += len(word)
            if size >= _MAX_BYTES:
                break
    return b" ".join(words)


def _is_utf8(word: bytes) -> bool:
    if word.isascii():
        return True
    try:
        word.decode()
    except UnicodeDecodeError:
        return False
    return True


def scores(words: bytes) -> tuple[float, ...]:
    """Return the scores of all pages for a sample of words; a long one has a limited weight."""
    high = _high_bytes(words)
    scale = min(1.0, _MAX_LETTERS / high) if high else 0.0
    return tuple(page.prior + scale * page.score(words) for page in pages())


def best_page(text: bytes, sample: tuple[float, ...]) -> CodePage:
    """Return the likeliest page of `text`, given the scores of a sample of the file."""
    words = words_of(text)
    least = max(sample) - _MAX_DIFFERENCE * _high_bytes(words)
    found = [n for n, score in enumerate(sample) if score >= least]
    if len(found) == 1:
        return pages()[found[0]]
    return pages()[max(found, key=lambda n: sample[n] + pages()[n].score(words))]


def _high_bytes(words: bytes) -> int:
    return len(words) - len(words.translate(None, _HIGH))


def _page(name: str, letters: tuple[str, str] | str, prior: float) -> CodePage:
    characters = []
    weights = []
    kinds = bytearray(b" " * 256)
    for byte in range(256):
        one = bytes([byte])
        try:
            sign = one.decode(name)
        except UnicodeDecodeError:
            sign = ""
        if byte >= 128:
            if "\x80" <= sign < "\xa0":
                sign = ""  # a control character
            weights.append(_weight(sign, letters) if sign else _LOWEST)
            sign = sign or one.decode("cp1252", "ignore") or chr(byte)
        characters.append(sign)
        kinds[byte] = ord(_kind(sign, byte))
    pairs = {
        (ord(a), ord(b)): score
        for a in "vcwdVCWD"
        for b in "vcwdVCWD"
        if (score := _pair_score(a, b, cyrillic=isinstance(letters, str)))
    }
    return CodePage("".join(characters), tuple(weights), bytes(kinds), pairs, prior)


def _weight(sign: str, letters: tuple[str, str] | str) -> float:
    if sign in _QUOTES:
        return 1.5
    if sign in _SIGNS:
        return -0.3
    if not sign.isalpha():
        return -4.0
    lower = sign.lower()
    if isinstance(letters, str):
        return 2 - 3 * letters.index(lower) / len(letters) if lower in letters else -2.0
    frequent, rare = letters
    return 1.0 if lower in frequent else 0.0 if lower in rare else -2.0


def _kind(sign: str, byte: int) -> str:
    if not sign.isalpha():
        return "s" if byte >= 128 and sign not in "’\xa0" else " "
    vowel = unicodedata.normalize("NFD", sign)[0].lower() in _VOWELS
    kind = ("w" if vowel else "d") if byte >= 128 else ("v" if vowel else "c")
    return kind.upper() if sign.isupper() else kind


def _pair_score(a: str, b: str, *, cyrillic: bool) -> float:
    """Return the score of two adjacent letters by their kinds."""
    high = [kind.lower() in "wd" for kind in (a, b)]
    if not any(high):
        return 0.0
    score = -2.0 if a.islower() and b.isupper() else 0.0
    if cyrillic:
        return score - (0.7 if b.isupper() else 0.0) - (0.0 if all(high) else 6.0)
    vowels = [kind.lower() in "vw" for kind in (a, b)]
    return score + (0.5 if vowels[0] != vowels[1] else -0.5) - (1.5 if all(high) else 0.0)
