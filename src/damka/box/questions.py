"""The questions of a rule sheet: their list, possible answers, and texts.

The file of `damka rules new`, its checker and the page's form all use them. The texts are in the
catalogues, `locales/<language>/box.po`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from damka import locales
from damka.rules import PARAMETERS, parameters
from damka.rules.openings import read_list

__all__ = [
    "CHOICES",
    "GROUPS",
    "KEYS",
    "NUMBERS",
    "Question",
    "answer",
    "meaning",
    "plain",
    "prompt",
    "question",
    "short_answer",
]

CHOICES: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType(
    {key: parameter.values for key, parameter in PARAMETERS.items() if parameter.values}
)
"""The possible answers of multiple-choice questions; for "precedence", its criteria."""

NUMBERS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        key: parameter.bounds
        for key, parameter in PARAMETERS.items()
        if parameter.bounds and parameter.group
    }
)
"""The range of numeric answers."""

_IN_KEYS: Final = {":": "colon", "-": "hyphen"}


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the form, about one or a few parameters.

    `kind` is "choice", "number", "board" (squares, width and height in one), "order" (the keys of
    the precedence), "borrow" (another rule set's value) or "colours".
    """

    key: str
    kind: str


def _questions(group: str) -> tuple[Question, ...]:
    questions = tuple(
        Question(key, parameter.kind)
        for key, parameter in PARAMETERS.items()
        if parameter.group == group
    )
    # Playing squares, width and height are one question.
    return (Question("board", "board"), *questions) if group == "board" else questions


GROUPS: Final = tuple((group, _questions(group)) for group in parameters.GROUPS)
"""The form's questions by group."""

KEYS: Final = frozenset(question.key for _, questions in GROUPS for question in questions)
"""The keys of the form."""


def question(language: str, key: str) -> str:
    """Return the comment on a parameter in a rules file: its description, or else the question.

    Raises KeyError for another key.
    """
    texts = locales.catalogue(language, "box.")
    return texts.get(f"box.c.{key}") or texts[f"box.q.{key}"]


def answer(language: str, key: str, value: Any) -> str:
    """Return a value of CHOICES in words."""
    return locales.translate(language, f"box.v.{key}.{_IN_KEYS.get(value, plain(value))}")


def meaning(language: str, key: str) -> list[tuple[Any, str]]:
    """Return the possible values of a parameter, each in words; empty if there are too many."""
    return [(value, answer(language, key, value)) for value in CHOICES.get(key, ())]


def plain(value: Any) -> str:
    """Return a value in the form's encoding."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def prompt(language: str, key: str) -> str:
    """Return the question for a parameter or the board, or else the parameter's description."""
    texts = locales.catalogue(language, "box.")
    return texts.get(f"box.q.{key}") or texts[f"box.c.{key}"]


def short_answer(language: str, key: str, value: Any) -> str:
    """Return a plain value of a parameter in as few words as possible."""
    if key in ("material_draws", "ballots") and not value:
        return answer(language, key, "none")
    if key == "ballots":
        openings = read_list(value) if isinstance(value, str) else value
        return locales.plural(language, "box.v.ballots.own", len(openings))
    if key == "material_draws":
        return answer(language, key, "own")
    if key == "precedence":
        return " → ".join(answer(language, key, criterion) for criterion in value) or answer(
            language, key, "none"
        )
    if key in CHOICES:
        return answer(language, key, value)
    if key == "colours":
        return ", ".join(locales.colour(language, colour) for colour in value)
    return ", ".join(value) if isinstance(value, list) else plain(value)
