"""Colours in Swiss pairings: what a player should have next, and who of two has White.

By C.04.3, articles 1.6, 1.7 and 5.2; "white" and "black" are the colours of games played, in their
order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

__all__ = ["Preference", "Strength", "difference", "first_has_white", "preference"]


def __dir__() -> list[str]:
    return __all__


class Strength(IntEnum):
    """How strong a colour preference is."""

    NONE = 0
    """No game was played yet."""
    MILD = 1
    """As many games with either colour: the other than last time."""
    STRONG = 2
    """One game more with a colour."""
    ABSOLUTE = 3
    """Two games more, or the last two games with the same colour."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Preference:
    """A colour preference."""

    colour: str
    """ "white", "black", or "" for none."""
    strength: Strength


def difference(colours: Sequence[str]) -> int:
    """Return how many games more were played with White than with Black."""
    return colours.count("white") - colours.count("black")


def preference(colours: Sequence[str]) -> Preference:
    """Return the colour that a player should have next."""
    if not colours:
        return Preference("", Strength.NONE)
    more = difference(colours)
    twice = len(colours) > 1 and colours[-1] == colours[-2]
    wanted = _other(colours[-1])
    if abs(more) > 1 or (more and not twice):
        wanted = "black" if more > 0 else "white"
    if abs(more) > 1 or twice:
        return Preference(wanted, Strength.ABSOLUTE)
    return Preference(wanted, Strength.STRONG if more else Strength.MILD)


def first_has_white(
    first: Sequence[str], second: Sequence[str], number: int, top_seed_white: bool
) -> bool:
    """Return whether the higher ranked of two players has White.

    `first` are the colours that the higher ranked had, `second` those of the other; `number` is the
    pairing number of the first. Who ranks higher depends on the points, then on the number.
    """
    one, two = preference(first), preference(second)
    if one.colour and two.colour and one.colour != two.colour:  # both
        return one.colour == "white"
    if one.strength != two.strength:  # the stronger
        return one.colour == "white" if one.strength > two.strength else two.colour == "black"
    if one.strength is Strength.ABSOLUTE:  # the wider difference
        wide, narrow = abs(difference(first)), abs(difference(second))
        if wide != narrow:
            return (one.colour == "white") == (wide > narrow)
    for before, after in zip(reversed(first), reversed(second), strict=False):
        if before != after:  # the other way round than when they last differed
            return before == "black"
    if one.colour:  # as the higher ranked wants
        return one.colour == "white"
    return (number % 2 == 1) == top_seed_white


def _other(colour: str) -> str:
    return "black" if colour == "white" else "white"
