"""Boards in concurrent threads, with and without Python's global interpreter lock."""

from __future__ import annotations

import random
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator

import pytest

from damka import Board
from damka.errors import IllegalMoveError

THREADS = 6
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
RULES = ("american", "international", "dama100", "canadian", "turkish")


@pytest.fixture(autouse=True)
def switch_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def run_concurrently(work: Callable[[int], None], threads: int = THREADS) -> None:
    """Run work(number) in concurrent threads; re-raise the first error."""
    gate = threading.Barrier(threads)
    failures: list[BaseException] = []

    def run(number: int) -> None:
        try:
            gate.wait(30)
            work(number)
        except BaseException as error:
            failures.append(error)

    started = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join(120)
        assert not thread.is_alive()
    if failures:
        raise failures[0]


def played(name: str, seed: int, plies: int = 150) -> tuple[str, ...]:
    """Play a random game; return the FENs of its positions."""
    rng = random.Random(seed)
    board = Board(name)
    fens = [board.fen]
    while not board.is_over and len(fens) < plies:
        board.push(rng.choice(board.legal_moves))
        fens.append(board.fen)
    return tuple(fens)


def replayed(board: Board) -> Board:
    again = board.root()
    for step in board.steps:
        if isinstance(step, int):
            again.huff(step)
        else:
            again.push_unchecked(step)
    return again


def test_the_kernel_does_not_enable_the_global_lock() -> None:
    if not FREE_THREADED:
        pytest.skip("this Python has the global lock")
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined,unused-ignore]


@pytest.mark.parametrize("name", RULES)
def test_separate_boards_in_threads_do_not_interfere(name: str) -> None:
    expected = [played(name, seed) for seed in range(3)]
    games: dict[int, tuple[str, ...]] = {}

    def work(number: int) -> None:
        games[number] = played(name, number % 3)

    run_concurrently(work)
    assert all(games[number] == expected[number % 3] for number in range(THREADS))


@pytest.mark.native
@pytest.mark.parametrize("name", RULES)
def test_a_board_shared_by_threads_stays_consistent(name: str) -> None:
    """A thread may see an outdated state, but always a consistent one."""
    board = Board(name)

    def work(number: int) -> None:
        rng = random.Random(number)
        for _ in range(120):
            moves = board.legal_moves
            try:
                if moves and rng.random() < 0.6:
                    board.push(rng.choice(moves))
                else:
                    board.pop()
            except (IllegalMoveError, IndexError):
                pass  # another thread changed the board first
            copy = board.copy()
            assert copy == replayed(copy)
            assert copy.key == replayed(copy).key
            assert copy.result == replayed(copy).result
            assert len(copy.pieces) == copy.square_count
            assert board == board  # noqa: PLR0124  two locks of one board
            assert len(copy.stack) == copy.move_count
            assert board.perft(1) >= 0

    run_concurrently(work)
    assert replayed(board) == board
    assert board.legal_moves == replayed(board).legal_moves


def run_at_once(imports: str, work: str) -> None:
    """Run code in six threads of a new process; assert that all results are equal."""
    program = (
        f"import sys, threading\n{imports}"
        "gate = threading.Barrier(6)\n"
        f"results = []\ndef work():\n{work}"
        "threads = [threading.Thread(target=work) for _ in range(6)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert len(results) == 6 and all(each == results[0] for each in results), results\n"
        "print('passed')\n"
    )
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    completed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert completed.stdout == "passed\n", completed.stderr


def test_first_use_in_all_threads_at_once() -> None:
    """Objects shared by all boards and rules are created correctly by any thread on first use."""
    for _ in range(3):
        run_at_once(
            "from damka import Board, rules\n",
            "    gate.wait(30)\n"
            "    boards = [Board(name) for name in rules.names()]\n"
            "    results.append([(board.perft(3), board.divide(2)) for board in boards])\n",
        )


def test_first_arrays_in_all_threads_at_once() -> None:
    pytest.importorskip("numpy")
    run_at_once(
        "from damka import Board\nsys.setswitchinterval(1e-6)\n",
        "    board = Board('american')\n"
        "    gate.wait(30)\n"
        "    results.append((board.tensor().sum(), board.legal_mask().sum()))\n",
    )
