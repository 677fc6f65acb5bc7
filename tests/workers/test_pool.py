"""Searches in worker processes: sharing, stopping, retries after a death, shutdown."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from damka import Game, rules
from damka.engine import Analysis, SearchLimits
from damka.engine.levels import LEVELS
from damka.errors import PositionTooComplexError
from damka.game import Decision
from damka.live.events import Moved
from damka.server.engine_pool import (
    BusyError,
    EnginePool,
    Reply,
    Requester,
    SearchFailedError,
    StoppedError,
)
from damka.workers import Advise, Equipment, Processes, TaskFailedError, encode_task
from damka.workers.processes import _Process
from tests.slowness import slowness
from tests.workers.support import EQUIPMENT, pool, question

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(test())


def processes(engines: EnginePool) -> list[_Process]:
    return [worker for worker in engines._pool.workers if isinstance(worker, _Process)]


async def begun(
    engines: EnginePool,
    limits: SearchLimits = SearchLimits(seconds=60),  # noqa: B008
) -> Reply[Analysis]:
    """Return an analysis in progress."""
    search = asyncio.Event()
    reply = engines.analyse(Game("russian"), limits, on_depth=lambda _: search.set())
    async with asyncio.timeout(60):
        await search.wait()
    return reply


async def ended(pid: int) -> None:
    async with asyncio.timeout(60):
        while exists(pid):
            await asyncio.sleep(0.01)


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class TestAnswers:
    def test_a_worker_decides_advises_and_analyses(self) -> None:
        async def test() -> None:
            async with pool() as engines:
                for level in (LEVELS[0], 3, 7):
                    (moved,) = await engines.decide(question(level)).answer()
                    assert isinstance(moved, Moved)
                hint = await engines.hint(Game("dama64"), 7).answer()
                assert hint.move in Game("dama64").legal_moves
                found: list[Analysis] = []
                analysis = await engines.analyse(
                    Game("russian"), SearchLimits(depth=6), lines=2, on_depth=found.append
                ).answer()
                assert [far.depth for far in found] == list(range(1, 7))
                assert (found[-1].pv, len(analysis.lines)) == (analysis.pv, 2)
                with pytest.raises(ValueError, match="needs a limit"):
                    engines.analyse(Game("dama64"), SearchLimits())
                assert len(processes(engines)) == 2, "one for games, one for analyses"

        run(test)

    def test_a_too_complex_position_is_reported(self) -> None:
        free = rules.load("canadian").replace(
            name="free",
            king_landing="any",
            precedence=(),
            removal="immediate",
            u_turn=True,
            capture_lines="diagonal+orthogonal",
        )
        fen = "W:WK14,K72:BK8,K9,K10,K11,K12,K21,K27,K29,K32,K33,K34,K35,K36,K44,K46,K50,K56,K57"

        class ComplexGame:
            def __reduce__(self) -> tuple[Any, ...]:
                return Game, (free, fen)

        def task() -> bytes:
            return encode_task(Advise(pickle.dumps(ComplexGame()), 3, 1))

        async def test() -> None:
            async with pool() as engines:
                with pytest.raises(PositionTooComplexError):
                    await engines._pool.submit(task, Requester(), "quick", 1)
                with pytest.raises(TaskFailedError, match="ValidationError"):
                    await engines._pool.submit(lambda: b"nonsense", Requester(), "quick", 1)
                assert await engines.decide(question(3)).answer()

        run(test)

    def test_the_same_question_is_searched_once(self) -> None:
        async def test() -> None:
            async with pool() as engines:
                limits = SearchLimits(nodes=1_000_000)
                found: list[int] = []
                one = await begun(engines, limits)
                game = Game("russian")
                game.players = {"W": "Ana"}
                two = engines.analyse(game, limits, on_depth=lambda far: found.append(far.depth))
                one.stop()
                analysis = await two.answer()
                assert found[-1] == analysis.depth
                # The elapsed seconds are part of it.
                assert await engines.analyse(Game("russian"), limits).answer() == analysis
                with pytest.raises(StoppedError):
                    await one.answer()

        run(test)

    def test_hints_are_refused_when_too_many_wait(self) -> None:
        async def test() -> None:
            async with pool(waiting=2) as engines:
                replies = [engines.hint(Game("dama64"), 3), engines.hint(Game("russian"), 3)]
                with pytest.raises(BusyError):
                    engines.hint(Game("american"), 3)
                for reply in replies:
                    assert isinstance(await reply.answer(), Decision)
                await engines.hint(Game("american"), 3).answer()

        run(test)

    def test_one_person_does_not_take_all_places(self) -> None:
        async def test() -> None:
            async with pool(waiting=64) as engines:
                limits = SearchLimits(seconds=60)
                greedy = Requester("greedy", "greedy")
                replies = [
                    engines.analyse(Game("dama64"), limits, greedy, unique=True) for _ in range(8)
                ]
                with pytest.raises(BusyError):
                    engines.analyse(Game("dama64"), limits, greedy, unique=True)
                other = engines.analyse(Game("dama64"), SearchLimits(depth=1), Requester("other"))
                for reply in replies:
                    reply.stop()
                assert (await other.answer()).depth == 1
                await engines.analyse(Game("dama64"), SearchLimits(depth=1), greedy).answer()

        run(test)

    def test_accounts_of_one_address_do_not_take_all_places(self) -> None:
        async def test() -> None:
            async with pool(waiting=64) as engines:
                limits = SearchLimits(seconds=60)

                def analyse(member: int, address: str) -> Reply[Analysis]:
                    who = Requester(address, f"member {member}")
                    return engines.analyse(Game("dama64"), limits, who, unique=True)

                for place in range(32):
                    analyse(place // 8, "greedy")
                with pytest.raises(BusyError):
                    analyse(8, "greedy")
                reply = analyse(8, "other")
                engines.stop()
                with pytest.raises(StoppedError):
                    await reply.answer()
                limits = SearchLimits(depth=1)
                assert (await analyse(8, "greedy").answer()).depth == 1

        run(test)


class TestFairness:
    def test_many_games_of_one_address_do_not_delay_another(self) -> None:
        async def test() -> None:
            async with pool() as engines:
                greedy = [engines.decide(question(10), Requester("greedy")) for _ in range(100)]
                async with asyncio.timeout(60):
                    while len(processes(engines)) < 2:
                        await asyncio.sleep(0.01)
                times = []
                for _ in range(5):
                    began = time.monotonic()
                    await engines.decide(question(3), Requester("modest")).answer()
                    times.append(time.monotonic() - began)
                assert sorted(times)[2] / slowness() < 1, times
                assert sum(reply.done for reply in greedy) <= 2

        run(test)

    def test_a_cancelled_search_frees_its_place_at_once(self) -> None:
        async def test() -> None:
            async with pool() as engines:
                times = []
                for _ in range(3):
                    lasting = await begun(engines)
                    next_one = engines.hint(Game("dama64"), 8, Requester("next"))
                    began = time.monotonic()
                    lasting.stop()
                    place = engines._pool._slots[0]
                    lost = place.job
                    while place.job is lost:
                        await asyncio.sleep(0.002)
                    times.append(time.monotonic() - began)
                    await next_one.answer()
                assert min(times) < 0.15, times

        run(test)


@posix
class TestDeath:
    def test_a_failed_search_is_retried_once(self) -> None:
        async def test() -> None:
            async with pool() as engines:
                reply = await begun(engines, SearchLimits(nodes=1_000_000))
                (first,) = processes(engines)
                os.kill(first.pid, signal.SIGKILL)
                assert (await reply.answer()).depth > 5
                assert processes(engines)[0].pid != first.pid

        run(test)

    @pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
    def test_a_worker_that_died_before_its_search_is_replaced(self, loop: str) -> None:
        """Its pipe is closed, and uvloop refuses to write to it."""

        async def test() -> None:
            async with pool() as engines:
                assert await engines.decide(question(3)).answer()
                (dead,) = processes(engines)
                os.kill(dead.pid, signal.SIGKILL)
                await dead._process.wait()
                pipe = dead._process.stdin
                assert pipe is not None
                async with asyncio.timeout(60):
                    while not pipe.is_closing():
                        await asyncio.sleep(0.01)
                dead.stop()
                assert await engines.decide(question(7)).answer()
                assert processes(engines)[0].pid != dead.pid

        pytest.importorskip(loop).run(test())

    def test_a_search_that_kills_two_workers_fails_and_the_next_one_works(self) -> None:
        async def test() -> None:
            async with pool() as engines:
                reply = await begun(engines)
                (first,) = processes(engines)
                os.kill(first.pid, signal.SIGSEGV)
                async with asyncio.timeout(60):
                    while not (now := processes(engines)) or now[0] is first:
                        await asyncio.sleep(0.01)
                os.kill(now[0].pid, signal.SIGSEGV)
                with pytest.raises(SearchFailedError, match="has ended"):
                    await reply.answer()
                assert await engines.decide(question(3)).answer()

        run(test)

    def test_a_worker_that_does_not_stop_is_killed(self) -> None:
        async def test() -> None:
            async with pool() as engines:
                reply = await begun(engines)
                (first,) = processes(engines)
                os.kill(first.pid, signal.SIGSTOP)
                reply.stop()
                await ended(first.pid)
                assert await engines.decide(question(3)).answer()

        run(test)

    def test_a_workers_memory_is_limited(self) -> None:
        async def test() -> None:
            few = Processes(1, Equipment(hash_mb=64, memory_mb=48))
            async with pool(few) as engines:
                with pytest.raises(SearchFailedError):
                    await engines.decide(question(3)).answer()

        run(test)

    def test_an_idle_worker_ends_and_is_replaced(self) -> None:
        async def test() -> None:
            async with pool() as engines:
                engines._pool._idle_seconds = 0.1  # type: ignore[misc]
                await engines.decide(question(3)).answer()
                (first,) = processes(engines)
                await ended(first.pid)
                engines.warm()
                assert await engines.decide(question(3)).answer()

        run(test)


SERVER = """
import asyncio
from tests.workers.support import pool
from tests.workers.test_pool import begun

async def main():
    async with pool() as engines:
        reply = await begun(engines)
        print("searching", flush=True)
        await reply.answer()

asyncio.run(main())
"""


@posix
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_worker_outlives_its_server(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "searching\n"
        server.send_signal(number)
        # The worker inherits the server's standard error, which reaches its end when both have
        # exited.
        server.communicate(timeout=60)


def test_a_worker_imports_no_web_modules() -> None:
    code = "import sys, damka.workers.serving; print(*sys.modules)"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = {module.split(".")[0] for module in completed.stdout.split()}
    assert not loaded & {"fastapi", "starlette", "uvicorn", "sqlalchemy", "jinja2", "ray", "numpy"}
    assert EQUIPMENT.hash_mb == 1
