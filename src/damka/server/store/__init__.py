"""Where games are kept: models, migrations and the few calls the server makes."""

from damka.server.store.store import (
    ConflictError,
    NewSeat,
    Store,
    StoredGame,
    StoredSeat,
    StoreError,
)

__all__ = ["ConflictError", "NewSeat", "Store", "StoreError", "StoredGame", "StoredSeat"]
