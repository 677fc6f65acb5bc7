"""What the computer has to decide in a live game, and how a level decides it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from damka.engine import levels
from damka.live.events import DrawAccepted, DrawDeclined, Event

if TYPE_CHECKING:
    import random
    from collections.abc import Generator

    from damka.engine import Analysis, Engine, Stop
    from damka.game import Game
    from damka.rules import Side

__all__ = ["SearchRequest", "decide", "deciding"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class SearchRequest:
    """What the computer, playing `side`, has to decide in `game`, which is its own to change."""

    game: Game
    side: Side
    level: int
    about_draw: bool
    """Whether the other side's offer is to be answered; else a move is to be made."""
    may_offer_draw: bool
    engine: str | None = None
    """The operator's engine that plays instead of the level."""


def decide(
    engine: Engine, request: SearchRequest, rng: random.Random, stop: Stop | None = None
) -> tuple[Event, ...]:
    """Return what the level does, which is then done in the request's game.

    `rng` draws the level's mistakes. `stop` ends the search early.
    """
    return levels.answered(engine, deciding(request, rng), stop)


def deciding(
    request: SearchRequest, rng: random.Random
) -> Generator[levels.Question, Analysis, tuple[Event, ...]]:
    """Decide as `decide` does, with the searches left to the caller: see `levels.deciding`."""
    game, side = request.game, request.side
    if request.about_draw:
        accepts = yield from levels.accepting(game, side, request.level)
        return (DrawAccepted(side) if accepts else DrawDeclined(side),)
    decision = yield from levels.deciding(game, request.level, rng)
    if not request.may_offer_draw:
        decision = replace(decision, offer_draw=False)
    return game.apply(decision)
