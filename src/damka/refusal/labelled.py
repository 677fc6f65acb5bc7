"""Refusals for players, who see and type squares as their federation prints them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from damka.notation import labels, lettered
from damka.refusal.record import Refusal, arranged

if TYPE_CHECKING:
    from damka.errors import Explanation
    from damka.rules import Rules

__all__ = ["labelled", "speaking"]

MAX_QUOTED: Final = 40
"""So much of what was typed a refusal quotes."""

_LETTERED: Final = re.compile(r"(?<![^\W_])[A-La-l][0-9]")
"""Where a text names a square with a letter."""


def labelled(refusal: Explanation, rules: Rules, typed: str | None = None) -> Refusal:
    """Return a refusal that speaks as the federation prints: `sentence(language)` says it.

    Squares stay numbers, in the order in which the board is labelled; moves get the rule set's
    sign of a capture. `typed` is what the player wrote, in labels, and is quoted so.
    """
    on = labels(rules)
    args = arranged(refusal.args, on)
    if typed is not None and args.get("text") == on.read(typed)[:MAX_QUOTED]:
        args["text"] = typed[:MAX_QUOTED]
    return Refusal(refusal.code, args, on)


def speaking(refusal: Refusal, rules: Rules, typed: object, *, as_printed: bool = False) -> Refusal:
    """Return the refusal of what was typed, in which squares are named as they are there.

    With `as_printed` it was a text in the federation's labels. Otherwise squares are named with
    letters if the text has them, on every rule set, and with the library's numbers if not.
    """
    if isinstance(typed, str):
        if as_printed:
            return labelled(refusal, rules, typed)
        if _LETTERED.search(typed):
            return Refusal(refusal.code, refusal.args, lettered(rules))
    return refusal
