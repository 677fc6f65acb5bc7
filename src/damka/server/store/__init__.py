"""Where games and accounts are kept: models, migrations and the few calls the server makes."""

from damka.server.store import (  # noqa: F401  their tables are part of the database
    account_models,
    chat_models,
    lobby_models,
    token_models,
)
from damka.server.store.store import Also, ConflictError, SeatChange, Store, StoreError, connect
from damka.server.store.upkeep import Pruned, backup, prune, restore

__all__ = [
    "Also",
    "ConflictError",
    "Pruned",
    "SeatChange",
    "Store",
    "StoreError",
    "backup",
    "connect",
    "prune",
    "restore",
]
