"""How soon many spectators of one game see a move: `python -m bench.spectators [NUMBER]`."""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time

import httpx
from websockets.asyncio.client import ClientConnection, connect

from bench.frames import CYCLE, server, used, walk

MOVES = 10


async def watch(url: str, game: str, number: int, cookies: str, pid: int) -> None:
    """Play some moves before that many spectators and print how long they took to arrive."""
    address = f"{url.replace('http', 'ws')}/live/{game}"
    arrived: list[float] = []
    moved = 0.0

    async def follow(live: ClientConnection) -> None:
        async for frame in live:
            if '"add":[{' in str(frame):
                arrived.append((time.perf_counter() - moved) * 1000)

    async with connect(address, additional_headers={"Cookie": cookies, "Origin": url}) as player:
        await player.recv()
        watching = []
        began = used(pid)
        for start in range(0, number, 50):
            watching += await asyncio.gather(
                *(
                    connect(
                        f"{address}?have=", additional_headers={"Origin": url}, compression=None
                    )
                    for _ in range(start, min(start + 50, number))
                )
            )
        joins = used(pid) - began
        tasks = [asyncio.create_task(follow(live)) for live in watching]
        await asyncio.sleep(2)
        began = used(pid)
        for ply in range(MOVES):
            arrived.clear()
            moved = time.perf_counter()
            message = {"t": "move", "ply": ply, "move": CYCLE[ply % len(CYCLE)]}
            await player.send(json.dumps(message))
            while len(arrived) < number:
                await asyncio.sleep(0.01)
            cuts = statistics.quantiles(arrived, n=100)
            print(f"move {ply}: median {cuts[49]:.0f} ms, p99 {cuts[98]:.0f} ms", flush=True)
            await asyncio.sleep(0.3)
        print(f"server: {(used(pid) - began) / MOVES * 1000:.0f} ms of processor time a move, ")
        print(f"{joins * 1000 / number:.1f} ms a spectator who joins")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*(live.close() for live in watching))


def main() -> None:
    """Serve, play, print."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with server() as (url, pid), httpx.Client(base_url=url, trust_env=False) as browser:
        made = browser.post(
            "/api/games/load", content=walk(0).to_json(), headers={"origin": url}
        ).json()
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        asyncio.run(watch(url, made["id"], number, cookies, pid))


if __name__ == "__main__":
    main()
