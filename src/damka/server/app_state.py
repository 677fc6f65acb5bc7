"""The state of one server, which pages, API and live connections share."""

from __future__ import annotations

import asyncio
from typing import Final

from damka.server.accounts import Accounts
from damka.server.cluster import Cluster, SingleProcess
from damka.server.engine_pool import EnginePool
from damka.server.events import Conductor, Events, Feeds
from damka.server.external_engines import ExternalEngines
from damka.server.game_session import GameSessions
from damka.server.invitations import Invitations
from damka.server.limits import Buckets, LiveConnectionCount
from damka.server.lobby import Lobby
from damka.server.settings import Settings
from damka.server.store import Store

__all__ = ["AppState"]


class AppState:
    """The store, the open sessions, the engines and the rate limits of one server.

    Raises StoreError when the database cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        limits = settings.limits
        self.settings: Final = settings
        self.cluster: Final[Cluster] = SingleProcess()
        self.store: Final = Store(settings.database_url)
        self.engines: Final = ExternalEngines(
            settings.engines, settings.engine_seconds, settings.engine_threads
        )
        self.engine_pool: Final = EnginePool(
            settings.engine_threads,
            settings.engine_hash_mb,
            limits.waiting_searches,
            self.engines,
            settings.tablebases,
            # One thread at least is left to the others.
            at_once=max(1, min(limits.searches_per_address, settings.engine_threads - 1)),
        )
        self.sessions: Final = GameSessions(settings, self.store, self.engine_pool)
        self.invitations: Final = Invitations(self.sessions, limits)
        self.accounts: Final = Accounts(limits, self.sessions.in_store, self.sessions.from_store)
        self.events: Final = Events(self.sessions, self.cluster, limits)
        self.feeds: Final = Feeds(self.events, self.sessions, self.cluster)
        self.conductor: Final = Conductor(self.events, self.sessions, self.accounts, self.cluster)
        self.lobby: Final = Lobby(settings, self.sessions, self.accounts, self.cluster)
        self.challenges: Final = Buckets(
            limits.challenge_burst, limits.challenge_rate, limits.addresses
        )
        self.live_connections: Final = LiveConnectionCount(
            limits.connections, limits.connections_per_address, limits.connections_per_game
        )
        self.connects: Final = Buckets(limits.connect_burst, limits.connect_rate, limits.addresses)
        self.box_requests: Final = Buckets(limits.box_burst, limits.box_rate, limits.addresses)
        # Reading a file of games keeps a processor busy.
        self.pdn_turn: Final = asyncio.Lock()
        self.chat_posts: Final = Buckets(limits.chat_burst, limits.chat_rate, limits.addresses)
        self.chat_rooms: Final = Buckets(
            limits.chat_room_burst, limits.chat_room_rate, limits.addresses
        )
        self.posts: Final = Buckets(limits.post_burst, limits.post_rate, limits.addresses)

    async def start(self) -> None:
        """Go on with what ran when the server before this one ended."""
        await self.sessions.resume_clocks()
        self.conductor.start()
        self.lobby.start()
        self.invitations.start(lambda: self.cluster.leads("invitations"))

    async def close(self) -> None:
        """Stop the computer, finish writing, close the store."""
        self.engine_pool.stop()
        await self.conductor.close()
        await self.feeds.close()
        await self.lobby.close()
        await self.invitations.close()
        await self.sessions.close()
        self.accounts.close()
        self.engine_pool.close()
        self.engines.close()
