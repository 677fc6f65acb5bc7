"""Self-play and a server's searches on a Ray cluster of two nodes, both on this machine."""

from __future__ import annotations

import asyncio
import time
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import ray

from damka import Game
from damka.engine import SearchLimits
from damka.errors import ClusterError, TrainingError
from damka.live.events import Moved
from damka.server.engine_pool import StoppedError
from damka.training import Run, selfplay
from damka.training.records import Games
from damka.training.selfplay import Batch, play, play_on_ray
from damka.workers import Equipment, RayWorkers
from tests.training.tiny_run import RULES, TINY, FakeView
from tests.workers.support import pool, question
from tests.workers.test_pool import begun

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.release

RAW = RULES.to_dict()
BATCH = Batch(RAW, number=0, first=0, count=40, seed=1, one=None, nodes=200, record=True)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of one CPU each; resources that Ray leaves open are ignored."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nodes: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        try:
            nodes.add_node(num_cpus=1)
            nodes.wait_for_nodes()
            yield nodes
        finally:
            ray.shutdown()
            nodes.shutdown()


def batches(count: int) -> list[Batch]:
    return [replace(BATCH, number=n, first=n * BATCH.count) for n in range(count)]


class TestSearches:
    def test_actors_of_the_cluster_search_stream_stop_and_are_replaced(self, cluster: Any) -> None:
        workers = RayWorkers(cluster.address, Equipment(hash_mb=1))
        assert workers.count == 2

        async def search() -> None:
            async with pool(workers) as engines:
                (moved,) = await engines.decide(question(3)).answer()
                assert isinstance(moved, Moved)
                lasting = await begun(engines)
                lasting.stop()
                with pytest.raises(StoppedError):
                    await lasting.answer()
                depths: list[int] = []
                limits = SearchLimits(nodes=400_000)
                reply = engines.analyse(
                    Game("dama64"), limits, on_depth=lambda far: depths.append(far.depth)
                )
                while not depths:
                    await asyncio.sleep(0.01)
                for worker in engines._pool.workers:
                    worker.kill()
                assert (await reply.answer()).depth >= depths[0]

        asyncio.run(search())

    def test_a_missing_cluster_is_an_error(self) -> None:
        ray.shutdown()
        with pytest.raises(ClusterError, match=r"no Ray cluster at 127\.0\.0\.1:9"):
            RayWorkers("127.0.0.1:9", Equipment(hash_mb=1))


class TestTwoNodes:
    def test_a_cluster_plays_the_same_games(self, cluster: Any) -> None:
        requested = batches(12)
        played = {batch.number: games for batch, games in play_on_ray(requested, cluster.address)}
        assert played == {batch.number: play(batch) for batch in requested}

    def test_both_nodes_play(self, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        def where(_: Batch) -> Games:
            time.sleep(1)  # a node takes a while to start its worker
            return Games(b"", ray.get_runtime_context().get_node_id().encode(), 0)

        monkeypatch.setattr(selfplay, "play", where)
        nodes = {games.records.decode() for _, games in play_on_ray(batches(8), cluster.address)}
        assert nodes == {each["NodeID"] for each in ray.nodes() if each["Alive"]}
        assert len(nodes) == 2

    def test_a_cluster_learns_the_same_weights(self, cluster: Any, tmp_path: Path) -> None:
        settings = replace(TINY, generations=1)
        weights = []
        for name, address in (("there", cluster.address), ("here", None)):
            Run(RULES, tmp_path / name, settings, FakeView(), ray=address).run()
            weights.append((tmp_path / name / "generation-1" / "candidate.weights").read_bytes())
        assert weights[0] == weights[1]

    def test_a_missing_package_on_a_node_is_reported_without_a_trace(self, cluster: Any) -> None:
        lacking = replace(BATCH, pieces=3)
        with pytest.raises(TrainingError, match="no endgame tablebase") as caught:
            list(play_on_ray([lacking], cluster.address))
        assert "Traceback" not in str(caught.value)

    def test_games_continue_when_a_node_is_killed(self, cluster: Any) -> None:
        """This test is the last one, because it removes a node."""
        requested = batches(12)
        played: dict[int, Games] = {}
        for batch, games in play_on_ray(requested, cluster.address):
            if not played:
                cluster.remove_node(cluster.worker_nodes.copy().pop(), allow_graceful=False)
            played[batch.number] = games
        assert played == {batch.number: play(batch) for batch in requested}
