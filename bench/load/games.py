"""Running games: each player moves every few seconds, while the opponent waits for the move."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpx

from bench.load.context import LoopLag
from bench.load.players import Ledger, Pair
from bench.load.scripts import part, script

__all__ = ["Pairs", "client", "keep_playing", "leave", "play", "start_games"]

CONCURRENT_STARTS: Final = 8
"""Number of games set up concurrently."""

Progress = Callable[[int, int], object]
"""Receives the completed amount and the total."""


def client() -> httpx.AsyncClient:
    """Return an HTTP client with persistent connections."""
    # A server closes connections idle for five seconds, which may coincide with a request.
    limits = httpx.Limits(
        max_connections=2 * CONCURRENT_STARTS, max_keepalive_connections=None, keepalive_expiry=2
    )
    # Every player has separate cookies.
    none = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    return httpx.AsyncClient(timeout=30, trust_env=False, limits=limits, cookies=none)


Pairs = list[Pair]


async def start_games(
    http: httpx.AsyncClient,
    ports: tuple[int, ...],
    count: int,
    ledger: Ledger,
    progress: Progress,
    *,
    persistent: bool = False,
    mixed: bool = False,
) -> Pairs:
    """Let `count` pairs start a game each; with several servers the players use different ones.

    The first games of `mixed` pairs are resigned early, at different moments.
    """
    pairs = [
        Pair(
            http,
            (ports[number % len(ports)], ports[(number + 1) % len(ports)]),
            ledger,
            persistent=persistent,
        )
        for number in range(count)
    ]
    turn = asyncio.Semaphore(CONCURRENT_STARTS)
    done = 0

    async def begin(number: int, pair: Pair) -> None:
        nonlocal done
        async with turn:
            await pair.begin((part if mixed else script)(number))
        # Both must move within seconds.
        await pair.move()
        await pair.move()
        done += 1
        progress(done, count)

    await asyncio.gather(*(begin(number, pair) for number, pair in enumerate(pairs)))
    return pairs


async def play(
    pairs: Pairs, seconds: float, every: float, ledger: Ledger, progress: Progress
) -> tuple[float, list[float]]:
    """Play all games for some seconds, each player a move every `every` seconds.
    Return the seconds it took, and samples of the generator's own delay in milliseconds.
    """
    lag = LoopLag()
    began = time.monotonic()
    until = began + seconds
    tasks = [
        asyncio.create_task(keep_playing(number, pair, lambda: until, every / 2, ledger))
        for number, pair in enumerate(pairs)
    ]
    while (now := time.monotonic()) < until:
        progress(int(now - began), int(seconds))
        await asyncio.sleep(min(1.0, max(0.0, until - now)))
    for error in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(error, BaseException):
            ledger.errors[f"{type(error).__name__}: {error}"[:100]] += 1
    lag.stop()
    for pair in pairs:
        pair.end()
    return time.monotonic() - began, lag.milliseconds


async def keep_playing(
    number: int, pair: Pair, until: Callable[[], float], every: float, ledger: Ledger
) -> None:
    """Let a pair play until a monotonic time, a move every `every` seconds."""
    rng = random.Random(number)
    due = time.monotonic() + rng.random() * every
    count = 0
    while due < until():
        wait = due - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        elif wait < -0.05:
            ledger.late += 1
        if pair.is_over or pair.script is None or pair.ply >= len(pair.script.moves):
            count += 1
            if pair.script is not None and not pair.script.ends and not pair.is_over:
                await pair.resign()
            pair.end()
            await pair.begin(script(number + 7 * count))
        await pair.move()
        due += every
        if due < time.monotonic() - every:
            due = time.monotonic()


async def leave(pairs: Pairs) -> None:
    """Let all players leave their games."""
    for pair in pairs:
        pair.end()
    await asyncio.sleep(0)
