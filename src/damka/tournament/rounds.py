"""Rounds of a tournament: who meets whom, who has a bye, and how the games ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Bye", "ByeKind", "Outcome", "Pairing", "Round"]


class Outcome(StrEnum):
    """How a game ended, from White's side. Its value is what files hold."""

    WHITE = "1-0"
    """White won."""
    DRAW = "="
    BLACK = "0-1"
    """Black won."""
    WHITE_BY_FORFEIT = "+:-"
    """Black did not play."""
    BLACK_BY_FORFEIT = "-:+"
    """White did not play."""
    DOUBLE_FORFEIT = "-:-"
    """Neither did."""

    @property
    def played(self) -> bool:
        """Whether the game took place, which a forfeit did not."""
        return self in _PLAYED

    @property
    def drawn(self) -> bool:
        """Whether the game was drawn."""
        return self is Outcome.DRAW

    @property
    def white_wins(self) -> bool:
        """Whether White has the point of a win."""
        return self in {Outcome.WHITE, Outcome.WHITE_BY_FORFEIT}

    @property
    def black_wins(self) -> bool:
        """Whether Black has the point of a win."""
        return self in {Outcome.BLACK, Outcome.BLACK_BY_FORFEIT}


_PLAYED = frozenset((Outcome.WHITE, Outcome.DRAW, Outcome.BLACK))


class ByeKind(StrEnum):
    """Why a player does not play in a round, and what it brings: the letters of TRF."""

    ALLOCATED = "U"
    """There was no opponent: given by the pairing, at most once to a player."""
    FULL = "F"
    """As much as a win, given by the arbiter."""
    HALF = "H"
    """As much as a draw, asked for before the round."""
    ZERO = "Z"
    """Nothing: the player was away."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Pairing:
    """Two players, by id, and the outcomes of their games: None where a game is not over.

    A round has one game a pairing or two; in the second the colours change, and its outcome is told
    from the side of the player who then has White.
    """

    white: str
    black: str
    outcomes: tuple[Outcome | None, ...] = (None,)

    @property
    def over(self) -> bool:
        """Whether all games of the pairing have an outcome."""
        return None not in self.outcomes

    def games(self) -> Iterator[tuple[str, str, Outcome | None]]:
        """Yield White, Black and outcome of each game."""
        for number, outcome in enumerate(self.outcomes):
            swapped = number % 2 == 1
            yield (
                self.black if swapped else self.white,
                self.white if swapped else self.black,
                outcome,
            )


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Bye:
    """A player, by id, who does not play in a round."""

    player: str
    kind: ByeKind


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Round:
    """A round: its pairings by board, from 1, and the byes.

    Who is in neither was not in the tournament then, or had withdrawn: that counts as a bye without
    points.
    """

    pairings: tuple[Pairing, ...] = ()
    byes: tuple[Bye, ...] = ()
    remarks: tuple[str, ...] = ()
    """What `pair` could not avoid, in English: a second bye of a player."""

    @property
    def over(self) -> bool:
        """Whether all games have an outcome."""
        return all(pairing.over for pairing in self.pairings)
