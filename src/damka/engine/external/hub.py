"""A Hub engine as an opponent."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from damka.engine.errors import (
    EngineGarbageError,
    EngineMoveError,
    EngineSilentError,
    EngineSlowError,
    EngineUnfitError,
)
from damka.engine.external.base import ExternalEngine
from damka.engine.hub.client import (
    Client,
    Done,
    EngineFault,
    EngineMessage,
    Info,
    Pong,
    Ready,
    Wait,
)
from damka.engine.hub.line import HubError
from damka.engine.protocol_moves import parse_move
from damka.engine.search import SearchLimits
from damka.errors import InvalidMoveError, MoveError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from damka._core import Stop
    from damka.engine.transport.link import Link
    from damka.game import Game
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["Conversation", "HubEngine"]

_MAX_LINES: Final = 20_000  # maximum number of lines of one search
_POLL_SECONDS: Final = 0.05


class Conversation:
    """Sends lines to a Hub engine over `link` and waits for its answers."""

    def __init__(self, link: Link, rules: Rules | None = None) -> None:
        self.client: Final = Client(rules)
        self.link: Final = link
        self.alive = False
        """Whether the engine has answered a ping since the last call of `listen`."""

    def send(self, lines: list[str]) -> None:
        """Send lines. Raises EngineError."""
        for text in lines:
            self.link.send(text)

    def wait_for(self, kind: type[EngineMessage], seconds: float) -> None:
        """Wait for an answer of this kind. Raises EngineError."""
        until = time.monotonic() + seconds
        fault = ""
        for _ in range(_MAX_LINES):
            received = self._receive(until, None)
            if isinstance(received, kind):
                return
            if isinstance(received, EngineFault):
                fault = f"; it reported: {received.message}"
            if time.monotonic() >= until:
                what = "wait" if kind is Wait else "ready"
                raise EngineSilentError(
                    self.link.name, f"no {what!r} within {seconds:g} s: not a Hub engine?{fault}"
                )
        raise EngineGarbageError(self.link.name, f'{_MAX_LINES} lines without "ready"')

    def introduce(self, seconds: float) -> str:
        """Send the greeting and return the engine's name. Raises EngineError."""
        self.send(self.client.greet())
        self.wait_for(Wait, seconds)
        self.link.name = self.client.name or self.link.name
        return self.link.name

    def listen(
        self, until: float, stop: Stop | None, on_info: Callable[[Info], object]
    ) -> Done | None:
        """Return the engine's move; None when `stop` is set or the time is over."""
        self.alive = False
        for _ in range(_MAX_LINES):
            if stop is not None and stop.is_set:
                return None
            received = self._receive(until, None if stop is None else _POLL_SECONDS)
            match received:
                case Done():
                    return received
                case Info():
                    on_info(received)
                case Pong():
                    self.alive = True
                case EngineFault(message):
                    raise EngineGarbageError(self.link.name, f"instead of a move: {message}")
                case None if time.monotonic() >= until:
                    return None
        raise EngineGarbageError(self.link.name, f"more than {_MAX_LINES} lines during one move")

    def _receive(self, until: float, at_most: float | None) -> EngineMessage | None:
        """Return the parsed next line; None if it has no meaning, or on a timeout."""
        seconds = until - time.monotonic()
        text = self.link.receive(seconds if at_most is None else min(seconds, at_most))
        return None if text is None else self.client.parse(text)


class HubEngine(ExternalEngine):
    """A Hub engine at the other end of `link`; closing the engine closes the link.

    `parameters` are set before the engine is initialized, which may take `patience` seconds;
    `limits` apply to moves without a time of their own. `grace` is the number of seconds after
    which a late engine receives `stop`, and the number of seconds that it then has to move.

    Raises EngineError if it does not introduce itself, does not support the rules, lacks a
    parameter or does not become ready.
    """

    def __init__(
        self,
        link: Link,
        rules: Rules,
        *,
        parameters: Mapping[str, str] | None = None,
        limits: SearchLimits | None = None,
        patience: float = 20.0,
        grace: float = 2.0,
    ) -> None:
        super().__init__(link, rules, limits or SearchLimits(seconds=1.0))
        self._conversation: Final = Conversation(link, rules)
        self._patience: Final = patience
        self._grace: Final = grace
        self.info = Info()
        """The engine's last `Info` about its last move."""
        try:
            self.name = self._conversation.introduce(patience)
            try:
                lines = self._conversation.client.prepare(parameters or {})
            except HubError as error:
                raise EngineUnfitError(self.name, str(error)) from error
            self._conversation.send(lines)
            self._conversation.wait_for(Ready, patience)
        except BaseException:
            self.close()
            raise

    def _choose(self, game: Game, limits: SearchLimits, *, new: bool, stop: Stop | None) -> Move:
        board = game.board
        self.info = Info()
        self._conversation.send(self._conversation.client.think(board, limits, new_game=new))
        done = self._done(limits, stop)
        try:
            return parse_move(board, done.move)
        except InvalidMoveError as error:
            what = f"{done.move[:40]!r} is not a move: {error}"
            raise EngineGarbageError(self.name, what) from error
        except MoveError as error:
            what = f"{done.move[:40]} cannot be played: {error}"
            raise EngineMoveError(self.name, what) from error

    def _send_quit(self) -> None:
        self._conversation.send(["quit"])

    def _done(self, limits: SearchLimits, stop: Stop | None) -> Done:
        """Wait for the end of the search; send `stop` if it is late."""
        seconds = self._patience if limits.seconds is None else limits.seconds
        conversation, grace = self._conversation, self._grace
        done = conversation.listen(time.monotonic() + seconds + grace, stop, self._store_info)
        if done is None:
            conversation.send(["stop", "ping"])
            done = conversation.listen(time.monotonic() + grace, None, self._store_info)
        if done is None and conversation.alive:
            raise EngineSlowError(self.name, f"no move within {seconds:g} s, nor after `stop`")
        if done is None:
            raise EngineSilentError(self.name, f"no move within {seconds:g} s, and no answer")
        return done

    def _store_info(self, info: Info) -> None:
        self.info = info
