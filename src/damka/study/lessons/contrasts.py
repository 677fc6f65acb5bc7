"""Dependence of a level on a rule: under its other values the answers are different."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Final

from damka.errors import RulesError
from damka.rules.parameters import PARAMETERS
from damka.study.lessons.questions import ask

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.rules import Rules
    from damka.study.lessons.goal import Goal
    from damka.study.lessons.positions import Asked
    from damka.study.lessons.questions import Answers

__all__ = ["contrasts", "differences", "needs", "practises"]

_TOPICS: Final[Mapping[str, tuple[dict[str, Any], ...]]] = {
    "no_moves": ({"objective": "losing"}, {"objective": "normal"}),
    "huffing": ({"obligation": "forced"},),
    "land_on": ({"king_landing": "adjacent"},),
}
"""What decides about topics that are not parameters; the others are the same in every game."""


@functools.lru_cache(256)
def contrasts(rules: Rules, teaches: tuple[str, str]) -> tuple[Rules, ...]:
    """Return the rules with each other value of what a level teaches; none if it has no other."""
    found = []
    for change in _changes(rules, *teaches):
        if any(rules.value_of(key) != value for key, value in change.items()):
            try:
                found.append(rules.replace(**change))
            except RulesError:
                # The value does not fit the others.
                continue
    return tuple(found)


def _changes(rules: Rules, key: str, value: str) -> tuple[dict[str, Any], ...]:
    if key not in PARAMETERS:
        return _TOPICS.get(key, ())
    parameter = PARAMETERS[key]
    if parameter.kind in ("number", "borrow"):
        return ({key: 0 if parameter.kind == "number" else ()},)
    if parameter.kind != "order":
        return tuple({key: other} for other in parameter.values)
    if value == "free":
        return tuple({key: (each,)} for each in ("count", "with_king"))
    return ({key: tuple(each for each in rules.precedence if each != value)},)


def differences(
    at: Asked, goal: Goal, lead: tuple[str, ...], right: Answers, teaches: tuple[str, str]
) -> frozenset[int]:
    """Return which of the contrasts have other answers in the position of `at` after `lead`.

    For the duty to capture, the moves that are allowed are compared as well.
    """
    with_allowed = teaches[0] == "obligation"
    allowed = ask("allowed", at.after(*lead)) if with_allowed else ()

    def differs(other: Rules) -> bool:
        try:
            there = at.under(other).after(*lead)
        except ValueError:
            return True
        if ask(goal.asks, there, goal.piece) != right:
            return True
        return with_allowed and ask("allowed", there) != allowed

    others = contrasts(at.rules, teaches)
    return frozenset(index for index, other in enumerate(others) if differs(other))


def needs(
    at: Asked, goal: Goal, lead: tuple[str, ...], right: Answers, rule: tuple[str, str]
) -> bool:
    """Return whether not knowing a rule can lead to a wrong answer.

    That is so if one of its other values has an answer that is wrong here, or no answer. Rules
    about the end of a game do not count: they do not say which moves are possible.
    """
    if rule[0] in _ENDS:
        return False
    if rule[0] == "land_on" and _longest_capture(at.after(*lead)) < _CAPTURES["chain"]:
        return False
    is_whole = goal.kind in ("select", "land", "count", "huff")
    for other in contrasts(at.rules, rule):
        try:
            there = at.under(other).after(*lead)
        except ValueError:
            # The moves before the question are shown.
            continue
        found = ask(goal.asks, there, goal.piece)
        if found != right and (is_whole or not found or {*found} - {*right}):
            return True
    return False


_ENDS: Final = frozenset({"objective", "no_moves"})


def practises(at: Asked, goal: Goal, lead: tuple[str, ...], rule: tuple[str, str]) -> bool:
    """Whether a level is a position for a capture rule, also if it teaches another one."""
    asked = at.after(*lead)
    captures = _longest_capture(asked)
    if rule[0] in PARAMETERS:
        # How kings move is no capture rule, but how far they capture is.
        return captures > 0 and bool(
            differences(at, goal, lead, ask(goal.asks, asked, goal.piece), rule)
        )
    return 0 < _CAPTURES.get(rule[0], 0) <= captures


_CAPTURES: Final[Mapping[str, int]] = {"capture": 1, "chain": 2}
"""How many pieces can be taken in a position for a rule that is the same in every game."""


def _longest_capture(at: Asked) -> int:
    """Return the maximum number of pieces that a move takes."""
    return max((len(move.captures) for move in at.legal), default=0)
