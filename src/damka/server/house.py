"""What one server is made of, handed to pages, API and live connections alike."""

from __future__ import annotations

from typing import Final

from damka.server.guests import Guests
from damka.server.limits import Buckets, Seatings
from damka.server.opponents import Opponents
from damka.server.room import Rooms
from damka.server.settings import Settings
from damka.server.store import Store

__all__ = ["House"]


class House:
    """The store, the open rooms, the engines and the rations of one server.

    Raises StoreError when the database cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        limits = settings.limits
        self.settings: Final = settings
        self.store: Final = Store(settings.database_url)
        self.guests: Final = Guests(
            settings.engines, settings.guest_seconds, settings.engine_threads
        )
        self.opponents: Final = Opponents(
            settings.engine_threads,
            settings.engine_hash_mb,
            limits.waiting_searches,
            self.guests,
            settings.tablebases,
            # One thread at least is left to the others.
            at_once=max(1, min(limits.searches_per_address, settings.engine_threads - 1)),
        )
        self.rooms: Final = Rooms(settings, self.store, self.opponents)
        self.seatings: Final = Seatings(
            limits.connections, limits.connections_per_address, limits.connections_per_game
        )
        self.arrivals: Final = Buckets(
            limits.arrivals_burst, limits.arrivals_rate, limits.addresses
        )
        self.looks: Final = Buckets(limits.look_burst, limits.look_rate, limits.addresses)
        self.posts: Final = Buckets(limits.post_burst, limits.post_rate, limits.addresses)

    async def close(self) -> None:
        """Stop the computer, finish writing, close the store."""
        self.opponents.stop()
        await self.rooms.close()
        self.opponents.close()
        self.guests.close()
