"""Search with a clock, pondering, several threads and several lines."""

from __future__ import annotations

import threading

import pytest

from damka import Board
from damka.engine import Clock, Engine, Stop
from damka.engine.signature import parts

SIGNATURE = 759_007


@pytest.mark.parametrize("remaining", [0.0, 0.005, 0.03, 1.0, 60.0, 7200.0])
@pytest.mark.parametrize("increment", [0.0, 0.1, 5.0])
@pytest.mark.parametrize("moves", [None, 1, 7, 200])
def test_a_budget_never_runs_the_clock_out(
    remaining: float, increment: float, moves: int | None
) -> None:
    target, limit = Clock(remaining, increment, moves).budget()
    assert 0 < target <= limit
    assert limit <= max(remaining, 0.001)


@pytest.mark.parametrize("remaining", [1.0, 1.5, 60.0, 7200.0])
@pytest.mark.parametrize("increment", [0.0, 0.1, 5.0])
@pytest.mark.parametrize("moves", [None, 11, 40])
@pytest.mark.parametrize("increment_first", [False, True])
def test_a_move_takes_at_most_a_tenth_of_the_time_and_the_increment(
    remaining: float, increment: float, moves: int | None, increment_first: bool
) -> None:
    """With ten or fewer moves before a time control a move may take more."""
    clock = Clock(remaining, increment, moves, increment_first=increment_first)
    assert clock.budget().limit <= remaining / 10 + increment
    assert Clock(60.0, moves=10).budget().limit > 6.0


def test_an_increment_before_the_move_can_be_used() -> None:
    """Only the increment is left, as after spending it on every move."""
    assert Clock(0.0, 10.0).budget().limit < 0.01
    target, limit = Clock(0.0, 10.0, increment_first=True).budget()
    assert 5 < target <= limit < 10


def test_more_time_and_an_increment_give_longer_moves() -> None:
    assert Clock(120).budget().target > 1.5 * Clock(60).budget().target
    assert Clock(60, increment=2).budget().target > Clock(60).budget().target + 1.5
    assert Clock(60, moves=2).budget().target > Clock(60, moves=20).budget().target


def test_a_clock_lasts_a_long_game() -> None:
    left, moves = 60.0, 0
    while moves < 150:
        left -= Clock(left).budget().target
        moves += 1
    assert left > 0.1


@pytest.mark.parametrize("wrong", [{"remaining": -1.0}, {"remaining": 1.0, "increment": -1.0}])
def test_an_invalid_clock_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        Clock(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="moves"):
        Clock(1.0, moves=0)


def test_the_clock_ends_the_search() -> None:
    analysis = Engine(hash_mb=4).search(Board("dama100"), clock=Clock(6.0))
    assert analysis.move is not None
    assert analysis.seconds < 6.0


def test_an_only_move_takes_no_time() -> None:
    board = Board("american", "W:W22,32:B18,1")
    assert len(board.legal_moves) == 1
    analysis = Engine(hash_mb=4).search(board, clock=Clock(3600.0))
    assert analysis.move == board.legal_moves[0]
    assert analysis.seconds < 5


@pytest.mark.threads
def test_pondering_ends_after_the_time_given_to_its_stop() -> None:
    engine, stop = Engine(hash_mb=4), Stop()
    timer = threading.Timer(0.1, lambda: stop.give(0.05, 0.1))
    timer.start()
    analysis = engine.search(Board("dama100"), stop=stop)
    timer.join()
    assert analysis.move is not None
    assert analysis.seconds >= 0.1
    stop.clear()
    assert engine.search(Board("dama100"), depth=4, stop=stop).depth == 4
    with pytest.raises(ValueError, match="more than 0"):
        stop.give(0, 1)


def test_several_lines_are_searched() -> None:
    board = Board("dama100")
    analysis = Engine(hash_mb=4).search(board, depth=6, multi_pv=3)
    lines = [(analysis.score, analysis.move), *((v.score, v.move) for v in analysis.others)]
    assert len({move for _, move in lines}) == 3
    scores = [score for score, _ in lines]
    assert scores == sorted(scores, reverse=True)
    for variation in analysis.others:
        line = board.copy()
        for move in variation.pv:
            line.push(move)


def test_there_are_at_most_as_many_lines_as_moves() -> None:
    board = Board("american")
    analysis = Engine(hash_mb=1).search(board, depth=3, multi_pv=100)
    assert len(analysis.others) == len(board.legal_moves) - 1
    with pytest.raises(ValueError, match="multi_pv"):
        Engine(hash_mb=1).search(board, depth=3, multi_pv=0)


def test_threads_find_the_same_win() -> None:
    board = Board("dama100", "W:WK6,K17,K26,21,9:BK46")
    assert Engine(hash_mb=4).search(board, depth=7).mate == 5
    assert Engine(hash_mb=4, threads=3).search(board, depth=7).mate == 5
    with pytest.raises(ValueError, match="threads"):
        Engine(threads=0)


def test_threads_share_the_limit() -> None:
    analysis = Engine(hash_mb=4, threads=3).search(Board("dama100"), nodes=30_000)
    assert analysis.move in Board("dama100").legal_moves
    assert analysis.nodes <= 30_000


def test_the_signature_is_pinned() -> None:
    """A commit that changes the engine's play updates this number and mentions it."""
    assert sum(part.nodes for part in parts()) == SIGNATURE
