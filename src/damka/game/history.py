"""The history of a game: its positions and what happened in them, forward and back.

Nothing is refused here: `Game` decides what may happen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Self

from damka.board import Board
from damka.errors import PositionTooComplexError
from damka.game.counters import DrawCounters
from damka.game.events import Event, Huffed, Moved
from damka.game.record import Ply, Result, Situation
from damka.game.result import ending, win_by_huff

if TYPE_CHECKING:
    from damka.game.counters import Clocks
    from damka.game.record import Counter
    from damka.move import Move
    from damka.rules import Rules, Side

__all__ = ["GameHistory"]


@dataclass(frozen=True, slots=True)
class _Step:
    """What one ply or one huff changed, to take it back."""

    events: int
    offer: Side | None
    pending: tuple[int, ...]
    huffed: int | None
    clocks: Clocks
    situation: Situation
    board: Board | None
    """The board before a huff; a ply is popped."""


class GameHistory:
    """What happens in one game by `rules`, from the start position or from a FEN.

    Raises FenError and RulesError as `Board` does.
    """

    def __init__(self, rules: Rules, fen: str | None) -> None:
        self._board = Board(rules, fen)
        self.start_fen: Final = self._board.fen
        """The position the game began with."""
        self._pending: tuple[int, ...] = ()
        self._huffed: int | None = None
        self._draw_offer: Side | None = None
        self._events: list[Event] = []
        self._history: list[Ply] = []
        self._steps: list[_Step] = []
        self._counters = DrawCounters(rules, self.key())
        self._legal = self._board.legal_moves
        self._result: Result | None = self._ending()

    # The game as it stands

    @property
    def rules(self) -> Rules:
        """The rules the game is played by, with the obligation chosen for it."""
        return self._board.rules

    @property
    def board(self) -> Board:
        """The game's own board; do not change it."""
        return self._board

    @property
    def turn(self) -> Side:
        """The side to move; when the game is over, the side that would be."""
        return self._board.turn

    @property
    def legal_moves(self) -> list[Move]:
        """The moves that keep the rules; none when the game is over."""
        return [] if self._result else list(self._legal)

    @property
    def offence_moves(self) -> list[Move]:
        """The quiet moves that may be played although a capture is due, at the risk of a huff."""
        if self._result or self.rules.obligation != "huff" or not self._due():
            return []
        return self._board.quiet_moves

    @property
    def offences(self) -> tuple[int, ...]:
        """The squares of the pieces that the side to move may huff before it moves."""
        return () if self._result else self._pending

    @property
    def pending_huff(self) -> int | None:
        """The square huffed in this turn, before the move that is still to come."""
        return self._huffed

    @property
    def draw_offer(self) -> Side | None:
        """The side whose offer of a draw waits for an answer."""
        return self._draw_offer

    @property
    def result(self) -> Result | None:
        """The winner (None for a draw) and the reason, or None while the game is on."""
        return self._result

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far."""
        return tuple(ply.move for ply in self._history)

    @property
    def history(self) -> tuple[Ply, ...]:
        """The turns so far: moves with the huffs before them. `str(ply)` writes both."""
        return tuple(self._history)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that the sides did, apart from what was taken back."""
        return tuple(self._events)

    @property
    def counters(self) -> tuple[Counter, ...]:
        """The counters of the draw rules that are on."""
        return self._counters.counters(self.key())

    @property
    def material_counts(self) -> tuple[int | None, ...]:
        """For each of the rules' material draws the plies counted, or None if not fulfilled."""
        return self._counters.clocks.material

    def key(self) -> Situation:
        """Return what makes two situations of a game the same."""
        board = self._board
        return Situation(board.pieces, board.turn, self._pending, board.streaks)

    def copy(self) -> Self:
        """Return a game that goes on by itself from here."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._board = self._board.copy()
        other._counters = self._counters.copy()
        other._events = self._events.copy()
        other._history = self._history.copy()
        # The boards kept for taking a huff back are changed once they are the game's own again.
        other._steps = [_own(step) for step in self._steps]
        return other

    # What happens

    def _due(self) -> bool:
        """Whether a capture is compulsory: then all legal moves are captures."""
        return self._captures() and self.rules.obligation != "free"

    def _captures(self) -> bool:
        return any(move.is_capture for move in self._legal)

    def _push(self, move: Move, *, by_lot: bool = False) -> None:
        """Play a move that may be played.

        Raises PositionTooComplexError, and plays nothing, where the replies are too many to list.
        """
        side, before, step = self.turn, self._board.pieces, self._step()
        text = self._board.text(move)
        if self._huffed is not None:
            before = self._steps[-1].situation[0]
        offending: tuple[int, ...] = ()
        offence = not move.is_capture and self._due()
        if offence:
            due = {other.start for other in self._legal}
            offending = tuple(sorted(move.end if s == move.start else s for s in due))
        self._board.push_unchecked(move)
        try:
            self._legal = self._board.legal_moves
        except PositionTooComplexError:
            self._board.pop()
            raise PositionTooComplexError(
                f"after {text} the captures are too many to list: choose another move"
            ) from None
        self._steps.append(step)
        self._history.append(
            Ply(
                side=side,
                move=move,
                text=text,
                before=before,
                pieces=self._board.pieces,
                huff=self._huffed,
                offence=offence,
                offences=offending,
                waived=self._pending,
                by_lot=by_lot,
            )
        )
        self._events.append(Moved(side, move.hub(), move.crowns))
        self._pending, self._huffed = offending, None
        if self._draw_offer != side:
            self._draw_offer = None
        arrived = self.key()
        self._counters.move(step.situation, move, arrived)
        self._result = self._ending(self._counters.draw_by_move(step.situation, move, arrived))

    def _huff(self, square: int) -> None:
        """Remove a piece that may be huffed."""
        board = self._board.remove(square)
        legal = board.legal_moves
        self._steps.append(self._step(self._board))
        self._events.append(Huffed(self.turn, square))
        self._board, self._legal = board, legal
        self._pending, self._huffed = (), square
        self._counters.huff(self.key())
        self._result = win_by_huff(self._board) or self._ending()

    def _take_back(self) -> None:
        """Take back the last ply, with the huff before it, or the last huff."""
        step = self._steps.pop()
        if step.board is None:
            ply = self._history.pop()
            arrived = self.key()
            self._board.pop()
            self._counters.unmove(step.situation, ply.move, arrived)
            self._restore(step)
            if ply.huff is not None:
                self._take_back()
        else:
            self._board = step.board
            self._restore(step)

    def _ending(self, drawn: Result | None = None) -> Result | None:
        """The result of the position on the board; `drawn` is the draw that its last move made."""
        quiet = not (self._captures() or self._pending)
        return ending(self._board, self._counters, pending=self._pending, quiet=quiet, drawn=drawn)

    def _step(self, board: Board | None = None) -> _Step:
        return _Step(
            events=len(self._events),
            offer=self._draw_offer,
            pending=self._pending,
            huffed=self._huffed,
            clocks=self._counters.clocks,
            situation=self.key(),
            board=board,
        )

    def _restore(self, step: _Step) -> None:
        del self._events[step.events :]
        self._draw_offer = step.offer
        self._pending, self._huffed = step.pending, step.huffed
        self._counters.clocks = step.clocks
        self._legal = self._board.legal_moves
        self._result = None


def _own(step: _Step) -> _Step:
    return step if step.board is None else replace(step, board=step.board.copy())
