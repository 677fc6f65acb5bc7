"""What a move of a long game costs a server: bytes to each viewer and processor time.

Games of kings that walk about, at several lengths, each played on by one viewer over loopback; and
the page of each game.

    python -m bench.frames
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
from websockets.sync.client import connect

from damka import Game, rules

if TYPE_CHECKING:
    from collections.abc import Iterator

CYCLE = ("1-6", "50-45", "6-1", "45-50")
LENGTHS = (20, 500, 5000)
MOVES = 20
PAGES = 5
LIMITS = (
    "events_per_game=20000",
    "post_burst=1000",
    "message_burst=1000",
    "connections_per_address=5000",
    "sockets_per_address=5000",
    "connect_burst=5000",
)


def walk(plies: int) -> Game:
    """Return a game of so many plies in which kings walk about without end."""
    endless = rules.load("international").replace(
        repetition=0, same_move=0, no_progress_moves=0, material_draws=()
    )
    game = Game(endless, "W:WK1:BK50")
    while len(game.moves) < plies:
        game.play(CYCLE[len(game.moves) % len(CYCLE)])
    return game


@contextmanager
def server() -> Iterator[tuple[str, int]]:
    """Serve in a process of its own; give its address and process id."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from damka.cli import main; main()", "serve"]
        options = ["--port", "0", "--no-browser", "--database", f"sqlite:///{folder}/games.sqlite3"]
        limits = [word for limit in LIMITS for word in ("--limit", limit)]
        with subprocess.Popen(
            [*command, *options, *limits], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"http://\S+:\d+", line)
            assert found, line
            try:
                yield found[0], process.pid
            finally:
                process.terminate()


def used(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print a line for each length."""
    print("plies   bytes on joining   bytes a move   ms a move   bytes a page   ms a page")
    for plies in LENGTHS:
        game = walk(plies)
        with server() as (url, pid), httpx.Client(base_url=url, trust_env=False) as browser:
            made = browser.post(
                "/api/games/load", content=game.to_json(), headers={"origin": url}
            ).json()
            began = used(pid)
            for _ in range(PAGES):
                page = browser.get(made["url"])
            page_ms = (used(pid) - began) * 1000 / PAGES
            cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
            address = f"{url.replace('http', 'ws')}/live/{made['id']}?have=0.{plies}"
            with connect(
                address,
                additional_headers={"Cookie": cookies, "Origin": url},
                max_size=None,
                compression=None,
            ) as live:
                joined = live.recv()
                version, sizes = 0, []
                began = used(pid)
                for _ in range(MOVES):
                    move = CYCLE[len(game.moves) % len(CYCLE)]
                    live.send(json.dumps({"t": "move", "ply": len(game.moves), "move": move}))
                    game.play(move)
                    while version < len(game.moves) - plies:
                        frame = live.recv()
                        told = json.loads(frame)
                        version = told.get("version", told.get("changes", {}).get("version", 0))
                    sizes.append(len(frame))
                spent = (used(pid) - began) * 1000 / MOVES
            print(
                f"{plies:5} {len(joined):18,} {sum(sizes) // MOVES:14,} {spent:11.1f}"
                f" {len(page.content):14,} {page_ms:11.1f}",
                flush=True,
            )
            time.sleep(0.1)


if __name__ == "__main__":
    main()
