"""Differences between two rule sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from damka import locales
from damka import rules as rule_sets
from damka.box.questions import prompt, short_answer
from damka.rules import LOOKS, PARAMETERS, Rules

__all__ = ["changes", "describe_changes", "nearest"]

BOARD: Final = frozenset({"squares", "width", "height"})
"""The parameters of the board question."""


def changes(box: Rules, base: Rules) -> dict[str, Any]:
    """Return the differences of `box` from `base`, as plain values, without the theme."""
    values, base_values = box.to_dict(), base.to_dict()
    return {
        key: values[key]
        for key in PARAMETERS
        if key not in LOOKS and values[key] != base_values[key]
    }


def describe_changes(box: Rules, base: Rules, language: str) -> list[tuple[str, str, str]]:
    """Return the differences in words: (question, answer of `box`, answer of `base`)."""
    values, base_values = box.to_dict(), base.to_dict()
    keys = [*changes(box, base)]
    described: list[tuple[str, str, str]] = []
    if BOARD & {*keys}:
        described.append((prompt(language, "board"), _board(box, language), _board(base, language)))
    described += [
        (
            prompt(language, key),
            short_answer(language, key, values[key]),
            short_answer(language, key, base_values[key]),
        )
        for key in keys
        if key not in BOARD
    ]
    return described


def _board(rules: Rules, language: str) -> str:
    size = f"{rules.width} × {rules.height}"
    return locales.translate(language, f"box.v.board.{rules.squares}", size=size)


def nearest(box: Rules, among: Iterable[str] | None = None) -> Rules:
    """Return the shipped rule set with the fewest different parameters."""
    candidates = [rule_sets.load(name) for name in (among or rule_sets.names())]
    return min(candidates, key=lambda shipped: len(changes(box, shipped)))
