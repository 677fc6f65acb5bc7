"""How often Python looks for cycles of garbage among all objects, which stops the process.

With a thousand open games it takes half a second, and Python would do so every ten seconds: each
time their number has grown by a quarter. Most garbage is in no cycle and is freed at once, so the
rest can wait: such collections take a thousandth of the time at most. What was there at the start,
the modules, is never looked at again. The smaller collections of what is new come more often than
usual, and stop the process for shorter.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from typing import Final

__all__ = ["run", "wait_after"]

_SHARE: Final = 1 / 1000
_LEAST_SECONDS: Final = 60.0
_YOUNG: Final = 3
"""Of the smallest collections every so many-th is a middle one."""
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
    gc.set_threshold(usual[0], _YOUNG, _NEVER)
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
