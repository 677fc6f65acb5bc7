"""Seats of a live game. They do not change: a game is reloaded when its seats change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from damka.live.stored_game import Seat
from damka.rules import Side

__all__ = ["Seating", "Sides"]

Sides = tuple[Side, ...]
"""The sides that a viewer plays: none for a spectator, both for two people at one screen."""


class Seating:
    """The two seats and the properties derived from them."""

    def __init__(self, seats: Iterable[Seat]) -> None:
        self.seats: Final[dict[Side, Seat]] = {seat.side: seat for seat in seats}
        every = self.seats.values()
        self.computer: Final = next((seat.side for seat in every if seat.kind == "computer"), None)
        """The computer's side, if it plays."""
        self.open_side: Final = next((seat.side for seat in every if seat.is_open), None)
        """The side whose seat is open, if one is."""
        self.online: Final = self.computer is None and len({seat.holder for seat in every}) > 1
        """Whether two people play on two devices, or wait to."""

    def sides_of(self, holder: str | None) -> Sides:
        """Return the sides that the holder of a seat cookie plays, in the order of the players."""
        sides: Sides = ()
        if holder is not None:
            for side, seat in self.seats.items():
                if seat.holder == holder:
                    sides += (side,)
        return sides
