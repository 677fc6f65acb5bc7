"""Where games and accounts are kept: models, migrations and the few calls the server makes."""

from damka.server.store import (  # their tables are part of the database
    account_models,  # noqa: F401
    process_models,  # noqa: F401
)
from damka.server.store.store import (
    Append,
    ConflictError,
    SeatChange,
    Store,
    StoreError,
    connect,
)
from damka.server.store.upkeep import Pruned, backup, prune, restore
from damka.server.store.writer import Writer

__all__ = [
    "Append",
    "ConflictError",
    "Pruned",
    "SeatChange",
    "Store",
    "StoreError",
    "Writer",
    "backup",
    "connect",
    "prune",
    "restore",
]
