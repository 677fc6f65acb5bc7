"""Decisions of the computer in a live game."""

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
    from damka.study.lessons import Guide

__all__ = ["SearchRequest", "decide", "decide_guided", "decide_steps"]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class SearchRequest:
    """Request for a decision of the computer, which plays `side`; `game` is a copy to work on."""

    game: Game
    side: Side
    level: int
    about_draw: bool
    """Whether to answer the other side's draw offer; otherwise to move."""
    may_offer_draw: bool
    engine: str | None = None
    """The operator's engine that plays instead of the level."""
    guide: Guide | None = None
    """The guide that plays instead of the level."""

    @property
    def is_guided(self) -> bool:
        """Whether the guide decides, which needs no search."""
        return self.guide is not None and not self.about_draw


def decide(
    engine: Engine, request: SearchRequest, rng: random.Random, stop: Stop | None = None
) -> tuple[Event, ...]:
    """Return the level's events, after applying them to the request's game.

    `rng` draws the level's mistakes. `stop` ends the search early.
    """
    return levels.run_search_steps(engine, decide_steps(request, rng), stop)


def decide_guided(request: SearchRequest) -> tuple[Event, ...]:
    """Return the guide's events, after applying them to the request's game."""
    if request.guide is None:
        raise ValueError("the game has no guide")
    return request.game.apply(request.guide.reply(request.game))


def decide_steps(
    request: SearchRequest, rng: random.Random
) -> Generator[levels.SearchTask, Analysis, tuple[Event, ...]]:
    """Decide like `decide`, but yield the searches, as `levels.decision_steps` does."""
    game, side = request.game, request.side
    if request.is_guided:
        return decide_guided(request)
    if request.about_draw:
        accepts = yield from levels.draw_answer_steps(game, side, request.level)
        return (DrawAccepted(side) if accepts else DrawDeclined(side),)
    decision = yield from levels.decision_steps(game, request.level, rng)
    if not request.may_offer_draw:
        decision = replace(decision, offer_draw=False)
    return game.apply(decision)
