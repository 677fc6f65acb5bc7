"""The Bulgarian box: three kings against one always win, proved for all positions.

The endings of up to three white kings against a black one are solved by retrograde analysis. Any
capture wins for White, because Black has only one piece. With Black to move, a position is lost if
every move leads to a position that White, to move, wins; with White to move, it is won if a move
leads to a position that Black has lost. The moves are the kernel's.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from damka import Board
from damka.rules import Side, load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damka import Move

RULES = load("dama64")
SQUARES = range(1, RULES.square_count + 1)
EMPTY = Board(RULES, "W:W:B")

Place = tuple[tuple[int, ...], int]
"""The squares of White's kings, ascending, and that of Black's."""


def images(cell: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield a cell and its images under the board's symmetries."""
    row, column = cell
    yield from ((row, column), (column, row), (7 - row, 7 - column), (7 - column, 7 - row))


# The square of every square's image, for each of the four symmetries
TURNS = [
    {square: RULES.square_at(*image) or 0 for square, image in zip(SQUARES, turned, strict=True)}
    for turned in zip(*(images(RULES.cell(square)) for square in SQUARES), strict=True)
]
CANONICAL: dict[Place, Place] = {}


def canonical(whites: tuple[int, ...], black: int) -> Place:
    """Return the smallest image of a position. All are equivalent: kings move in any direction."""
    place = (tuple(sorted(whites)), black)
    if place not in CANONICAL:
        turned = [(tuple(sorted([t[w] for w in whites])), t[black]) for t in TURNS]
        CANONICAL[place] = min(turned)
    return CANONICAL[place]


def after(place: Place, turn: Side) -> set[Place] | None:
    """Return the positions after each move of a side; None if a move captures the last piece."""
    whites, black = place
    pieces = ["."] * RULES.square_count
    for square in whites:
        pieces[square - 1] = "W"
    pieces[black - 1] = "B"
    reached = set()
    for move in EMPTY.with_pieces("".join(pieces), turn).legal_moves:
        if turn == "W":
            if move.is_capture:
                return None
            moved = tuple(move.end if w == move.start else w for w in whites)
            reached.add(canonical(moved, black))
        else:
            left = tuple(w for w in whites if w not in move.captures)
            if not left:
                return None
            reached.add(canonical(left, move.end))
    return reached


class Ending:
    """The graph of an ending: positions in which White captures, and predecessors of positions."""

    def __init__(self, all_places: set[Place]) -> None:
        self.taking: list[Place] = []
        self.white_from: dict[Place, list[Place]] = defaultdict(list)
        self.black_from: dict[Place, list[Place]] = defaultdict(list)
        self.black_moves: dict[Place, int] = {}
        for place in all_places:
            reached = after(place, "W")
            if reached is None:
                self.taking.append(place)
            for there in reached or ():
                self.white_from[there].append(place)
            reached = after(place, "B")
            if reached is not None:
                self.black_moves[place] = len(reached)
            for there in reached or ():
                self.black_from[there].append(place)

    def solve(self) -> dict[Place, int]:
        """Return the positions that White, to move, wins, with the number of plies to the win."""
        not_lost = dict(self.black_moves)
        just_lost = [place for place, moves in not_lost.items() if moves == 0]
        plies, just_won = 1, list(self.taking)
        won = dict.fromkeys(just_won, plies)
        while just_won or just_lost:
            # Positions with White to move whose successor is lost for Black.
            for before in (place for lost in just_lost for place in self.white_from[lost]):
                if before not in won:
                    won[before] = plies
                    just_won.append(before)
            just_lost = []
            for before in (place for there in just_won for place in self.black_from[there]):
                not_lost[before] -= 1
                if not_lost[before] == 0:
                    just_lost.append(before)
            just_won = []
            plies += 2
        return won


@functools.cache
def places(kings: int) -> set[Place]:
    return {
        canonical(whites, black)
        for whites in combinations(SQUARES, kings)
        for black in SQUARES
        if black not in whites
    }


@pytest.fixture(scope="module")
def won() -> dict[Place, int]:
    """Every position of up to three kings against one that White, to move, wins."""
    return Ending(places(1) | places(2) | places(3)).solve()


def test_three_kings_to_move_always_win_in_at_most_fourteen_plies(won: dict[Place, int]) -> None:
    plies = [won.get(place, 99) for place in places(3)]
    assert len(plies) == 36198
    assert max(plies) <= 14
    # The exact maximum is nine.
    assert max(plies) == 9


def test_the_proof_finds_no_false_wins(won: dict[Place, int]) -> None:
    # One king rarely wins, and two kings do not always win.
    assert sum(place in won for place in places(1)) == 62
    assert sum(place not in won for place in places(2)) == 11


@pytest.mark.parametrize("plies", [1, 3, 5])
def test_the_proof_agrees_with_a_search(won: dict[Place, int], plies: int) -> None:
    for place in sorted(place for place in places(3) if won[place] == plies)[::1500]:
        whites, black = place
        board = Board(RULES, f"W:W{','.join(f'K{w}' for w in whites)}:BK{black}")
        assert wins(board, plies)
        assert not wins(board, plies - 2)


def wins(board: Board, plies: int) -> bool:
    """Return whether White wins within this many plies, by exhaustive search."""
    moves = board.legal_moves
    if board.turn == "B" and not moves:
        return True
    if plies <= 0 or not moves:
        return False
    outcomes = (_after_push(board, move, plies) for move in moves)
    return all(outcomes) if board.turn == "B" else any(outcomes)


def _after_push(board: Board, move: Move, plies: int) -> bool:
    board.push(move)
    won = wins(board, plies - 1)
    board.pop()
    return won
