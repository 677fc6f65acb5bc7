"""What a wheel must do wherever it is installed; run by that Python, which may have no pytest.

It counts the positions of every rule set as published, searches, calls the program and plays games
in several threads. It prints one line about where it ran.
"""

from __future__ import annotations

import contextlib
import io
import json
import platform
import random
import sys
import sysconfig
import threading
from collections.abc import Callable

import msgspec

import damka
from damka.engine import Engine


def program() -> Callable[..., object] | None:
    """Return the program `damka`, or None where msgspec is only stood in for."""
    if not hasattr(msgspec, "__version__"):
        return None
    from damka.cli import app  # noqa: PLC0415

    return app


def count(counts: dict[str, list[int]], most: int) -> int:
    """Compare the counts of up to `most` positions; return how many there were."""
    checked = 0
    for name, published in counts.items():
        for depth, leaves in enumerate(published, 1):
            if leaves <= most:
                found = damka.Board(name).perft(depth)
                assert found == leaves, (name, depth, found, leaves)
                checked += 1
    return checked


def play(seed: int, failures: list[BaseException]) -> None:
    """Play random games to their ends."""
    try:
        rng = random.Random(seed)
        for name in ("american", "international", "dama100"):
            board = damka.Board(name)
            while not board.is_over:
                board.push(rng.choice(board.legal_moves))
            while board.move_count:
                board.pop()
            assert board == damka.Board(name)
    except BaseException as error:  # it is raised by the first thread
        failures.append(error)


def main(counts_file: str, most: str) -> None:
    """Do all of it."""
    with open(counts_file, encoding="utf-8") as file:  # noqa: PTH123  short
        checked = count(json.load(file), int(most))
    app = program()
    if app is not None:  # The engine's weights, too, are read with msgspec.
        board = damka.Board("international")
        analysis = Engine(hash_mb=1).search(board, depth=5)
        assert analysis.move in board.legal_moves, analysis
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            app(["perft", "dama64", "5"], standalone_mode=False)
        assert "7,361 leaves" in told.getvalue(), told.getvalue()
    failures: list[BaseException] = []
    threads = [threading.Thread(target=play, args=(seed, failures)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    free = sysconfig.get_config_var("Py_GIL_DISABLED") and not sys._is_gil_enabled()  # type: ignore[attr-defined]
    print(
        f"{platform.python_version()}{'t' if free else ''} {platform.machine()} "
        f"{platform.libc_ver()[0] or 'musl'}: {checked} counts, games in 4 threads"
        f"{'' if app else ', without search and program'}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
