"""Inferring the rules of a game without a GameType.

The squares determine the board, and letters or numbers the family; the moves must then be legal. If
several rule sets match, the previous game's in the same file is chosen, or else the most common.
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

_COMMENT: Final = re.compile(rb"\{[^}]*\}?|;[^\r\n]*|(?<![^\r\n])%[^\r\n]*")
_LETTER: Final = re.compile(rb"(?<![A-Za-z])([A-La-l])([0-9]{1,2})(?![0-9])")
_NUMBER: Final = re.compile(rb"([0-9]{1,6})(?=\s*[-x:])|[-x:]\s*([0-9]{1,6})")
# A square that cannot be part of a result.
_LABEL: Final = re.compile(rb"[A-La-l][0-9]|[0-9]{2}\s*[-x:]|[-x:]\s*[0-9]{2}")
_DIGITS: Final = re.compile(rb"[0-9]+")
_SETUP: Final = re.compile(rb'/FEN\s{0,8}"([^"]{0,1000})"\s{0,8}/')
# Signs before the squares of a FEN.
_PIECES: Final = re.compile(rb":\s*[WB]|K(?=[A-Za-z0-9])")

# Brazilian draughts and similar games are also written with numbers from White's top left.
_AS_NUMBERS: Final = ("brazilian", "russian", "czech")


def likely_settings(text: bytes, fen: str, last: Setting | None = None) -> tuple[Setting, ...]:
    """Return the settings to try for a movetext and a FEN ("" for none), the likeliest first.

    `last` is the setting of the previous game, whose rules are tried first. With a FEN, squares are
    counted from the usual corner on White's side: only a GameType can state another one.
    """
    text = _COMMENT.sub(b" ", text)
    setups = _SETUP.findall(text)
    settings = _likely_settings(text, fen, setups)
    if last is not None:
        has_labels = bool(_LABEL.search(text)) or bool(fen)
        settings = _last_first(settings, last, has_labels=has_labels)
    return _from_usual_corner(settings) if fen or setups else settings


def all_settings(*, has_fen: bool) -> tuple[Setting, ...]:
    """Return all settings; for a game with a FEN, only those with the usual corner."""
    settings = _settings(_NUMBERS_8 + _WIDE + _WIDEST) + _settings(_LETTERS_8 + _LETTERS_WIDE)
    return _from_usual_corner(settings) if has_fen else settings


@functools.lru_cache(maxsize=256)
def _last_first(
    settings: tuple[Setting, ...], last: Setting, *, has_labels: bool
) -> tuple[Setting, ...]:
    """Move the rules of the last game to the front, with matching labels first."""
    same_rules = [last] if last in settings or not has_labels else []
    same_rules += (
        candidate for candidate in settings if candidate.rules == last.rules
    )  # with other labels
    return tuple(dict.fromkeys((*same_rules, last, *settings)))


@functools.cache
def _from_usual_corner(settings: tuple[Setting, ...]) -> tuple[Setting, ...]:
    return tuple(candidate for candidate in settings if _has_usual_corner(candidate))


def _has_usual_corner(setting: Setting) -> bool:
    """Whether letters are counted from White's left, or numbers from White's top left."""
    if labels(setting.rules).algebraic:
        return setting.rules.notation[1] == "0"
    return setting.names[1] == 1


def _likely_settings(text: bytes, fen: str, setups: list[bytes]) -> tuple[Setting, ...]:
    fens = (fen.encode("utf-8", "replace"), *setups)
    fen_squares = b" ".join(_PIECES.sub(b" ", fen_text) for fen_text in fens)
    text_and_fens = _SETUP.sub(b" ", text) + b" " + fen_squares
    cells = _LETTER.findall(text_and_fens)
    numbers = [int(a or b) for a, b in _NUMBER.findall(_LETTER.sub(b"q", text_and_fens))]
    numbers += (int(number[:6]) for number in _DIGITS.findall(_LETTER.sub(b"q", fen_squares)))
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
    settings = []
    for name in names:
        rules = rule_sets.load(name)
        if numbered and name in _AS_NUMBERS:
            rules = rules.replace(notation="N2")
        settings.append(setting(rules))
    return tuple(settings)
