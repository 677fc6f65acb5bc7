"""Moments in words: statements with their values, and their sentences in four languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from damka import locales
from damka.notation import labels
from damka.result import Result
from damka.study.review.lines import Material

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.rules import Rules, Side

__all__ = ["Clause", "sentence"]

_WORDS: Final = 10
"""The largest number that is written as a word."""
_ADDRESSED: Final = frozenset(
    (
        "missed_shot",
        "missed_breakthrough",
        "mistake.a_king",
        "mistake.king",
        "mistake.kings",
        "missed_huff.man",
        "missed_huff.king",
        "offence.free",
        "offence.huffed.man",
        "offence.huffed.king",
    )
)
"""Statements that address a player; the others are the same for every reader."""


class Clause:
    """A statement: the key of its text, and the moves, squares and numbers in it."""

    __slots__ = ("key", "values")

    def __init__(self, key: str, /, **values: object) -> None:
        self.key: Final = key
        self.values: Final[Mapping[str, object]] = values

    @property
    def form(self) -> str:
        """The key of the text, with that of what the line does."""
        does = self.values.get("does")
        return self.key if does is None else f"{self.key}:{does}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Clause):
            return NotImplemented
        return self.key == other.key and self.values == other.values

    def __hash__(self) -> int:
        return hash((self.key, tuple(sorted(self.values))))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"Clause({self.key!r}, {values})"


def sentence(
    rules: Rules, clauses: tuple[Clause, ...], side: Side, language: str, reader: Side | None
) -> str:
    """Return the statements about a move of `side`, for `reader`."""
    third = reader is not None and reader != side
    return " ".join(_say(rules, clause, side, language, third=third) for clause in clauses)


def _say(rules: Rules, clause: Clause, side: Side, language: str, *, third: bool) -> str:
    values = dict(clause.values)
    key = f"review.{clause.key}"
    if clause.key in _ADDRESSED and third:
        key += ".other"
        values["side"] = _colour(rules, side, language)
    if isinstance(square := values.get("square"), int):
        values["square"] = labels(rules).name(square)
    if isinstance(result := values.get("result"), Result):
        values["result"] = result.sentence(rules, language)
    if "does" not in values and isinstance(taken := values.get("taken"), Material):
        values["taken"] = _pieces(taken, language)
    if "does" in values:
        values["does"] = _does(rules, values, language)
    n = values.pop("n", None)
    if isinstance(n, int):
        return locales.plural(language, key, n, **values)
    return locales.translate(language, key, **values)


def _does(rules: Rules, values: Mapping[str, object], language: str) -> str:
    """Return the gains and losses of a line, as a predicate of its first move."""
    given = cast("Material", values["given"])
    taken = cast("Material", values["taken"])
    parts = str(values["does"]).split(" ")
    # "gives one man and takes three": the second number needs no noun if both are men.
    number = bool(given.men and taken.men and not given.kings and not taken.kings)
    gives = "gives_away" if rules.objective == "losing" else "gives"
    texts: list[str] = []
    for part in parts:
        suffix = "_number" if number and texts else ""
        match part:
            case "gives":
                text = _pieces(given, language, number=bool(suffix))
                text = locales.translate(language, f"review.does.{gives}{suffix}", given=text)
            case "takes":
                text = _pieces(taken, language, number=bool(suffix))
                text = locales.translate(language, f"review.does.takes{suffix}", taken=text)
            case "nets":
                text = _pieces(cast("Material", values["net"]), language)
                text = locales.translate(language, "review.does.nets", net=text)
            case "king":
                text = locales.translate(language, "review.does.king", square=values["square"])
            case _:
                text = locales.translate(language, f"review.does.{part}")
        texts.append(text)
    return locales.listing(language, texts)


def _pieces(material: Material, language: str, *, number: bool = False) -> str:
    """Return "two men and one king", or with `number` only "two"."""
    parts = []
    for kind, n in (("man", material.men), ("king", material.kings)):
        if not n:
            continue
        if n > _WORDS:
            parts.append(str(n) if number else locales.plural(language, f"review.{kind}", n))
        else:
            key = f"review.count.{n}" if number else f"review.{kind}.{n}"
            parts.append(locales.translate(language, key))
    return locales.listing(language, parts)


def _colour(rules: Rules, side: Side, language: str) -> str:
    return locales.colour(language, rules.colours[0 if side == "W" else 1], "side")
