"""Scenes: moves and captures of kings, and removal of captured pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka.rulebook.scene import Scene

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["SCENES"]


def _king_move(_: Rules) -> Iterator[Scene]:
    yield Scene(pieces="Wd4", caption="king_move", words={"king": "d4"}, targets="d4")


def _king_capture(_: Rules) -> Iterator[Scene]:
    yield Scene(
        pieces="Wb2 be5 bc5",
        caption="king_capture.flying",
        words={"move": "b2xf6", "taken": "e5", "via": "d4", "other": "c5"},
        plays=("b2-f6",),
        forbids=("b2-d4-b6",),
    )
    yield Scene(
        pieces="Wb2 be2 bd5",
        caption="king_capture.flying",
        words={"move": "b2xf2", "taken": "e2", "via": "d2", "other": "d5"},
        plays=("b2-f2",),
        forbids=("b2-d2-d6",),
    )
    for taken, ends in (("e5 c3", ("f6", "b2")), ("d5 c4", ("d6", "b4"))):
        yield Scene(
            pieces="Wd4 " + " ".join(f"b{square}" for square in taken.split()),
            caption="king_capture.short",
            words={"king": "d4", "taken": taken.replace(" ", "|")},
            plays=tuple(f"d4-{end}" for end in ends),
        )


def _king_landing(rules: Rules) -> Iterator[Scene]:
    taken, end = ("b4", "b5") if rules.capture_lines == "orthogonal" else ("d4", "e5")
    if rules.king_landing == "any":
        yield Scene(
            pieces=f"Wb2 b{taken}",
            caption="king_landing.any",
            words={"king": "b2", "taken": taken},
            targets="b2",
            takes=taken,
        )
        return
    yield Scene(
        pieces=f"Wb2 {'B' if rules.king_landing == 'killer' else 'b'}{taken}",
        caption=f"king_landing.{rules.king_landing}",
        words={"king": "b2", "taken": taken, "end": end},
        targets="b2",
        takes=taken,
        beyond=f"{taken} {end}",
    )


def _removal(rules: Rules) -> Iterator[Scene]:
    # The capturing piece returns to its start square, next to the first captured piece.
    ring, outside = "Wc3 bd4 bf4 bf2 bd2", " bf6"
    taken = "d2 d4 f2 f4"
    if rules.king_range == "flying":
        yield Scene(
            pieces=ring + outside,
            caption="removal.crossed",
            words={"move": "c3xe5xg3xe1xc3xg7", "gone": "d4", "other": "f6"},
            plays=("c3-e5-g3-e1-c3-g7",),
        )
        yield Scene(
            pieces=ring + outside,
            caption="removal.blocked",
            words={"taken": taken, "gone": "d4", "other": "f6"},
            plays=("c3-e5-g3-e1-c3",),
            forbids=("c3-e5-g3-e1-c3-g7",),
            faded=taken,
        )
        yield Scene(
            pieces="Wa4 bc4 be6 bd7 bc2",
            caption="removal.crossed",
            words={"move": "a4xe4xe7xc7xc1", "gone": "c4", "other": "c2"},
            plays=("a4-e4-e7-c7-c1",),
        )
    for around, route in ((ring, "c3-e5-g3-e1-c3"), ("Wc3 bc4 bd5 be4 bd3", "c3-c5-e5-e3-c3")):
        taken = " ".join(sorted(piece[1:] for piece in around.split()[1:]))
        yield Scene(
            pieces=around,
            caption="removal.ring",
            words={"move": route.replace("-", "x"), "taken": taken},
            plays=(route,),
            never=(f"{route}-{route[3:5]}",),
            faded=taken if rules.removal == "after" else "",
        )


SCENES: Final[Mapping[str, Callable[[Rules], Iterator[Scene]]]] = MappingProxyType(
    {
        "king_move": _king_move,
        "king_capture": _king_capture,
        "king_landing": _king_landing,
        "removal": _removal,
    }
)
