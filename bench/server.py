"""How long a move takes on a running server: `python -m bench server`.

It starts a server on loopback and plays random games by three rule sets, two people at one screen.
The time is taken from sending a move to the arrival of the new state. It includes the wire both
ways, the check, the append to SQLite with its sync to disk, and the state with all legal moves.
Pages are measured from the request to their last byte.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
from websockets.sync.client import connect

from bench.figures import Figure
from damka.server import Limits
from damka.server import run as serve

__all__ = ["run"]

BOXES: Final = ("dama64", "american", "dama100")
MOVES: Final = 120
PAGES: Final = 20
GOAL_MS: Final = 5.0


def run(repeats: int = 5) -> list[Figure]:
    """Return the figures; each median is the median of `repeats` runs."""
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        _server(Path(folder)) as url,
        httpx.Client(base_url=url) as client,
    ):
        for box in BOXES:
            times = [_moves(client, url, box, seed) for seed in range(repeats)]
            rows.append(_row(f"a move's answer, {box}", times, GOAL_MS))
        pages = {"choose": "/", "game": f"/game/{_new_game(client, 'dama64')}"}
        for what, path in {**pages, "rules": "/rules/dama64"}.items():
            times = [_pages(client, path) for _ in range(repeats)]
            rows.append(_row(f"the {what} page", times))
    return rows


def _row(what: str, runs: list[list[float]], goal: float | None = None) -> Figure:
    median = statistics.median(statistics.median(times) for times in runs)
    p95 = statistics.median(statistics.quantiles(times, n=20)[-1] for times in runs)
    return Figure(
        what,
        f"{median:.2f} ms, 95 % {p95:.2f} ms",
        goal="" if goal is None else f"under {goal:g} ms",
        met=None if goal is None else median < goal,
    )


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.server", f"sqlite:///{folder / 'games.sqlite3'}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[3].rstrip("/")
        finally:
            process.terminate()


def _new_game(client: httpx.Client, box: str) -> str:
    wish = {"rules": box, "opponent": "person", "colour": "first"}
    game: str = client.post("/api/games", json=wish).raise_for_status().json()["id"]
    return game


def _moves(client: httpx.Client, url: str, box: str, seed: int) -> list[float]:
    """Return the milliseconds of each move of random games."""
    rng = random.Random(seed)
    times: list[float] = []
    while len(times) < MOVES:
        game = _new_game(client, box)
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        with connect(
            f"{url.replace('http', 'ws', 1)}/live/{game}",
            additional_headers={"Cookie": cookies, "Origin": url},
            compression=None,
            max_size=2**22,
        ) as live:
            state = json.loads(live.recv(10))
            while state["result"] is None and len(times) < MOVES:
                move = rng.choice(state["legal"])["hub"]
                frame = json.dumps({"t": "move", "ply": state["ply"], "move": move})
                started = time.perf_counter()
                live.send(frame)
                answer = live.recv(10)
                times.append(1000 * (time.perf_counter() - started))
                state = json.loads(answer)
                assert state["t"] == "state", state
    return times


def _pages(client: httpx.Client, path: str) -> list[float]:
    """Return the milliseconds of some requests for a page, after one to warm up."""
    times = []
    for _ in range(PAGES + 1):
        started = time.perf_counter()
        client.get(path).raise_for_status()
        times.append(1000 * (time.perf_counter() - started))
    return times[1:]


def _serve(database_url: str) -> None:
    """Run the server that is measured: one that asks nobody to slow down."""
    limits = Limits(message_burst=10**6, post_burst=10**6, connect_burst=10**6)
    serve(port=0, database_url=database_url, open_browser=False, limits=limits)


if __name__ == "__main__":
    _serve(sys.argv[1])
