"""The questions that a rule sheet answers: which there are, what may be answered, in what words.

The file that `damka rules new` writes, its checker and the page's form all ask these. The texts are
in the catalogues, `locales/<language>/box.po`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from damka import locales
from damka.rules.openings import read_list

__all__ = [
    "CHOICES",
    "GROUPS",
    "KEYS",
    "NUMBERS",
    "Question",
    "answer",
    "asked",
    "meaning",
    "plain",
    "question",
    "shown",
]

CHOICES: Final[Mapping[str, tuple[Any, ...]]] = MappingProxyType(
    {
        "squares": ("dark", "all"),
        "dark_corner": ("left", "right"),
        "first": ("W", "B"),
        "move_lines": ("diagonal", "orthogonal", "diagonal+orthogonal"),
        "capture_lines": ("diagonal", "orthogonal", "diagonal+orthogonal"),
        "man_capture": ("forward", "all"),
        "man_takes_king": (True, False),
        "king_range": ("short", "flying"),
        "king_landing": ("any", "adjacent", "killer"),
        "removal": ("after", "immediate"),
        "u_turn": (True, False),
        "promotion": ("stop", "pass", "go"),
        "precedence": ("count", "value", "with_king", "kings", "king_early"),
        "obligation": ("forced", "huff", "free"),
        "objective": ("normal", "losing", "breakthrough"),
        "rematch": ("lots", "alternate"),
        "notation": ("N0", "N1", "N2", "N3", "A0", "A1", "A2", "A3"),
        "capture_sign": ("x", ":", "-"),
    }
)
"""What may be answered, where there are a few answers; for "precedence" each of several keys."""

NUMBERS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "rows": (1, 5),
        "rows_behind": (0, 4),
        "king_streak": (0, 9),
        "repetition": (0, 100),
        "same_move": (0, 100),
        "no_progress_moves": (0, 200),
    }
)
"""Where the answer is a number: the least and the most."""

_IN_KEYS: Final = {":": "colon", "-": "hyphen"}


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the form, about one or a few parameters.

    `kind` is "choice", "number", "board" (squares, width and height in one), "order" (the keys of
    the precedence), "borrow" (what another rule set has) or "colours".
    """

    key: str
    kind: str


GROUPS: Final[tuple[tuple[str, tuple[Question, ...]], ...]] = (
    (
        "board",
        (
            Question("board", "board"),
            Question("dark_corner", "choice"),
            Question("rows", "number"),
            Question("rows_behind", "number"),
            Question("first", "choice"),
            Question("objective", "choice"),
        ),
    ),
    (
        "men",
        (
            Question("move_lines", "choice"),
            Question("capture_lines", "choice"),
            Question("man_capture", "choice"),
            Question("man_takes_king", "choice"),
            Question("promotion", "choice"),
        ),
    ),
    (
        "kings",
        (
            Question("king_range", "choice"),
            Question("king_landing", "choice"),
            Question("u_turn", "choice"),
            Question("king_streak", "number"),
        ),
    ),
    (
        "capturing",
        (
            Question("obligation", "choice"),
            Question("precedence", "order"),
            Question("removal", "choice"),
        ),
    ),
    (
        "end",
        (
            Question("repetition", "number"),
            Question("same_move", "number"),
            Question("no_progress_moves", "number"),
            Question("material_draws", "borrow"),
            Question("rematch", "choice"),
        ),
    ),
    (
        "writing",
        (
            Question("colours", "colours"),
            Question("ballots", "borrow"),
            Question("notation", "choice"),
            Question("capture_sign", "choice"),
        ),
    ),
)
"""The form, group by group."""

KEYS: Final = frozenset(each.key for _, questions in GROUPS for each in questions)
"""What the form asks about."""


def question(language: str, key: str) -> str:
    """Return what is asked about a parameter, or what its file says of one nobody is asked about.

    Raises KeyError for what is no parameter.
    """
    texts = locales.catalogue(language, "box.")
    return texts.get(f"box.c.{key}") or texts[f"box.q.{key}"]


def answer(language: str, key: str, value: Any) -> str:
    """Return a value of CHOICES in words."""
    return locales.translate(language, f"box.v.{key}.{_IN_KEYS.get(value, plain(value))}")


def meaning(language: str, key: str) -> list[tuple[Any, str]]:
    """Return the values a parameter may have, each in words; nothing where there are too many."""
    return [(value, answer(language, key, value)) for value in CHOICES.get(key, ())]


def plain(value: Any) -> str:
    """Return a value as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def asked(language: str, key: str) -> str:
    """Return the question about a parameter, or about the board; what it means where none is."""
    texts = locales.catalogue(language, "box.")
    return texts.get(f"box.q.{key}") or texts[f"box.c.{key}"]


def shown(language: str, key: str, value: Any) -> str:
    """Return a plain value of a parameter in words, as short as can be."""
    if key in ("material_draws", "ballots") and not value:
        return answer(language, key, "none")
    if key == "ballots":
        openings = read_list(value) if isinstance(value, str) else value
        return locales.plural(language, "box.v.ballots.own", len(openings))
    if key == "material_draws":
        return answer(language, key, "own")
    if key == "precedence":
        return " → ".join(answer(language, key, each) for each in value) or answer(
            language, key, "none"
        )
    if key in CHOICES:
        return answer(language, key, value)
    if key == "colours":
        return ", ".join(locales.colour(language, each) for each in value)
    return ", ".join(value) if isinstance(value, list) else plain(value)
