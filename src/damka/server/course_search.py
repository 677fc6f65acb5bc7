"""Searches for the courses of house rules: one at a time, a few for each address.

A search takes about a second of processor time, which the games of this process lack.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from damka.live.problems import Problem
from damka.study import lessons

if TYPE_CHECKING:
    from damka import Rules
    from damka.server.limits import Buckets

__all__ = ["CourseSearches"]

_MAX_WAITING: Final = 16


class CourseSearches:
    """Searches of one server; `per_address` rations them."""

    def __init__(self, per_address: Buckets) -> None:
        self._per_address: Final = per_address
        self._slot: Final = asyncio.Semaphore(1)
        self._waiting = 0

    async def find(self, rules: Rules, address: str) -> None:
        """Search for the course of these rules if it is not known.

        Raises Problem when the address, or all of them, ask for too many.
        """
        if await asyncio.to_thread(lessons.is_known, rules):
            return
        if not self._per_address.take(address):
            raise Problem(429, "too_many")
        if self._waiting >= _MAX_WAITING:
            raise Problem(503, "busy")
        self._waiting += 1
        try:
            async with self._slot:
                await asyncio.to_thread(lessons.course, rules)
        finally:
            self._waiting -= 1
