"""How often Python looks for cycles of garbage among all objects, which stops the process.

With a thousand open games it takes half a second, and Python would do so every ten seconds: each
time their number has grown by a quarter. Most garbage is in no cycle and is freed at once, so it
can wait: such collections take one part in three hundred of the time at most. What was there at the
start, the modules, is never looked at again.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from typing import Final

__all__ = ["run", "wait_after"]

_SHARE: Final = 1 / 300
_LEAST_SECONDS: Final = 60.0
_NEVER: Final = 1_000_000_000
_IS_INCREMENTAL: Final = sys.version_info >= (3, 14)
"""Whether Python does a little at a time by itself."""


def wait_after(seconds: float) -> float:
    """Return for how many seconds to wait after a collection that took so many."""
    return max(_LEAST_SECONDS, seconds / _SHARE)


async def run() -> None:
    """Collect garbage now and then, until cancelled."""
    if _IS_INCREMENTAL:
        return
    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*usual[:2], _NEVER)
    try:
        took = 0.0
        while True:
            await asyncio.sleep(wait_after(took))
            began = time.perf_counter()
            gc.collect()
            took = time.perf_counter() - began
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
