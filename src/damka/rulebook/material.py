"""Draws by material in words: "3 kings against one king: a draw after …"."""

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
    left = _Words(rules.rows * rules.row_length, language).left(condition)
    # Its first words may come from the middle of other sentences.
    left = left[:1].upper() + left[1:]
    if condition.moves:
        said = Sentence("material.after", {"left": left}, n=condition.moves).say(language)
    else:
        said = Sentence("material.at_once", {"left": left}).say(language)
    if condition.unchanged and condition.moves:
        said += " " + Sentence("material.unchanged").say(language)
    return said


@dataclass(frozen=True, slots=True)
class _Words:
    """Material in words; neither side has more than `most` pieces."""

    most: int
    language: str

    def left(self, condition: MaterialDraw) -> str:
        sides = self._sides(condition)
        pieces = self._range("pieces", condition.pieces, 2 * self.most)
        if not pieces:
            return sides or self._say("anything")
        if not sides:
            return self._say("left", pieces=pieces)
        return self._say("total", left=sides, pieces=pieces)

    def _sides(self, condition: MaterialDraw) -> str:
        strong, weak = map(self._force, (condition.strong, condition.weak))
        anything = self._say("anything")
        if condition.strong_main_road:
            strong = self._say("on_main_road", force=strong or self._counted("kings", 1))
        if condition.main_road:
            one_king = self._counted("kings", 1)
            return self._say("main_road", strong=strong or anything, weak=weak or one_king)
        if not strong and not weak:
            return ""
        if strong == weak:
            return self._say("both", force=strong)
        return self._say("against", strong=strong or anything, weak=weak or anything)

    def _force(self, force: Force) -> str:
        """Return one side's material; "" if it is unrestricted."""
        men, kings, pieces = force.men, force.kings, force.pieces
        if men[1] == 0:
            return self._range("kings", _both(kings, pieces), self.most) or self._say("only_kings")
        if kings[1] == 0:
            return self._range("men", _both(men, pieces), self.most) or self._say("only_men")
        # An upper bound that equals the number of pieces is redundant.
        most = min(self.most, pieces[1])
        each = (self._range("kings", kings, most), self._range("men", men, most))
        some = locales.listing(self.language, [said for said in each if said])
        total = self._range("pieces", pieces, self.most)
        return self._say("among", pieces=total, some=some) if total and some else total or some

    def _range(self, what: str, numbers: tuple[int, int], top: int) -> str:
        """Return "2 kings", "at least 2 kings", and so on; "" for any number."""
        least, most = numbers
        if most == 0:
            return self._say({"men": "no_men", "kings": "no_kings", "pieces": "nothing"}[what])
        if least == most:
            return self._counted(what, most)
        if most >= top:
            return self._say("least", counted=self._counted(what, least)) if least else ""
        counted = self._counted(what, most)
        if least == 0:
            return self._say("most", counted=counted)
        return self._say("either" if most == least + 1 else "between", least=least, counted=counted)

    def _counted(self, what: str, n: int) -> str:
        return Sentence(f"material.{what}", n=n).say(self.language)

    def _say(self, key: str, **values: object) -> str:
        return Sentence(f"material.{key}", values).say(self.language)


def _both(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """Return the intersection of the ranges; if it is empty, the first range."""
    least, most = max(one[0], other[0]), min(one[1], other[1])
    return (least, most) if least <= most else one
