"""Positions and games as SVG pictures.

`board` draws a position, `mini` a miniature; `replay` draws an animated game, `game` a page of
diagrams, and `frames` a sequence of pictures.

The rulebooks, the page's cards and notebooks use these functions; the page's board draws the same
shapes. The dimensions, with squares of 100 units:

=====================  ===========================================================================
man                    a disc of radius 36 in the face's colour, with a rim of 5 in the rim's
                       colour (half of it outside: 38.5 in all), centred on its square; the rim is
                       darkened or lightened until it contrasts with the face, and with the square
                       if the face does not
shadow                 a disc of radius 37, black at 0.2, 4 below the man's centre; flat, no filter
king                   two men, each with its shadow: one 10 below the centre, with face and rim
                       exchanged, one 9 above it; smooth, nothing on top (an option adds a crown)
selected piece         lifted: drawn 6 higher, its shadow of radius 40 and 10 below the centre
captured, not removed  opacity 0.35
number                 size 15, its baseline 16 below and 5 right of the square's top-left corner
letters and digits     size 24, in a frame of 36 around the board: letters below, digits at the left
lines                  3 wide between the squares, if all squares are playing squares
last move              its squares tinted with #ffe08a at 0.24, and ticks of 14, line 4, in the
                       three corners that have no number
must capture           a ring of radius 46, line 6, #f0b429
may be huffed          the same ring in white with dashes of 18.9 and gaps of 10, #e2553a
target                 a dot of radius 18, white, with an edge of 3 in ink at 0.5
branch of a chain      a ring of radius 18, line 8, white, with the same edge
refused square         an outline 5 inside the square, open where the number is, line 6,
                       #e2553a, cased in white
forbidden square       a cross with arms of 15, #e2553a, cased in white
arrow                  a white line of 10 with a head 30 long and 34 wide, edged in ink; a
                       forbidden one is dashed, #e2553a, edged in white
=====================  ===========================================================================

From bottom to top: squares, last move, lines, numbers, pieces, rings, arrows, dots, crosses,
outlines.

A drawing is self-contained: it has no ids, classes, styles or scripts, so a page can contain any
number of boards under a strict content security policy. A replay uses SVG animation (SMIL).
"""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.draw.colours import THEMES
from damka.draw.diagrams import PRINTED, game
from damka.draw.marks import Arrow, Marks, Style
from damka.draw.pieces import HasBoard, Position, start_pieces
from damka.draw.position import board, mini
from damka.draw.replay import frames, replay

__all__ = [
    "PRINTED",
    "THEMES",
    "Arrow",
    "HasBoard",
    "Marks",
    "Position",
    "Style",
    "board",
    "frames",
    "game",
    "mini",
    "replay",
    "start_pieces",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(__name__, {"Shown": "HasBoard"})
