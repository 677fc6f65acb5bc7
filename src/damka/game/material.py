"""Draws that depend on what is left: which conditions a position fulfils, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka.move import Move
    from damka.rules import MaterialDraw, Rules, Side

__all__ = ["Counts", "counts_after", "counts_anew", "fulfils", "nearest"]

_OTHER: Final[Mapping[Side, Side]] = {"W": "B", "B": "W"}

Counts = tuple[int | None, ...]
"""One count for each of the rules' material draws: plies, or None where it is not fulfilled."""


def fulfils(rules: Rules, draw: MaterialDraw, pieces: str) -> bool:
    """Say whether a position with these pieces fulfils the condition of a draw."""
    white, black = ((pieces.count(side.lower()), pieces.count(side)) for side in "WB")
    weak_sides = draw.weak_sides(white, black)
    return any(
        (not draw.main_road or (pieces.count(weak) == 1 and _is_on_main_road(rules, pieces, weak)))
        and (not draw.strong_main_road or _is_on_main_road(rules, pieces, _OTHER[weak]))
        for weak in weak_sides
    )


def counts_anew(rules: Rules, pieces: str) -> Counts:
    """Return the counts of a position at which everything begins to count."""
    return tuple(0 if fulfils(rules, draw, pieces) else None for draw in rules.material_draws)


def counts_after(rules: Rules, before: Counts, move: Move, pieces: str) -> Counts:
    """Return the counts after a move to a position with these pieces."""
    counts = counts_anew(rules, pieces)
    if move.is_capture:
        return counts
    return tuple(
        now if now is None or count is None or (draw.unchanged and move.crowns) else count + 1
        for draw, count, now in zip(rules.material_draws, before, counts, strict=True)
    )


def nearest(rules: Rules, counts: Counts) -> tuple[int, int] | None:
    """Return the count and the limit, in plies, of the condition that draws first, if any.

    One that draws at once has nothing to count and is passed over.
    """
    running = [
        (count, 2 * draw.moves)
        for draw, count in zip(rules.material_draws, counts, strict=True)
        if count is not None and draw.moves
    ]
    return min(running, key=lambda pair: (pair[1] - pair[0], -pair[1]), default=None)


def _is_on_main_road(rules: Rules, pieces: str, side: Side) -> bool:
    """Say whether a king of a side stands on a diagonal that joins two corners."""
    if rules.width != rules.height:
        return False
    cells = (rules.cell(square) for square, piece in enumerate(pieces, 1) if piece == side)
    return any(column in (row, rules.width - 1 - row) for row, column in cells)
