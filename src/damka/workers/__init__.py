"""Searches in worker processes, on this machine or on a Ray cluster.

A `WorkerPool` distributes tasks to workers, fairly between users. `Processes` and `RayWorkers`
start the workers; `serving` runs in one.
"""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.workers.fair_queue import FairQueue, JobKind, Requester
from damka.workers.pool import WorkerPool
from damka.workers.processes import Processes
from damka.workers.protocol import TaskFailedError, Worker, WorkerDiedError, Workers
from damka.workers.ray_workers import RayWorkers
from damka.workers.tasks import (
    Advise,
    Analyse,
    Decide,
    Equipment,
    analysis_of,
    decision_of,
    encode_task,
    events_of,
    key_of,
    pack_game,
)

__all__ = [
    "Advise",
    "Analyse",
    "Decide",
    "Equipment",
    "FairQueue",
    "JobKind",
    "Processes",
    "RayWorkers",
    "Requester",
    "TaskFailedError",
    "Worker",
    "WorkerDiedError",
    "WorkerPool",
    "Workers",
    "analysis_of",
    "decision_of",
    "encode_task",
    "events_of",
    "key_of",
    "pack_game",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(
        __name__,
        {"Payer": "Requester", "Band": "JobKind", "encoded": "encode_task", "packed": "pack_game"},
    )
