"""One side of a DXP conversation, without input, output, threads or clocks.

The initiator requests games (`request_game`) and the follower answers; during a game both have the
same role. Every method returns the effects to perform, in order. When the game is over by the
rules, or by the agreed number of moves, the side to move ends it instead of moving; the other side
confirms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from damka.engine.clock import Clock
from damka.engine.dxp import message as messages
from damka.engine.dxp.effects import (
    Bye,
    ChatReceived,
    Effect,
    Ended,
    Outcome,
    Problem,
    Refused,
    Send,
    Started,
    Think,
    Wait,
)
from damka.engine.dxp.message import (
    END_DRAW,
    END_LOST,
    END_UNKNOWN,
    END_WON,
    BackAccept,
    BackRequest,
    Chat,
    DxpError,
    GameAccept,
    GameEnd,
    GameRequest,
    Message,
    MoveMessage,
)
from damka.engine.protocol_moves import parse_move
from damka.errors import DamkaError
from damka.game import Game
from damka.notation import fen
from damka.rules import other

if TYPE_CHECKING:
    from damka.move import Move
    from damka.rules import Rules, Side

__all__ = ["Session"]

_OUTCOMES: Final[dict[int, Outcome]] = {
    END_UNKNOWN: "unknown",
    END_LOST: "won",  # the sender has lost
    END_DRAW: "drawn",
    END_WON: "lost",
}

State = Literal["idle", "requested", "ours", "theirs", "ending"]


class Session:
    """A conversation about games by `rules`; our name is `name`.

    Set `last` to make the current game the last one. With `takebacks` the other side may go back to
    an earlier move. In games with huffing, captures are compulsory, because the protocol has no
    huffs.
    """

    def __init__(self, rules: Rules, name: str, *, takebacks: bool = True) -> None:
        self.rules: Final = (
            rules.replace(obligation="forced") if rules.obligation == "huff" else rules
        )
        self.last = False
        self.state: State = "idle"
        self.opponent = ""
        self._name: Final = name
        self._takebacks: Final = takebacks
        self._game = Game(self.rules)
        self._side: Side = "W"
        self._seconds_left: float | None = None
        self._minutes = self._moves = 0
        self._pending_request: GameRequest | None = None

    @property
    def game(self) -> Game:
        """The current or last game."""
        return self._game

    @property
    def minutes(self) -> int:
        """The agreed time of each side for all its moves; 0 for no limit."""
        return self._minutes

    # Our side

    def request_game(self, request: GameRequest) -> list[Effect]:
        """Request a game.

        Raises ValueError during a game, FenError for an invalid position.
        """
        if self.state != "idle":
            raise ValueError("a game is in progress")
        self._start_position(request)
        self._pending_request, self.state = request, "requested"
        return [_send(request)]

    def play_move(self, move: Move, seconds: float) -> list[Effect]:
        """Play our move, which took `seconds`."""
        if self.state != "ours":
            raise ValueError("it is not our turn")
        if self._seconds_left is not None:
            self._seconds_left = max(0.0, self._seconds_left - seconds)
        self._game.play(move)
        self.state = "theirs"
        return [_send(MoveMessage(int(seconds), move.start, move.end, move.captures))]

    def end(self) -> list[Effect]:
        """End the game: with its result if it is over, otherwise without a reason."""
        if self.state != "ours":
            raise ValueError("only the side to move may end a game")
        self.state = "ending"
        return [_send(GameEnd(self._reason(), self.last))]

    # The other side

    def receive(self, text: str) -> list[Effect]:
        """Return the effects of a message; an empty message has none."""
        if not text:
            return []
        try:
            message = messages.parse(text, self.rules.square_count)
            return self._handle(message)
        except DxpError as error:
            if text.startswith("M") and self.state == "theirs":
                # The other side considers its move played and waits for ours.
                return self._end_after_illegal_move(Problem(str(error)))
            problem = Problem(str(error))
            # The other side waits for an answer even to a request that cannot be parsed.
            if text.startswith("R") and self.state != "requested":
                return [problem, *self._refuse_unreadable(text, error)]
            if text.startswith("B"):
                return [problem, _send(BackAccept(1))]
            return [problem]

    def _handle(self, message: Message) -> list[Effect]:
        match message, self.state:
            case GameRequest(), state if state != "requested":
                return self._handle_request(message)
            case GameAccept(), "requested":
                return self._handle_answer(message)
            case MoveMessage(), "theirs":
                return self._handle_move(message)
            case GameEnd(), "theirs" | "ours":
                return self._handle_end(message)
            case GameEnd(), "idle":
                # The end of the same game again, or a program that leaves.
                return [Bye()] if message.stop else []
            case GameEnd(), "ending":
                return self._finish(message, _OUTCOMES[self._opponent_reason()])
            case Chat(text), _:
                return [ChatReceived(text)]
            case BackRequest(), "theirs" | "ours":
                return self._handle_back_request(message)
            case BackRequest(), _:
                # There is no game to go back in, but the other side waits for an answer.
                return [_send(BackAccept(1))]
            case BackAccept(), _:
                return []  # We never request a takeback.
        raise DxpError(f"unexpected message: {messages.write(message)[:40]!r}")

    def _handle_request(self, request: GameRequest) -> list[Effect]:
        if request.version > messages.VERSION:
            return [_send(GameAccept(self._name, 1))]
        if self.last and self.state == "idle":
            return [_send(GameAccept(self._name, 3))]
        aborted = self._abort()
        try:
            first_effects = self._begin(request, request.follower)
        except DamkaError as error:
            return [*aborted, *self._refuse(error)]
        self.opponent = request.name
        accepted = _send(GameAccept(self._name, 0))
        return [*aborted, accepted, Started(self._game, self.opponent, self._side), *first_effects]

    def _refuse_unreadable(self, text: str, error: DxpError) -> list[Effect]:
        version = text[1:3]
        if version.isascii() and version.isdecimal() and version > messages.VERSION:
            return [_send(GameAccept(self._name, 1))]
        if self.last and self.state == "idle":
            return [_send(GameAccept(self._name, 3))]
        return [*self._abort(), *self._refuse(error)]

    def _refuse(self, error: DamkaError) -> list[Effect]:
        """Refuse a game that cannot be played, and send the reason as a chat line."""
        self.state = "idle"
        return [_send(GameAccept(self._name, 2)), _send(Chat(str(error)))]

    def _abort(self) -> list[Effect]:
        """Return the effects that end a game in progress, if any."""
        return [] if self.state == "idle" else [Wait(), Ended(self._game, "unknown")]

    def _handle_answer(self, answer: GameAccept) -> list[Effect]:
        self.opponent = answer.name
        self.state = "idle"
        request = self._pending_request
        assert request is not None  # noqa: S101  the state "requested" implies a request
        if answer.code != 0:
            refused = Refused(answer.name, answer.code)
            return [refused, Bye()] if answer.code == 3 else [refused]
        first_effects = self._begin(request, other(request.follower))
        return [Started(self._game, self.opponent, self._side), *first_effects]

    def _begin(self, request: GameRequest, side: Side) -> list[Effect]:
        self._game = Game(self.rules, self._start_position(request))
        self._side = side
        self._minutes, self._moves = request.minutes, request.moves
        self._seconds_left = 60.0 * request.minutes or None
        return self._continue()

    def _start_position(self, request: GameRequest) -> str | None:
        """Return the FEN of the requested position. Raises FenError; DxpError without moves."""
        if request.setup is None:
            return None
        text = fen.format(self.rules, *request.setup)
        if not Game(self.rules, text).legal_moves:
            raise DxpError("the position has no legal moves")
        return text

    def _continue(self) -> list[Effect]:
        """Think if it is our turn, or end the game if it is over."""
        if self._game.turn != self._side:
            self.state = "theirs"
            return []
        self.state = "ours"
        if self._game.result is not None or self._move_limit_reached():
            return self.end()
        moves = self._moves and self._moves - len(self._game.moves) // 2
        clock = (
            None if self._seconds_left is None else Clock(self._seconds_left, moves=moves or None)
        )
        return [Think(self._game.copy(), clock)]

    def _move_limit_reached(self) -> bool:
        return bool(self._moves) and len(self._game.moves) >= 2 * self._moves

    def _handle_move(self, message: MoveMessage) -> list[Effect]:
        if self._game.result is None:
            text = message.hub()
            try:
                self._game.play(parse_move(self._game.board, text))
            except DamkaError as error:
                rule_set = self._game.rules.name
                what = f"{text} cannot be played: {error} (do both programs play {rule_set}?)"
                return self._end_after_illegal_move(Problem(what, illegal=True))
            return self._continue()
        # The other side moved although the game is over by our rules: report the end now.
        self.state = "ours"
        return self.end()

    def _end_after_illegal_move(self, problem: Problem) -> list[Effect]:
        """Report the other side's illegal move and end the game: the protocol has no refusal."""
        self.state = "ours"
        return [problem, _send(Chat(problem.what)), *self.end()]

    def _handle_end(self, end: GameEnd) -> list[Effect]:
        confirmed = _send(GameEnd(END_UNKNOWN, self.last))
        return [Wait(), confirmed, *self._finish(end, _OUTCOMES[end.reason])]

    def _finish(self, end: GameEnd, announced: Outcome) -> list[Effect]:
        """End the game with its result by the rules, or else with the announced one."""
        self.state = "idle"
        by_rules = self._game.result is not None
        outcome = _OUTCOMES[self._opponent_reason()] if by_rules else announced
        effects: list[Effect] = [Ended(self._game, outcome)]
        return [*effects, Bye()] if end.stop else effects

    def _handle_back_request(self, request: BackRequest) -> list[Effect]:
        game = self._game
        first = game.history[0].side if game.history else game.turn
        ply = 2 * (request.move - 1) + (request.side != first)
        if not self._takebacks or not 0 <= ply <= len(game.moves):
            return [_send(BackAccept(2))]
        for _ in range(len(game.moves) - ply):
            game.undo()
        return [Wait(), _send(BackAccept(0)), *self._continue()]

    def _reason(self) -> int:
        """Return the reason code of the result from our side."""
        result = self._game.result
        if result is None:
            return END_UNKNOWN
        if result.winner is None:
            return END_DRAW
        return END_WON if result.winner == self._side else END_LOST

    def _opponent_reason(self) -> int:
        """Return the reason code of the result from the other side."""
        reason = self._reason()
        return {END_WON: END_LOST, END_LOST: END_WON}.get(reason, reason)


def _send(message: Message) -> Send:
    return Send(messages.write(message))
