"""Faults of the database file: a full disk, and a file that is deleted, replaced or damaged."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import httpx

from bench.faults.audit import Gap
from bench.faults.page import Page
from bench.faults.tables import Room, kept, late, room
from bench.load.context import ENOUGH, Context
from bench.load.report import Line, correct, figure
from bench.load.servers import Server, serving
from damka import Game

__all__ = ["damaged", "deleted", "full_disk", "replaced"]

STOP_SECONDS: Final = 1.0
_PATIENCE: Final = 30.0
_FULL_SECONDS: Final = 3.0
_DISK: Final = 96 * 2**20
_SENTENCE: Final = "cannot keep moves"
_LOST: Final = "has lost its database"


async def full_disk(context: Context) -> list[Line]:
    """The disk is full for some seconds."""
    with (
        _disk(context.folder) as (folder, fill, free),
        serving(folder, limits={"connections": 2 * context.sizes.games + ENOUGH}) as (server,),
    ):
        async with (
            room(context, [server.port]) as playing,
            Page(wanted=context.sizes.browser) as page,
        ):
            await page.watch(f"{server.url}/game/{playing.pairs[0].game}")
            await playing.wait(context.sizes.seconds, "before the fault")
            begin = time.time()
            fill(server)
            told = await page.says(_SENTENCE)
            await asyncio.sleep(_FULL_SECONDS)
            # No clock runs from the first move on that could not be stored.
            refused = [at for pair in playing.pairs for at in pair.refused if at >= begin]
            # While the disk fills up, some moves are still stored.
            moved = max(pair.moved_at for pair in playing.pairs)
            # The server may notice before this process goes on, which others may hold up.
            works = time.time()
            free(server)
            took = await playing.all_move(_PATIENCE)
            await playing.wait(context.sizes.seconds, "after the fault")
            failed = await playing.stop()
        first = max(moved, min(refused, default=works))
        gap = Gap(begin, works + took, min(first, works), works)
        lines = kept(server.database_url, playing.ledger, [gap], failed)
    return [
        *lines,
        correct("moves were refused meanwhile", bool(refused), f"{len(refused)} times"),
        page.line("the page says that moves cannot be kept", told),
        figure("until every game had a move again", took, "s"),
        late(playing.ledger),
    ]


async def deleted(context: Context) -> list[Line]:
    """The database file is deleted."""
    return await _lost(context, Path.unlink, copied=True)


async def replaced(context: Context) -> list[Line]:
    """Another file is put in the place of the database."""

    def replace(path: Path) -> None:
        other = path.with_name("other")
        with closing(sqlite3.connect(other)) as connection:
            connection.execute("CREATE TABLE games (id TEXT)")
        other.rename(path)

    return await _lost(context, replace, copied=True)


async def damaged(context: Context) -> list[Line]:
    """The database file is overwritten, but for its first page."""

    def overwrite(path: Path) -> None:
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(os.urandom(size - 4096))

    return await _lost(context, overwrite, copied=False)


async def _lost(context: Context, act: Callable[[Path], object], *, copied: bool) -> list[Line]:
    with context.server(2 * context.sizes.games + ENOUGH) as server:
        async with (
            room(context, [server.port]) as playing,
            Page(wanted=context.sizes.browser) as page,
        ):
            await page.watch(f"{server.url}/game/{playing.pairs[0].game}")
            await playing.wait(context.sizes.seconds, "before the fault")
            if not copied:
                # What only the log beside the file has is written over what was damaged.
                with closing(sqlite3.connect(server.database)) as connection:
                    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            begin = time.time()
            act(server.database)
            told = await page.says(_LOST)
            await asyncio.sleep(2.0)
            stopped = max(pair.moved_at for pair in playing.pairs) - begin
            answer = httpx.get(f"{server.url}/readyz", trust_env=False)
            await playing.give_up()
        saved = _saved(server, playing)
        folders = list(server.database.parent.glob("*.rescue-*"))
        copy = [folder / "games.sqlite3" for folder in folders]
    has_copy = any(each.exists() for each in copy)
    return [
        correct(
            "no move is acknowledged after a second", stopped <= STOP_SECONDS, f"{stopped:.2f} s"
        ),
        correct("/readyz says it", answer.status_code == 503, answer.text[:100]),
        correct(
            "running games are in rescue files", not saved, saved or f"all {len(playing.pairs)}"
        ),
        correct("the old database is there as a copy", has_copy or not copied, str(has_copy)),
        page.line("the page says it", told),
    ]


def _saved(server: Server, playing: Room) -> str:
    """Return what is missing of the running games in the rescue files; "" for nothing."""
    folders = list(server.database.parent.glob("*.rescue-*"))
    if len(folders) != 1:
        return f"{len(folders)} folders"
    missing = 0
    for pair in playing.pairs:
        if pair.script is None or pair.is_over or not pair.game:
            continue
        file = folders[0] / f"{pair.game}.json"
        if not file.exists():
            missing += 1
            continue
        played = [ply.move.hub() for ply in Game.from_json(file.read_text()).history]
        sent = [move.rstrip("=") for move in pair.script.moves]
        missing += played[: pair.ply] != sent[: pair.ply] or len(played) > pair.ply + 1
    return f"{missing} are missing or behind" if missing else ""


@contextmanager
def _disk(
    folder: Path,
) -> Iterator[tuple[Path, Callable[[Server], object], Callable[[Server], object]]]:
    """Give a folder on a small disk, what fills it, and what frees it again.

    Without the right to mount one, the size of the server's files is limited instead.
    """
    mounted = folder / "disk"
    mounted.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", str(mounted)],
        check=False,
        capture_output=True,
    )
    if made.returncode:
        yield folder, lambda server: _limit(server, 1), lambda server: _limit(server, None)
        return
    filler = mounted / "filler"
    try:
        yield mounted, lambda _: _fill(filler), lambda _: filler.unlink()
    finally:
        subprocess.run(["umount", "--lazy", str(mounted)], check=False)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        for size in (2**20, 2**12, 1):
            while True:
                try:
                    if file.write(bytes(size)) < size:
                        break
                except OSError:
                    break


def _limit(server: Server, size: int | None) -> None:
    wanted = resource.RLIM_INFINITY if size is None else size
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (wanted, resource.RLIM_INFINITY))
