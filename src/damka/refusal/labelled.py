"""Refusals with the square names that players see and type."""

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
"""Maximum length of quoted input."""

_LETTERED: Final = re.compile(r"(?<![^\W_])[A-La-l][0-9]")
"""A square name with a letter."""


def labelled(refusal: Explanation, rules: Rules, typed: str | None = None) -> Refusal:
    """Return a refusal whose `sentence(language)` uses the federation's labels.

    In `args`, squares are still numbers but in the order of the labels, and moves use the rule
    set's capture sign. `typed` is the player's input in the federation's notation, for quoting.
    """
    square_labels = labels(rules)
    args = in_label_order(refusal.args, square_labels)
    if typed is not None and args.get("text") == square_labels.read(typed)[:MAX_QUOTED]:
        args["text"] = typed[:MAX_QUOTED]
    return Refusal(refusal.code, args, square_labels)


def named_as_typed(
    refusal: Refusal, rules: Rules, typed: object, *, as_printed: bool = False
) -> Refusal:
    """Return a refusal that names squares as the player's input does.

    With `as_printed` the input uses the federation's labels. Otherwise squares have letters if the
    input has letters, under any rule set, and the library's numbers if not.
    """
    if isinstance(typed, str):
        if as_printed:
            return labelled(refusal, rules, typed)
        if _LETTERED.search(typed):
            return Refusal(refusal.code, refusal.args, lettered(rules))
    return refusal
