"""One server: killed, with a full disk, a lost database, or misbehaving clients.

`python -m bench.faults` runs these with hundreds of games.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from bench.load.players import Pair
from bench.load.playing import resident_bytes
from bench.load.socket import Socket
from bench.load.viewer import Viewer

from damka.game import Game
from damka.live.events import Moved
from damka.server.store import Store, restore
from tests.server.faults import (
    DOWN_SECONDS,
    GAMES,
    MANY,
    SECONDS,
    Games,
    Gap,
    max_compensation,
    playing,
)
from tests.server.support import serving
from tests.services import ServerProcess, fleet

pytestmark = pytest.mark.native

Note = Callable[[str, object], None]
LIMITS: Final = {"connections": 3 * GAMES + 200}
DISK_BYTES: Final = 96 * 2**20 if MANY else 8 * 2**20


def test_the_server_is_killed(tmp_path: Path, record_property: Note) -> None:
    async def run() -> None:
        with fleet(url(tmp_path), limits=LIMITS) as (server,):
            async with playing(record_property, server) as games:
                killed = time.time()
                server.end(signal.SIGKILL)
                await asyncio.sleep(DOWN_SECONDS)
                server.start()
                assert server.url
                back = time.time()
                await games.all_move()
                await games.stop()
        assert games.check(server.database_url, Gap(killed, back, killed, killed)).resumed

    asyncio.run(run())


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'games.sqlite3'}"


# The database


def test_the_disk_is_full(tmp_path: Path, record_property: Note) -> None:
    async def run() -> None:
        with (
            small_disk(tmp_path) as (folder, fill, free),
            fleet(url(folder), limits=LIMITS) as (server,),
        ):
            async with playing(record_property, server) as games:
                begin = time.time()
                fill(server)
                await until_answer(server, 503, "busy")
                await asyncio.sleep(DOWN_SECONDS)
                # Clocks stop at the first move that could not be stored.
                refused = games.refused_since(begin)
                # While the disk fills up, some moves are still stored.
                moved = max(pair.moved_at for pair in games.pairs)
                # The server may notice before this process continues on a busy machine.
                works = time.time()
                free(server)
                took = await games.all_move()
                await until_answer(server, 200)
                await games.stop()
            assert {frame.code for _, frame in refused} == {"store_fails"}
            assert {frame.message.partition(".")[0] for _, frame in refused} == {
                "The server can’t save moves right now"
            }
            first = max(moved, min(at for at, _ in refused))
            games.check(server.database_url, Gap(begin, works + took, min(first, works), works))

    asyncio.run(run())


@contextmanager
def small_disk(
    folder: Path,
) -> Iterator[tuple[Path, Callable[[ServerProcess], object], Callable[[ServerProcess], object]]]:
    """Yield a folder on a small disk, and functions that fill and free it.

    Without the permission to mount one, it limits the size of the server's files.
    """
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(disk)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        unlimited = resource.RLIM_INFINITY
        yield folder, lambda server: limit(server, 1), lambda server: limit(server, unlimited)
        return
    filler = disk / "filler"
    try:
        yield disk, lambda _: fill(filler), lambda _: filler.unlink()
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=False)


def fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        for size in (2**20, 2**12, 1):
            while True:
                try:
                    if file.write(bytes(size)) < size:
                        break
                except OSError:
                    break


def limit(server: ServerProcess, size: int) -> None:
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def until_answer(
    server: ServerProcess, status: int, error: str | None = None, detail: str = ""
) -> dict[str, Any]:
    """Wait for a status of the health check, with a text in the detail; return the last answer."""
    async with (
        asyncio.timeout(40),
        httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=40) as http,
    ):
        while True:
            answers = [await http.get(path) for path in ("/readyz", "/healthz")]
            told: list[dict[str, Any]] = [answer.json() for answer in answers]
            if all(answer.status_code == status for answer in answers) and all(
                each.get("error") == error and detail in each.get("detail", "") for each in told
            ):
                return told[0]
            await asyncio.sleep(0.05)


LOSSES: Final = ("deleted", "replaced", "damaged")


@pytest.mark.parametrize("how", LOSSES)
def test_running_games_are_saved_when_the_database_is_lost(
    tmp_path: Path, record_property: Note, how: str
) -> None:
    path = tmp_path / "games.sqlite3"

    async def run() -> dict[str, list[str]]:
        with fleet(url(tmp_path), limits=LIMITS) as (server,):
            async with playing(record_property, server) as games:
                if how == "replaced":
                    # The health check reports it without a move.
                    await games.rest()
                begin = time.time()
                lose(path, how)
                told = await until_answer(server, 503, "store_lost", "rescue")
                await asyncio.sleep(1.0)
                stopped = max(pair.moved_at for pair in games.pairs) - begin
                record_property("acknowledging stops after", f"{max(0.0, stopped):.2f} s")
                assert stopped <= (1.0 if MANY else 3.0)
                for pair in games.pairs:
                    codes = [frame.code for at, frame in pair.refused if at >= begin]
                    assert codes[0] == "store_fails"
                    assert codes[-1] == "store_lost"
                await games.give_up()
        folder = rescued(tmp_path)
        assert folder.name in told["detail"]
        assert str(tmp_path) not in told["detail"]
        assert (folder / "games.sqlite3").exists() is (how != "damaged")
        return saved_games(games, folder)

    saved = asyncio.run(run())
    record_property("rescue files", len(saved))
    game, moves = next(iter(saved.items()))
    with serving(tmp_path / "another") as other, other.browser() as browser:
        text = (rescued(tmp_path) / f"{game}.json").read_text()
        state = browser.live(browser.load_game(text)).state()
        assert [entry["move"]["hub"] for entry in state["history"]] == moves
    if how == "deleted":
        restored = f"sqlite:///{tmp_path / 'restored.sqlite3'}"
        restore(restored, rescued(tmp_path) / "games.sqlite3", lambda *_: None)
        store = Store(restored)
        kept = store.load(game)
        store.close()
        assert kept is not None
        assert [each.hub for each in kept.events if isinstance(each, Moved)] == moves


def lose(path: Path, how: str) -> None:
    if how == "deleted":
        path.unlink()
    elif how == "replaced":
        another = path.with_name("another.sqlite3")
        with closing(sqlite3.connect(another)) as connection:
            connection.execute("CREATE TABLE games (id TEXT)")
        another.rename(path)
    else:
        # Entries only in the write-ahead log would overwrite the damage.
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(os.urandom(path.stat().st_size - 4096))


def rescued(folder: Path) -> Path:
    (found,) = folder.glob("games.sqlite3.rescue-*")
    return found


def saved_games(games: Games, folder: Path) -> dict[str, list[str]]:
    """Return the moves of every running game from its rescue file: all acknowledged moves."""
    saved = {}
    for pair in games.pairs:
        assert pair.script is not None
        if pair.is_over or not pair.game:
            continue
        text = (folder / f"{pair.game}.json").read_text()
        moves = [ply.move.hub() for ply in Game.from_json(text).history]
        sent = [move.rstrip("=") for move in pair.script.moves]
        assert moves == sent[: len(moves)]
        assert pair.ply <= len(moves) <= pair.ply + 1
        saved[pair.game] = moves
    assert saved
    return saved


# Clients that misbehave

SHARE: Final = 20
"""One in this many disconnects, and one in this many answers pings late."""
PONG_SECONDS: Final = 3.0 if MANY else 0.5
SILENT: Final = {} if MANY else {"silent_seconds": 1.5}
GONE_SECONDS: Final = 45.0
"""The server pings every 20 seconds, with a timeout of 20 seconds."""
QUOTA_MS: Final = 1000.0 + 100.0
"""Lag compensation per move in games of this length, after the initial quota."""
RESERVE_MS: Final = 2000.0
"""The quota starts at three times its increment per move."""
GROWTH_BYTES: Final = 64 * 2**20
STALE: Final = b'{"t":"move","ply":999,"move":"1-2"}'


def test_clients_misbehave(tmp_path: Path, record_property: Note) -> None:
    """Some disconnect silently, some answer pings late, some read nothing."""
    count = max(1, GAMES // SHARE)

    async def run() -> None:
        with fleet(url(tmp_path), limits=LIMITS | SILENT) as (server,):
            async with playing(record_property, server) as games:
                before = resident_bytes(server)
                gone, late = games.pairs[:count], games.pairs[count : 2 * count]
                others = games.pairs[2 * count :]
                first = [len(pair.games) - 1 for pair in late]
                slow = [await reader(server.port, pair.game) for pair in late]
                for pair in late:
                    for which in (0, 1):
                        pair.seats[which].pong_seconds = PONG_SECONDS
                        socket_of(pair, which).pong_seconds = PONG_SECONDS
                for pair in gone:
                    socket_of(pair, 1).read_nothing()
                games.ledger.to_other.clear()
                began = time.monotonic()
                noticed = False
                while not noticed or time.monotonic() < began + SECONDS:
                    assert time.monotonic() < began + GONE_SECONDS
                    for socket in slow:
                        # Each causes a whole state, which accumulates in the outbox.
                        socket.send(STALE)
                    await asyncio.sleep(0.15)
                    noticed = all(is_away(pair) for pair in gone)
                growth = resident_bytes(server) - before
                await games.all_move("meanwhile the others move", others)
                for socket in (*slow, *(socket_of(pair, 1) for pair in gone)):
                    socket.abort()
                await games.stop()
        # Pairs have started a new game after the end of the last.
        with_late = {
            game for pair, each in zip(late, first, strict=True) for game in pair.games[each:]
        }
        games.check(server.database_url, but=with_late)
        lag = max_compensation(server.database_url, with_late, RESERVE_MS)
        record_property("late pongs gain", f"{lag:.0f} ms a move")
        assert lag <= QUOTA_MS
        record_property("growth of the server", f"{growth / 2**20:.1f} MiB")
        assert growth <= GROWTH_BYTES

    asyncio.run(run())


async def reader(port: int, game: str) -> Socket:
    """Return the connection of a spectator that reads nothing."""
    viewer = Viewer()
    await viewer.connect(port, game)
    assert viewer.socket is not None
    viewer.socket.read_nothing()
    return viewer.socket


def socket_of(pair: Pair, which: int) -> Socket:
    socket = pair.seats[which].socket
    assert socket is not None
    return socket


def is_away(pair: Pair) -> bool:
    """Return whether the first player sees the other one as absent."""
    state = pair.seats[0].last
    return state is not None and any(not each.here for each in (state.presence or {}).values())
