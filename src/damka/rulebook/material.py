"""Sentences for draws by material: "3 kings against one king: a draw after …"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from damka import locales
from damka.rulebook.sentence import Sentence

if TYPE_CHECKING:
    from damka.rules import Force, MaterialDraw, Rules

__all__ = ["draw"]


def draw(rules: Rules, condition: MaterialDraw, language: str) -> str:
    """Return one condition and its consequence as a sentence."""
    remainder = _Describer(rules.rows * rules.row_length, language).remainder(condition)
    # The catalogue has lower-case phrases.
    remainder = remainder[:1].upper() + remainder[1:]
    if condition.moves:
        text = Sentence("material.after", {"left": remainder}, n=condition.moves).say(language)
    else:
        text = Sentence("material.at_once", {"left": remainder}).say(language)
    if condition.unchanged and condition.moves:
        text += " " + Sentence("material.unchanged").say(language)
    return text


@dataclass(frozen=True, slots=True)
class _Describer:
    """Describes material; neither side has more than `maximum` pieces."""

    maximum: int
    language: str

    def remainder(self, condition: MaterialDraw) -> str:
        sides = self._sides(condition)
        pieces = self._range("pieces", condition.pieces, 2 * self.maximum)
        if not pieces:
            return sides or self._translate("anything")
        if not sides:
            return self._translate("left", pieces=pieces)
        return self._translate("total", left=sides, pieces=pieces)

    def _sides(self, condition: MaterialDraw) -> str:
        strong, weak = map(self._force, (condition.strong, condition.weak))
        anything = self._translate("anything")
        if condition.strong_main_road:
            strong = self._translate("on_main_road", force=strong or self._count_text("kings", 1))
        if condition.main_road:
            one_king = self._count_text("kings", 1)
            return self._translate("main_road", strong=strong or anything, weak=weak or one_king)
        if not strong and not weak:
            return ""
        if strong == weak:
            return self._translate("both", force=strong)
        return self._translate("against", strong=strong or anything, weak=weak or anything)

    def _force(self, force: Force) -> str:
        """Return one side's material; "" if it is unrestricted."""
        men, kings, pieces = force.men, force.kings, force.pieces
        if men[1] == 0:
            return self._range(
                "kings", _intersection(kings, pieces), self.maximum
            ) or self._translate("only_kings")
        if kings[1] == 0:
            return self._range("men", _intersection(men, pieces), self.maximum) or self._translate(
                "only_men"
            )
        # An upper bound that equals the number of pieces is redundant.
        maximum = min(self.maximum, pieces[1])
        kinds = (self._range("kings", kings, maximum), self._range("men", men, maximum))
        some = locales.listing(self.language, [text for text in kinds if text])
        total = self._range("pieces", pieces, self.maximum)
        return (
            self._translate("among", pieces=total, some=some) if total and some else total or some
        )

    def _range(self, what: str, numbers: tuple[int, int], top: int) -> str:
        """Return "2 kings", "at least 2 kings" and the like; "" if any number up to `top` fits."""
        minimum, maximum = numbers
        if maximum == 0:
            return self._translate(
                {"men": "no_men", "kings": "no_kings", "pieces": "nothing"}[what]
            )
        if minimum == maximum:
            return self._count_text(what, maximum)
        if maximum >= top:
            return (
                self._translate("least", counted=self._count_text(what, minimum)) if minimum else ""
            )
        counted = self._count_text(what, maximum)
        if minimum == 0:
            return self._translate("most", counted=counted)
        return self._translate(
            "either" if maximum == minimum + 1 else "between", least=minimum, counted=counted
        )

    def _count_text(self, what: str, n: int) -> str:
        return Sentence(f"material.{what}", n=n).say(self.language)

    def _translate(self, key: str, **values: object) -> str:
        return Sentence(f"material.{key}", values).say(self.language)


def _intersection(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Return the intersection of the ranges; if it is empty, the first range."""
    minimum, maximum = max(one[0], other[0]), min(one[1], other[1])
    return (minimum, maximum) if minimum <= maximum else one
