"""Where every piece of a game stands from its first ply to its last: what an animation shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.draw.record import Turn

__all__ = ["Stop", "Track", "tracks"]


class Stop(NamedTuple):
    """A piece arrives on a square at a time and has left the one before it at another."""

    left: float
    arrived: float
    square: int


@dataclass(slots=True)
class Track:
    """What a piece does. Times are counted in steps; at time n the nth step is over."""

    piece: str
    """One of "wbWB": what it is at the beginning."""
    start: int
    """Its first square."""
    stops: list[Stop] = field(default_factory=list)
    crowned: float | None = None
    gone: tuple[float, float] | None = None
    """From when to when it fades, if it is captured or huffed."""

    @property
    def end(self) -> int:
        """The last square on which it stands."""
        return self.stops[-1].square if self.stops else self.start


def tracks(start: str, turns: Sequence[Turn], together: int, motion: float) -> list[Track]:
    """Return the tracks of all pieces, those that are captured first before the others.

    So a piece that captures is drawn above what it captures. `together` plies are one step, of
    which the pieces move in the last part, `motion`.
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
