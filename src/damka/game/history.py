"""The history of a game: its positions and events, with push and pop.

This class validates nothing; `Game` does. The board has the counters of the draw rules, and the
result by the rules (`damka.Board.result`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Self

from damka._former import warn_former
from damka.board import Board
from damka.errors import PositionTooComplexError
from damka.game.events import Huffed, Moved
from damka.game.record import Ply, RepetitionKey

if TYPE_CHECKING:
    from damka.game.events import Event
    from damka.move import Move
    from damka.result import Counter, Result
    from damka.rules import Rules, Side

__all__ = ["GameHistory"]


class _UndoEntry(NamedTuple):
    """The state of a game before a move or a huff."""

    log_length: int
    offer: Side | None
    huff: bool
    """Whether a huff follows."""


class GameHistory:
    """The events of one game by `rules`, from the start position or from a FEN.

    Raises FenError and RulesError as `Board` does.
    """

    def __init__(self, rules: Rules, fen: str | None) -> None:
        self._board = Board(rules, fen)
        self.start_fen: Final = self._board.fen
        """The start position of the game."""
        self._draw_offer: Side | None = None
        self._undo_stack: list[_UndoEntry] = []
        # Moves are (side, move) until `events` converts them.
        self._log: list[Event | tuple[Side, Move]] = []
        self._plies: list[Ply] = []  # extended by `history`
        self._opening_plies = 0  # number of moves of the balloted opening
        self._legal = self._board.legal_moves
        self._result: Result | None = self._board.result

    # State of the game

    @property
    def rules(self) -> Rules:
        """The rules of the game, with the chosen obligation."""
        return self._board.rules

    @property
    def board(self) -> Board:
        """The board of the game; do not modify it."""
        return self._board

    @property
    def turn(self) -> Side:
        """The side to move, also when the game is over."""
        return self._board.turn

    @property
    def legal_moves(self) -> list[Move]:
        """The legal moves; none when the game is over."""
        return [] if self._result else list(self._legal)

    @property
    def offence_moves(self) -> list[Move]:
        """The quiet moves that miss a compulsory capture, at the risk of a huff."""
        if self._result or self.rules.obligation != "huff" or not self._must_capture():
            return []
        return self._board.quiet_moves

    @property
    def offences(self) -> tuple[int, ...]:
        """The squares of the pieces that the side to move may huff before it moves."""
        return () if self._result else self._board.offences

    @property
    def pending_huff(self) -> int | None:
        """The square huffed in this turn, before its move."""
        return self._board.pending_huff

    @property
    def draw_offer(self) -> Side | None:
        """The side with a pending draw offer."""
        return self._draw_offer

    @property
    def result(self) -> Result | None:
        """The winner (None for a draw) and the reason, or None while the game is in progress."""
        return self._result

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far."""
        return self._board.stack

    @property
    def history(self) -> tuple[Ply, ...]:
        """The plies so far: moves with the huffs before them. `str(ply)` includes both."""
        if len(self._plies) < self._board.move_count:
            self._update_plies()
        return tuple(self._plies)

    @property
    def opening_plies(self) -> int:
        """The number of plies at the start that belong to a balloted opening."""
        return min(self._opening_plies, self._board.move_count)

    @property
    def plies_by_lot(self) -> int:
        """Deprecated: use `opening_plies`."""
        warn_former("Game.plies_by_lot", "opening_plies")
        return self.opening_plies

    @property
    def ply_count(self) -> int:
        """The number of plies in `history`."""
        return self._board.move_count

    @property
    def events(self) -> tuple[Event, ...]:
        """All actions of the sides, except those taken back."""
        events: list[Event] = []
        for entry in self._log:
            if isinstance(entry, tuple):
                side, move = entry
                events.append(Moved(side, move.hub(), move.crowns))
            else:
                events.append(entry)
        self._log[:] = events
        return tuple(events)

    @property
    def counters(self) -> tuple[Counter, ...]:
        """The counters of the active draw rules."""
        return self._board.counters

    @property
    def material_counts(self) -> tuple[int | None, ...]:
        """The plies counted for each of the rules' material draws, None where it does not apply."""
        return self._board.material_counts

    def key(self) -> RepetitionKey:
        """Return the key of the current position for the repetition rule."""
        board = self._board
        return RepetitionKey(board.pieces, board.turn, board.offences, board.streaks)

    def copy(self) -> Self:
        """Return an independent copy of the game."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._board = self._board.copy()
        other._undo_stack = self._undo_stack.copy()
        other._log = self._log.copy()
        other._plies = self._plies.copy()
        return other

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    # Changes

    def _must_capture(self) -> bool:
        """Whether a capture is compulsory: then all legal moves are captures."""
        return self._can_capture() and self.rules.obligation != "free"

    def _can_capture(self) -> bool:
        return any(move.is_capture for move in self._legal)

    def _push(self, move: Move) -> None:
        """Play a validated move.

        Raises PositionTooComplexError, and plays nothing, if there are too many replies to list.
        """
        board, side = self._board, self._board.turn
        huff = board.pending_huff
        board.push_unchecked(move)
        try:
            legal = board.legal_moves
        except PositionTooComplexError:
            board.pop()
            if huff is not None:
                board.huff(huff)
            raise PositionTooComplexError(
                f"after {board.text(move)} there are too many captures to list: choose another move"
            ) from None
        self._undo_stack.append(_UndoEntry(len(self._log), self._draw_offer, huff=False))
        self._log.append((side, move))
        self._legal = legal
        if self._draw_offer != side:
            self._draw_offer = None
        self._result = board.result

    def _huff(self, square: int) -> None:
        """Remove a huffable piece.

        Raises PositionTooComplexError, and removes nothing, if there are too many moves to list.
        """
        side = self._board.turn
        self._board.huff(square)
        try:
            self._legal = self._board.legal_moves
        except PositionTooComplexError:
            self._board.unhuff()
            raise
        self._undo_stack.append(_UndoEntry(len(self._log), self._draw_offer, huff=True))
        self._log.append(Huffed(side, square))
        self._result = self._board.result

    def _take_back(self) -> None:
        """Take back the last ply, with the huff before it, or a huff without a following move."""
        entry = self._undo_stack.pop()
        if entry.huff:
            self._board.unhuff()
        else:
            self._board.pop()
            if self._undo_stack and self._undo_stack[-1].huff:
                entry = self._undo_stack.pop()
        del self._log[entry.log_length :]
        del self._plies[self._board.move_count :]
        self._draw_offer = entry.offer
        self._legal = self._board.legal_moves
        self._result = None

    def _update_plies(self) -> None:
        """Append the plies played since the last access."""
        board = self._board.copy()
        if board.pending_huff is not None:
            board.unhuff()
        steps = list(board.steps)
        while board.move_count > len(self._plies):
            board.pop()
        huff: int | None = None
        before, waived = board.pieces, board.offences
        for step in steps[len(board.steps) :]:
            if isinstance(step, int):
                huff = step
                board.huff(step)
                continue
            side, text = board.turn, board.text(step)
            board.push_unchecked(step)
            self._plies.append(
                Ply(
                    side=side,
                    move=step,
                    text=text,
                    before=before,
                    pieces=board.pieces,
                    huff=huff,
                    offence=bool(board.offences),
                    offences=board.offences,
                    waived=() if huff is not None else waived,
                    balloted=len(self._plies) < self._opening_plies,
                )
            )
            huff, before, waived = None, board.pieces, board.offences
