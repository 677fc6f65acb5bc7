"""A DXP engine as an opponent: it listens, we request a game and send the moves of our side."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

from damka.engine.dxp.effects import Effect, Ended, Outcome, Problem, Refused, Send, Started
from damka.engine.dxp.message import GameRequest, Setup
from damka.engine.dxp.session import Session
from damka.engine.errors import (
    EngineDeadError,
    EngineEndError,
    EngineError,
    EngineGarbageError,
    EngineMoveError,
    EngineSilentError,
    EngineSlowError,
    EngineUnfitError,
)
from damka.engine.external.base import ExternalEngine
from damka.engine.search import SearchLimits

if TYPE_CHECKING:
    from damka._core import Stop
    from damka.engine.transport import Link
    from damka.game import Game
    from damka.move import Move
    from damka.rules import Rules

__all__ = ["DxpEngine"]

_NAME: Final = "Damka"
_MINUTE = 60.0
_EXPECTED_MOVES: Final = 60
"""Expected moves of a game: the protocol has only a time for all moves of a game."""
_POLL_SECONDS: Final = 0.05
_MAX_MESSAGES: Final = 1000  # during one move
_REFUSALS: Final = {
    1: "uses another version of the protocol",
    2: "declines this game",
    3: "plays no more games",
}
_OUTCOME_TEXTS: Final[dict[Outcome, str]] = {
    "won": "it resigned",
    "drawn": "it ended the game as a draw",
    "lost": "it ended the game as won",
    "unknown": "it ended the game without a reason",
}


class DxpEngine(ExternalEngine):
    """A DXP engine at the other end of `link`; closing the engine closes the link.

    The protocol has no time limit for a single move. The engine gets the `seconds` of 60 moves for
    all its moves, rounded up to whole minutes. It times out `grace` seconds after that time, or if
    it does not answer a game request within `patience` seconds. After an EngineEndError (the engine
    ended the game instead of moving) another game may be requested.
    """

    def __init__(
        self,
        link: Link,
        rules: Rules,
        *,
        limits: SearchLimits | None = None,
        patience: float = 20.0,
        grace: float = 2.0,
    ) -> None:
        super().__init__(link, rules, limits or SearchLimits(seconds=1.0))
        self._patience: Final = patience
        self._grace: Final = grace
        self._seconds_left = 0.0
        self._outcome: Outcome = "unknown"
        self._session: Final = Session(rules, _NAME, takebacks=False)

    def _choose(self, game: Game, limits: SearchLimits, *, new: bool, stop: Stop | None) -> Move:
        started = time.monotonic()
        if not new and self._session.state == "ours" and self._is_one_move_ahead(game):
            effects = self._session.play_move(game.moves[-1], 0.0)
        else:
            self._leave_game()
            minutes = min(max(1, math.ceil((limits.seconds or 1.0) * _EXPECTED_MOVES / 60.0)), 999)
            self._seconds_left = _MINUTE * minutes
            effects = self._session.request_game(self._request(game, minutes))
        number = 0 if self._session.state == "requested" else len(self._session.game.moves)
        self._apply(effects)
        for _ in range(_MAX_MESSAGES):
            requested = self._session.state == "requested"
            until = started + (self._patience if requested else self._seconds_left + self._grace)
            self._receive(until, stop)
            moves = self._session.game.moves
            if self._session.state != "requested" and len(moves) > number:
                self._seconds_left -= time.monotonic() - started
                return moves[number]
            if self._session.state == "idle":
                outcome = self._outcome
                raise EngineEndError(self.name, _OUTCOME_TEXTS[outcome], resigns=outcome == "won")
        raise EngineGarbageError(self.name, f"more than {_MAX_MESSAGES} messages during one move")

    def _send_quit(self) -> None:
        if self._session.state == "ours":
            self._session.last = True
            self._apply(self._session.end())

    # The game of the session

    def _is_one_move_ahead(self, game: Game) -> bool:
        """Whether `game` is the session's game plus one move."""
        current = self._session.game
        moves = game.board.stack[len(game.board.stack) - len(current.moves) - 1 :]
        return (
            len(game.board.stack) > len(current.moves)
            and current.turn != game.turn
            and moves[:-1] == current.moves
        )

    def _request(self, game: Game, minutes: int) -> GameRequest:
        board = game.board
        at_start = board.fen == game.rules.start_fen
        setup = None if at_start else Setup(board.pieces, board.turn)
        return GameRequest(_NAME, game.turn, minutes, 0, setup)

    def _leave_game(self) -> None:
        """End the session's game, if any."""
        if self._session.state == "ours":
            self._apply(self._session.end())
        until = time.monotonic() + self._grace
        while self._session.state != "idle":
            self._receive(until, None)

    def _receive(self, until: float, stop: Stop | None) -> None:
        if stop is not None and stop.is_set:
            raise EngineDeadError(self.name, "the request was cancelled")
        seconds = until - time.monotonic()
        if seconds <= 0 and self._session.state == "theirs":
            raise EngineSlowError(self.name, "no move within the time limit")
        if seconds <= 0:
            raise EngineSilentError(self.name, "no answer: not a DXP engine?")
        text = self._link.receive(seconds if stop is None else min(seconds, _POLL_SECONDS))
        if text is not None:
            self._apply(self._session.receive(text))

    def _apply(self, effects: list[Effect]) -> None:
        """Send the messages, then raise the fault, if any."""
        fault: EngineError | None = None
        for effect in effects:
            match effect:
                case Send(text):
                    self._link.send(text)
                case Started(_, opponent, _):
                    self.name = self._link.name = opponent or self.name
                case Ended(_, outcome):
                    self._outcome = outcome
                case Problem(what, illegal):
                    fault = (EngineMoveError if illegal else EngineGarbageError)(self.name, what)
                case Refused(_, code):
                    fault = EngineUnfitError(self.name, _REFUSALS[code])
        if fault is not None:
            raise fault
