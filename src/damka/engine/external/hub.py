"""A Hub engine as an opponent."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from damka.engine.external.base import ExternalEngine
from damka.engine.faults import (
    EngineGarbageError,
    EngineMoveError,
    EngineSilentError,
    EngineSlowError,
    EngineUnfitError,
)
from damka.engine.hub.client import Client, Done, Heard, Info, Pong, Ready, Trouble, Wait
from damka.engine.hub.line import HubError
from damka.engine.search import Limits
from damka.engine.spoken import heard
from damka.errors import InvalidMoveError, MoveError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damka._core import Stop
    from damka.engine.transport.link import Link
    from damka.game import Game
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["HubEngine"]

_LINES: Final = 20_000  # a search that says more than that goes on without end
_MOMENT: Final = 0.05


class HubEngine(ExternalEngine):
    """A conversation over `link`, which is closed with it.

    `parameters` are set before the engine gets ready, within `patience` seconds; `limits` hold for
    moves that are asked for without a time. `grace` is how many seconds later than asked a move
    may come before the engine is told to stop, and how long it then has to say what it has.

    Raises EngineError when it does not introduce itself, does not play the rules, does not have a
    parameter or does not get ready.
    """

    def __init__(
        self,
        link: Link,
        rules: Rules,
        *,
        parameters: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        patience: float = 20.0,
        grace: float = 2.0,
    ) -> None:
        super().__init__(link, rules, limits or Limits(seconds=1.0))
        self._client: Final = Client(rules)
        self._patience: Final = patience
        self._grace: Final = grace
        self.info = Info()
        """What the engine said last of the move that it chose last."""
        try:
            self._send(self._client.greet())
            self._wait_for(Wait, patience)
            self.name = link.name = self._client.name or link.name
            try:
                lines = self._client.prepare(parameters or {})
            except HubError as error:
                raise EngineUnfitError(self.name, str(error)) from error
            self._send(lines)
            self._wait_for(Ready, patience)
        except BaseException:
            self.close()
            raise

    def _choose(self, game: Game, limits: Limits, *, new: bool, stop: Stop | None) -> Move:
        board = game.board
        self.info = Info()
        self._send(self._client.think(board, limits, new_game=new))
        done = self._done(limits, stop)
        try:
            return heard(board, done.move)
        except InvalidMoveError as error:
            what = f"{done.move[:40]!r} is not a move: {error}"
            raise EngineGarbageError(self.name, what) from error
        except MoveError as error:
            what = f"{done.move[:40]} cannot be played: {error}"
            raise EngineMoveError(self.name, what) from error

    def _farewell(self) -> None:
        self._send(["quit"])

    # Waiting

    def _done(self, limits: Limits, stop: Stop | None) -> Done:
        """Return the move that the search ends with, in time or a little later."""
        seconds = self._patience if limits.seconds is None else limits.seconds
        late = time.monotonic() + seconds + self._grace
        done = self._listen(late, stop)
        if done is None:
            self._send(["stop", "ping"])
            done = self._listen(time.monotonic() + self._grace, None)
        if done is None:
            if self._alive:
                raise EngineSlowError(self.name, f"no move within {seconds:g} s, nor when stopped")
            raise EngineSilentError(self.name, f"no move within {seconds:g} s, and no answer")
        return done

    def _listen(self, until: float, stop: Stop | None) -> Done | None:
        self._alive = False
        for _ in range(_LINES):
            if stop is not None and stop.is_set:
                return None
            told = self._hear(until, None if stop is None else _MOMENT)
            match told:
                case Done():
                    return told
                case Info():
                    self.info = told
                case Pong():
                    self._alive = True
                case Trouble(message):
                    raise EngineGarbageError(self.name, f"instead of a move: {message}")
                case None if time.monotonic() >= until:
                    return None
        raise EngineGarbageError(self.name, f"more than {_LINES} lines about one move")

    def _wait_for(self, kind: type[Heard], seconds: float) -> None:
        until = time.monotonic() + seconds
        trouble = ""
        for _ in range(_LINES):
            told = self._hear(until, None)
            if isinstance(told, kind):
                return
            if isinstance(told, Trouble):
                trouble = f"; it said: {told.message}"
            if time.monotonic() >= until:
                what = "wait" if kind is Wait else "ready"
                raise EngineSilentError(
                    self.name, f"no {what!r} within {seconds:g} s: not a Hub engine?{trouble}"
                )
        raise EngineGarbageError(self.name, f"{_LINES} lines, and none says that it is ready")

    def _hear(self, until: float, at_most: float | None) -> Heard | None:
        """Return what the next line says; None when it says nothing, or none comes in time."""
        seconds = until - time.monotonic()
        text = self._link.receive(seconds if at_most is None else min(seconds, at_most))
        return None if text is None else self._client.hear(text)

    def _send(self, lines: list[str]) -> None:
        for text in lines:
            self._link.send(text)
