"""Scenes of the rule book: which capture must be made, and what happens when it is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka.rulebook.scene import Scene
from damka.rulebook.scenes.near import ahead_of_c3, beside_c3
from damka.rulebook.words import precedence

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["SCENES"]


def _precedence(rules: Rules) -> Iterator[Scene]:
    keys = precedence(rules)
    if not keys:
        yield Scene(
            pieces="wc3 bb4 bd4 bd6",
            caption="precedence.free",
            words={"moves": "c3xa5 c3xe5xc7"},
            plays=("c3-e5-c7", "c3-a5"),
        )
        yield Scene(
            pieces="wc3 bb3 bc4 bd5",
            caption="precedence.free",
            words={"moves": "c3xa3 c3xc5xe5"},
            plays=("c3-c5-e5", "c3-a3"),
        )
        return
    if keys[0] == "count" and rules.man_takes_king:
        yield _MEN_OR_KINGS
    yield from _FIRST_KEY[keys[0]]
    yield from _FIRST_KEY_STRAIGHT.get(keys[0], ())


# One man may take three men or two kings.
_MEN_OR_KINGS: Final = Scene(
    pieces="we1 bd2 bb4 bb6 Bf2 Bf4",
    caption="precedence.men_or_kings",
    words={"move": "e1xc3xa5xc7", "barred": "e1xg3xe5"},
    plays=("e1-c3-a5-c7",),
    forbids=("e1-g3-e5",),
)


_COUNT: Final = (
    Scene(
        pieces="wc3 bb4 bd4 bd6",
        caption="precedence.must",
        words={"move": "c3xe5xc7", "barred": "c3xa5"},
        plays=("c3-e5-c7",),
        forbids=("c3-a5",),
    ),
)


_WITH_KING: Final = (
    Scene(
        pieces="wc3 bb4 Wf2 bg3",
        caption="precedence.must",
        words={"move": "f2xh4", "barred": "c3xa5"},
        plays=("f2-h4",),
        forbids=("c3-a5",),
    ),
    # With one square to land on, from where no row or column leads on.
    Scene(
        pieces="wd4 be5 Wa3 bb2",
        caption="precedence.must",
        words={"move": "a3xc1", "barred": "d4xf6"},
        placed="bottom",
        plays=("a3-c1",),
        forbids=("d4-f6",),
    ),
)


_KINGS: Final = tuple(
    Scene(
        pieces=f"{capturer}c3 Bb4 bd4",
        caption="precedence.must",
        words={"move": "c3xa5", "barred": "c3xe5"},
        plays=("c3-a5",),
        forbids=("c3-e5",),
    )
    for capturer in "wW"
)


_KING_EARLY: Final = tuple(
    Scene(
        pieces=f"{capturer}e1 Bd2 bb4 bf2 Bf4",
        caption="precedence.must",
        words={"move": "e1xc3xa5", "barred": "e1xg3xe5"},
        plays=("e1-c3-a5",),
        forbids=("e1-g3-e5",),
    )
    for capturer in "wW"
)


_VALUE: Final = tuple(
    Scene(
        pieces=f"{capturer}c3 Bb4 bd4 bd6",
        caption="precedence.value",
        words={"move": "c3xe5xc7", "barred": "c3xa5"},
        plays=("c3-e5-c7",),
        forbids=("c3-a5",),
    )
    for capturer in "wW"
)


_FIRST_KEY: Final[Mapping[str, tuple[Scene, ...]]] = MappingProxyType(
    {
        "count": _COUNT,
        "value": _VALUE,
        "with_king": _WITH_KING,
        "kings": _KINGS,
        "king_early": _KING_EARLY,
    }
)


def _straight(pieces: str, move: str, barred: str, caption: str = "must") -> Scene:
    return Scene(
        pieces=pieces,
        caption=f"precedence.{caption}",
        words={"move": move.replace("-", "x"), "barred": barred.replace("-", "x")},
        plays=(move,),
        forbids=(barred,),
    )


_FIRST_KEY_STRAIGHT: Final[Mapping[str, tuple[Scene, ...]]] = MappingProxyType(
    {
        "count": (_straight("wc3 bb3 bc4 bd5", "c3-c5-e5", "c3-a3"),),
        "value": tuple(
            _straight(f"{capturer}c3 Bb3 bc4 bd5", "c3-c5-e5", "c3-a3", "value")
            for capturer in "wW"
        ),
        "with_king": (_straight("wc3 bb3 Wf2 bf3", "f2-f4", "c3-a3"),),
        "kings": tuple(_straight(f"{capturer}c3 Bb3 bc4", "c3-a3", "c3-c5") for capturer in "wW"),
    }
)
"""The same along rows and columns."""


def _obligation(rules: Rules) -> Iterator[Scene]:
    taken, end = ahead_of_c3(rules)
    pieces, capture, other = f"wc3 b{taken} wg3", f"c3-{end}", beside_c3(rules)
    words = {"move": f"c3x{end}", "other": other}
    if rules.obligation == "free":
        yield Scene(pieces=pieces, caption="obligation.free", words=words, plays=(capture, other))
    elif rules.obligation == "huff":
        # Another move can be played there: that is what the next picture is about.
        yield Scene(
            pieces=pieces, caption="obligation.huff", words=words, plays=(capture,), must=True
        )
    else:
        yield Scene(
            pieces=pieces,
            caption="precedence.must",
            words={"move": words["move"], "barred": other},
            plays=(capture,),
            forbids=(other,),
            must=True,
        )


def _huffing(rules: Rules) -> Iterator[Scene]:
    taken, end = ahead_of_c3(rules)
    played = beside_c3(rules)
    yield Scene(
        pieces=f"wc3 b{taken} wg3",
        caption="huffing",
        words={"played": played, "missed": f"c3x{end}", "man": "c3"},
        played=played,
        huffable="c3",
    )


SCENES: Final[Mapping[str, Callable[[Rules], Iterator[Scene]]]] = MappingProxyType(
    {
        "precedence": _precedence,
        "obligation": _obligation,
        "huffing": _huffing,
    }
)
