"""Rounds of a tournament: pairings, byes and outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Bye", "ByeKind", "Outcome", "Pairing", "Round"]


class Outcome(StrEnum):
    """Outcome of a game, from White's side. Its value is its text in files."""

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
    """Neither player played."""

    @property
    def played(self) -> bool:
        """Whether the game was played, that is, not forfeited."""
        return self in _PLAYED

    @property
    def drawn(self) -> bool:
        """Whether the game was drawn."""
        return self is Outcome.DRAW

    @property
    def white_wins(self) -> bool:
        """Whether White has the points of a win."""
        return self in {Outcome.WHITE, Outcome.WHITE_BY_FORFEIT}

    @property
    def black_wins(self) -> bool:
        """Whether Black has the points of a win."""
        return self in {Outcome.BLACK, Outcome.BLACK_BY_FORFEIT}


_PLAYED = frozenset((Outcome.WHITE, Outcome.DRAW, Outcome.BLACK))


class ByeKind(StrEnum):
    """Kind of a bye and its points; the values are the letters of TRF."""

    ALLOCATED = "U"
    """No opponent: allocated by the pairing, at most once per player."""
    FULL = "F"
    """Points of a win, given by the arbiter."""
    HALF = "H"
    """Points of a draw, requested before the round."""
    ZERO = "Z"
    """No points: the player was absent."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Pairing:
    """Two players, by id, and the outcomes of their games: None for an unfinished game.

    A pairing has one or two games; in the second the colours are reversed, and its outcome is from
    the side of the player who then has White.
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
    """A round: its pairings by board, from 1, and its byes.

    Players in neither had withdrawn or not entered yet, which counts as a zero-point bye.
    """

    pairings: tuple[Pairing, ...] = ()
    byes: tuple[Bye, ...] = ()
    remarks: tuple[str, ...] = ()
    """Warnings from `pair`, in English: a player's second bye."""

    @property
    def over(self) -> bool:
        """Whether all games have an outcome."""
        return all(pairing.over for pairing in self.pairings)
