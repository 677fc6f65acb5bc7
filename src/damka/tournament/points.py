"""What games and byes are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from damka.errors import TournamentError
from damka.tournament.rounds import ByeKind, Outcome

__all__ = ["CLASSIC", "DRAUGHTS", "THREE_POINTS", "PointSystem"]

_MOST: Final = 10


@dataclass(frozen=True, slots=True, weakref_slot=True)
class PointSystem:
    """The points of a game: 2 for a win and 1 for a draw, as in draughts, unless said otherwise.

    Points are multiples of ½, from 0 to 10, and `loss` ≤ `draw` ≤ `win`, `loss` < `win`. A win by
    forfeit counts as a win; a loss by forfeit brings nothing. Raises TournamentError for others.
    """

    win: float = 2
    draw: float = 1
    loss: float = 0
    allocated_bye: float | None = None
    """What the bye of the one who has no opponent brings; None for as much as a win."""

    def __post_init__(self) -> None:
        fields = {"win": self.win, "draw": self.draw, "loss": self.loss}
        if self.allocated_bye is not None:
            fields["allocated_bye"] = self.allocated_bye
        for name, value in fields.items():
            if not isinstance(value, int | float) or value * 2 not in range(2 * _MOST + 1):
                raise TournamentError(f"points.{name}", value, f"a multiple of ½ up to {_MOST}")
        if not self.loss <= self.draw <= self.win or self.loss == self.win:
            shown = f"{self.win:g}-{self.draw:g}-{self.loss:g}"
            raise TournamentError("points", shown, "win, draw and loss in falling order")

    def game(self, outcome: Outcome | None, white: bool) -> float:
        """Return what a game brings White (`white`) or Black; None is a game not yet over."""
        if outcome is None or outcome is Outcome.DOUBLE_FORFEIT:
            return 0
        if outcome is Outcome.DRAW:
            return self.draw
        if outcome.white_wins == white:
            return self.win
        return self.loss if outcome.played else 0

    def bye(self, kind: ByeKind) -> float:
        """Return what a bye in place of one game brings."""
        match kind:
            case ByeKind.ALLOCATED:
                return self.win if self.allocated_bye is None else self.allocated_bye
            case ByeKind.FULL:
                return self.win
            case ByeKind.HALF:
                return self.draw
            case ByeKind.ZERO:
                return 0


DRAUGHTS: Final = PointSystem(2, 1, 0)
CLASSIC: Final = PointSystem(1, 0.5, 0)
THREE_POINTS: Final = PointSystem(3, 1, 0)
