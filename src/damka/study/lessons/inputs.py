"""The answers between which a learner who knows nothing would choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.study.lessons.sketch import lines

if TYPE_CHECKING:
    from damka.study.lessons.level import Goal
    from damka.study.lessons.positions import Asked
    from damka.study.lessons.questions import Answers

__all__ = ["chance", "moves", "squares"]


def chance(at: Asked, goal: Goal, right: Answers) -> float:
    """Return the chance of a random answer among those that a learner may give."""
    if goal.kind == "count":
        return 1 / len(goal.options)
    if goal.kind == "huff":
        # One of the opponent's pieces, or none.
        return len(right) / (len(squares(at, goal)) + 1)
    if goal.kind in ("select", "land"):
        return 1 / ((1 << len(squares(at, goal))) - 1)
    possible = moves(at)
    ends = {tuple(map(int, move.replace("x", "-").split("-")[:2])) for move in map(str, right)}
    return len(ends) / len(possible | ends)


def squares(at: Asked, goal: Goal) -> set[int]:
    """Return the squares between which to choose."""
    own = at.turn.lower() + at.turn
    if goal.asks in ("taken", "huff"):
        return {s for s, piece in enumerate(at.pieces, 1) if piece not in f".{own}"}
    if goal.kind == "select":
        return {s for s, piece in enumerate(at.pieces, 1) if piece in own}
    near = {s for ray in lines(at.rules, "diagonal+orthogonal")[goal.piece] for s in ray[:3]}
    return {s for s in near if at.pieces[s - 1] == "."}


def moves(at: Asked) -> set[tuple[int, int]]:
    """Return moves, by their ends, that look possible to who does not know the rules.

    They are steps to each empty square beside a piece, jumps over each piece beside it, and all
    moves that the rules allow, or would allow if capturing were optional.
    """
    possible = {(move.start, move.end) for move in (*at.legal, *at.quiet)}
    own = at.turn.lower() + at.turn
    rays = lines(at.rules, "diagonal+orthogonal" if at.rules.squares == "all" else "diagonal")
    for square, piece in enumerate(at.pieces, 1):
        if piece not in own:
            continue
        for ray in rays[square]:
            if at.pieces[ray[0] - 1] == ".":
                possible.add((square, ray[0]))
            elif at.pieces[ray[0] - 1] not in own and len(ray) > 1 and at.pieces[ray[1] - 1] == ".":
                possible.add((square, ray[1]))
    return possible
