"""The sentences of the levels."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka import locales
from damka.notation import labels
from damka.rules.parameters import PARAMETERS
from damka.study.lessons.inputs import move_ends

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.board import Board
    from damka.rules import Rules
    from damka.study.lessons.goal import Goal

__all__ = ["hints", "rule", "task", "topic"]

_TOPICS: Final[Mapping[str, str]] = MappingProxyType(
    {"capture": "man_capture", "crown": "promotion", "land_on": "king_landing"}
)


def topic(key: str, asks: str) -> str:
    """Return the rulebook topic of a parameter, or of what is the same in every game."""
    if key == "king_range":
        return "king_capture" if asks == "capture" else "king_move"
    if key in _TOPICS:
        return _TOPICS[key]
    return PARAMETERS[key].topic if key in PARAMETERS else key


def rule(rules: Rules, key: str, value: str, asks: str, language: str) -> str:
    """Return the rule that a level teaches."""
    if key in _COUNTED:
        name = f"{key}.{rules.moves_by}" if key == "no_progress_moves" else key
        return locales.plural(language, f"lessons.rule.{name}", int(value))
    return locales.translate(language, f"lessons.rule.{_sentence(rules, key, value, asks)}")


_COUNTED: Final = frozenset({"repetition", "same_move", "king_streak", "no_progress_moves"})


def _sentence(rules: Rules, key: str, value: str, asks: str) -> str:
    """Return the name of the sentence."""
    name = f"{key}.{value.replace('+', '_')}"
    if key == "man_capture" and value == "forward" and rules.capture_lines != "diagonal":
        return f"{name}.sideways"
    if key == "king_range" and asks == "capture":
        return f"{name}.capture"
    if key == "precedence" and value in rules.precedence[1:]:
        return f"{name}.then"
    if key == "precedence" and value == "free" and rules.precedence:
        return f"{name}.men"
    return name


def task(rules: Rules, goal: Goal, board: Board, language: str) -> str:
    """Return what the learner is asked to do."""
    key = f"lessons.task.{goal.asks}"
    values = {}
    if goal.piece:
        values["piece"] = labels(rules).name(goal.piece)
        key += ".king" if board.piece_at(goal.piece) == "W" else ".man"
    if goal.asks == "idle":
        key += f".{rules.moves_by}"
    return locales.translate(language, key, **values)


def hints(
    rules: Rules, goal: Goal, board: Board, answer: str | int | tuple[int, ...], language: str
) -> tuple[str, ...]:
    """Return hints: where to look, then a part of the answer, then all of it for a move.

    `board` is the position of the answer, which in a sequence is one after the question's.
    """
    if isinstance(answer, tuple) and goal.kind == "land":
        general = locales.plural(language, "lessons.hint.land", len(answer))
    else:
        general = locales.translate(language, f"lessons.hint.{_hint(goal, board, answer)}")
    name = labels(rules).name
    if isinstance(answer, int) and goal.kind == "count":
        return general, locales.translate(language, "lessons.hint.number", n=answer)
    if isinstance(answer, str):
        start, end = move_ends(answer)
        return (
            general,
            locales.translate(language, "lessons.hint.start", square=name(start)),
            locales.translate(language, "lessons.hint.play", start=name(start), end=name(end)),
        )
    square = answer if isinstance(answer, int) else answer[0]
    return general, locales.translate(language, "lessons.hint.one", square=name(square))


def _hint(goal: Goal, board: Board, answer: str | int | tuple[int, ...]) -> str:
    """Return the name of the hint where to look, for this kind of answer."""
    if not isinstance(answer, str) or "x" not in answer:
        return goal.asks
    if goal.asks in ("draw", "win"):
        return f"{goal.asks}.capture"
    if answer.count("x") > 2:
        return "most"
    start, _ = move_ends(answer)
    return "capture.king" if board.piece_at(start) == "W" else "capture.man"
