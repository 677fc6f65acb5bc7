"""Smoke test of an installed wheel: `python smoke.py PERFT_JSON MAX_LEAVES`.

It compares perft counts of every rule set with the published ones, searches, runs a command, and
plays games in several threads. It needs only the wheel and its dependencies.
"""

from __future__ import annotations

import contextlib
import io
import json
import platform
import random
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import damka
from damka.cli import app
from damka.engine import Engine


def check_perft(published: dict[str, list[int]], max_leaves: int) -> int:
    """Compare the counts of up to `max_leaves` leaves; return the number of comparisons."""
    checked = 0
    for name, counts in published.items():
        for depth, leaves in enumerate(counts, 1):
            if leaves <= max_leaves:
                count = damka.Board(name).perft(depth)
                assert count == leaves, (name, depth, count, leaves)
                checked += 1
    assert checked
    return checked


def check_engine() -> None:
    """Search a position."""
    board = damka.Board("international")
    analysis = Engine(hash_mb=1).search(board, depth=5)
    assert analysis.move in board.legal_moves, analysis


def check_program() -> None:
    """Run a command."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        app(["perft", "dama64", "5"], standalone_mode=False)
    assert "7,361 leaves" in output.getvalue(), output.getvalue()


def check_games(seed: int) -> None:
    """Play random games to the end and undo their moves."""
    rng = random.Random(seed)
    for name in ("american", "international", "dama100"):
        board = damka.Board(name)
        while not board.is_over:
            board.push(rng.choice(board.legal_moves))
        while board.move_count:
            board.pop()
        assert board == damka.Board(name)


def main(perft_json: str, max_leaves: str) -> None:
    """Run all checks and print a line about this platform."""
    published = json.loads(Path(perft_json).read_text("utf-8"))
    checked = check_perft(published, int(max_leaves))
    check_engine()
    check_program()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(check_games, range(4)))
    free = sysconfig.get_config_var("Py_GIL_DISABLED") and not sys._is_gil_enabled()  # type: ignore[attr-defined]
    print(
        f"Python {platform.python_version()}{'t' if free else ''} on {platform.platform()}: "
        f"{checked} counts, games in 4 threads"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
