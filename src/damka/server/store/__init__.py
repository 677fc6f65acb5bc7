"""Where games are kept: models, migrations and the few calls the server makes."""

from damka.server.store.store import ConflictError, SeatChange, Store, StoreError

__all__ = ["ConflictError", "SeatChange", "Store", "StoreError"]
