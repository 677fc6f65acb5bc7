"""The answers between which a learner who knows nothing would choose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from damka.study.lessons.sketch import lines

if TYPE_CHECKING:
    from collections.abc import Collection

    from damka.study.lessons.goal import Goal
    from damka.study.lessons.positions import Asked

__all__ = ["chance", "move_ends", "moves", "squares"]


def chance(at: Asked, goal: Goal, right: Collection[object]) -> float:
    """Return the chance of a random answer among those that a learner may give."""
    if goal.kind == "count":
        return 1 / len(goal.options)
    if goal.kind == "huff":
        # One of the opponent's pieces, or none.
        return len(right) / (len(squares(at, goal)) + 1)
    if goal.kind in ("select", "land"):
        # The luckiest guess: one that knows how many squares are right.
        (chosen,) = cast("Collection[tuple[int, ...]]", right)
        return 1 / math.comb(len(squares(at, goal) | {*chosen}), len(chosen))
    possible = moves(at)
    found = set()
    for answer in right:
        move = str(answer[0] if isinstance(answer, tuple) else answer)
        start, end, *taken = map(int, move.replace("x", "-").split("-"))
        found.add((start, end))
        # The first jump of a chain is enough to choose it.
        found |= {ends for ends, over in possible.items() if ends[0] == start and over in taken}
    return len(found) / len(possible.keys() | found)


def move_ends(move: str) -> tuple[int, int]:
    """Return where a move in Hub notation starts and ends."""
    start, end = move.replace("x", "-").split("-")[:2]
    return int(start), int(end)


def squares(at: Asked, goal: Goal) -> set[int]:
    """Return the squares between which to choose."""
    own = at.turn.lower() + at.turn
    if goal.kind == "huff":
        return {s for s, piece in enumerate(at.pieces, 1) if piece not in f".{own}"}
    if goal.kind == "select":
        return {s for s, piece in enumerate(at.pieces, 1) if piece in own}
    near = {s for ray in lines(at.rules, "diagonal+orthogonal")[goal.piece] for s in ray[:3]}
    return {s for s in near if at.pieces[s - 1] == "."}


def moves(at: Asked) -> dict[tuple[int, int], int]:
    """Return moves, by their ends, that look possible to a beginner.

    They are steps to each empty square beside a piece, jumps over each piece beside it, with the
    square of that piece, and all moves that the rules allow, or would if capturing were optional.
    """
    possible = {(move.start, move.end): 0 for move in (*at.legal, *at.quiet)}
    own = at.turn.lower() + at.turn
    rays = lines(at.rules, "diagonal+orthogonal" if at.rules.squares == "all" else "diagonal")
    for square, piece in enumerate(at.pieces, 1):
        if piece not in own:
            continue
        for ray in rays[square]:
            if at.pieces[ray[0] - 1] == ".":
                possible.setdefault((square, ray[0]), 0)
            elif at.pieces[ray[0] - 1] not in own and len(ray) > 1 and at.pieces[ray[1] - 1] == ".":
                possible[square, ray[1]] = ray[0]
    return possible
