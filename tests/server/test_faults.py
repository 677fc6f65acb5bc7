"""One server that is killed, has a full disk, loses its database, or has misbehaving clients.

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
    IS_LARGE_RUN,
    SECONDS,
    Games,
    Gap,
    max_compensation,
    playing,
)
from tests.server.support import PATIENCE, serving
from tests.services import ServerProcess, fleet

pytestmark = pytest.mark.native

Note = Callable[[str, object], None]
LIMITS: Final = {"connections": 3 * GAMES + 200}
DISK_BYTES: Final = 96 * 2**20 if IS_LARGE_RUN else 8 * 2**20


def test_the_server_is_killed(tmp_path: Path, record_property: Note) -> None:
    async def run() -> None:
        with fleet(url(tmp_path), limits=LIMITS) as (server,):
            async with playing(record_property, server) as games:
                killed = time.time()
                server.end(signal.SIGKILL)
                await asyncio.sleep(DOWN_SECONDS)
                server.start()
                assert server.url
                restarted = time.time()
                await games.all_move()
                await games.stop()
        assert games.check(server.database_url, Gap(killed, restarted, killed, killed)).resumed

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
                await wait_for_health(server, 503, "busy")
                await asyncio.sleep(DOWN_SECONDS)
                # Clocks stop at the first move that could not be stored.
                refused = games.refused_since(begin)
                # While the disk fills up, some moves are still stored.
                moved = max(pair.moved_at for pair in games.pairs)
                # On a busy machine the server may recover before this process continues.
                freed = time.time()
                free(server)
                recovery = await games.all_move()
                await wait_for_health(server, 200)
                await games.stop()
            assert {frame.code for _, frame in refused} == {"store_fails"}
            assert {frame.message.partition(".")[0] for _, frame in refused} == {
                "The server can’t save moves right now"
            }
            first_refusal = max(moved, min(at for at, _ in refused))
            games.check(
                server.database_url, Gap(begin, freed + recovery, min(first_refusal, freed), freed)
            )

    asyncio.run(run())


@contextmanager
def small_disk(
    folder: Path,
) -> Iterator[tuple[Path, Callable[[ServerProcess], object], Callable[[ServerProcess], object]]]:
    """Yield a folder on a small disk, and functions that fill and free it.

    Without the permission to mount one, the functions limit the size of the server's files.
    """
    disk = folder / "disk"
    disk.mkdir()
    completed = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(disk)],
        check=False,
        capture_output=True,
    )
    if completed.returncode:
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


async def wait_for_health(
    server: ServerProcess, status: int, error: str | None = None, detail: str = ""
) -> dict[str, Any]:
    """Wait until the health checks return a status, error and detail; return the first body."""
    async with (
        asyncio.timeout(40),
        httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=40) as http,
    ):
        while True:
            responses = [await http.get(path) for path in ("/readyz", "/healthz")]
            bodies: list[dict[str, Any]] = [response.json() for response in responses]
            if all(response.status_code == status for response in responses) and all(
                each.get("error") == error and detail in each.get("detail", "") for each in bodies
            ):
                return bodies[0]
            await asyncio.sleep(0.05)


KINDS_OF_LOSS: Final = ("deleted", "replaced", "damaged")


@pytest.mark.parametrize("kind", KINDS_OF_LOSS)
def test_running_games_are_saved_when_the_database_is_lost(
    tmp_path: Path, record_property: Note, kind: str
) -> None:
    path = tmp_path / "games.sqlite3"

    async def run() -> dict[str, list[str]]:
        with fleet(url(tmp_path), limits=LIMITS) as (server,):
            async with playing(record_property, server) as games:
                if kind == "replaced":
                    # The health check reports the loss even without moves.
                    await games.stop_players()
                begin = time.time()
                damage_database(path, kind)
                health = await wait_for_health(server, 503, "store_lost", "rescue")
                await asyncio.sleep(1.0)
                async with asyncio.timeout(PATIENCE):
                    while not all(
                        pair.refused and pair.refused[-1][1].code == "store_lost"
                        for pair in games.pairs
                    ):
                        await asyncio.sleep(0.02)
                last_acknowledged = max(pair.moved_at for pair in games.pairs) - begin
                record_property("acknowledging stops after", f"{max(0.0, last_acknowledged):.2f} s")
                assert last_acknowledged <= (1.0 if IS_LARGE_RUN else 3.0)
                for pair in games.pairs:
                    codes = [frame.code for at, frame in pair.refused if at >= begin]
                    assert codes[0] == "store_fails"
                    assert codes[-1] == "store_lost"
                await games.disconnect()
        folder = rescue_folder(tmp_path)
        assert folder.name in health["detail"]
        assert str(tmp_path) not in health["detail"]
        assert (folder / "games.sqlite3").exists() is (kind != "damaged")
        return saved_games(games, folder)

    saved = asyncio.run(run())
    record_property("rescue files", len(saved))
    game, moves = next(iter(saved.items()))
    with serving(tmp_path / "another") as other, other.browser() as browser:
        text = (rescue_folder(tmp_path) / f"{game}.json").read_text()
        state = browser.live(browser.load_game(text)).state()
        assert [entry["move"]["hub"] for entry in state["history"]] == moves
    if kind == "deleted":
        restored = f"sqlite:///{tmp_path / 'restored.sqlite3'}"
        restore(restored, rescue_folder(tmp_path) / "games.sqlite3", lambda *_: None)
        store = Store(restored)
        stored_game = store.load(game)
        store.close()
        assert stored_game is not None
        assert [each.hub for each in stored_game.events if isinstance(each, Moved)] == moves


def damage_database(path: Path, kind: str) -> None:
    if kind == "deleted":
        path.unlink()
    elif kind == "replaced":
        another = path.with_name("another.sqlite3")
        with closing(sqlite3.connect(another)) as connection:
            connection.execute("CREATE TABLE games (id TEXT)")
        another.rename(path)
    else:
        # Checkpoint first: the write-ahead log would overwrite the damage.
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(os.urandom(path.stat().st_size - 4096))


def rescue_folder(folder: Path) -> Path:
    (path,) = folder.glob("games.sqlite3.rescue-*")
    return path


def saved_games(games: Games, folder: Path) -> dict[str, list[str]]:
    """Check that the rescue files have all acknowledged moves; return the moves by game."""
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
"""One client in this many disconnects, and one answers pings late."""
PONG_SECONDS: Final = 3.0 if IS_LARGE_RUN else 0.5
SILENT: Final = {} if IS_LARGE_RUN else {"silent_seconds": 1.5}
DETECTION_SECONDS: Final = 45.0
"""The server pings every 20 seconds, with a timeout of 20 seconds."""
QUOTA_MS: Final = 1000.0 + 100.0
"""Lag compensation per move in games of this length, after the initial quota."""
INITIAL_QUOTA_MS: Final = 2000.0
"""The quota starts at three times its increment per move."""
GROWTH_BYTES: Final = 64 * 2**20
STALE: Final = b'{"t":"move","ply":999,"move":"1-2"}'


def test_misbehaving_clients_do_not_affect_others(tmp_path: Path, record_property: Note) -> None:
    """Some clients disconnect silently, some answer pings late, some read nothing."""
    count = max(1, GAMES // SHARE)

    async def run() -> None:
        with fleet(url(tmp_path), limits=LIMITS | SILENT) as (server,):
            async with playing(record_property, server) as games:
                before = resident_bytes(server)
                silent, late = games.pairs[:count], games.pairs[count : 2 * count]
                others = games.pairs[2 * count :]
                first = [len(pair.games) - 1 for pair in late]
                slow = [await connect_silent_reader(server.port, pair.game) for pair in late]
                for pair in late:
                    for index in (0, 1):
                        pair.seats[index].pong_seconds = PONG_SECONDS
                        socket_of(pair, index).pong_seconds = PONG_SECONDS
                for pair in silent:
                    socket_of(pair, 1).read_nothing()
                games.ledger.to_other.clear()
                start = time.monotonic()
                detected = False
                while not detected or time.monotonic() < start + SECONDS:
                    assert time.monotonic() < start + DETECTION_SECONDS
                    for socket in slow:
                        # Each message is answered with a full state, which fills the outbox.
                        socket.send(STALE)
                    await asyncio.sleep(0.15)
                    detected = all(is_away(pair) for pair in silent)
                growth = resident_bytes(server) - before
                await games.all_move("the other games continue", others)
                for socket in (*slow, *(socket_of(pair, 1) for pair in silent)):
                    socket.abort()
                await games.stop()
        # Pairs start a new game after the end of the last one.
        late_games = {
            game for pair, each in zip(late, first, strict=True) for game in pair.games[each:]
        }
        games.check(server.database_url, except_for=late_games)
        lag = max_compensation(server.database_url, late_games, INITIAL_QUOTA_MS)
        record_property("late pongs gain", f"{lag:.0f} ms a move")
        assert lag <= QUOTA_MS
        record_property("growth of the server", f"{growth / 2**20:.1f} MiB")
        assert growth <= GROWTH_BYTES

    asyncio.run(run())


async def connect_silent_reader(port: int, game: str) -> Socket:
    """Return the connection of a spectator that reads nothing."""
    spectator = Viewer()
    await spectator.connect(port, game)
    assert spectator.socket is not None
    spectator.socket.read_nothing()
    return spectator.socket


def socket_of(pair: Pair, index: int) -> Socket:
    socket = pair.seats[index].socket
    assert socket is not None
    return socket


def is_away(pair: Pair) -> bool:
    """Return whether the first player sees the other one as absent."""
    state = pair.seats[0].last
    return state is not None and any(not each.here for each in (state.presence or {}).values())
