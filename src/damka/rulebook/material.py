"""Draws by what is left on the board, in words: "3 kings against one king: a draw after …"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka import locales
from damka.rulebook.sentence import Sentence
from damka.rules.material import ANY

if TYPE_CHECKING:
    from damka.rules import Force, MaterialDraw

__all__ = ["draw"]

Range = tuple[int, int]


def draw(condition: MaterialDraw, language: str) -> str:
    """Return one condition with what it leads to, as a sentence."""
    left = _left(condition, language)
    # It may begin with words that stand in the middle of other sentences.
    left = left[:1].upper() + left[1:]
    if condition.moves:
        said = Sentence("material.after", {"left": left}, n=condition.moves).say(language)
    else:
        said = Sentence("material.at_once", {"left": left}).say(language)
    if condition.unchanged and condition.moves:
        said += " " + Sentence("material.unchanged").say(language)
    return said


def _left(condition: MaterialDraw, language: str) -> str:
    sides = _sides(condition, language)
    pieces = _range("pieces", condition.pieces, language)
    if not pieces:
        return sides or Sentence("material.anything").say(language)
    if not sides:
        return Sentence("material.left", {"pieces": pieces}).say(language)
    return Sentence("material.total", {"left": sides, "pieces": pieces}).say(language)


def _sides(condition: MaterialDraw, language: str) -> str:
    strong, weak = (_force(each, language) for each in (condition.strong, condition.weak))
    if condition.main_road:
        values = {"strong": strong or _anything(language), "weak": weak or _one_king(language)}
        return Sentence("material.main_road", values).say(language)
    if not strong and not weak:
        return ""
    if strong == weak:
        return Sentence("material.both", {"force": strong}).say(language)
    values = {"strong": strong or _anything(language), "weak": weak or _anything(language)}
    return Sentence("material.against", values).say(language)


def _force(force: Force, language: str) -> str:
    """Return what one side has; "" where that may be anything."""
    men, kings, pieces = force.men, force.kings, force.pieces
    if men[1] == 0:
        alone = _both(kings, pieces)
        return _range("kings", alone, language) or Sentence("material.only_kings").say(language)
    if kings[1] == 0:
        alone = _both(men, pieces)
        return _range("men", alone, language) or Sentence("material.only_men").say(language)
    some = [
        said for said in (_range("kings", kings, language), _range("men", men, language)) if said
    ]
    total = _range("pieces", pieces, language)
    if total and some:
        listed = locales.listing(language, some)
        return Sentence("material.among", {"pieces": total, "some": listed}).say(language)
    return total or locales.listing(language, some)


def _both(one: Range, other: Range) -> Range:
    """Return the numbers in both ranges; if there are none, those of the first."""
    least, most = max(one[0], other[0]), min(one[1], other[1])
    return (least, most) if least <= most else one


def _range(what: str, numbers: Range, language: str) -> str:
    """Return "2 kings", "at least 2 kings", and so on; "" for any number."""
    least, most = numbers
    if numbers == ANY:
        return ""
    if most == 0:
        none = {"men": "no_men", "kings": "no_kings", "pieces": "nothing"}[what]
        return Sentence(f"material.{none}").say(language)
    if least == most:
        return _counted(what, most, language)
    if most == ANY[1]:
        return Sentence("material.least", {"counted": _counted(what, least, language)}).say(
            language
        )
    counted = _counted(what, most, language)
    if least == 0:
        return Sentence("material.most", {"counted": counted}).say(language)
    key = "either" if most == least + 1 else "between"
    return Sentence(f"material.{key}", {"least": least, "counted": counted}).say(language)


def _counted(what: str, n: int, language: str) -> str:
    return Sentence(f"material.{what}", n=n).say(language)


def _one_king(language: str) -> str:
    return _counted("kings", 1, language)


def _anything(language: str) -> str:
    return Sentence("material.anything").say(language)
