"""Storage of games, accounts and events: models, migrations and the server's database calls."""

from damka.server.store import (  # noqa: F401  registers their tables
    account_models,
    analysis_models,
    chat_models,
    event_models,
    lesson_models,
    lobby_models,
    process_models,
    study_models,
    token_models,
)
from damka.server.store.file_watch import FileWatch
from damka.server.store.maintenance import Pruned, backup, beat_file, check_copy, prune, restore
from damka.server.store.store import (
    Append,
    ConflictError,
    InTransaction,
    SeatChange,
    Store,
    StoreError,
    begin,
    connect,
)
from damka.server.store.writer import Writer

__all__ = [
    "Append",
    "ConflictError",
    "FileWatch",
    "InTransaction",
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
