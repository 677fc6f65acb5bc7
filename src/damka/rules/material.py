"""Draws by the remaining material."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

__all__ = ["Force", "MaterialDraw"]

ANY: Final = (0, 72)


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Force:
    """The material of one side: ranges of the number of men, kings and all pieces."""

    men: tuple[int, int] = ANY
    kings: tuple[int, int] = ANY
    pieces: tuple[int, int] = ANY

    def fits(self, men: int, kings: int) -> bool:
        """Return whether a side with these numbers of men and kings matches."""
        pairs = (self.men, men), (self.kings, kings), (self.pieces, men + kings)
        return all(low <= n <= high for (low, high), n in pairs)


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class MaterialDraw:
    """A condition that makes a draw after some moves.

    See `material_draws` on the page docs/rules/parameters.md of the documentation.
    """

    moves: int
    """Moves of each side; 0 for an immediate draw."""
    strong: Force = Force()
    weak: Force = Force()
    pieces: tuple[int, int] = ANY
    """The range of the number of all pieces on the board."""
    main_road: bool = False
    """Whether the weak side's only king must be on a diagonal between two corners."""
    strong_main_road: bool = False
    """Whether a king of the strong side must be on such a diagonal."""
    unchanged: bool = False

    def weak_sides(
        self, white: tuple[int, int], black: tuple[int, int]
    ) -> tuple[Literal["W", "B"], ...]:
        """Return the possible weak sides, by the (men, kings) of White and Black."""
        low, high = self.pieces
        if not low <= sum(white) + sum(black) <= high:
            return ()
        sides: tuple[tuple[Literal["W", "B"], tuple[int, int], tuple[int, int]], ...]
        sides = ("W", white, black), ("B", black, white)
        return tuple(
            side for side, own, other in sides if self.weak.fits(*own) and self.strong.fits(*other)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as a table of a rule set, without defaults."""
        table: dict[str, Any] = {"moves": self.moves}
        for name in ("strong", "weak"):
            force = getattr(self, name)
            ranges = {
                key: list(value)
                for key in ("men", "kings", "pieces")
                if (value := getattr(force, key)) != ANY
            }
            if ranges:
                table[name] = ranges
        if self.pieces != ANY:
            table["pieces"] = list(self.pieces)
        for name in ("main_road", "strong_main_road", "unchanged"):
            if getattr(self, name):
                table[name] = True
        return table
