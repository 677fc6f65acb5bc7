"""What a player does with a turn, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damka.move import Move

__all__ = ["Decision"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Decision:
    """What a player does with its turn; `Game.apply` does it.

    `huff` is the square of the piece to huff before moving, or None; `move` is to be played after
    that, and is None where the huff ends the game. `score` is in hundredths of a man as the player
    sees it, None where it does not say. `offer_draw` asks for a draw to be offered after the move.
    With `resign` the game is given up, and nothing else is done.
    """

    huff: int | None = None
    move: Move | None = None
    score: int | None = None
    offer_draw: bool = False
    resign: bool = False
