"""Questions about a position, and their right answers by the rules.

A question takes a position and the square of a piece, and returns the right answers: moves in Hub
notation, of which each is right, or one number, or one tuple of squares. The kernel answers it when
a level is made, the reference rules when the level is verified. Other rules must give another
answer: then the level depends on the rule that it teaches.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from damka.study.lessons.positions import hub

if TYPE_CHECKING:
    from damka.study.lessons.positions import Asked, Played

__all__ = ["QUESTIONS", "Answers", "Question", "ask"]

Answers: TypeAlias = (
    "tuple[str, ...] | tuple[int, ...] | tuple[tuple[int, ...], ...] | tuple[tuple[str, ...], ...]"
)
Question: TypeAlias = "Callable[[Asked, int], Answers]"


def ask(question: str, at: Asked, piece: int = 0) -> Answers:
    """Return the right answers to a question; none if it makes no sense here."""
    return QUESTIONS[question](at, piece)


def _moves(at: Asked, fits: Callable[[Played], bool]) -> tuple[str, ...]:
    return tuple(sorted({hub(move) for move in at.legal if fits(move)}))


def _squares(squares: set[int]) -> tuple[tuple[int, ...], ...]:
    return (tuple(sorted(squares)),) if squares else ()


def _advance(at: Asked, piece: int) -> Answers:
    """Return the moves of the piece."""
    return _moves(at, lambda move: move.start == piece)


def _capture(at: Asked, _: int) -> Answers:
    """Return the moves that capture."""
    return _moves(at, lambda move: bool(move.captures))


def _crown(at: Asked, _: int) -> Answers:
    """Return the moves that make a king."""
    return _moves(at, lambda move: move.crowns)


def _land(at: Asked, piece: int) -> Answers:
    """Return the squares on which the piece can land."""
    return _squares({move.end for move in at.legal if move.start == piece})


def _capturers(at: Asked, _: int) -> Answers:
    """Return the pieces that may capture."""
    return _squares({move.start for move in at.legal if move.captures})


def _must(at: Asked, _: int) -> Answers:
    """Return the pieces that must capture."""
    if at.rules.obligation == "free":
        return ()
    return _capturers(at, 0)


def _allowed(at: Asked, _: int) -> Answers:
    """Return the moves that can be played, also at the risk of a huff."""
    offences = at.quiet if at.rules.obligation == "huff" else ()
    return tuple(sorted({hub(move) for move in (*at.legal, *offences)}))


def _movers(at: Asked, _: int) -> Answers:
    """Return the pieces that may move."""
    return _squares({move.start for move in at.legal})


def _most(at: Asked, piece: int) -> Answers:
    """Return the maximum number of pieces that the piece can take."""
    return (max((len(move.captures) for move in at.legal if move.start == piece), default=0),)


def _win(at: Asked, _: int) -> Answers:
    """Return the moves that win at once."""
    return _moves(at, lambda move: at.after(hub(move)).winner == at.turn)


def _win_soon(at: Asked, _: int) -> Answers:
    """Return the moves after which every reply can be answered by a win."""

    def wins(move: Played) -> bool:
        after = at.after(hub(move))
        replies = after.legal
        return bool(replies) and all(after.after(hub(reply)).winner == at.turn for reply in replies)

    return _moves(at, wins)


def _exchange(at: Asked, _: int) -> Answers:
    """Return the pairs of moves that give a piece, and then take at least one."""
    return _gifts(at, 1)


def _shot(at: Asked, _: int) -> Answers:
    """Return the pairs of moves that give a piece, and then take at least two."""
    return _gifts(at, 2)


def _gifts(at: Asked, least: int) -> tuple[tuple[str, ...], ...]:
    """Return the pairs of moves that give a piece, and then take at least so many."""
    found = []
    for move in at.legal:
        after = at.after(hub(move))
        replies = after.legal
        if move.captures or len(replies) != 1 or len(replies[0].captures) != 1:
            continue
        last = after.after(hub(replies[0])).legal
        found += [(hub(move), hub(capture)) for capture in last if len(capture.captures) >= least]
    return tuple(sorted(found))


def _draw(at: Asked, _: int) -> Answers:
    """Return the moves that make a draw by the rules."""
    return _moves(at, lambda move: at.after(hub(move)).drawn)


def _idle(at: Asked, _: int) -> Answers:
    """After how many moves by kings, without a capture, is it a draw?"""
    plain = at.rules.replace(
        repetition=0, same_move=0, move_limit=0, material_draws=(), king_streak=0
    )
    now = at.under(plain)
    first, second = _to_and_fro(now)
    if not first:
        return ()
    positions = [now]
    for move in itertools.islice(itertools.cycle((*first, *second)), MAX_IDLE):
        positions.append(positions[-1].after(move))
    plies = bisect.bisect_left(positions, True, key=lambda position: position.drawn)
    if plies == len(positions):
        return ()
    return (plies if plain.moves_by == "both" else plies // 2,)


MAX_IDLE: Final = 410


def _to_and_fro(at: Asked) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return moves by kings of both sides that can be made forth and back, or nothing."""
    for move in at.legal:
        forth = at.after(hub(move))
        for reply in forth.legal:
            if move.captures or reply.captures:
                continue
            back = (f"{move.end}-{move.start}", f"{reply.end}-{reply.start}")
            after = forth.after(hub(reply))
            if back[0] not in map(hub, after.legal):
                continue
            if back[1] in map(hub, after.after(back[0]).legal):
                return (hub(move), hub(reply)), back
    return (), ()


def _huff(at: Asked, _: int) -> Answers:
    """Return the pieces that may be huffed."""
    return at.huffable


QUESTIONS: Final[Mapping[str, Question]] = MappingProxyType(
    {
        "advance": _advance,
        "capture": _capture,
        "crown": _crown,
        "land": _land,
        "capturers": _capturers,
        "must": _must,
        "allowed": _allowed,
        "movers": _movers,
        "most": _most,
        "win": _win,
        "win_soon": _win_soon,
        "exchange": _exchange,
        "shot": _shot,
        "draw": _draw,
        "idle": _idle,
        "huff": _huff,
    }
)
"""The questions by name."""
