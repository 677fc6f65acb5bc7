"""Which sentences say what a rule set's parameters mean, topic by topic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka import locales

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["applies", "note", "text"]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A key of the catalogues without its room; with `n`, one that has plural forms."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)
    n: int | None = None

    def say(self, language: str) -> str:
        key = f"rulebook.{self.key}"
        if self.n is None:
            return locales.translate(language, key, **self.values)
        return locales.plural(language, key, self.n, **self.values)


def applies(rules: Rules, topic: str) -> bool:
    """Say whether a topic has something to say under these rules."""
    condition = _ONLY_IF.get(topic)
    return condition is None or condition(rules)


def text(rules: Rules, topic: str, language: str) -> str:
    """Return the paragraph on a topic: a few whole sentences."""
    if topic == "first":
        side = rules.colours[0 if rules.first == "W" else 1]
        begins = locales.translate(
            language, "rulebook.first", side=locales.colour(language, side, "side")
        )
        return f"{begins} {_Sentence(f'rematch.{rules.rematch}').say(language)}"
    return " ".join(sentence.say(language) for sentence in _SENTENCES[topic](rules))


def note(topic: str, language: str) -> str:
    """Return what a box's sheet leaves open about a topic, for a paragraph that is our reading."""
    texts = locales.catalogue(language, f"rulebook.reading.{topic}")
    return texts.get(f"rulebook.reading.{topic}") or locales.translate(
        language, "rulebook.reading.other"
    )


_ONLY_IF: Final[Mapping[str, Callable[[Rules], bool]]] = MappingProxyType(
    {
        "king_landing": lambda rules: rules.king_range == "flying",
        "huffing": lambda rules: rules.obligation == "huff",
        "repetition": lambda rules: rules.repetition > 0,
        "same_move": lambda rules: rules.same_move > 0,
        "no_progress": lambda rules: rules.no_progress_moves > 0,
    }
)


def _start(rules: Rules) -> list[_Sentence]:
    size = {"width": rules.width, "height": rules.height}
    men = rules.rows * rules.width // 2
    return [
        _Sentence(f"start.{rules.dark_corner}", size),
        _Sentence("start.men", {"men": men}, n=rules.rows),
    ]


def _man_capture(rules: Rules) -> list[_Sentence]:
    return [_Sentence(f"man_capture.{rules.man_capture}"), _Sentence("man_capture.jump")]


def _chain(rules: Rules) -> list[_Sentence]:
    return [_Sentence("chain"), _Sentence(f"chain.{rules.man_capture}")]


def _removal(rules: Rules) -> list[_Sentence]:
    # Whether a captured piece stands in the way, only a king that flies can notice.
    return [_Sentence(f"removal.{rules.removal}.{rules.king_range}")]


def _promotion(rules: Rules) -> list[_Sentence]:
    # A man that takes only forwards cannot leave the last row as a man.
    ends = rules.promotion == "pass" and rules.man_capture == "forward"
    return [_Sentence("promotion"), _Sentence(f"promotion.{'stop' if ends else rules.promotion}")]


def _king_capture(rules: Rules) -> list[_Sentence]:
    sentences = [_Sentence(f"king_capture.{rules.king_range}")]
    # Where captured pieces stay until the end, the piece just taken bars the way back anyway.
    if rules.king_range == "flying" and rules.removal == "immediate" and not rules.u_turn:
        sentences.append(_Sentence("king_capture.no_u_turn"))
    return sentences


def _precedence(rules: Rules) -> list[_Sentence]:
    if not rules.precedence:
        return [_Sentence("precedence.free")]
    first, *others = rules.precedence
    sentences = [_Sentence(f"precedence.first.{first}")]
    sentences += [_Sentence(f"precedence.then.{key}") for key in others]
    if "count" not in rules.precedence:
        return [*sentences, _Sentence("precedence.rest_any_number")]
    if not {"kings", "king_early"} & set(rules.precedence):
        sentences.append(_Sentence("precedence.equal"))
    return [*sentences, _Sentence("precedence.rest")]


def _no_progress(rules: Rules) -> list[_Sentence]:
    return [_Sentence("no_progress", n=rules.no_progress_moves)]


_SENTENCES: Final[Mapping[str, Callable[[Rules], list[_Sentence]]]] = MappingProxyType(
    {
        "goal": lambda _: [_Sentence("goal")],
        "start": _start,
        "your_turn": lambda _: [_Sentence("your_turn")],
        "man_move": lambda _: [_Sentence("man_move")],
        "man_capture": _man_capture,
        "chain": _chain,
        "removal": _removal,
        "promotion": _promotion,
        "king_move": lambda rules: [_Sentence(f"king_move.{rules.king_range}")],
        "king_capture": _king_capture,
        "king_landing": lambda rules: [_Sentence(f"king_landing.{rules.king_landing}")],
        "man_takes_king": lambda rules: [
            _Sentence(f"man_takes_king.{str(rules.man_takes_king).lower()}")
        ],
        "precedence": _precedence,
        "obligation": lambda rules: [_Sentence(f"obligation.{rules.obligation}")],
        "huffing": lambda _: [
            _Sentence(f"huffing.{part}") for part in ("offence", "huff", "instead")
        ],
        "no_moves": lambda _: [_Sentence("no_moves")],
        "agreement": lambda _: [_Sentence("agreement")],
        "repetition": lambda rules: [_Sentence("repetition", {"n": rules.repetition})],
        "same_move": lambda rules: [_Sentence("same_move", {"n": rules.same_move})],
        "no_progress": _no_progress,
        "how_to_move": lambda _: [_Sentence("how_to_move"), _Sentence("how_to_move.marks")],
    }
)
