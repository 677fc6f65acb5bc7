"""Decisions of the computer in a live game, and how a level makes them."""

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
    """Decision for the computer, which plays `side`, in `game`, a copy that it may change."""

    game: Game
    side: Side
    level: int
    about_draw: bool
    """Whether to answer the other side's draw offer; otherwise to move."""
    may_offer_draw: bool
    engine: str | None = None
    """The operator's engine that plays instead of the level."""


def decide(
    engine: Engine, request: SearchRequest, rng: random.Random, stop: Stop | None = None
) -> tuple[Event, ...]:
    """Return the level's events, after applying them to the request's game.

    `rng` draws the level's mistakes. `stop` ends the search early.
    """
    return levels.run_search_steps(engine, deciding(request, rng), stop)


def deciding(
    request: SearchRequest, rng: random.Random
) -> Generator[levels.SearchTask, Analysis, tuple[Event, ...]]:
    """Decide as `decide` does, but yield the searches: see `levels.decision_steps`."""
    game, side = request.game, request.side
    if request.about_draw:
        accepts = yield from levels.draw_answer_steps(game, side, request.level)
        return (DrawAccepted(side) if accepts else DrawDeclined(side),)
    decision = yield from levels.decision_steps(game, request.level, rng)
    if not request.may_offer_draw:
        decision = replace(decision, offer_draw=False)
    return game.apply(decision)
