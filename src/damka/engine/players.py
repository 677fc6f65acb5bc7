"""Players for matches, the server and the terminal."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from damka.engine import levels
from damka.engine.search import CONTEMPT
from damka.engine.skill import Level
from damka.game import Decision

if TYPE_CHECKING:
    from damka._core import Stop
    from damka.engine.search import Engine, SearchLimits
    from damka.game import Game
    from damka.rules import Side

__all__ = ["EnginePlayer", "LevelPlayer", "Player"]


class Player(Protocol):
    """A player of one game at a time, who does not change the game."""

    name: str

    def begin(self, seed: int) -> None:
        """Prepare for a new game; `seed` is for random choices in it."""

    def choose(
        self, game: Game, seconds: float | None = None, *, stop: Stop | None = None
    ) -> Decision:
        """Return a decision in `game`, which is not over.

        `seconds` is the time for the move, None for no time limit. When `stop` is set, the player
        stops searching and returns its best move so far.
        """

    def accepts_draw(self, game: Game, side: Side, *, stop: Stop | None = None) -> bool:
        """Return whether the player, as `side`, accepts the other side's draw offer."""

    def close(self) -> None:
        """Close processes and connections."""


@dataclass(slots=True, weakref_slot=True)
class LevelPlayer:
    """One of the ten levels, or an intermediate one; `level` is a number or a `Level`."""

    level: int | Level
    engine: Engine
    rng: random.Random = field(default_factory=random.Random)
    name: str = "level"

    def begin(self, seed: int) -> None:
        """Seed the generator and clear the engine's transposition table."""
        self.rng.seed(seed)
        self.engine.clear()

    def choose(
        self, game: Game, seconds: float | None = None, *, stop: Stop | None = None
    ) -> Decision:
        """Return the level's decision; a level has its own limits."""
        del seconds
        return levels.choose(self.engine, game, self.level, self.rng, stop=stop)

    def accepts_draw(self, game: Game, side: Side, *, stop: Stop | None = None) -> bool:
        """Return whether the level accepts a draw."""
        return levels.accepts_draw(self.engine, game, side, self.level, stop=stop)

    def close(self) -> None:
        """Do nothing: others may use the engine."""


@dataclass(slots=True, weakref_slot=True)
class EnginePlayer:
    """Our search at full strength within `limits`."""

    engine: Engine
    limits: SearchLimits
    contempt: int = CONTEMPT
    name: str = "engine"

    def begin(self, seed: int) -> None:
        """Clear the engine's transposition table."""
        del seed
        self.engine.clear()

    def choose(
        self, game: Game, seconds: float | None = None, *, stop: Stop | None = None
    ) -> Decision:
        """Return the best decision of the search; the levels decide whether to huff."""
        limits = self.limits if seconds is None else replace(self.limits, seconds=seconds)
        if game.offences:
            return levels.choose(
                self.engine, game, self._level(limits), random.Random(0), stop=stop
            )
        depth = limits.depth
        if len(game.legal_moves) == 1:
            depth = min(depth or 2, 2)  # a forced move: only its score is needed
        analysis = self.engine.search(
            game,
            depth=depth,
            nodes=limits.nodes,
            seconds=limits.seconds,
            stop=stop,
            contempt=self.contempt,
        )
        return Decision(move=analysis.move, score=analysis.score)

    def accepts_draw(self, game: Game, side: Side, *, stop: Stop | None = None) -> bool:
        """Return whether the search expects a draw, or a loss for this side."""
        return levels.accepts_draw(self.engine, game, side, self._level(self.limits), stop=stop)

    def close(self) -> None:
        """Do nothing: others may use the engine."""

    def _level(self, limits: SearchLimits) -> Level:
        return Level(limits, contempt=self.contempt)
