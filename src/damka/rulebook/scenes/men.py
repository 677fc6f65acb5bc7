"""Scenes: moves, captures and crowning of men."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka.rulebook.scene import Scene
from damka.rulebook.scenes.squares import ahead_of_c3

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["SCENES"]


def _man_move(_: Rules) -> Iterator[Scene]:
    for ends, back in (
        ("c5|e5", "c3 e3"),
        ("c4|d5|e4", "d3"),
        ("c4|c5|d5|e4|e5", "c3 d3 e3"),
    ):
        yield Scene(
            pieces="wd4",
            caption="man_move",
            words={"man": "d4", "ends": ends},
            targets="d4",
            crosses=back,
        )


def _man_capture(rules: Rules) -> Iterator[Scene]:
    # First along rows and columns, if the rules allow such captures, since they are unusual.
    if rules.capture_lines == "diagonal":
        ahead, back = ("e5", "f6"), ("c3", "b2")
    elif rules.squares == "all":
        ahead, back = ("d5", "d6"), ("d3", "d2")
    else:
        ahead, back = ("d6", "d8"), ("c3", "b2")
    yield from _ahead_and_back(ahead, back)
    # The fallback for small boards.
    yield from _ahead_and_back(("e5", "f6"), ("c3", "b2"))


def _ahead_and_back(ahead: tuple[str, str], back: tuple[str, str]) -> Iterator[Scene]:
    both = f"wd4 b{ahead[0]} b{back[0]}"
    yield Scene(
        pieces=both,
        caption="man_capture.all",
        words={"man": "d4", "taken": f"{back[0]}|{ahead[0]}"},
        plays=(f"d4-{ahead[1]}", f"d4-{back[1]}"),
    )
    yield Scene(
        pieces=both,
        caption="man_capture.forward",
        words={"move": f"d4x{ahead[1]}", "barred": f"d4x{back[1]}"},
        plays=(f"d4-{ahead[1]}",),
        forbids=(f"d4-{back[1]}",),
    )


def _chain(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="wc3 bc4 bd5",
        caption="chain",
        words={"move": "c3xc5xe5", "taken": "c4 d5"},
        plays=("c3-c5-e5",),
        never=("c3-c5",),
    )
    yield Scene(
        pieces="wc3 bd4 bf4",
        caption="chain",
        words={"move": "c3xe5xg3", "taken": "d4 f4"},
        plays=("c3-e5-g3",),
        never=("c3-e5",),
    )
    yield Scene(
        pieces="wc3 bd4 bd6",
        caption="chain",
        words={"move": "c3xe5xc7", "taken": "d4 d6"},
        plays=("c3-e5-c7",),
        never=("c3-e5",),
    )


def _man_takes_king(rules: Rules) -> Iterator[Scene]:
    taken, end = ahead_of_c3(rules)
    yield Scene(
        pieces=f"wc3 B{taken}",
        caption="man_takes_king.true",
        words={"move": f"c3x{end}", "taken": taken},
        plays=(f"c3-{end}",),
    )
    yield Scene(
        pieces=f"wc3 B{taken}",
        caption="man_takes_king.false",
        words={"move": f"c3x{end}", "taken": taken},
        forbids=(f"c3-{end}",),
    )


def _promotion(_: Rules) -> Iterator[Scene]:
    yield from _promotion_on_diagonals()
    yield from _promotion_on_columns()


def _promotion_on_columns() -> Iterator[Scene]:
    yield Scene(
        pieces="wd6 bd7 bf8",
        caption="promotion.go",
        words={"move": "d6xd8xg8", "end": "d8"},
        placed="top",
        plays=("d6-d8-g8",),
        crowns=True,
    )
    for kept, crowns in (("go", True), ("pass", False)):
        yield Scene(
            pieces="wd6 bd7 be8 bf7",
            caption=f"promotion.{kept}",
            words={"move": "d6xd8xf8xf6", "end": "d8" if crowns else "d8 f8"},
            placed="top",
            plays=("d6-d8-f8-f6",),
            crowns=crowns,
        )
    beside = "wd6 bd7 be8"
    yield Scene(
        pieces=beside,
        caption="promotion.pass_ends",
        words={"move": "d6xd8xf8", "other": "e8", "end": "f8"},
        placed="top",
        plays=("d6-d8-f8",),
        crowns=True,
    )
    yield Scene(
        pieces=beside,
        caption="promotion.stop",
        words={"move": "d6xd8", "other": "e8"},
        placed="top",
        plays=("d6-d8",),
        crowns=True,
        forbids=("d6-d8-f8",),
    )


def _promotion_on_diagonals() -> Iterator[Scene]:
    caught = "wd6 be7 bg7"
    for kept, crowns in (("go", True), ("pass", False)):
        yield Scene(
            pieces=caught,
            caption=f"promotion.{kept}",
            words={"move": "d6xf8xh6", "end": "f8"},
            placed="top",
            plays=("d6-f8-h6",),
            crowns=crowns,
        )
    yield Scene(
        pieces=caught,
        caption="promotion.stop",
        words={"move": "d6xf8", "other": "g7"},
        placed="top",
        plays=("d6-f8",),
        crowns=True,
        forbids=("d6-f8-h6",),
    )


SCENES: Final[Mapping[str, Callable[[Rules], Iterator[Scene]]]] = MappingProxyType(
    {
        "man_move": _man_move,
        "man_capture": _man_capture,
        "chain": _chain,
        "man_takes_king": _man_takes_king,
        "promotion": _promotion,
    }
)
