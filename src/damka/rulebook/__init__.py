"""The rulebook: the rules of a rule set in numbered paragraphs with pictures.

It is generated from the parameters, so every possible rule set has a rulebook. The texts are in the
catalogues (`locales/<language>/rulebook.po`), the pictures in `damka.rulebook.scenes`; every
picture is verified against the rules that it explains.

>>> import damka
>>> from damka import rulebook
>>> rules = damka.rules.load("dama64")
>>> rulebook.number(rules, "king_landing")
12
>>> rulebook.paragraphs(rules, "en")[11].text
'However far away the piece was, the king lands on the square right behind it.'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from damka.rulebook import words
from damka.rulebook.scene import Diagram
from damka.rulebook.scenes import diagram
from damka.rules.parameters import topics_in_order
from damka.rules.topics import TOPICS

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["TOPICS", "Diagram", "Paragraph", "number", "paragraphs"]


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Paragraph:
    """One rule, in one language.

    `topic` is its id, one of TOPICS, to which refusals refer. `items` are the sentences of a list
    after the text, usually none. With `is_reading` the original rule sheet leaves the topic open,
    and `note` describes the gap ("" otherwise).
    """

    number: int
    topic: str
    language: str
    text: str
    items: tuple[str, ...]
    diagram: Diagram | None
    is_reading: bool
    note: str

    @property
    def caption(self) -> str:
        """The caption of the picture; "" if there is none."""
        return self.diagram.caption(self.language) if self.diagram else ""

    @property
    def diagram_svg(self) -> str | None:
        """The picture as SVG, its caption as the title."""
        return self.diagram.svg(self.language) if self.diagram else None


def paragraphs(rules: Rules, language: str) -> list[Paragraph]:
    """Return the rulebook in one of the languages of `damka.locales`.

    Raises ValueError for an unsupported language.
    """
    return [
        Paragraph(
            number=position,
            topic=topic,
            language=language,
            text=words.text(rules, topic, language),
            items=words.items(rules, topic, language),
            diagram=diagram(rules, topic),
            is_reading=topic in rules.readings,
            note=words.note(topic, language) if topic in rules.readings else "",
        )
        for position, topic in enumerate(_topics(rules), start=1)
    ]


def number(rules: Rules, topic: str) -> int | None:
    """Return the number of the paragraph on a topic, None if these rules have none.

    Raises ValueError for an unknown topic.
    """
    if topic not in TOPICS:
        raise ValueError(f"unknown topic {topic!r}; expected {', '.join(TOPICS)}")
    topics = _topics(rules)
    return topics.index(topic) + 1 if topic in topics else None


def _topics(rules: Rules) -> list[str]:
    return topics_in_order(rules.value_of)
