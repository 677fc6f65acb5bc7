"""The path of every piece during a game, for animation."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.draw.drawable import Turn

__all__ = ["Stop", "Track", "tracks"]


class Stop(NamedTuple):
    """The arrival of a piece on a square, and its departure from the previous one."""

    left: float
    arrived: float
    square: int


@dataclass(slots=True)
class Track:
    """The animation of a piece. Times are in steps; at time n the nth step is over."""

    piece: str
    """The initial piece, one of "wbWB"."""
    start: int
    """Its first square."""
    stops: list[Stop] = field(default_factory=list)
    crowned: float | None = None
    gone: tuple[float, float] | None = None
    """Start and end of fading, for a captured or huffed piece."""

    @property
    def end(self) -> int:
        """The last square of the piece."""
        return self.stops[-1].square if self.stops else self.start


def tracks(start: str, turns: Sequence[Turn], together: int, motion: float) -> list[Track]:
    """Return the tracks of all pieces, captured ones first in order of capture.

    So a capturing piece is drawn above its victims. `together` plies form one step, and the pieces
    move in its last part, `motion`.
    """
    on = {
        square: Track(piece, square) for square, piece in enumerate(start, start=1) if piece != "."
    }
    every = list(on.values())
    for number, turn in enumerate(turns, start=1):
        step = ceil(number / together)
        begun = step - motion
        move = turn.ply.move
        if turn.ply.huff is not None:
            on.pop(turn.ply.huff).gone = (begun - motion, begun)
        track = on.pop(move.route[0])
        legs = len(move.route) - 1
        for leg, square in enumerate(move.route[1:]):
            left, arrived = (begun + motion * part / legs for part in (leg, leg + 1))
            track.stops.append(Stop(left, arrived, square))
        for square in move.captures:
            on.pop(square).gone = (begun, step)
        on[track.end] = track
        if track.piece.islower() and turn.ply.pieces[track.end - 1].isupper() and not track.crowned:
            track.crowned = step
    return sorted(every, key=lambda track: track.gone[1] if track.gone else float("inf"))
