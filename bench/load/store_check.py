"""Compare acknowledged moves with the store, entry by entry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import select

from damka.live import events
from damka.server.store import connect
from damka.server.store.models import EventRow

__all__ = ["SentGame", "StoreReport", "compare_store"]


class SentGame(NamedTuple):
    """A game in the generator's view."""

    id: str
    moves: tuple[str, ...]
    """All sent moves, in order."""
    acknowledged: int
    """The number of moves seen by both players."""


class StoreReport(NamedTuple):
    """The differences between acknowledged and stored moves."""

    games: int
    moves: int
    """The number of acknowledged moves."""
    lost: int
    doubled: int
    wrong: int
    """Unsent moves, and missing sequence numbers."""

    @property
    def is_good(self) -> bool:
        """Whether there are no differences."""
        return not (self.lost or self.doubled or self.wrong)

    def __str__(self) -> str:
        """Return a description."""
        return (
            f"{self.moves} moves of {self.games} games: {self.lost} lost, "
            f"{self.doubled} duplicated, {self.wrong} wrong"
        )


def compare_store(database_url: str, games: Iterable[SentGame]) -> StoreReport:
    """Compare the games with the database at the URL."""
    stored: dict[str, list[str]] = defaultdict(list)
    gaps = 0
    table: Any = EventRow.__table__
    query = select(table.c.game_id, table.c.seq, table.c.kind, table.c.payload)
    with connect(database_url) as engine, engine.connect() as connection:
        # Databases end idle transactions.
        rows = connection.execute(query.order_by(table.c.game_id, table.c.seq)).all()
    expected: dict[str, int] = defaultdict(int)
    for game, seq, kind, payload in rows:
        gaps += seq != expected[game]
        expected[game] = seq + 1
        entry = events.read(kind, payload)
        if isinstance(entry, events.Moved):
            stored[game].append(entry.hub)
    count = moves = lost = doubled = wrong = 0
    for game in games:
        count, moves = count + 1, moves + game.acknowledged
        stored_moves, sent = stored.get(game.id, []), [move.rstrip("=") for move in game.moves]
        matching = next(
            (n for n, (a, b) in enumerate(zip(stored_moves, sent, strict=False)) if a != b),
            min(len(stored_moves), len(sent)),
        )
        lost += max(0, game.acknowledged - matching)
        for at in range(matching, len(stored_moves)):
            repeated = at > 0 and stored_moves[at] == stored_moves[at - 1]
            doubled, wrong = doubled + repeated, wrong + (not repeated)
    return StoreReport(count, moves, lost, doubled, wrong + gaps)
