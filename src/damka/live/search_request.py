"""What the computer has to decide in a live game, and how a level decides it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from damka.engine import levels
from damka.live.events import DrawAccepted, DrawDeclined

if TYPE_CHECKING:
    import random

    from damka.engine import Engine, Stop
    from damka.game import Game
    from damka.live.events import Event
    from damka.rules import Side

__all__ = ["SearchRequest", "decide"]


@dataclass(frozen=True, slots=True)
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
    game, side = request.game, request.side
    if request.about_draw:
        accepts = levels.accepts_draw(engine, game, side, request.level, stop=stop)
        return (DrawAccepted(side) if accepts else DrawDeclined(side),)
    decision = levels.choose(engine, game, request.level, rng, stop=stop)
    if not request.may_offer_draw:
        decision = replace(decision, offer_draw=False)
    return game.apply(decision)
