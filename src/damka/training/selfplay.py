"""Playing batches of games in local processes or on a Ray cluster."""

from __future__ import annotations

import contextlib
import functools
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damka import _core
from damka.engine.weights import WeightsFile
from damka.errors import ClusterError, TrainingError
from damka.match.processes import in_processes
from damka.ray_cluster import connect
from damka.rules import from_dict
from damka.tablebase import Tablebases, folder_of, materials
from damka.training.records import Games

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

    from damka.rules import Rules

__all__ = ["Batch", "play", "play_locally", "play_on_ray"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Batch:
    """A batch of `count` games, from number `first` on; `rules` is from `Rules.to_dict`.

    `one` and `two` are weights files, None for the general evaluation. With `pairs`, two
    consecutive games have the same opening and swapped colours, and results are those of `one`;
    otherwise `one` plays itself and results are White's. A move is limited to `nodes` positions or
    `seconds`, whichever is above 0.
    """

    rules: dict[str, Any]
    number: int
    first: int
    count: int
    seed: int
    one: bytes | None
    two: bytes | None = None
    nodes: int = 0
    seconds: float = 0.0
    pairs: bool = False
    opening_plies: int = 6
    random_moves: int = 0
    record: bool = False
    pieces: int = 0
    """Both players probe the tablebases of up to this many pieces on the playing machine."""


@functools.lru_cache(4)
def _weights(data: bytes) -> WeightsFile:
    return WeightsFile.decode(data)


_open_tables: dict[tuple[int, Path], Tablebases] = {}


def _tables(rules: Rules, pieces: int) -> Tablebases:
    """Return the tablebases of up to `pieces` pieces, cached; all of them must exist."""
    key = pieces, folder_of(rules)
    if key not in _open_tables:
        tables = Tablebases(rules, pieces=pieces)
        missing = [
            material for material in materials(rules, pieces) if material not in tables.tables
        ]
        if missing:
            raise TrainingError(
                f"{tables.folder}: no endgame tablebase {missing[0]}; "
                f"damka tablebase build {rules.name} --pieces {pieces} builds the missing tables"
            )
        _open_tables[key] = tables
    return _open_tables[key]


def play(batch: Batch) -> Games:
    """Play the games.

    Raises TrainingError if no even opening is found, or for a missing tablebase.
    """
    rules = from_dict(batch.rules)
    tables = _tables(rules, batch.pieces) if batch.pieces else None
    one, two = (
        None if data is None else _weights(data).native(rules) for data in (batch.one, batch.two)
    )
    results, records, plies = _core.play_games(
        rules,
        first=batch.first,
        count=batch.count,
        seed=batch.seed,
        one=one,
        two=two,
        nodes=batch.nodes,
        seconds=batch.seconds,
        pairs=batch.pairs,
        opening_plies=batch.opening_plies,
        opening_bound=80,
        random_moves=batch.random_moves,
        record=batch.record,
        tables=None if tables is None else tables.native,
        stop=None,
    )
    if len(results) < batch.count:
        raise TrainingError(
            f"{rules.name}: no even opening after {batch.opening_plies} random moves"
        )
    return Games(results, records, plies)


def play_locally(batches: Iterable[Batch], workers: int) -> Generator[tuple[Batch, Games]]:
    """Play batches in `workers` processes, 1 for this one; yield them as they finish."""
    if workers == 1:
        for batch in batches:
            yield batch, play(batch)
        return
    work = in_processes(play, batches, workers)
    try:
        with contextlib.closing(work):
            yield from work
    except BrokenProcessPool as error:
        raise TrainingError("a worker process died") from error


def play_on_ray(batches: Iterable[Batch], address: str) -> Iterator[tuple[Batch, Games]]:
    """Play batches on the Ray cluster at `address`; yield them as they finish.

    Every node needs Damka. Raises TrainingError without Ray, if the cluster does not answer, and
    for errors on a node.
    """
    try:
        connect(address)
    except ClusterError as error:
        raise TrainingError(str(error)) from error
    import ray  # noqa: PLC0415

    try:
        yield from _play_on_nodes(batches)
    except ray.exceptions.RayTaskError as error:
        # The worker's error without Ray's traceback.
        if isinstance(error.cause, TrainingError):
            raise error.cause from None
        raise
    except ray.exceptions.RayError as error:
        raise TrainingError(f"the Ray cluster at {address} has failed: {error}") from error


def _play_on_nodes(batches: Iterable[Batch]) -> Iterator[tuple[Batch, Games]]:
    """Play batches on the connected cluster."""
    import ray  # noqa: PLC0415

    task = ray.remote(num_cpus=1, max_retries=3)(play)
    waiting = iter(batches)
    running: dict[Any, Batch] = {}
    try:
        while True:
            limit = 2 * int(ray.cluster_resources().get("CPU", 1))
            for batch in waiting:
                running[task.remote(batch)] = batch
                if len(running) >= limit:
                    break
            if not running:
                return
            finished, _ = ray.wait(list(running), num_returns=1)
            for reference in finished:
                yield running.pop(reference), ray.get(reference)
    finally:
        for reference in running:
            with contextlib.suppress(Exception):
                ray.cancel(reference)
