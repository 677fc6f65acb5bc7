"""Refusals for players, who see and type squares as their federation prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from damka.notation import labels
from damka.refusal.record import Refusal

if TYPE_CHECKING:
    from damka.errors import Explanation
    from damka.rules import Rules

__all__ = ["labelled"]

MAX_QUOTED: Final = 40
"""So much of what was typed a refusal quotes."""


def labelled(refusal: Explanation, rules: Rules, typed: str | None = None) -> Refusal:
    """Return a refusal as players are told it: `sentence(language, labels(rules).name)` says it.

    Squares stay numbers, in the order in which the board is labelled; moves get the rule set's
    sign of a capture. `typed` is what the player wrote, in labels, and is quoted so.
    """
    on = labels(rules)
    args = dict(refusal.args)
    if typed is not None and args.get("text") == on.read(typed)[:MAX_QUOTED]:
        args["text"] = typed[:MAX_QUOTED]
    if isinstance(route := args.get("route"), str):
        args["route"] = route.replace("x", on.sign)
    if isinstance(moves := args.get("moves"), tuple):
        args["moves"] = tuple(str(move).replace("x", on.sign) for move in moves)
    for name in ("pieces", "where", "takes", "squares"):
        if isinstance(named := args.get(name), tuple):
            args[name] = tuple(sorted(named, key=on.order))
    return Refusal(refusal.code, args)
