"""Matches of a run: the gate that a candidate must pass, and trials of the best weights."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from damka.match import Sprt
from damka.training.files import read_json, write_json
from damka.training.score import MatchScore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from damka.training.data import Workers
    from damka.training.progress import View
    from damka.training.selfplay import Batch

__all__ = ["TEST", "gate", "trials"]

TEST: Final = Sprt(0, 20)
"""The test that a candidate must pass against the best weights."""

_BATCH: Final = 20  # games per file, an even number
_TRIAL_SEED: Final = 77


def gate(
    workers: Workers, number: int, folder: Path, candidate: bytes, best: bytes | None, view: View
) -> MatchScore:
    """Play a generation's candidate against the best weights until the test is decided."""
    plan = _plan(workers, candidate, best, workers.settings.pairs, number)
    return _play(workers, folder, "gate", list(plan), view, TEST)


def trials(workers: Workers, folder: Path, best: bytes, view: View) -> None:
    """Play the best weights against the general evaluation, with equal nodes and with equal time.

    Each version of the best weights has its own folder in `folder`; older ones are deleted.
    """
    settings = workers.settings
    trial_folder = folder / f"trial-{hashlib.sha256(best).hexdigest()[:12]}"
    for path in folder.glob("trial-*"):
        if path != trial_folder:
            shutil.rmtree(path)
    if not settings.trials:
        return
    for name, seconds in (("nodes", 0.0), ("time", settings.trial_seconds)):
        plan = list(_plan(workers, best, None, settings.trials, _TRIAL_SEED))
        if seconds:
            plan = [replace(batch, nodes=0, seconds=seconds) for batch in plan]
        score = _play(workers, trial_folder, name, plan, view)
        limit = f"{seconds:g} s" if seconds else f"{settings.nodes} positions"
        view.log(f"best weights, {limit} per move: {score} against the general evaluation")


def _plan(
    workers: Workers, one: bytes, two: bytes | None, pairs: int, seed: int
) -> Iterator[Batch]:
    for batch in workers.batches(2 * pairs, _BATCH):
        yield replace(batch, seed=batch.seed + 500_009 + seed, one=one, two=two, pairs=True)


def _play(
    workers: Workers,
    folder: Path,
    name: str,
    plan: list[Batch],
    view: View,
    test: Sprt | None = None,
) -> MatchScore:
    """Play or resume a match, until `test` is decided if there is one."""
    score = MatchScore()
    remaining = []
    folder.mkdir(exist_ok=True)
    for batch in plan:
        path = _file(folder, name, batch)
        if path.exists():
            score.add(read_json(path)["results"])
        else:
            remaining.append(batch)
    view.begin(f"{folder.name}: {name}", sum(batch.count for batch in plan) // 2, score.count)
    if test is not None and score.decided(test):
        return score
    for batch, games in workers.play(remaining):
        results = list(memoryview(games.results).cast("b"))
        write_json(_file(folder, name, batch), {"results": results})
        score.add(results)
        view.advance(batch.count // 2, str(score))
        if test is not None and score.decided(test):
            break
    return score


def _file(folder: Path, name: str, batch: Batch) -> Path:
    return folder / f"{name}-{batch.number:05}.json"
