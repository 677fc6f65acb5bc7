"""State of one server, shared by pages, API and live connections."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Final

from starlette.types import ASGIApp

from damka.server.accounts import Accounts, Tokens
from damka.server.analysis import Analyses, Budgets, EndgameTables, Reviews
from damka.server.cluster import Cluster, SingleProcess
from damka.server.course_search import CourseSearches
from damka.server.engine_pool import EnginePool
from damka.server.events import Conductor, Events, Feeds, GameActions
from damka.server.external_engines import ExternalEngines
from damka.server.game_sessions import GameSessions
from damka.server.invitations import Invitations
from damka.server.leaving import Leaving
from damka.server.limits import Buckets, LiveConnectionCount
from damka.server.lobby import Lobby
from damka.server.observe import Metrics
from damka.server.processes import processes_of
from damka.server.programs import Announcer
from damka.server.programs.json_lines import Streams
from damka.server.settings import Settings
from damka.server.store import Store
from damka.workers import Equipment, Processes, RayWorkers, Workers

__all__ = ["AppState"]


_CONCURRENT_PAGES: Final = 2
"""Maximum number of game pages rendered at a time."""


class AppState:
    """The store, the open sessions, the engines and the rate limits of one server.

    Raises StoreError when the database cannot be used, ClusterError when the Ray cluster cannot.
    """

    def __init__(self, settings: Settings) -> None:  # noqa: PLR0915  one for each part
        limits = settings.limits
        self.settings: Final = settings
        self.limits: Final = limits
        self.store: Final = Store(settings.database_url)
        try:
            self.processes: Final = processes_of(settings, self.store)
        except BaseException:
            self.store.close()
            raise
        self.engines: Final = ExternalEngines(
            settings.engines, settings.engine_seconds, settings.engine_workers
        )
        workers = _workers(settings)
        self.engine_pool: Final = EnginePool(
            workers,
            self.engines,
            # Leave at least one worker to other clients.
            at_once=max(1, min(limits.searches_per_address, workers.count - 1)),
            waiting=limits.waiting_searches,
            analyses=limits.analysis_workers,
        )
        ownership = None if self.processes is None else self.processes.ownership
        self.sessions: Final = GameSessions(settings, self.store, self.engine_pool, ownership)
        self.cluster: Final[Cluster] = (
            SingleProcess() if self.processes is None else self.processes.cluster
        )
        self.announcer: Final = Announcer(self.cluster)
        self.sessions.commit_listeners.append(self.announcer.entry_committed)
        self.sessions.creation_listeners.append(self.announcer.game_created)
        self.streams: Final = Streams(limits.streams_per_account)
        self.exports: Final = Streams(1)
        """Streaming exports of many games, one at a time for each account."""
        self.tables: Final = EndgameTables(settings.tablebases)
        self.analysis_streams: Final = Streams(limits.streams_per_account)
        self.analysis_requests: Final = Buckets(
            limits.analysis_burst, limits.analysis_rate, limits.addresses
        )
        self.invitations: Final = Invitations(self.sessions, limits)
        self.accounts: Final = Accounts(
            limits, self.sessions.database.write, self.sessions.database.read
        )
        self.tokens: Final = Tokens(self.accounts, limits, self.cluster)
        self.events: Final = Events(self.sessions, self.cluster, limits)
        self.feeds: Final = Feeds(self.events, self.sessions, self.cluster)
        self.conductor: Final = Conductor(self.events, self.sessions, self.accounts, self.cluster)
        self.game_actions: Final = GameActions(self.sessions, self.cluster)
        self.lobby: Final = Lobby(settings, self.sessions, self.accounts, self.cluster)
        self.leaving: Final = Leaving(self.sessions, self.accounts, self.cluster)
        self.study_changes: Final = Buckets(limits.study_burst, limits.study_rate, limits.addresses)
        self.challenges: Final = Buckets(
            limits.challenge_burst, limits.challenge_rate, limits.addresses
        )
        self.live_connections: Final = LiveConnectionCount(
            limits.connections, limits.connections_per_address, limits.connections_per_game
        )
        self.connects: Final = Buckets(limits.connect_burst, limits.connect_rate, limits.addresses)
        self.box_requests: Final = Buckets(limits.box_burst, limits.box_rate, limits.addresses)
        self.course_searches: Final = CourseSearches(
            Buckets(limits.course_burst, limits.course_rate, limits.addresses)
        )
        self.page_requests: Final = Buckets(limits.page_burst, limits.page_rate, limits.addresses)
        self.page_slots: Final = asyncio.Semaphore(_CONCURRENT_PAGES)
        self.list_slots: Final = asyncio.Semaphore(_CONCURRENT_PAGES)
        """Slots of pages that show many games, so that they do not block pages of one game."""
        # Parsing a PDN file is CPU-bound.
        self.pdn_lock: Final = asyncio.Lock()
        self.chat_posts: Final = Buckets(limits.chat_burst, limits.chat_rate, limits.addresses)
        self.chat_rooms: Final = Buckets(
            limits.chat_room_burst, limits.chat_room_rate, limits.addresses
        )
        self.posts: Final = Buckets(limits.post_burst, limits.post_rate, limits.addresses)

        self.metrics: Final = Metrics()
        self.budgets: Final = Budgets(self.accounts.read, self.accounts.write, self.now)
        self.analyses, self.reviews = self._analysis()
        self._register_metrics()

    def _analysis(self) -> tuple[Analyses, Reviews]:
        accounts, engine_pool = self.accounts, self.engine_pool
        shared = self.budgets, self.metrics, accounts.read, accounts.write
        threads = self.sessions.rule_threads
        return (
            Analyses(self.limits, engine_pool, self.tables, *shared),
            Reviews(self.limits, engine_pool, threads, *shared),
        )

    def now(self) -> datetime:
        """Return the time of budgets and stored analyses."""
        return datetime.now(UTC)

    def _register_metrics(self) -> None:
        metrics, sessions = self.metrics, self.sessions
        sessions.database.timed = metrics.timed
        sessions.creation_listeners.append(metrics.game_created)
        sessions.commit_listeners.append(metrics.entry_committed)
        metrics.gauge("live_connections", "Live connections.", lambda: self.live_connections.total)
        metrics.gauge("streams", "Streams of programs.", lambda: self.streams.count)
        metrics.gauge("games_open", "Games in memory.", lambda: sessions.open_count)
        metrics.gauge(
            "searches_waiting",
            "Searches waiting for an engine.",
            lambda: self.engine_pool.waiting,
        )
        metrics.gauge(
            "analyses_running", "Analyses that run or wait.", lambda: self.analyses.running
        )
        metrics.gauge("reviews_running", "Reviews in progress.", lambda: self.reviews.running)

    async def start(self, app: ASGIApp) -> None:
        """Resume the games and events of the previous server.

        `app` serves the connections that other processes forward. Raises StoreError and OSError.
        """
        if self.processes is None:
            await self.sessions.resume_clocks()
        else:
            await self.processes.start(self.sessions, app)
        self.game_actions.start()
        self.conductor.start()
        self.lobby.start()
        self.leaving.start()
        self.invitations.start()

    async def close(self) -> None:
        """Stop the computer, finish pending writes, close the store."""
        self.stop_streams()
        self.engine_pool.stop()
        await self.reviews.close()
        await self.analyses.close()
        await self.budgets.close()
        await self.announcer.close()
        await self.conductor.close()
        await self.feeds.close()
        await self.game_actions.close()
        await self.lobby.close()
        await self.leaving.close()
        await self.invitations.close()
        if self.processes is not None:
            await self.processes.stop()
        await self.sessions.close()
        if self.processes is not None:
            await asyncio.to_thread(self.processes.close)
        self.accounts.close()
        await self.engine_pool.close()
        self.engines.close()
        self.tables.close()

    def stop_streams(self) -> None:
        """End streaming responses: the server is shutting down."""
        self.streams.stop()
        self.exports.stop()
        self.analysis_streams.stop()


def _workers(settings: Settings) -> Workers:
    """Return the search workers: processes of this machine, or a Ray cluster."""
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
