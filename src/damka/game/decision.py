"""A player's decision for a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damka.move import Move

__all__ = ["Decision"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Decision:
    """A player's decision for its turn; `Game.apply` plays it.

    `huff` is the square of the piece to huff before moving, or None; `move` follows it, and is None
    if the huff ends the game. `score` is in hundredths of a man from the player's view, or None.
    `offer_draw` offers a draw after the move. With `resign` the player resigns, and the other
    fields have no effect.
    """

    huff: int | None = None
    move: Move | None = None
    score: int | None = None
    offer_draw: bool = False
    resign: bool = False
