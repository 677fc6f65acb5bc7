"""Requests for searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damka.move import Move

__all__ = ["Request"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Request:
    """A search of one position of a game.

    The position is the one after `ply` plies, and after the huff of the piece on `huff` if that is
    not None. The search takes `nodes` nodes and reports the `lines` best moves, of `moves` if these
    are not None.
    """

    ply: int
    nodes: int
    lines: int = 1
    moves: tuple[Move, ...] | None = None
    huff: int | None = None
