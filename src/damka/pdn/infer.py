"""Inferring the rules of a game without a GameType, the likeliest first.

Its squares determine the board, and letters or numbers the family; the moves
must then be legal. Of several matching rule sets the first wins: the more common
game, or that of the previous game in the same file.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Final

from damka import rules as rule_sets
from damka.notation import labels
from damka.pdn.setting import setting

if TYPE_CHECKING:
    from damka.pdn.setting import Setting

__all__ = ["all_settings", "likely_settings"]

# Rule sets that a movetext cannot distinguish from an earlier one are omitted.
_NUMBERS_8: Final = (
    *("american", "italian", "pool", "spanish", "portuguese", "brazilian", "russian", "czech"),
    *("thai", "dama64", "german", "argentinian"),
)
_LETTERS_8: Final = (
    *("russian", "brazilian", "czech", "pool", "jamaican", "american", "italian", "turkish"),
    *("armenian", "dama64", "portuguese", "spanish", "russian-giveaway"),
)
_WIDE: Final = ("international", "frisian", "killer", "dama100", "breakthrough", "antidraughts")
_LETTERS_WIDE: Final = ("spantsiretti", *_WIDE)
_WIDEST: Final = ("canadian", "sri-lankan", "malaysian")

_COMMENT: Final = re.compile(rb"\{[^}]*\}|;[^\n]*")
_LETTER: Final = re.compile(rb"(?<![A-Za-z])([A-La-l])([0-9]{1,2})(?![0-9])")
_NUMBER: Final = re.compile(rb"([0-9]{1,6})(?=\s*[-x:])|[-x:]\s*([0-9]{1,6})")
# A square, but no result.
_LABEL: Final = re.compile(rb"[A-La-l][0-9]|[0-9]{2}\s*[-x:]|[-x:]\s*[0-9]{2}")
_DIGITS: Final = re.compile(rb"[0-9]+")
_SETUP: Final = re.compile(rb'/FEN\s{0,8}"([^"]{0,1000})"\s{0,8}/')
# Prefix of the squares of a FEN.
_PIECES: Final = re.compile(rb":\s*[WB]|K(?=[A-Za-z0-9])")

# Brazilian draughts and similar games are also written with numbers from White's top left.
_AS_NUMBERS: Final = ("brazilian", "russian", "czech")


def likely_settings(text: bytes, fen: str, last: Setting | None = None) -> tuple[Setting, ...]:
    """Return the settings to try for a movetext and a FEN ("" for none).

    `last` is the setting of the previous game, whose rules are tried first. With a FEN, squares
    have their usual labels, counted from White's side: only a GameType can state another corner.
    """
    text = _COMMENT.sub(b" ", text)
    setups = _SETUP.findall(text)
    found = _likely_settings(text, fen, setups)
    if last is not None:
        found = _last_first(found, last, labelled=bool(_LABEL.search(text)) or bool(fen))
    return _from_usual_corner(found) if fen or setups else found


def all_settings(*, placed: bool) -> tuple[Setting, ...]:
    """Return all settings, without those that count from another corner if the game has a FEN."""
    found = _settings(_NUMBERS_8 + _WIDE + _WIDEST) + _settings(_LETTERS_8 + _LETTERS_WIDE)
    return _from_usual_corner(found) if placed else found


@functools.lru_cache(maxsize=256)
def _last_first(
    found: tuple[Setting, ...], last: Setting, *, labelled: bool
) -> tuple[Setting, ...]:
    """Move the rules of the last game to the front, with the labels that are used."""
    same = [last] if last in found or not labelled else []
    same += (each for each in found if each.rules == last.rules)  # with other labels
    return tuple(dict.fromkeys((*same, last, *found)))


@functools.cache
def _from_usual_corner(settings: tuple[Setting, ...]) -> tuple[Setting, ...]:
    return tuple(each for each in settings if _has_usual_corner(each))


def _has_usual_corner(each: Setting) -> bool:
    """Whether letters are counted from White's left, or numbers from White's top left."""
    if labels(each.rules).algebraic:
        return each.rules.notation[1] == "0"
    return each.names[1] == 1


def _likely_settings(text: bytes, fen: str, setups: list[bytes]) -> tuple[Setting, ...]:
    fens = (fen.encode("utf-8", "replace"), *setups)
    placed = b" ".join(_PIECES.sub(b" ", each) for each in fens)
    text_and_fens = _SETUP.sub(b" ", text) + b" " + placed
    cells = _LETTER.findall(text_and_fens)
    numbers = [int(a or b) for a, b in _NUMBER.findall(_LETTER.sub(b"q", text_and_fens))]
    numbers += (int(number[:6]) for number in _DIGITS.findall(_LETTER.sub(b"q", placed)))
    largest = max(numbers, default=0)
    if cells:
        row = max(int(row) for _, row in cells)
        column = max(letter.lower() for letter, _ in cells)
        if row > 10 or column > b"j":
            return _settings(_WIDEST)
        if row > 8 or column > b"h" or largest > 32:
            return _settings(_LETTERS_WIDE)
        return _settings(_LETTERS_8 + _LETTERS_WIDE)
    if largest > 50:
        return _settings(_WIDEST)
    if largest > 32:
        return _settings(_WIDE)
    return _settings(_NUMBERS_8 + _WIDE + _WIDEST)


@functools.cache
def _settings(names: tuple[str, ...]) -> tuple[Setting, ...]:
    numbered = names[0] == _NUMBERS_8[0]
    found = []
    for name in names:
        rules = rule_sets.load(name)
        if numbered and name in _AS_NUMBERS:
            rules = rules.replace(notation="N2")
        found.append(setting(rules))
    return tuple(found)
