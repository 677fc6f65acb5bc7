"""Live games without a server."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from damka import rules
from damka.game import Game
from damka.live import events
from damka.live.live_game import LiveGame
from damka.live.stored_game import Seat, StoredGame
from damka.server.settings import Limits

NOW = datetime(2025, 1, 1, tzinfo=UTC)
PEOPLE = (
    Seat("W", "person", player=1, holder="one"),
    Seat("B", "person", player=2, holder="one"),
)
AGAINST_COMPUTER = (PEOPLE[0], Seat("B", "computer", player=2, level=3))


def live_game(
    game: Game | str = "dama64",
    *log: events.Event,
    seats: tuple[Seat, Seat] = PEOPLE,
    **fields: Any,
) -> LiveGame:
    base = None if isinstance(game, str) else game.to_json()
    rule_set = rules.load(game) if isinstance(game, str) else game.rules
    stored: dict[str, Any] = {"lot": None, "previous": None, "next": None, **fields}
    return LiveGame(
        StoredGame(
            id="G" * 22,
            rules=rule_set.to_dict(),
            base=base,
            created=NOW,
            updated=NOW,
            seats=seats,
            events=log,
            **stored,
        ),
        Limits(),
    )


def played(moves: str, game: Game | str = "dama64", **fields: Any) -> LiveGame:
    live = live_game(game, **fields)
    for move in moves.split():
        live.apply(live.move(("W", "B"), live.ply, move))
    return live
