"""DXP service: a link, a session, and a thread that chooses our moves."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

from damka import _core
from damka.engine.dxp.effects import Bye, Effect, Ended, Problem, Refused, Send, Think, Wait
from damka.engine.errors import EngineDeadError, EngineGarbageError, EngineSilentError
from damka.engine.protocol_moves import distinct_moves
from damka.engine.search import CONTEMPT

if TYPE_CHECKING:
    from collections.abc import Callable

    from damka.engine.dxp.message import GameRequest
    from damka.engine.dxp.session import Session
    from damka.engine.search import Engine
    from damka.engine.transport import Link
    from damka.move import Move

__all__ = ["MARK", "PORT", "Service"]

PORT: Final = 27531
"""The customary port of DXP engines."""
MARK: Final = b"\0"
"""The terminator of a message."""

_POLL_SECONDS: Final = 0.02
_MAX_PROBLEMS: Final = 10  # invalid messages before the link is closed
_MAX_CHATS: Final = 1000
_FORCED_DEPTH: Final = 2


class Service:
    """Plays games over one link; `on_effect` is called with every effect, to report progress.

    In games without a time limit, a move gets `seconds`. The other side times out if it sends
    nothing for its whole time plus `patience` seconds. `now` is the clock that measures our moves.
    """

    def __init__(
        self,
        link: Link,
        session: Session,
        engine: Engine,
        *,
        seconds: float = 1.0,
        patience: float = 120.0,
        contempt: int = CONTEMPT,
        on_effect: Callable[[Effect], object] = lambda _: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._link: Final = link
        self._session: Final = session
        self._engine: Final = engine
        self._seconds: Final = seconds
        self._patience: Final = patience
        self._contempt: Final = contempt
        self._on_effect: Final = on_effect
        self._now: Final = now
        self._search_thread: _SearchThread | None = None
        self._outcomes: list[Ended | Refused] = []
        self._problems = self._chats = 0

    def follow(self) -> None:
        """Play the games that the other side requests, until it leaves or announces the last one.

        Raises EngineError for a fault of the other side.
        """
        try:
            while not self._step():
                pass
        except EngineDeadError:
            if self._session.state != "idle":
                raise
        finally:
            self._stop_search()

    def request_game(self, request: GameRequest, *, last: bool = True) -> Ended | Refused:
        """Request a game and play it; `last` marks it as the last one.

        Returns the end of the game, or the refusal.

        Raises EngineError for a fault of the other side.
        """
        self._session.last = last
        self._outcomes.clear()
        try:
            self._perform(self._session.request_game(request))
            while not self._outcomes:
                self._step()
        finally:
            self._stop_search()
        return self._outcomes[-1]

    def _step(self) -> bool:
        """Handle one message or one finished search; return True when the other side leaves."""
        search = self._search_thread
        if search is None:
            text = self._link.receive(60.0 * self._session.minutes + self._patience)
            if text is None:
                raise EngineSilentError(self._link.name, "stopped answering")
        elif search.move is not None:
            self._search_thread = None
            return self._perform(self._session.play_move(search.move, search.seconds))
        elif search.failure is not None:
            raise search.failure
        else:
            text = self._link.receive(_POLL_SECONDS)
        if text is not None and text[:1] in {"C", ""}:
            self._chats += 1
            if self._chats > _MAX_CHATS:
                raise EngineGarbageError(
                    self._link.name, f"more than {_MAX_CHATS} chat lines or empty messages"
                )
        return text is not None and self._perform(self._session.receive(text))

    def _perform(self, effects: list[Effect]) -> bool:
        """Perform effects; return True if the other side leaves."""
        leaves = False
        for effect in effects:
            self._on_effect(effect)
            match effect:
                case Send(text):
                    self._link.send(text)
                case Think():
                    self._search_thread = _SearchThread(
                        self._engine, effect, self._seconds, self._contempt, self._now
                    )
                case Wait():
                    self._stop_search()
                case Ended() | Refused():
                    self._outcomes.append(effect)
                case Problem(what):
                    self._problems += 1
                    if self._problems > _MAX_PROBLEMS:
                        raise EngineGarbageError(self._link.name, what)
                case Bye():
                    leaves = True
        return leaves

    def _stop_search(self) -> None:
        if self._search_thread is not None:
            self._search_thread.stop()
            self._search_thread = None


class _SearchThread:
    """A search in its own thread; `move` is set when it has finished."""

    def __init__(
        self,
        engine: Engine,
        think: Think,
        seconds: float,
        contempt: int,
        now: Callable[[], float],
    ) -> None:
        self.move: Move | None = None
        self.seconds = 0.0
        self.failure: Exception | None = None
        self._stop: Final = _core.Stop()
        self._thread: Final = threading.Thread(
            target=self._search, args=(engine, think, seconds, contempt, now), daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _search(
        self,
        engine: Engine,
        think: Think,
        seconds: float,
        contempt: int,
        now: Callable[[], float],
    ) -> None:
        started = now()
        board = think.game.board
        choices = distinct_moves(board)
        try:
            analysis = engine.search(
                board,
                depth=_FORCED_DEPTH if len(choices) == 1 else None,
                seconds=seconds if think.clock is None else None,
                clock=think.clock,
                moves=choices,
                stop=self._stop,
                contempt=contempt,
            )
        except Exception as error:
            self.failure = error
            return
        self.seconds = now() - started
        self.move = analysis.move
