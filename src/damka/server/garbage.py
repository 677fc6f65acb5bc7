"""Scheduling of full garbage collections, which pause the process.

With a thousand open games a full collection takes half a second, and Python would run one every ten
seconds, whenever the number of objects has grown by a quarter. Most garbage is acyclic and freed
immediately, so full collections are limited to a thousandth of the time. Objects that exist at
startup, such as modules, are exempt. Collections of young objects run more often than by default,
and each is shorter.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from typing import Final

__all__ = ["run", "wait_after"]

_TIME_SHARE: Final = 1 / 1000
_MIN_SECONDS: Final = 60.0
_GENERATION_1_THRESHOLD: Final = 3
"""Collections of generation 0 per collection of generation 1."""
_NEVER: Final = 1_000_000_000
_IS_INCREMENTAL: Final = sys.version_info >= (3, 14)
"""Whether Python's own full collections are incremental."""


def wait_after(seconds: float) -> float:
    """Return the seconds to wait after a collection that took `seconds`."""
    return max(_MIN_SECONDS, seconds / _TIME_SHARE)


async def run() -> None:
    """Run full collections periodically, until cancelled."""
    if _IS_INCREMENTAL:
        return
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(thresholds[0], _GENERATION_1_THRESHOLD, _NEVER)
    try:
        seconds = 0.0
        while True:
            await asyncio.sleep(wait_after(seconds))
            start = time.perf_counter()
            gc.collect()
            seconds = time.perf_counter() - start
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()
