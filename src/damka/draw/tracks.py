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

    departure: float
    arrival: float
    square: int


@dataclass(slots=True)
class Track:
    """The path of a piece. Times are in steps; step n ends at time n."""

    piece: str
    """The initial piece, one of "wbWB"."""
    start: int
    """Its first square."""
    stops: list[Stop] = field(default_factory=list)
    crowned: float | None = None
    """The time of its promotion."""
    fade: tuple[float, float] | None = None
    """Start and end of fading, for a captured or huffed piece."""

    @property
    def end(self) -> int:
        """The last square of the piece."""
        return self.stops[-1].square if self.stops else self.start


def tracks(start: str, turns: Sequence[Turn], plies_per_step: int, motion: float) -> list[Track]:
    """Return the tracks of all pieces, with captured ones first, in the order of capture.

    With this order a capturing piece is drawn above the captured ones. A step has `plies_per_step`
    plies; the pieces move in its last part, which is `motion` of a step long.
    """
    track_on = {
        square: Track(piece, square) for square, piece in enumerate(start, start=1) if piece != "."
    }
    all_tracks = list(track_on.values())
    for number, turn in enumerate(turns, start=1):
        step = ceil(number / plies_per_step)
        motion_start = step - motion
        move = turn.ply.move
        if turn.ply.huff is not None:
            track_on.pop(turn.ply.huff).fade = (motion_start - motion, motion_start)
        track = track_on.pop(move.route[0])
        legs = len(move.route) - 1
        for leg, square in enumerate(move.route[1:]):
            departure, arrival = (motion_start + motion * part / legs for part in (leg, leg + 1))
            track.stops.append(Stop(departure, arrival, square))
        for square in move.captures:
            track_on.pop(square).fade = (motion_start, step)
        track_on[track.end] = track
        if track.piece.islower() and turn.ply.pieces[track.end - 1].isupper() and not track.crowned:
            track.crowned = step
    return sorted(all_tracks, key=lambda track: track.fade[1] if track.fade else float("inf"))
