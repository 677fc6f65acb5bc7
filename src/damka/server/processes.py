"""Additional services of a process that may share its database with others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sqlalchemy.engine import make_url
from starlette.types import ASGIApp, Scope

from damka.server.broker import BrokerCluster
from damka.server.cluster import Cluster, SingleProcess
from damka.server.forwarding import game_of
from damka.server.membership import Membership
from damka.server.ownership import Ownership
from damka.server.peers import Peers
from damka.server.store import Store, StoreError, processes
from damka.server.store.processes import ProcessRecord

if TYPE_CHECKING:
    from damka.server.game_sessions import GameSessions
    from damka.server.settings import Settings

__all__ = ["Processes", "processes_of"]


class Processes:
    """This process and the others that use its PostgreSQL database; without a broker, the only one.

    Raises StoreError when another process excludes this one, and BrokerError.
    """

    def __init__(self, settings: Settings, store: Store) -> None:
        self._exclusive: Final = settings.broker_url is None
        self._sessions: GameSessions | None = None
        name = make_url(settings.database_url).database or "damka"
        self._broker: Final = (
            None
            if settings.broker_url is None
            else BrokerCluster(settings.broker_url, name, self._leads)
        )
        self.cluster: Final[Cluster] = self._broker or SingleProcess()
        self._membership: Final = Membership(store, exclusive=self._exclusive)
        self.peers: Final = (
            None
            if self._exclusive
            else Peers(
                settings.peer_host, lambda: self._membership.secret, self._owns, self._release
            )
        )
        self.ownership: Final = Ownership(
            self._membership,
            self._on_change,
            None if self.peers is None else self.peers.request_game,
        )

    async def start(self, sessions: GameSessions, app: ASGIApp) -> None:
        """Start serving forwarded connections, and take over the games of ended processes.

        Raises StoreError, and OSError when the port for other processes cannot be opened.
        """
        self._sessions = sessions
        sessions.monitor_store()
        address = "" if self.peers is None else await self.peers.listen(app)
        if self._broker is not None:
            await self._broker.start()
        await self.ownership.start(sessions, address, exclusive=self._exclusive)

    async def stop(self) -> None:
        """Stop serving other processes."""
        if self.peers is not None:
            await self.peers.close()
        await self.ownership.stop()
        if self._broker is not None:
            await self._broker.close()

    def close(self) -> None:
        """Leave, after all writes, so that other processes take over the games."""
        self._membership.close()

    def _on_change(self, others: Mapping[str, ProcessRecord]) -> None:
        if self.peers is not None:
            self.peers.close_stale_links(others)

    async def _owns(self, scope: Scope) -> bool:
        game_id = game_of(scope)
        if game_id is None:
            return False
        record = await self.ownership.take(game_id)
        return record.owner == self.ownership.id

    async def _release(self, game_id: str) -> float:
        until = await self.ownership.release(game_id)
        return until.timestamp()

    async def _leads(self, task: str) -> bool:
        if self._sessions is None:
            return False
        own_id = self.ownership.id

        def write(store: Store) -> bool:
            with store.transaction(of_games=True) as connection:
                return processes.lead(connection, task, own_id)

        return await self._sessions.database.write(write)


def processes_of(settings: Settings, store: Store) -> Processes | None:
    """Return the services for several processes; None for a database that cannot be shared.

    Raises StoreError and BrokerError.
    """
    if store.is_shared:
        return Processes(settings, store)
    if settings.broker_url is not None:
        raise StoreError(
            "several processes need PostgreSQL: set DAMKA_DATABASE_URL, or unset DAMKA_BROKER_URL"
        )
    return None
