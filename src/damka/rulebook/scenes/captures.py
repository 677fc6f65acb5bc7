"""Scenes: precedence of captures, obligation and huffing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from damka.rulebook.scene import Scene
from damka.rulebook.scenes.squares import ahead_of_c3, beside_c3
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
    if keys[0] == "points" and rules.man_takes_king:
        yield _KINGS_OR_MEN
    yield from _FIRST_KEY[keys[0]]


def _choice(
    pieces: str, move: str, barred: str, caption: str = "must", *, placed: str = "middle"
) -> Scene:
    """Return a scene with two captures, of which only `move` is legal."""
    return Scene(
        pieces=pieces,
        caption=f"precedence.{caption}",
        words={"move": move.replace("-", "x"), "barred": barred.replace("-", "x")},
        placed=placed,
        plays=(move,),
        forbids=(barred,),
    )


# The man can take three men or two kings.
_MEN_OR_KINGS: Final = _choice("we1 bd2 bb4 bb6 Bf2 Bf4", "e1-c3-a5-c7", "e1-g3-e5", "men_or_kings")
_KINGS_OR_MEN: Final = _choice("we1 bd2 bb4 bb6 Bf2 Bf4", "e1-g3-e5", "e1-c3-a5-c7", "points")

# A choice between a king and a man; also along rows and columns.
_KING_OR_MAN: Final = (
    *(_choice(f"{own}c3 Bb4 bd4", "c3-a5", "c3-e5") for own in "wW"),
    *(_choice(f"{own}c3 Bb3 bc4", "c3-a3", "c3-c5") for own in "wW"),
)

# By the first criterion; the last alternatives are along rows and columns.
_FIRST_KEY: Final[Mapping[str, tuple[Scene, ...]]] = MappingProxyType(
    {
        "count": (
            _choice("wc3 bb4 bd4 bd6", "c3-e5-c7", "c3-a5"),
            _choice("wc3 bb3 bc4 bd5", "c3-c5-e5", "c3-a3"),
        ),
        "value": (
            *(_choice(f"{own}c3 Bb4 bd4 bd6", "c3-e5-c7", "c3-a5", "value") for own in "wW"),
            *(_choice(f"{own}c3 Bb3 bc4 bd5", "c3-c5-e5", "c3-a3", "value") for own in "wW"),
        ),
        "with_king": (
            _choice("wc3 bb4 Wf2 bg3", "f2-h4", "c3-a5"),
            # With only one landing square, from which nothing else can be captured.
            _choice("wd4 be5 Wa3 bb2", "a3-c1", "d4-f6", placed="bottom"),
            _choice("wc3 bb3 Wf2 bf3", "f2-f4", "c3-a3"),
        ),
        "kings": _KING_OR_MAN,
        "points": _KING_OR_MAN,
        "king_early": tuple(
            _choice(f"{own}e1 Bd2 bb4 bf2 Bf4", "e1-c3-a5", "e1-g3-e5") for own in "wW"
        ),
    }
)


def _obligation(rules: Rules) -> Iterator[Scene]:
    taken, end = ahead_of_c3(rules)
    pieces, capture, other = f"wc3 b{taken} wg3", f"c3-{end}", beside_c3(rules)
    words = {"move": f"c3x{end}", "other": other}
    if rules.obligation == "free":
        yield Scene(pieces=pieces, caption="obligation.free", words=words, plays=(capture, other))
    elif rules.obligation == "huff":
        # The picture for huffing shows the other move.
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
    offence = beside_c3(rules)
    yield Scene(
        pieces=f"wc3 b{taken} wg3",
        caption="huffing",
        words={"played": offence, "missed": f"c3x{end}", "man": "c3"},
        played=offence,
        huffable="c3",
    )


SCENES: Final[Mapping[str, Callable[[Rules], Iterator[Scene]]]] = MappingProxyType(
    {
        "precedence": _precedence,
        "obligation": _obligation,
        "huffing": _huffing,
    }
)
