"""How slow the machine is now, for limits in real time."""

from __future__ import annotations

import time


def slowness() -> float:
    """Return how many times longer work takes now than with nothing else running."""
    work = 0.1
    start, end = time.perf_counter(), time.thread_time() + work
    while time.thread_time() < end:
        pass
    return (time.perf_counter() - start) / work
