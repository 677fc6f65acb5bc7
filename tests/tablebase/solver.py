"""A simple solver of endings with boards, for comparison with the tables."""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import combinations, product
from typing import TYPE_CHECKING

from damka import Board

if TYPE_CHECKING:
    from collections.abc import Iterable

    from damka.rules import Rules, Side

# Pieces, side to move and king streaks
Key = tuple[str, str, tuple[tuple[int, int], ...]]


def key_of(board: Board) -> Key:
    return board.pieces, board.turn, board.streaks


def placements(rules: Rules, kinds: str) -> Iterable[str]:
    """Yield the ways to place pieces such as "WWb", with no man on its crowning row."""
    squares = rules.square_count
    row = squares // rules.height
    for chosen in combinations(range(squares), len(kinds)):
        for pieces in set(_arrangements(kinds)):
            crowned = any(
                (piece == "w" and at < row) or (piece == "b" and at >= squares - row)
                for at, piece in zip(chosen, pieces, strict=True)
            )
            if not crowned:
                text = ["."] * squares
                for at, piece in zip(chosen, pieces, strict=True):
                    text[at] = piece
                yield "".join(text)


def _arrangements(kinds: str) -> Iterable[tuple[str, ...]]:
    if not kinds:
        yield ()
    for i, kind in enumerate(kinds):
        for rest in _arrangements(kinds[:i] + kinds[i + 1 :]):
            yield (kind, *rest)


def kinds_of(pieces: int) -> list[str]:
    """Return the materials of this many pieces with both sides present."""
    found = {"".join(sorted(p)) for p in product("wWbB", repeat=pieces)}
    return sorted(k for k in found if set(k) & set("wW") and set(k) & set("bB"))


def solve(rules: Rules, kinds: Iterable[str]) -> tuple[dict[Key, Board], dict[Key, int]]:
    """Return the boards with these pieces, either side to move, and their plies to the end.

    Drawn positions are omitted from the latter. The winner takes the shortest way; an even number
    means that the side to move has no moves at the end (a loss, unless the objective is to lose).
    """
    sides: tuple[Side, Side] = ("W", "B")
    start = Board(rules)
    initial = [
        start.with_pieces(pieces, turn)
        for kind in kinds
        for pieces in placements(rules, kind)
        for turn in sides
    ]
    requested = {key_of(board) for board in initial}
    todo = deque(initial)
    children: dict[Key, list[Key]] = {}
    parents: dict[Key, list[Key]] = defaultdict(list)
    boards = {key_of(board): board for board in initial}
    while todo:
        board = todo.popleft()
        key = key_of(board)
        children[key] = []
        for move in board.legal_moves:
            board.push(move)
            child = key_of(board)
            children[key].append(child)
            parents[child].append(key)
            if child not in boards:
                boards[child] = board.copy()
                todo.append(boards[child])
            board.pop()
    plies = _distances(rules, children, parents)
    return {key: boards[key] for key in requested}, plies


def _distances(
    rules: Rules, children: dict[Key, list[Key]], parents: dict[Key, list[Key]]
) -> dict[Key, int]:
    losing = rules.objective == "losing"
    plies = {key: 0 for key, after in children.items() if not after}
    fresh = list(plies)
    n = 0
    while fresh:
        n += 1
        # The parity of n decides whether the side to move n plies before the end wins or loses.
        wins = (n % 2 == 1) != losing
        found = []
        for key in {parent for child in fresh for parent in parents[child]}:
            after = children[key]
            if key not in plies and (wins or all(child in plies for child in after)):
                found.append(key)
        plies.update(dict.fromkeys(found, n))
        fresh = found
    return plies
