"""Colours in Swiss pairings: a player's colour preference, and the allocation in a pair.

By C.04.3, articles 1.6, 1.7 and 5.2; "white" and "black" are the colours of played games, in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

__all__ = ["Preference", "Strength", "difference", "first_has_white", "preference"]


def __dir__() -> list[str]:
    return __all__


class Strength(IntEnum):
    """Strength of a colour preference."""

    NONE = 0
    """No games played."""
    MILD = 1
    """As many games with either colour: alternate from the last game."""
    STRONG = 2
    """One extra game with a colour."""
    ABSOLUTE = 3
    """Two extra games with a colour, or the last two games with the same colour."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Preference:
    """A colour preference."""

    colour: str
    """ "white", "black", or "" for none."""
    strength: Strength


def difference(colours: Sequence[str]) -> int:
    """Return the number of games with White minus those with Black."""
    return colours.count("white") - colours.count("black")


def preference(colours: Sequence[str]) -> Preference:
    """Return a player's colour preference."""
    if not colours:
        return Preference("", Strength.NONE)
    more = difference(colours)
    twice = len(colours) > 1 and colours[-1] == colours[-2]
    preferred = opposite(colours[-1])
    if abs(more) > 1 or (more and not twice):
        preferred = "black" if more > 0 else "white"
    if abs(more) > 1 or twice:
        return Preference(preferred, Strength.ABSOLUTE)
    return Preference(preferred, Strength.STRONG if more else Strength.MILD)


def first_has_white(
    first: Sequence[str], second: Sequence[str], number: int, top_seed_white: bool
) -> bool:
    """Whether the higher ranked of two players has White.

    `first` and `second` are the colours of the higher and the lower ranked player; `number` is the
    pairing number of the first. Players are ranked by points, then by number.
    """
    one, two = preference(first), preference(second)
    if one.colour and two.colour and one.colour != two.colour:  # grant both preferences
        return one.colour == "white"
    if one.strength != two.strength:  # grant the stronger preference
        return one.colour == "white" if one.strength > two.strength else two.colour == "black"
    if one.strength is Strength.ABSOLUTE:  # grant the wider colour difference
        wide, narrow = abs(difference(first)), abs(difference(second))
        if wide != narrow:
            return (one.colour == "white") == (wide > narrow)
    for before, after in zip(reversed(first), reversed(second), strict=False):
        if before != after:  # alternate from the last round in which their colours differed
            return before == "black"
    if one.colour:  # grant the preference of the higher ranked
        return one.colour == "white"
    return (number % 2 == 1) == top_seed_white


def opposite(colour: str) -> str:
    return "black" if colour == "white" else "white"
