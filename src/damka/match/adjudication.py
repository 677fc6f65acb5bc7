"""Ending a game early whose result is clear."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from damka.rules import Side

__all__ = ["Adjudicator", "Clear", "Verdict"]

Reason = Literal["score", "even", "length"]


class Verdict(NamedTuple):
    """The winner, None for a draw, and what made it clear."""

    winner: Side | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Clear:
    """When a result is clear. Scores are in hundredths of a man.

    Of 600 games by six rule sets, played to the end all the same, none that these numbers call won
    ended otherwise. Lower scores call a lone king against a few lost that is not.
    """

    score: int = 1_000
    """Won: both players see at least so much for the same side, …"""
    moves: int = 3
    """… each in so many moves one after the other."""
    even: int = 5
    """Drawn: both see no more than so much for either side, …"""
    even_moves: int = 20
    """… each in so many moves one after the other, …"""
    even_plies: int = 80
    """… in a game of so many plies at least."""
    plies: int = 400
    """Drawn: a game of so many plies."""

    def __str__(self) -> str:
        """Write the numbers as the file of a match keeps them."""
        return (
            f"won at {self.score} for {self.moves} moves, "
            f"drawn within {self.even} for {self.even_moves} from ply {self.even_plies} "
            f"or at ply {self.plies}"
        )


NEVER: Final = -(10**9)


@dataclass(slots=True)
class Adjudicator:
    """Follows one game; a player who tells no score never agrees."""

    clear: Clear
    _scores: dict[Side, list[int]] = field(default_factory=lambda: {"W": [], "B": []})

    def judge(self, side: Side, score: int | None, plies: int) -> Verdict | None:
        """Return the result once it is clear, after `side` has moved and `plies` plies are played.

        `score` is what the player of that side sees for itself.
        """
        clear = self.clear
        if score is None:
            self._scores[side].clear()
        else:
            self._scores[side].append(score if side == "W" else -score)
        if plies >= clear.plies:
            return Verdict(None, "length")
        won = self._last(clear.moves)
        if won and min(won) >= clear.score:
            return Verdict("W", "score")
        if won and max(won) <= -clear.score:
            return Verdict("B", "score")
        if plies >= clear.even_plies:
            even = self._last(clear.even_moves)
            if even and max(map(abs, even)) <= clear.even:
                return Verdict(None, "even")
        return None

    def _last(self, moves: int) -> list[int]:
        """Return what White had by the last moves of both; nothing if one has told too little."""
        white, black = self._scores["W"], self._scores["B"]
        if min(len(white), len(black)) < moves:
            return []
        return white[-moves:] + black[-moves:]
