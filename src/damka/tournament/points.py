"""Points for games and byes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from damka.errors import TournamentError
from damka.tournament.rounds import ByeKind, Outcome

__all__ = ["CLASSIC", "DRAUGHTS", "THREE_POINTS", "PointSystem"]

_MAX_POINTS: Final = 10


@dataclass(frozen=True, slots=True, weakref_slot=True)
class PointSystem:
    """The points of a game, by default as in draughts: 2 for a win and 1 for a draw.

    Points are multiples of ½, from 0 to 10, and `loss` ≤ `draw` ≤ `win`, `loss` < `win`. A win by
    forfeit counts as a win; a loss by forfeit scores nothing. Raises TournamentError for other
    values.
    """

    win: float = 2
    draw: float = 1
    loss: float = 0
    allocated_bye: float | None = None
    """Points of a pairing-allocated bye; None for the same as a win."""

    def __post_init__(self) -> None:
        fields = {"win": self.win, "draw": self.draw, "loss": self.loss}
        if self.allocated_bye is not None:
            fields["allocated_bye"] = self.allocated_bye
        for name, value in fields.items():
            if not isinstance(value, int | float) or value * 2 not in range(2 * _MAX_POINTS + 1):
                raise TournamentError(
                    f"points.{name}", value, f"a multiple of ½ up to {_MAX_POINTS}"
                )
        if not self.loss <= self.draw <= self.win or self.loss == self.win:
            shown = f"{self.win:g}-{self.draw:g}-{self.loss:g}"
            raise TournamentError("points", shown, "win, draw and loss in falling order")

    def game(self, outcome: Outcome | None, white: bool) -> float:
        """Return the points of White (`white`) or Black; None is an unfinished game."""
        if outcome is None or outcome is Outcome.DOUBLE_FORFEIT:
            return 0
        if outcome is Outcome.DRAW:
            return self.draw
        if outcome.white_wins == white:
            return self.win
        return self.loss if outcome.played else 0

    def bye(self, kind: ByeKind) -> float:
        """Return the points of a bye, per game."""
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
