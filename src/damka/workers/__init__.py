"""Searches in worker processes, on this machine or on a Ray cluster.

A `WorkerPool` distributes tasks to workers, fairly between users. `Processes` and `RayWorkers`
start the workers; `serving` runs in one.
"""

from damka.workers.fair_queue import Band, FairQueue, Payer
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
    encoded,
    events_of,
    key_of,
    packed,
)

__all__ = [
    "Advise",
    "Analyse",
    "Band",
    "Decide",
    "Equipment",
    "FairQueue",
    "Payer",
    "Processes",
    "RayWorkers",
    "TaskFailedError",
    "Worker",
    "WorkerDiedError",
    "WorkerPool",
    "Workers",
    "analysis_of",
    "decision_of",
    "encoded",
    "events_of",
    "key_of",
    "packed",
]


def __dir__() -> list[str]:
    return __all__
