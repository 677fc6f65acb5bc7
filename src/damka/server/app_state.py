"""The state of one server, which pages, API and live connections share."""

from __future__ import annotations

import asyncio
from typing import Final

from damka.server.accounts import Accounts
from damka.server.cluster import Cluster, SingleProcess
from damka.server.engine_pool import EnginePool
from damka.server.external_engines import ExternalEngines
from damka.server.game_session import GameSessions
from damka.server.invitations import Invitations
from damka.server.limits import Buckets, LiveConnectionCount
from damka.server.settings import Settings
from damka.server.store import Store
from damka.workers import Equipment, Processes, RayWorkers, Workers

__all__ = ["AppState"]


_PAGES: Final = 2
"""Game pages that are made at a time."""


class AppState:
    """The store, the open sessions, the engines and the rate limits of one server.

    Raises StoreError when the database cannot be used, ClusterError when the Ray cluster cannot.
    """

    def __init__(self, settings: Settings) -> None:
        limits = settings.limits
        self.settings: Final = settings
        self.cluster: Final[Cluster] = SingleProcess()
        self.store: Final = Store(settings.database_url)
        self.engines: Final = ExternalEngines(
            settings.engines, settings.engine_seconds, settings.engine_workers
        )
        workers = _workers(settings)
        self.engine_pool: Final = EnginePool(
            workers,
            self.engines,
            # One worker at least is left to the others.
            at_once=max(1, min(limits.searches_per_address, workers.count - 1)),
            waiting=limits.waiting_searches,
        )
        self.sessions: Final = GameSessions(settings, self.store, self.engine_pool)
        self.invitations: Final = Invitations(self.sessions, limits)
        self.accounts: Final = Accounts(limits, self.sessions.in_store, self.sessions.from_store)
        self.live_connections: Final = LiveConnectionCount(
            limits.connections, limits.connections_per_address, limits.connections_per_game
        )
        self.connects: Final = Buckets(limits.connect_burst, limits.connect_rate, limits.addresses)
        self.box_requests: Final = Buckets(limits.box_burst, limits.box_rate, limits.addresses)
        self.page_requests: Final = Buckets(limits.page_burst, limits.page_rate, limits.addresses)
        self.page_turn: Final = asyncio.Semaphore(_PAGES)
        # Reading a file of games keeps a processor busy.
        self.pdn_turn: Final = asyncio.Lock()
        self.posts: Final = Buckets(limits.post_burst, limits.post_rate, limits.addresses)

    async def start(self) -> None:
        """Go on with what ran when the server before this one ended."""
        await self.sessions.resume_clocks()

    async def close(self) -> None:
        """Stop the computer, finish writing, close the store."""
        self.engine_pool.stop()
        await self.sessions.close()
        self.accounts.close()
        await self.engine_pool.close()
        self.engines.close()


def _workers(settings: Settings) -> Workers:
    """Return what searches: processes of this machine, or a Ray cluster."""
    tablebases = None if settings.tablebases is None else str(settings.tablebases)
    hash_mb = settings.engine_hash_mb
    if settings.ray is not None:
        return RayWorkers(settings.ray, Equipment(hash_mb=hash_mb, tablebases=tablebases))
    return Processes(
        settings.engine_workers,
        Equipment(
            hash_mb=hash_mb, tablebases=tablebases, memory_mb=hash_mb + settings.engine_memory_mb
        ),
    )
