"""How to play, in five pictures with a short sentence each.

Like the paragraphs, pictures and sentences are derived from the parameters, so every possible rule
set has them, and every picture is verified against the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from damka import locales
from damka.rulebook.scene import Diagram, Scene, stage
from damka.rulebook.scenes import diagram
from damka.rulebook.sentence import Sentence
from damka.rulebook.words import has_kings, precedence

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["STEPS", "Step", "StepName", "steps"]

StepName = Literal["start", "move", "capture", "king", "must"]
STEPS: Final[tuple[StepName, ...]] = ("start", "move", "capture", "king", "must")
"""The steps: the start and the goal, a man's move, its capture, a king, the duty to capture."""


@dataclass(frozen=True, slots=True)
class Step:
    """One picture, and its sentence in one language."""

    name: StepName
    text: str
    diagram: Diagram


def steps(rules: Rules, language: str) -> list[Step]:
    """Return the five steps in one of the languages of `damka.locales`.

    Raises ValueError for an unsupported language.
    """
    return [Step(name, _SENTENCES[name](rules, language), _picture(rules, name)) for name in STEPS]


def _picture(rules: Rules, name: StepName) -> Diagram:
    for picture in _PICTURES[name](rules):
        if picture is not None:
            return picture
    raise AssertionError(f"every rule set has a picture of {name}: {rules.name}")


def _capture_scenes(rules: Rules) -> Iterator[Diagram | None]:
    # Captures along rows and columns of a board with light squares are unusual.
    topics = ["chain", "man_capture"]
    if rules.squares == "dark" and rules.capture_lines != "diagonal":
        topics.reverse()
    return (diagram(rules, topic) for topic in topics)


def _king_scenes(rules: Rules) -> Iterator[Diagram | None]:
    if not has_kings(rules):
        yield diagram(rules, "goal")
    for crowning in ("g7-h8", "g7-g8"):
        scene = Scene(
            pieces="wg7 Wd4",
            caption="play.king",
            words={"move": crowning, "king": "d4"},
            placed="top",
            plays=(crowning,),
            crowns=True,
            targets="d4",
        )
        yield stage(rules, scene)


def _must_scenes(rules: Rules) -> Iterator[Diagram | None]:
    if rules.obligation == "huff":
        yield diagram(rules, "huffing")
    elif rules.obligation == "forced" and precedence(rules):
        yield diagram(rules, "precedence")
    yield diagram(rules, "obligation")


_PICTURES: Final[Mapping[StepName, Callable[[Rules], Iterator[Diagram | None]]]] = MappingProxyType(
    {
        "start": lambda rules: iter([diagram(rules, "start")]),
        "move": lambda rules: iter([diagram(rules, "man_move")]),
        "capture": _capture_scenes,
        "king": _king_scenes,
        "must": _must_scenes,
    }
)


def _start(rules: Rules, language: str) -> str:
    name = rules.colours[0 if rules.first == "W" else 1]
    side = locales.colour(language, name, "side")
    return _join(
        language, Sentence("first", {"side": side}), Sentence(f"play.win.{rules.objective}")
    )


def _move(rules: Rules, language: str) -> str:
    return _join(language, Sentence(f"play.move.{_lines(rules.move_lines)}"))


def _capture(rules: Rules, language: str) -> str:
    way = f"{rules.man_capture}.{_lines(rules.capture_lines)}"
    return _join(language, Sentence(f"play.capture.{way}"), Sentence("play.capture.jump"))


def _king(rules: Rules, language: str) -> str:
    crown = Sentence("play.king.crown")
    if not has_kings(rules):
        return _join(language, crown, Sentence("promotion.wins"))
    way = f"{rules.king_range}.{_lines(rules.move_lines)}"
    return _join(language, crown, Sentence(f"play.king.{way}"))


def _must(rules: Rules, language: str) -> str:
    keys = precedence(rules)
    which = Sentence(f"precedence.first.{keys[0]}" if keys else "precedence.free")
    return _join(language, Sentence(f"play.must.{rules.obligation}"), which)


_SENTENCES: Final[Mapping[StepName, Callable[[Rules, str], str]]] = MappingProxyType(
    {"start": _start, "move": _move, "capture": _capture, "king": _king, "must": _must}
)


def _lines(lines: str) -> str:
    """Return the catalogue name of lines; the captures of both kinds need no distinction here."""
    return "both" if lines == "diagonal+orthogonal" else lines


def _join(language: str, *sentences: Sentence) -> str:
    return " ".join(sentence.say(language) for sentence in sentences)
