"""Scenes: a side without moves, and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka.result import variant
from damka.rulebook.scene import Scene

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["SCENES"]


def _no_moves(rules: Rules) -> Iterator[Scene]:
    caption = "no_moves.losing" if rules.objective == "losing" else "no_moves.normal"
    for wall in ("bb4 bc5", "ba4 bb3 ba5 bc3", "ba4 bb4 bb3 ba5 bc5 bc3"):
        yield Scene(pieces=f"wa3 {wall}", caption=caption, placed="bottom", stuck=True)


def _agreement(rules: Rules) -> Iterator[Scene]:
    # With captures along rows and columns, or in losing games, one king can win.
    if rules.objective == "normal" and rules.capture_lines == "diagonal":
        yield Scene(pieces="Wg1 Bb8", caption="agreement", placed="edges")


def _repetition(_: Rules) -> Iterator[Scene]:
    for there, answer in _TO_AND_FRO:
        back = (f"{there[3:]}-{there[:2]}", f"{answer[3:]}-{answer[:2]}")
        yield Scene(
            pieces="Wg1 Bb8",
            caption="repetition",
            words={"there": f"{there} {answer}", "back": " ".join(back)},
            placed="edges",
            plays=(there,),
            reply=answer,
            repeats=True,
        )


def _same_move(rules: Rules) -> Iterator[Scene]:
    for move, _answer in _TO_AND_FRO:
        yield Scene(
            pieces="Wg1 Bb8",
            caption=variant(rules, "same_move"),
            words={"move": move},
            placed="edges",
            plays=(move,),
        )


def _no_progress(_: Rules) -> Iterator[Scene]:
    for move, answer in (("c1-b2", "b8-a7"), ("c1-d1", "b8-a8")):
        yield Scene(
            pieces="Wc1 Wg1 Bb8",
            caption="no_progress",
            placed="edges",
            plays=(move,),
            reply=answer,
            repeats=True,
        )


_TO_AND_FRO: Final = (("g1-h2", "b8-a7"), ("g1-h1", "b8-a8"))


def _material_draws(rules: Rules) -> Iterator[Scene]:
    """Yield an ending with the fewest pieces that fulfil the first condition."""
    numbers = sorted(product(range(3), range(5), range(3), range(5)), key=sum)
    for condition in rules.material_draws:
        if condition.main_road:
            continue
        kings_at = ("a1", *_KINGS_AT) if condition.strong_main_road else _KINGS_AT
        for men, kings, their_men, their_kings in numbers:
            fits = condition.weak_sides((men, kings), (their_men, their_kings))
            if "B" in fits and men + kings and their_men + their_kings:
                ours = [*map("w{}".format, _MEN[:men]), *map("W{}".format, kings_at[:kings])]
                theirs = zip("b" * their_men + "B" * their_kings, _THEIRS, strict=False)
                pieces = " ".join((*ours, *map("".join, theirs)))
                yield Scene(pieces=pieces, caption="material_draws", placed="edges")
                return


_MEN: Final = ("a3", "h2")


_KINGS_AT: Final = ("g1", "c1", "e1", "f2")


_THEIRS: Final = ("b8", "d8", "f8", "h8", "c7", "e7", "g7")


SCENES: Final[Mapping[str, Callable[[Rules], Iterator[Scene]]]] = MappingProxyType(
    {
        "no_moves": _no_moves,
        "agreement": _agreement,
        "repetition": _repetition,
        "same_move": _same_move,
        "no_progress": _no_progress,
        "material_draws": _material_draws,
    }
)
