"""Moves that are played before the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damka.study.lessons.exercises.recipe import at_once
from damka.study.lessons.positions import hub

if TYPE_CHECKING:
    from random import Random

    from damka.move import Move
    from damka.study.lessons.exercises.recipe import Lead
    from damka.study.lessons.positions import Positions

__all__ = ["at_once", "offence", "repeating", "streak"]


def offence(at: Positions, rng: Random) -> tuple[str, ...] | None:
    """Return a quiet move of a side that had to capture."""
    if not any(move.is_capture for move in at.board.legal_moves):
        return None
    quiet = at.board.quiet_moves
    return (hub(rng.choice(quiet)),) if quiet else None


def streak(at: Positions, rng: Random) -> tuple[str, ...] | None:
    """Return moves of one king, as many as it may make, with replies."""
    played: list[str] = []
    square: int | None = None
    for _ in range(at.rules.king_streak):
        own = [move for move in _quiet_kings(at) if square in (None, move.start)]
        if not own:
            return None
        move = rng.choice(own)
        square = move.end
        at = at.after(hub(move))
        replies = [reply for reply in at.board.legal_moves if not reply.is_capture]
        if not replies:
            return None
        reply = rng.choice(replies)
        at = at.after(hub(reply))
        played += (hub(move), hub(reply))
    return None if at.drawn else tuple(played)


def repeating(times: int, *, opening: bool) -> Lead:
    """Return a lead of kings moving to and fro, after which a move makes the repetition.

    With `opening` the learner's king first comes from elsewhere, so that it is the learner's
    move, not the opponent's, which brings about the same position.
    """

    def lead(at: Positions, rng: Random) -> tuple[str, ...] | None:
        moves = _quiet_kings(at)
        if not moves:
            return None
        played: list[str] = []
        if opening:
            first = rng.choice(moves)
            played.append(hub(first))
            at = at.after(hub(first))
        else:
            # The learner's first move to and fro comes first.
            first = None
        cycle = _cycle(at, rng, first)
        if cycle is None:
            return None
        for index in range(4 * (times - 1) - (1 if opening else 0)):
            played.append(cycle[index % 4])
            if not _goes_on(at, played[-1]):
                return None
            at = at.after(played[-1])
        return tuple(played)

    return lead


def _goes_on(at: Positions, move: str) -> bool:
    try:
        after = at.after(move)
    except ValueError:
        return False
    return not after.drawn and after.winner is None


def _cycle(at: Positions, rng: Random, came: Move | None) -> list[str] | None:
    """Return four moves of kings after which the position is the same."""
    forth = [m for m in _quiet_kings(at) if came is None or m.end != came.start]
    if not forth:
        return None
    move = rng.choice(forth)
    after = at.after(hub(move))
    answers = _quiet_kings(after)
    if came is not None:
        # It does not go back to the square from which it came first.
        answers = [m for m in answers if m.start == came.end and m.end != came.start]
    if not answers:
        return None
    answer = rng.choice(answers)
    return [
        hub(move),
        hub(answer),
        f"{move.end}-{move.start}",
        f"{answer.end}-{answer.start}",
    ]


def _quiet_kings(at: Positions) -> list[Move]:
    return [m for m in at.board.legal_moves if m.is_king and not m.is_capture]
