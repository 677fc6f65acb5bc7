"""Refusals with square names as players see and type them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from damka.notation import labels, lettered
from damka.refusal.record import Refusal, in_label_order

if TYPE_CHECKING:
    from damka.errors import Explanation
    from damka.rules import Rules

__all__ = ["labelled", "named_as_typed"]

MAX_QUOTED: Final = 40
"""Length limit of quoted input."""

_LETTERED: Final = re.compile(r"(?<![^\W_])[A-La-l][0-9]")
"""A square name with a letter in a text."""


def labelled(refusal: Explanation, rules: Rules, typed: str | None = None) -> Refusal:
    """Return a refusal whose `sentence(language)` uses the federation's labels.

    Squares are still numbers, in the order of the labels; moves use the rule set's capture sign.
    `typed` is the player's input in labels, and is quoted.
    """
    on = labels(rules)
    args = in_label_order(refusal.args, on)
    if typed is not None and args.get("text") == on.read(typed)[:MAX_QUOTED]:
        args["text"] = typed[:MAX_QUOTED]
    return Refusal(refusal.code, args, on)


def named_as_typed(
    refusal: Refusal, rules: Rules, typed: object, *, as_printed: bool = False
) -> Refusal:
    """Return a refusal of typed input that names squares in the same way as the input.

    With `as_printed` the input uses the federation's labels. Otherwise squares are named with
    letters if the text has letters, under any rule set, and with the library's numbers if not.
    """
    if isinstance(typed, str):
        if as_printed:
            return labelled(refusal, rules, typed)
        if _LETTERED.search(typed):
            return Refusal(refusal.code, refusal.args, lettered(rules))
    return refusal
