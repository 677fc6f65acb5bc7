"""Self-play on a Ray cluster of two nodes plays the same games, even if a node is killed.

Both nodes run on this machine, one processor each. Needs: pip install 'damka[ray]'

    python -m bench.cluster
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from damka.rules import load
from damka.training import Options, Run, TrainingSettings

SETTINGS = TrainingSettings(
    games=3000,
    generations=1,
    nodes=200,
    pairs=20,
    trials=0,
    start="general",
    fit=Options(steps=50),
)


@dataclass
class _Watch:
    """Record the progress of a run, and call something at a point of it."""

    after_500: Callable[[], object] | None = None
    games: int = 0
    lines: list[str] = field(default_factory=list)

    def begin(self, stage: str, total: int, done: int) -> None:
        del stage, total, done

    def advance(self, parts: int, note: str) -> None:
        del note
        self.games += parts
        if self.after_500 is not None and self.games >= 500:
            self.after_500()
            self.after_500 = None

    def tell(self, line: str) -> None:
        self.lines.append(line)


def main() -> None:
    """Train on a cluster and on this machine, and compare."""
    import ray  # noqa: PLC0415
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()

    def kill() -> None:
        cluster.remove_node(second, allow_graceful=False)

    try:
        with tempfile.TemporaryDirectory() as folder:
            weights = []
            for name, address, on_the_way in (
                ("two nodes", cluster.address, None),
                ("two nodes, one killed after 500 games", cluster.address, kill),
                ("this process", None, None),
            ):
                started = time.perf_counter()
                run = Path(folder) / name
                Run(load("mini-american"), run, SETTINGS, _Watch(on_the_way), ray=address).go()
                weights.append((run / "generation-1" / "candidate.weights").read_bytes())
                print(f"{name}: {time.perf_counter() - started:.0f} s")
            print("the weights are", "the same" if len(set(weights)) == 1 else "DIFFERENT")
    finally:
        ray.shutdown()
        cluster.shutdown()


if __name__ == "__main__":
    main()
