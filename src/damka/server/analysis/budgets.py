"""Budgets of nodes: how much an address and an account may search on the server in a day.

A budget is restored evenly: after a day without searches it is full again. A search reserves its
limit, and is charged the nodes that it has searched. Charges are written in the background, many at
a time; a server that is killed loses those of its last searches.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from damka import locales
from damka.errors import DamkaError
from damka.live.problems import Problem
from damka.server.analysis import rows
from damka.server.fault_log import log_fault
from damka.server.limits import WIDE_FACTOR, networks

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damka.server.settings import Limits

__all__ = ["Budgets", "Payer", "Reservation", "UsedUpProblem"]

log: Final = logging.getLogger(__name__)

InTransaction = Callable[[Callable[["Connection"], Any]], Awaitable[Any]]


class UsedUpProblem(Problem):
    """A request over the budget: it is possible again at `again`."""

    def __init__(self, now: datetime, again: datetime) -> None:
        super().__init__(429, "analysis_used_up")
        self.wait: Final = again - now
        self.again: Final = again
        seconds = max(1, round(self.wait.total_seconds()))
        self.headers: Final = {"retry-after": str(seconds)}

    def sentence(self, language: str) -> str:
        """Return the error message, with the time to wait."""
        minutes = max(1, -(-int(self.wait.total_seconds()) // 60))
        key, n = ("minutes", minutes) if minutes < 60 else ("hours", -(-minutes // 60))
        return locales.plural(language, f"analysis_server.used_up_{key}", n)

    def body(self, language: str) -> dict[str, str | int]:
        """Return the JSON body of the response, with the time in `again`."""
        return {**super().body(language), "again": self.again.isoformat(timespec="seconds")}


class Payer:
    """The address and the account (None for a guest) that pay for a search."""

    __slots__ = ("capacities",)

    def __init__(self, address: str, account: str | None, limits: Limits) -> None:
        self.capacities: Final[dict[str, int]] = {
            _key("address", each): limits.analysis_address_nodes * (WIDE_FACTOR if wide else 1)
            for wide, each in enumerate(networks(address))
        }
        if account is not None:
            self.capacities[_key("account", account)] = limits.analysis_account_nodes


class Reservation:
    """Nodes reserved for a search, until it is settled."""

    def __init__(self, budgets: Budgets, payer: Payer, nodes: int) -> None:
        self._budgets: Final = budgets
        self._payer: Final = payer
        self._nodes: Final = nodes
        self._settled = False

    def settle(self, nodes: int) -> None:
        """Release the reservation and charge the nodes searched; only the first call counts."""
        if not self._settled:
            self._settled = True
            self._budgets._settle(self._payer, self._nodes, nodes)


class Budgets:
    """The budgets of one server; `read` and `write` run a call in a transaction."""

    def __init__(
        self, read: InTransaction, write: InTransaction, now: Callable[[], datetime]
    ) -> None:
        self.now = now
        self._read: Final = read
        self._write: Final = write
        self._reserved: Final[Counter[str]] = Counter()
        self._unwritten: Counter[str] = Counter()
        """Charges that are not in the database yet."""
        self._capacities: dict[str, int] = {}
        self._writer: asyncio.Task[None] | None = None
        self._lock: Final = asyncio.Lock()
        """Held while charges move to the database, so that they are counted exactly once."""

    async def reserve(self, payer: Payer, nodes: int) -> Reservation:
        """Reserve nodes. Raises UsedUpProblem."""
        now = self.now()
        async with self._lock:
            used = await self._read(lambda connection: rows.used(connection, payer.capacities, now))
            unwritten = Counter(self._unwritten)
        wait = timedelta()
        for key, capacity in payer.capacities.items():
            busy = used.get(key, 0) + self._reserved[key] + unwritten[key]
            lacking = busy + min(nodes, capacity) - capacity
            if lacking > 0:
                # Half a minute more, so that the rounded time is not too early.
                days = lacking / max(1, capacity)
                wait = max(wait, min(rows.DAY, days * rows.DAY + timedelta(seconds=30)))
        if wait:
            raise UsedUpProblem(now, now + wait)
        self._reserved.update(dict.fromkeys(payer.capacities, nodes))
        return Reservation(self, payer, nodes)

    async def close(self) -> None:
        """Write the last charges."""
        while self._writer is not None:
            await asyncio.gather(self._writer, return_exceptions=True)

    def _settle(self, payer: Payer, reserved: int, nodes: int) -> None:
        for key in payer.capacities:
            self._reserved[key] -= reserved
            if self._reserved[key] <= 0:
                del self._reserved[key]
        if nodes <= 0:
            return
        self._unwritten.update(dict.fromkeys(payer.capacities, nodes))
        self._capacities.update(payer.capacities)
        if self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._write_charges())

    async def _write_charges(self) -> None:
        try:
            while self._unwritten:
                async with self._lock:
                    await self._write_once()
        except DamkaError as error:
            # The charges remain, and are written with the next ones.
            log_fault(log, error, "the nodes of analyses cannot be stored")
        finally:
            self._writer = None

    async def _write_once(self) -> None:
        nodes, capacities = dict(self._unwritten), self._capacities
        self._capacities = dict(capacities)
        now = self.now()
        await self._write(lambda connection: rows.charge(connection, nodes, capacities, now))
        self._unwritten.subtract(nodes)
        self._unwritten = +self._unwritten
        self._capacities = {key: self._capacities[key] for key in self._unwritten}


def _key(kind: str, name: str) -> str:
    """Return the key of a budget. Addresses are not stored in clear."""
    return hashlib.sha256(f"{kind} {name}".encode()).hexdigest()
