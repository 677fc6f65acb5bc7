"""Where games and accounts are kept: models, migrations and the few calls the server makes."""

from damka.server.store import account_models  # noqa: F401  its tables are part of the database
from damka.server.store.store import ConflictError, SeatChange, Store, StoreError, connect
from damka.server.store.upkeep import Pruned, backup, prune, restore
from damka.server.store.watch import FileWatch

__all__ = [
    "ConflictError",
    "FileWatch",
    "Pruned",
    "SeatChange",
    "Store",
    "StoreError",
    "backup",
    "connect",
    "prune",
    "restore",
]
