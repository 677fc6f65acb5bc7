"""Selection of the sentences that describe a rule set, by topic."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka import locales
from damka.result import variant
from damka.rulebook import material
from damka.rulebook.sentence import Sentence
from damka.rules.conditions import holds
from damka.rules.parameters import KINGS_MOVE, PARAMETERS, topic_applies

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["applies", "has_kings", "items", "note", "precedence", "text"]

_POSITION: Final = re.compile(r"[WB]:[WBHF]|\[\s*FEN\b")


def applies(rules: Rules, topic: str) -> bool:
    """Whether a topic applies under these rules."""
    return topic_applies(topic, rules.value_of)


def text(rules: Rules, topic: str, language: str) -> str:
    """Return the paragraph on a topic as complete sentences."""
    if topic == "first":
        side = rules.colours[0 if rules.first == "W" else 1]
        begins = locales.translate(
            language, "rulebook.first", side=locales.colour(language, side, "side")
        )
        return f"{begins} {Sentence(f'rematch.{rules.rematch}').say(language)}"
    return " ".join(sentence.say(language) for sentence in _SENTENCES[topic](rules))


def items(rules: Rules, topic: str, language: str) -> tuple[str, ...]:
    """Return the list after a paragraph, one sentence per item; usually empty."""
    if topic != "material_draws":
        return ()
    return tuple(material.draw(rules, condition, language) for condition in rules.material_draws)


def note(topic: str, language: str) -> str:
    """Return the description of a gap in the original rule sheet that we interpret."""
    texts = locales.catalogue(language, f"rulebook.reading.{topic}")
    return texts.get(f"rulebook.reading.{topic}") or locales.translate(
        language, "rulebook.reading.other"
    )


def has_kings(rules: Rules) -> bool:
    """Whether kings can ever move."""
    return holds(KINGS_MOVE, rules.value_of)


def _never_turns_back(rules: Rules) -> bool:
    """Whether a flying king may not reverse its direction between two captures."""
    return holds(PARAMETERS["u_turn"].relevant, rules.value_of) and not rules.u_turn


def _lines(rules: Rules, lines: str) -> str:
    """Return the catalogue name of these lines on this board."""
    if lines == "diagonal+orthogonal":
        return "both" if rules.squares == "all" else "dark"
    return lines


def _start(rules: Rules) -> list[Sentence]:
    size = {"width": rules.width, "height": rules.height}
    board = "all" if rules.squares == "all" else rules.dark_corner
    sentences = [Sentence(f"start.{board}", size)]
    if rules.rows_behind:
        sentences.append(Sentence("start.behind", n=rules.rows_behind))
    place = "behind" if rules.rows_behind else "near"
    men = {"men": rules.rows * rules.row_length}
    return [*sentences, Sentence(f"start.men.{rules.squares}.{place}", men, n=rules.rows)]


def _man_capture(rules: Rules) -> list[Sentence]:
    lines = _lines(rules, rules.capture_lines)
    return [Sentence(f"man_capture.{rules.man_capture}.{lines}"), Sentence("man_capture.jump")]


def _chain(rules: Rules) -> list[Sentence]:
    if rules.man_capture == "all":
        return [Sentence("chain"), Sentence("chain.all")]
    lines = "diagonal" if rules.capture_lines == "diagonal" else "other"
    who = "" if applies(rules, "king_capture") else ".men"
    if not who and _never_turns_back(rules):
        who = ".no_u_turn"
    return [Sentence("chain"), Sentence(f"chain.forward.{lines}{who}")]


def _removal(rules: Rules) -> list[Sentence]:
    # Only a flying king can be blocked by a captured piece.
    return [Sentence(f"removal.{rules.removal}.{rules.king_range}")]


def _promotion(rules: Rules) -> list[Sentence]:
    # A man that captures only forward on diagonals cannot leave the last row, so it ends there.
    ends_there = (
        rules.promotion == "pass"
        and rules.man_capture == "forward"
        and rules.capture_lines == "diagonal"
    )
    sentences = [
        Sentence("promotion"),
        Sentence(f"promotion.{'stop' if ends_there else rules.promotion}"),
    ]
    return sentences if has_kings(rules) else [*sentences, Sentence("promotion.wins")]


def _king_move(rules: Rules) -> list[Sentence]:
    return [Sentence(f"king_move.{rules.king_range}.{_lines(rules, rules.move_lines)}")]


def _king_streak(rules: Rules) -> list[Sentence]:
    return [Sentence("king_streak", n=rules.king_streak), Sentence("king_streak.rest")]


def _king_capture(rules: Rules) -> list[Sentence]:
    lines = _lines(rules, rules.capture_lines)
    sentences = [Sentence(f"king_capture.{rules.king_range}.{lines}")]
    if _never_turns_back(rules):
        sentences.append(Sentence("king_capture.no_u_turn"))
    return sentences


def precedence(rules: Rules) -> tuple[str, ...]:
    """Return the criteria of precedence that can make a difference.

    In breakthrough only men capture, and only men, so number and value are the same.
    """
    if has_kings(rules):
        return rules.precedence
    return ("count",) if {"count", "value", "points"} & set(rules.precedence) else ()


def _precedence(rules: Rules) -> list[Sentence]:
    keys = precedence(rules)
    if not keys:
        return [Sentence("precedence.free")]
    first, *others = keys
    sentences = [Sentence(f"precedence.first.{first}")]
    sentences += [Sentence(f"precedence.then.{key}") for key in others]
    if "value" in keys:
        return [*sentences, Sentence("precedence.worth"), Sentence("precedence.rest")]
    if not {"count", "points"} & set(keys):
        return [*sentences, Sentence("precedence.rest_any_number")]
    if has_kings(rules) and not {"points", "kings", "king_early"} & set(keys):
        sentences.append(Sentence("precedence.equal"))
    return [*sentences, Sentence("precedence.rest")]


def _obligation(rules: Rules) -> list[Sentence]:
    sentences = [Sentence(f"obligation.{rules.obligation}")]
    if rules.obligation == "free" and precedence(rules):
        sentences.append(Sentence("obligation.free.precedence"))
    return sentences


def _no_moves(rules: Rules) -> list[Sentence]:
    return [Sentence(f"no_moves.{'losing' if rules.objective == 'losing' else 'normal'}")]


def _agreement(rules: Rules) -> list[Sentence]:
    # The example with kings is wrong for other objectives.
    return [Sentence(f"agreement.{'kings' if rules.objective == 'normal' else 'any'}")]


def _no_progress(rules: Rules) -> list[Sentence]:
    return [Sentence(variant(rules, "no_progress"), n=rules.no_progress_moves)]


def _move_limit(rules: Rules) -> list[Sentence]:
    return [Sentence(variant(rules, "move_limit"), n=rules.move_limit)]


def _times(kind: str, rules: Rules) -> list[Sentence]:
    return [Sentence(variant(rules, kind), {"n": getattr(rules, kind)})]


def _notation(rules: Rules) -> list[Sentence]:
    corner = Sentence(f"notation.corner.{rules.notation[1]}")
    values = {"count": rules.square_count, "corner": corner}
    sign = {"x": "x", ":": "colon", "-": "hyphen"}[rules.capture_sign]
    return [Sentence(f"notation.{rules.notation[0]}", values), Sentence(f"notation.sign.{sign}")]


def _how_to_move(rules: Rules) -> list[Sentence]:
    # If captures are not compulsory, no piece has a ring.
    marks = "free" if rules.obligation == "free" else "marks"
    return [Sentence("how_to_move"), Sentence(f"how_to_move.{marks}")]


def _ballots(rules: Rules) -> list[Sentence]:
    set_up = any(_POSITION.search(opening) for opening in rules.openings)
    return [Sentence("ballots_set_up" if set_up else "ballots", n=len(rules.openings))]


_SENTENCES: Final[Mapping[str, Callable[[Rules], list[Sentence]]]] = MappingProxyType(
    {
        "goal": lambda rules: [Sentence(f"goal.{rules.objective}")],
        "start": _start,
        "ballots": _ballots,
        "your_turn": lambda _: [Sentence("your_turn")],
        "man_move": lambda rules: [Sentence(f"man_move.{_lines(rules, rules.move_lines)}")],
        "man_capture": _man_capture,
        "chain": _chain,
        "removal": _removal,
        "promotion": _promotion,
        "king_move": _king_move,
        "king_streak": _king_streak,
        "king_capture": _king_capture,
        "king_landing": lambda rules: [Sentence(f"king_landing.{rules.king_landing}")],
        "man_takes_king": lambda rules: [
            Sentence(f"man_takes_king.{str(rules.man_takes_king).lower()}")
        ],
        "precedence": _precedence,
        "obligation": _obligation,
        "huffing": lambda _: [
            Sentence(f"huffing.{part}") for part in ("offence", "huff", "instead")
        ],
        "no_moves": _no_moves,
        "agreement": _agreement,
        "repetition": functools.partial(_times, "repetition"),
        "same_move": functools.partial(_times, "same_move"),
        "no_progress": _no_progress,
        "move_limit": _move_limit,
        "material_draws": lambda _: [Sentence("material_draws")],
        "notation": _notation,
        "how_to_move": _how_to_move,
    }
)
