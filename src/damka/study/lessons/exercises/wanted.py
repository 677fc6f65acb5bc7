"""What a position must have for a level."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any

from damka.study.lessons.positions import hub
from damka.study.lessons.questions import ask
from damka.study.lessons.sketch import lines

if TYPE_CHECKING:
    from damka.move import Move
    from damka.study.lessons.exercises.recipe import Wants
    from damka.study.lessons.positions import Positions
    from damka.study.lessons.questions import Answers

__all__ = [
    "all_of",
    "answers",
    "captures",
    "enemies",
    "first",
    "has_protected",
    "is_ahead",
    "is_capturer",
    "is_exchange",
    "is_free",
    "is_shot",
    "lengths",
    "must_choose_landing",
    "starts",
]


def all_of(*wants: Wants) -> Wants:
    """Return a condition that joins others."""
    return lambda at, piece: all(want(at, piece) for want in wants)


def captures(at: Positions) -> list[Move]:
    """Return the legal captures."""
    return [move for move in at.board.legal_moves if move.is_capture]


def is_capturer(at: Positions, piece: int) -> bool:
    """Whether this piece can capture, or without one any piece."""
    return any(piece in (0, move.start) for move in captures(at))


def lengths(at: Positions) -> set[int]:
    """Return how many pieces the captures take."""
    return {len(move.captures) for move in at.legal if move.captures}


def starts(at: Positions) -> set[int]:
    """Return the squares of the pieces that may move."""
    return {move.start for move in at.legal}


def enemies(at: Positions) -> int:
    """Return the number of the opponent's pieces."""
    return at.pieces.count("b") + at.pieces.count("B")


def answers(at: Positions, question: str, piece: int = 0) -> Answers:
    """Return the right answers to a question."""
    return ask(question, at, piece)


def first(at: Positions, question: str, piece: int, default: Any = ()) -> Any:
    """Return the answer to a question, or the first of them."""
    return next(iter(ask(question, at, piece)), default)


def is_free(at: Positions, piece: int) -> bool:
    """Whether a man in the middle of the board has every move that it could have."""
    row, column = at.rules.cell(piece)
    everywhere = {"diagonal": 2, "orthogonal": 3, "diagonal+orthogonal": 5}
    inside = 1 < row < at.rules.height - 2 and 0 < column < at.rules.width - 1
    ends = [move for move in at.legal if move.start == piece]
    return inside and len(ends) == everywhere[at.rules.move_lines]


def is_ahead(at: Positions) -> bool:
    """Whether every capture goes forward, the way that all men capture."""
    return all(
        at.rules.cell(move.end)[0] < at.rules.cell(move.start)[0]
        and abs(at.rules.cell(move.end)[0] - at.rules.cell(move.start)[0]) == 2
        for move in at.legal
    )


def has_protected(at: Positions, _: int) -> bool:
    """Whether a man could capture forward another piece, were the square behind it empty."""
    rules = at.rules
    for square, piece in enumerate(at.pieces, 1):
        if piece != "w":
            continue
        row, column = rules.cell(square)
        for right in (-1, 0, 1):
            over = rules.square_at(row - 1, column + right)
            behind = rules.square_at(row - 2, column + 2 * right)
            if over and behind and {at.pieces[over - 1], at.pieces[behind - 1]} <= {"b", "B"}:
                return True
    return False


def is_shot(at: Positions, _: int) -> bool:
    """Whether only one move is a gift that gains, and another one loses a piece."""
    gains = _gains_of_gift(at, "shot")
    lost = _other_gifts(at, "shot")
    return bool(gains) and 1 not in gains and bool(lost) and all(n >= back for n, back in lost)


def is_exchange(at: Positions, _: int) -> bool:
    """Whether only one move gives a piece for another one, and the opponent has more pieces."""
    lost = _other_gifts(at, "exchange")
    return (
        _gains_of_gift(at, "exchange") == {1}
        and enemies(at) > 1
        and all(given > back for given, back in lost)
    )


def _gains_of_gift(at: Positions, question: str) -> set[int]:
    """Return how many pieces the only right gift can gain; none if it is not the only one."""
    right = {line[0] for line in answers(at, question) if isinstance(line, tuple)}
    if captures(at) or len(right) != 1:
        return set()
    after = at.after(str(*right))
    return lengths(after.after(*map(hub, after.legal)))


def _other_gifts(at: Positions, question: str) -> list[tuple[int, int]]:
    """Return how many pieces each wrong gift loses, and the most that can be taken back."""
    right = {line[0] for line in answers(at, question) if isinstance(line, tuple)}
    others = [at.after(hub(move)) for move in at.legal if hub(move) not in right]
    return [
        (len(move.captures), max(lengths(after.after(hub(move))), default=0))
        for after in others
        for move in captures(after)
    ]


def must_choose_landing(at: Positions, _: int) -> bool:
    """Whether behind the first piece taken there is an empty square where the king may not stop."""
    king = at.pieces.find("W") + 1
    found = captures(at)
    if at.pieces.count("W") != 1 or {move.start for move in found} != {king}:
        return False
    routes = [route for move in found for route in at.board.routes(move)]
    if {len(route) for route in routes} != {3}:
        return False
    landings = {route[1] for route in routes}
    for ray in lines(at.rules, at.rules.capture_lines)[king]:
        if landings <= {*ray}:
            over = [s for s in ray[: ray.index(min(landings, key=ray.index))] if at.at(s) != "."]
            free = list(takewhile(lambda s: at.at(s) == ".", ray[ray.index(over[0]) + 1 :]))
            return len(over) == 1 and len(landings) < len(free)
    return False
