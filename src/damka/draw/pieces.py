"""The pieces of a drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from damka.draw import shapes
from damka.draw.colours import Disc, Palette
from damka.draw.shapes import Point, group
from damka.rules import Rules

__all__ = ["Discs", "HasBoard", "Position", "position_of", "start_pieces"]

_PIECES: Final = frozenset("wbWB.")


class Position(Protocol):
    """A position to draw: a `damka.Board`, or another object with rules and pieces."""

    @property
    def rules(self) -> Rules:
        """The rules, with the board and its colours."""

    @property
    def pieces(self) -> str:
        """One of "wbWB." for each square from 1."""


class HasBoard(Protocol):
    """An object with a board, such as a `damka.Game`."""

    @property
    def board(self) -> Position:
        """The position."""


def position_of(position: Rules | Position | HasBoard, pieces: object = None) -> tuple[Rules, str]:
    """Return the rules and the pieces of a position, or validate `pieces` for some rules.

    Raises ValueError for pieces that are not one of "wbWB." per square, and TypeError for other
    types.
    """
    if not isinstance(position, Rules):
        if pieces is not None:
            kind = type(position).__name__
            raise TypeError(f"pieces need rules; a {kind} has its own pieces")
        return position_of(*_rules_and_pieces(position))
    if not isinstance(pieces, str):
        kind = type(pieces).__name__
        raise TypeError(f"pieces must be a str with one of wbWB. per square, not {kind}")
    _check(position, pieces)
    return position, pieces


def _rules_and_pieces(position: Position | HasBoard) -> tuple[Rules, str]:
    board = getattr(position, "board", position)  # a game has a board
    rules, pieces = getattr(board, "rules", None), getattr(board, "pieces", None)
    if not isinstance(rules, Rules) or not isinstance(pieces, str):
        kind = type(position).__name__
        raise TypeError(f"expected a Board, or rules and pieces, not {kind}")
    return rules, pieces


def _check(rules: Rules, pieces: str) -> None:
    if len(pieces) != rules.square_count:
        raise ValueError(f"expected {rules.square_count} squares, not {len(pieces)}: {pieces!r}")
    if invalid := set(pieces) - _PIECES:
        raise ValueError(f'a square has one of "wbWB.", not {min(invalid)!r}')


def start_pieces(rules: Rules) -> str:
    """Return the start position of a rule set, one character per square.

    Raises TypeError for any other type.
    """
    argument: object = rules
    if not isinstance(argument, Rules):
        raise TypeError(f"only rules have a start position, not a {type(rules).__name__}")
    sides = (("b", rules.start_squares("B")), ("w", rules.start_squares("W")))
    men = {square: piece for piece, squares in sides for square in squares}
    return "".join(men.get(square, ".") for square in range(1, rules.square_count + 1))


class Discs:
    """Draws pieces in layers of discs of one colour, so that each colour is written only once.

    `centre` returns the centre of a square.
    """

    def __init__(
        self,
        centre: Callable[[int], Point],
        ink: Palette,
        *,
        shadow: bool,
        rim: int = shapes.RIM,
        crown: bool = False,
    ) -> None:
        self._centre = centre
        self._ink = ink
        self._shadow = shadow
        self._rim = rim
        self._crown = crown

    def draw(self, pieces: Mapping[int, str], *, lifted: bool = False) -> str:
        """Return the drawing of pieces by square; `lifted` above the board."""
        up = shapes.LIFT if lifted else 0
        kings = {square: piece for square, piece in pieces.items() if piece.isupper()}
        men = {square: piece for square, piece in pieces.items() if piece.islower()}
        single = dict.fromkeys(men, up)
        lower = dict.fromkeys(kings, up + shapes.KING_LOWER)
        upper = dict.fromkeys(kings, up + shapes.KING_UPPER)
        ground = single | lower
        return "".join(
            (
                self._lifted_shadows(ground) if lifted else self._shadows(ground),
                self._faces(pieces, single),
                self._faces(pieces, lower, inverted=True),
                self._shadows(upper),
                self._faces(pieces, upper),
                self._crowns(kings, upper) if self._crown else "",
            )
        )

    def _faces(
        self, pieces: Mapping[int, str], heights: Mapping[int, int], *, inverted: bool = False
    ) -> str:
        """Return discs; `inverted` exchanges face and rim."""

        def side(kinds: str, disc: Disc) -> str:
            squares = (square for square in heights if pieces[square] in kinds)
            return group(
                (self._circle(s, shapes.MAN_RADIUS, heights[s]) for s in squares),
                fill=disc.rim if inverted else disc.face,
                stroke=disc.face if inverted else disc.rim,
                stroke_width=self._rim,
            )

        return side("wW", self._ink.white) + side("bB", self._ink.black)

    def _shadows(self, heights: Mapping[int, int]) -> str:
        if not self._shadow:
            return ""
        radius, drop = shapes.SHADOW_RADIUS, shapes.SHADOW_DROP
        circles = (self._circle(square, radius, dy + drop) for square, dy in heights.items())
        return group(circles, fill_opacity=shapes.SHADOW_OPACITY)

    def _lifted_shadows(self, squares: Iterable[int]) -> str:
        radius, drop = shapes.LIFTED_SHADOW_RADIUS, shapes.LIFTED_SHADOW_DROP
        circles = (self._circle(square, radius, drop) for square in squares)
        return group(circles, fill_opacity=shapes.SHADOW_OPACITY)

    def _crowns(self, kings: Mapping[int, str], heights: Mapping[int, int]) -> str:
        crowns = []
        for square, piece in kings.items():
            x, y = self._centre(square)
            disc = self._ink.white if piece == "W" else self._ink.black
            crowns.append(shapes.crown(Point(x, y + heights[square]), disc.rim))
        return group(crowns)

    def _circle(self, square: int, radius: int, dy: int) -> str:
        return shapes.circle(self._centre(square), radius, dy)
