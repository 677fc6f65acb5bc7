"""The base class of external engines, for every protocol."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, Self

from damka.engine.errors import EngineDeadError, EngineEndError, EngineError
from damka.engine.search import SearchLimits

if TYPE_CHECKING:
    from damka._core import Stop
    from damka.engine.transport.link import Link
    from damka.game import Game
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["ExternalEngine"]


class ExternalEngine(ABC):
    """An external program that plays by `rules`; a context manager, which closes it.

    An EngineError other than EngineEndError closes it. Only one thread at a time may call `choose`;
    any thread may call `close`.
    """

    def __init__(self, link: Link, rules: Rules, limits: SearchLimits) -> None:
        self.name = link.name
        """The name that the engine sends, or else its command or address."""
        self.rules: Final = rules
        self._link: Final = link
        self._limits: Final = limits
        self._closed = False
        self._last_game: tuple[object, ...] | None = None

    def choose(self, game: Game, seconds: float | None = None, *, stop: Stop | None = None) -> Move:
        """Return the engine's move in `game`, which must not be over and is not changed.

        `seconds` is the time for this move; by default the engine's limits apply. When `stop` is
        set, the engine stops and sends its best move so far. In a game with huffing it always
        captures and never huffs.

        Raises EngineError, which describes the fault.
        """
        if not self._same_rules(game.rules):
            raise ValueError(f"{self.name} was started with other rules ({self.rules.name})")
        if not game.legal_moves:
            raise ValueError("there are no legal moves")
        if self._closed:
            raise EngineDeadError(self.name, "the engine is closed")
        limits = self._limits if seconds is None else SearchLimits(seconds=seconds)
        new = not self._is_continuation(game)
        try:
            return self._choose(game, limits, new=new, stop=stop)
        except EngineError as error:
            if not isinstance(error, EngineEndError):
                self.close()
            raise

    @property
    def closed(self) -> bool:
        """Whether the engine is closed."""
        return self._closed

    def close(self) -> None:
        """Terminate the engine with all its processes, within about two seconds."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(EngineError):
                self._send_quit()
            self._link.close()

    @abstractmethod
    def _choose(self, game: Game, limits: SearchLimits, *, new: bool, stop: Stop | None) -> Move:
        """Request a move; `new` is False if the game continues that of the last call."""

    @abstractmethod
    def _send_quit(self) -> None:
        """Tell the engine to quit."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _same_rules(self, rules: Rules) -> bool:
        return rules == self.rules or rules.replace(obligation=self.rules.obligation) == self.rules

    def _is_continuation(self, game: Game) -> bool:
        """Whether the game continues that of the last call; store it for the next call."""
        last, current = self._last_game, (game.start_fen, *game.moves)
        self._last_game = current
        return last is not None and len(last) < len(current) and current[: len(last)] == last
