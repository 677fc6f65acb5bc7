"""The GameType tag: the rules of a game, and its square labels.

`GameType "20,W,10,10,N1,0"` is a number, the side that begins, the board's width and height, the
notation (N numbers, A or S letters, and the corner of the first square from the view of the player
who begins: 0 bottom left, 1 bottom right, 2 top left, 3 top right) and whether the bottom left
corner is a playing square (0) or not (1). Everything after the number is optional.

Source: Portable Draughts Notation 3.0 and its extensions; other numbers come from websites.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, Final

from damka import rules as rule_sets
from damka.errors import RulesError

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["rules_of"]

MAX_LENGTH: Final = 200

_TYPES: Final = {
    20: "international",
    21: "american",
    22: "italian",
    23: "pool",
    24: "spanish",
    25: "russian",
    26: "brazilian",
    27: "canadian",
    28: "portuguese",
    29: "czech",
    30: "turkish",
    31: "thai",
    40: "frisian",
    41: "spantsiretti",
    43: "turkish",
    44: "armenian",
    45: "killer",
    96: "breakthrough",
    97: "frysk",
    98: "antidraughts",
}

# Games that share their number with another game, by number, first side and notation.
_SHARED: Final = {(23, "B", "A1"): "jamaican"}

_NAMES: Final = {
    "english": "american",
    "checkers": "american",
    "draughts": "international",
    "from position": "",
    "standard": "",
    "poolcheckers": "pool",
    "shashki": "russian",
    "frysk!": "frysk",
}

_TAG: Final = re.compile(
    r"(\d{1,3})"
    r"(?:\s*,\s*([WB])\s*,\s*(\d{1,2})\s*,\s*(\d{1,2})\s*,\s*([ANS])([0-3])(?:\s*,\s*([01]))?)?",
    re.IGNORECASE | re.ASCII,
)


@functools.lru_cache(maxsize=256)
def rules_of(tag: str, variant: str = "") -> Rules | None:
    """Return the rules of a GameType tag, or None if it is unknown.

    The tag may also be the name of a rule set. `variant` is the Variant tag, the name of one of the
    rule sets with the number. The square labels are those of the tag, which may differ from the
    rule set's own.

    >>> from damka.pdn import rules_of
    >>> rules_of("25").name, rules_of("20,W,10,10,N1,0").notation
    ('russian', 'N1')
    >>> rules_of("23").first, rules_of("23,W,8,8,A0,0").first, rules_of("23,B,8,8,A1,1").name
    ('B', 'W', 'jamaican')
    """
    match = _TAG.fullmatch(tag.strip()) if len(tag) <= MAX_LENGTH else None
    if match is None:
        return _rules_named(variant) or _rules_named(tag)
    variant_rules = _rules_named(variant)
    number, first, width, height, kind, corner, inverted = match.groups()
    if (
        variant_rules is not None
        and variant_rules.game_type != int(number)
        and int(number) in _TYPES
    ):
        variant_rules = None
    if first is None:
        name = variant_rules.name if variant_rules else _TYPES.get(int(number))
        return None if name is None else rule_sets.load(name)
    first = first.upper()
    notation = f"{'N' if kind in 'nN' else 'A'}{corner}"
    name = _SHARED.get((int(number), first, notation)) or _TYPES.get(int(number))
    if variant_rules is not None:
        name = variant_rules.name
    if name is None:
        return None
    rules = rule_sets.load(name)
    changes: dict[str, Any] = {"first": first, "notation": notation}
    if (int(width), int(height)) != (rules.width, rules.height):
        changes |= {"width": int(width), "height": int(height), "rows": (int(height) - 2) // 2}
    if inverted is not None and rules.squares == "dark":
        changes["dark_corner"] = "right" if inverted == "1" else "left"
    if all(getattr(rules, key) == value for key, value in changes.items()):
        return rules
    try:
        return rules.replace(**changes)
    except RulesError:
        return None


def _rules_named(text: str) -> Rules | None:
    name = text[:MAX_LENGTH].strip().lower().removesuffix(" draughts").removesuffix(" checkers")
    name = _NAMES.get(name, name)
    return rule_sets.load(name) if name in rule_sets.names() else None
