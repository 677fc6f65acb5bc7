"""An external engine as a player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from damka.engine.errors import EngineEndError
from damka.engine.external.hub import HubEngine
from damka.game import Decision

if TYPE_CHECKING:
    from damka._core import Stop
    from damka.engine.external.base import ExternalEngine
    from damka.game import Game
    from damka.rules import Side

__all__ = ["ExternalPlayer"]


@dataclass(slots=True, weakref_slot=True)
class ExternalPlayer:
    """An engine that plays one game at a time; closing the player closes the engine.

    It always captures, never huffs and accepts no draw, because the protocols have no such
    messages.
    """

    engine: ExternalEngine
    name: str

    def begin(self, seed: int) -> None:
        """Do nothing: the first move announces a new game to the engine."""

    def choose(
        self, game: Game, seconds: float | None = None, *, stop: Stop | None = None
    ) -> Decision:
        """Return the engine's move, or its resignation. Raises EngineError.

        The engine's own limits apply; `seconds` is ignored.
        """
        del seconds
        engine = self.engine
        try:
            move = engine.choose(game, stop=stop)
        except EngineEndError as error:
            if error.resigns:
                return Decision(resign=True)
            raise
        score = engine.info.score if isinstance(engine, HubEngine) else None
        return Decision(move=move, score=score)

    def accepts_draw(self, game: Game, side: Side, *, stop: Stop | None = None) -> bool:
        """Return False: the protocols have no draw offers."""
        del game, side, stop
        return False

    def close(self) -> None:
        """Terminate the engine."""
        self.engine.close()
