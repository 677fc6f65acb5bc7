"""Boards in many threads at once, with Python's global lock and without it."""

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


def together(work: Callable[[int], None], threads: int = THREADS) -> None:
    """Run work(number) in all threads at once; raise what any of them raised."""
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
    """Play a random game; return its positions as texts."""
    rng = random.Random(seed)
    board = Board(name)
    told = [board.fen]
    while not board.is_over and len(told) < plies:
        board.push(rng.choice(board.legal_moves))
        told.append(board.fen)
    return tuple(told)


def replayed(board: Board) -> Board:
    again = board.root()
    for step in board.steps:
        if isinstance(step, int):
            again.huff(step)
        else:
            again.push_unchecked(step)
    return again


def test_the_kernel_needs_no_global_lock() -> None:
    if not FREE_THREADED:
        pytest.skip("this Python has the global lock")
    assert not sys._is_gil_enabled()  # type: ignore[attr-defined,unused-ignore]


@pytest.mark.parametrize("name", RULES)
def test_boards_of_their_own_do_not_disturb_each_other(name: str) -> None:
    alone = [played(name, seed) for seed in range(3)]
    found: dict[int, tuple[str, ...]] = {}

    def work(number: int) -> None:
        found[number] = played(name, number % 3)

    together(work)
    assert all(found[number] == alone[number % 3] for number in range(THREADS))


@pytest.mark.native
@pytest.mark.parametrize("name", RULES)
def test_one_board_may_be_shared(name: str) -> None:
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
                pass  # another thread was faster
            copy = board.copy()
            assert copy == replayed(copy)
            assert copy.key == replayed(copy).key
            assert copy.result == replayed(copy).result
            assert len(copy.pieces) == copy.square_count
            assert board == board  # noqa: PLR0124  two locks of one board
            assert len(copy.stack) == copy.move_count
            assert board.perft(1) >= 0

    together(work)
    assert replayed(board) == board
    assert board.legal_moves == replayed(board).legal_moves


def run_at_once(imports: str, work: str) -> None:
    """Run a function in six threads of a new process, and check that all find the same."""
    program = (
        f"import sys, threading\n{imports}"
        "gate = threading.Barrier(6)\n"
        f"found = []\ndef work():\n{work}"
        "threads = [threading.Thread(target=work) for _ in range(6)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert len(found) == 6 and all(each == found[0] for each in found), found\n"
        "print('well')\n"
    )
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    completed = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert completed.stdout == "well\n", completed.stderr


def test_first_use_in_all_threads_at_once() -> None:
    """Objects shared by all boards and rules are created correctly by any thread on first use."""
    for _ in range(3):
        run_at_once(
            "from damka import Board, rules\n",
            "    gate.wait(30)\n"
            "    boards = [Board(name) for name in rules.names()]\n"
            "    found.append([(board.perft(3), board.divide(2)) for board in boards])\n",
        )


def test_first_arrays_in_all_threads_at_once() -> None:
    pytest.importorskip("numpy")
    run_at_once(
        "from damka import Board\nsys.setswitchinterval(1e-6)\n",
        "    board = Board('american')\n"
        "    gate.wait(30)\n"
        "    found.append((board.tensor().sum(), board.legal_mask().sum()))\n",
    )
