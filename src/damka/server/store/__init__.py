"""Where games are kept: models, migrations and the few calls the server makes."""

from damka.server.store.store import ConflictError, Store, StoreError

__all__ = ["ConflictError", "Store", "StoreError"]
