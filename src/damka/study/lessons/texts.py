"""The sentences of the levels."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from damka import locales
from damka.notation import labels
from damka.rules.parameters import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.board import Board
    from damka.rules import Rules
    from damka.study.lessons.level import Answer, Goal

__all__ = ["hints", "rule", "task", "topic"]

_TOPICS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "capture": "man_capture",
        "crown": "promotion",
        "king_range": "king_move",
        "land_on": "king_landing",
        "man_capture": "man_capture",
        "obligation": "obligation",
        "repetition": "repetition",
    }
)


def topic(key: str) -> str:
    """Return the rulebook topic of a parameter, or of what is the same in every game."""
    if key in _TOPICS:
        return _TOPICS[key]
    return PARAMETERS[key].topic if key in PARAMETERS else key


def rule(rules: Rules, key: str, value: str, language: str) -> str:
    """Return the rule that a level teaches."""
    if value.isdecimal():
        return locales.plural(language, f"lessons.rule.{key}", int(value))
    return locales.translate(language, f"lessons.rule.{key}.{_variant(rules, key, value)}")


def _variant(rules: Rules, key: str, value: str) -> str:
    """Return the name of the sentence; some depend on the lines as well."""
    if key == "man_capture" and value == "forward" and rules.capture_lines != "diagonal":
        return "forward.sideways"
    return value.replace("+", "_")


def task(rules: Rules, goal: Goal, board: Board, language: str) -> str:
    """Return what the learner is asked to do."""
    key = f"lessons.task.{goal.asks}"
    values = {}
    if goal.piece:
        values["piece"] = labels(rules).name(goal.piece)
        key += ".king" if board.piece_at(goal.piece) == "W" else ".man"
    return locales.translate(language, key, **values)


def hints(rules: Rules, goal: Goal, answer: Answer, language: str) -> tuple[str, ...]:
    """Return hints: where to look, then a part of the answer, then all of it for a move."""
    general = locales.translate(language, f"lessons.hint.{goal.asks}")
    name = labels(rules).name
    if isinstance(answer, int):
        return general, locales.translate(language, "lessons.hint.number", n=answer)
    if isinstance(answer, str):
        start, end = map(int, answer.replace("x", "-").split("-")[:2])
        return (
            general,
            locales.translate(language, "lessons.hint.start", square=name(start)),
            locales.translate(language, "lessons.hint.play", start=name(start), end=name(end)),
        )
    square = cast("int", answer[0])
    return general, locales.translate(language, "lessons.hint.one", square=name(square))
