"""Where games, accounts and events are kept: models, migrations and what the server calls."""

from damka.server.store import (  # noqa: F401  their tables are part of the database
    account_models,
    chat_models,
    event_models,
    lobby_models,
    process_models,
    token_models,
)
from damka.server.store.store import (
    Also,
    Append,
    ConflictError,
    SeatChange,
    Store,
    StoreError,
    begin,
    connect,
)
from damka.server.store.upkeep import Pruned, backup, beat_file, check_copy, prune, restore
from damka.server.store.watch import FileWatch
from damka.server.store.writer import Writer

__all__ = [
    "Also",
    "Append",
    "ConflictError",
    "FileWatch",
    "Pruned",
    "SeatChange",
    "Store",
    "StoreError",
    "Writer",
    "backup",
    "beat_file",
    "begin",
    "check_copy",
    "connect",
    "prune",
    "restore",
]
