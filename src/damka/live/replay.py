"""A live game replayed from its log: its players, its state and its last event. A replay is made
from a stored game and changes only by `apply`.
"""

from __future__ import annotations

import functools
from array import array
from datetime import datetime
from typing import Final

import msgspec

from damka import Rules, rules
from damka.engine import levels
from damka.errors import PositionTooComplexError
from damka.game import Game
from damka.live import clock as clocks
from damka.live.clock import Clock
from damka.live.events import (
    Abandoned,
    Aborted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    EngineLost,
    Event,
    Flagged,
    Huffed,
    InvitationExpired,
    Joined,
    Moved,
    RematchDeclined,
    RematchOffered,
    Reseated,
    Resigned,
    SideFreed,
    TimeGiven,
    UndoDeclined,
    Undone,
    UndoOffered,
    UndoWithdrawn,
)
from damka.live.problems import Refused
from damka.live.seating import Seating
from damka.live.stored_game import StoredGame
from damka.move import Move
from damka.notation import fen
from damka.rules import Side, other

__all__ = ["MAX_MOVES", "Replay", "require_showable"]

MAX_MOVES: Final = 1000
"""The most moves of one position that a page is told; no game between players comes near."""


@functools.lru_cache(maxsize=256)
def _shared(of: bytes) -> Rules:
    """Return the rules that a game was stored with: one value for all games by the same ones."""
    return rules.from_dict(msgspec.json.decode(of))


class Replay(Seating):
    """The game that `stored` describes, replayed from its log."""

    def __init__(self, stored: StoredGame) -> None:
        self.id: Final = stored.id
        self.rules: Final = _shared(msgspec.json.encode(stored.rules))
        super().__init__(stored.seats)
        self.lot: Final = stored.lot
        self.next_id: str | None = stored.next
        self.seq = 0
        self._plies: Final = array("I")
        """How many plies the game had after so many entries of the log."""
        self.last: Event | None = None
        """The latest entry of the log."""
        self.undo_offer: Side | None = None
        self.rematch_offer: Side | None = None
        self.given: dict[Side, int] = {}
        """The ply at which a side gave the other time last."""
        self.clock: Clock | None = None if stored.clock is None else clocks.start(stored.clock)
        """What was left at the last entry of the log; None for a game without a clock."""
        self.no_draw_before: Final = stored.no_draw_before
        """The move from which a draw may be offered; None where it always may."""
        self.code: str | None = stored.code
        """The code of the invitation, while a seat is open."""
        self.times: Final = stored.times[-1:]
        self.rated: Final = stored.rated
        self.in_event: Final = stored.in_event
        self.engine_lost: int | None = None
        """The ply at which the operator's engine stopped playing, if it did."""
        self.freed = False
        """Whether the open seat was one at the same screen."""
        self.last_undo = 0
        """The sequence number of the latest taking back, 0 before any."""
        self.declined: dict[tuple[type[Event], Side], int] = {}
        """The ply at which an offer of this kind and side was declined last, or made and lapsed."""
        self.game: Final = Game(self.rules) if stored.base is None else Game.from_json(stored.base)
        # So a saved game says which level or engine it was played against.
        self.game.players = levels.seated(
            self.game.players,
            {
                side: seat.level
                for side, seat in self.seats.items()
                if seat.kind == "computer" and seat.level is not None and seat.engine is None
            },
        ) | {side: seat.engine for side, seat in self.seats.items() if seat.engine is not None}
        names: dict[Side, str] = {
            side: seat.name for side, seat in self.seats.items() if seat.name is not None
        }
        self.game.players = {**self.game.players, **names}
        begun = self.made > 0
        self.begun: Final[datetime | None] = None if begun else stored.created
        """When it began; None for a game that was loaded with moves."""
        self.start: Final = fen.parse(self.rules, self.game.start_fen)[0]
        """The pieces at the start of the game, one character a square."""
        self._plies.append(self.ply)
        for event in stored.events:
            self.apply(event)
        if self.clock is not None and stored.times:
            last = stored.times[-1]
            if last.white is not None and last.black is not None:
                settings = self.clock.settings
                self.clock = Clock(settings, last.white, last.black, last.spent or 0)
        require_showable(self.game)

    # The game

    @property
    def made(self) -> int:
        """How many plies the players have made, without those of a drawn opening."""
        return self.ply - self.game.plies_by_lot

    @property
    def running(self) -> Side | None:
        """The side whose clock runs: from the third ply on, so that both have begun."""
        if self.clock is None or self.result is not None or self.open_side is not None:
            return None
        if self.clock.settings.kind != "days" and self.made < 2:
            return None
        return self.game.turn

    @property
    def engine(self) -> str | None:
        """The name of the operator's engine that plays for the computer, as long as it does."""
        if self.computer is None or self.engine_lost is not None:
            return None
        return self.seats[self.computer].engine

    @property
    def computer_to_move(self) -> bool:
        """Whether the computer is to move."""
        return self.result is None and self.game.turn == self.computer

    @property
    def result(self) -> tuple[Side | None, str] | None:
        """The winner (None for a draw) and the reason, when the game is over."""
        result = self.game.result
        return None if result is None else (result.winner, result.reason)

    @property
    def ply(self) -> int:
        """How many plies have been played."""
        return self.game.ply_count

    def kept(self, version: int, plies: int) -> int | None:
        """Return how much of the history is as it was at a version, when it had so many plies.

        None when it did not, or when there has been no such version.
        """
        if not 0 <= version <= self.seq or self._plies[version] != plies:
            return None
        return min(self._plies[version:])

    @property
    def pending_huff(self) -> int | None:
        """The square huffed in this turn, before the move that is still to come."""
        return self.game.pending_huff

    @property
    def must(self) -> tuple[int, ...]:
        """The squares of the pieces that must capture."""
        if self.result is not None or self.rules.obligation == "free":
            return ()
        return tuple(sorted({move.start for move in self.game.legal_moves if move.captures}))

    def playable(self) -> tuple[Move, ...]:
        """Return the legal moves, and the quiet moves that may be played as offences."""
        return (*self.game.legal_moves, *self.game.offence_moves)

    @property
    def counters(self) -> tuple[tuple[str, int, int], ...]:
        """What counts towards a draw: kind, how often or how many moves so far, and the limit."""
        shown = []
        for kind, counted, limit in self.game.counters:
            # Some is counted in plies and spoken of in moves of each side.
            plies = 2 if kind in ("no_progress", "material") else 1
            if counted // plies > (1 if kind == "repetition" else 0):
                shown.append((kind, counted // plies, limit // plies))
        return tuple(shown)

    @property
    def computer_has_to_act(self) -> bool:
        """Whether the computer has a move to make or an offer to answer."""
        computer = self.computer
        if computer is None or self.result is not None:
            return False
        return self.game.turn == computer or self.game.draw_offer == other(computer)

    # The log

    def apply(self, event: Event) -> None:
        """Apply an entry of the log."""
        match event:
            case Moved(side, hub, crowns):
                self.game.play(self._moved(hub, crowns))
                self.undo_offer = None
            case Huffed(side, square):
                self.game.huff(square)
                self.undo_offer = None
            case Undone(side, steps):
                for _ in range(steps):
                    self.game.undo()
                self.undo_offer = None
                self.last_undo = self.seq + 1
            case UndoOffered(side):
                self.undo_offer = side
            case UndoDeclined(side):
                self.undo_offer = None
                self.declined[UndoOffered, other(side)] = self.ply
            case DrawOffered(side):
                self.game.offer_draw(side)
                # An offer that lapses counts like one declined.
                self.declined[DrawOffered, side] = self.ply
            case DrawAccepted(side):
                self.game.accept_draw(side)
            case DrawDeclined(side):
                self.game.decline_draw(side)
            case (
                EngineLost()
                | Joined()
                | SideFreed()
                | Reseated()
                | RematchOffered()
                | RematchDeclined()
            ):
                self._meet(event)
            case _:
                self._end(event)
        self.last = event
        self.seq += 1
        self._plies.append(self.ply)

    def _end(self, event: Event) -> None:
        """Apply an end that the rules do not know, a withdrawal, or an entry about the clock."""
        match event:
            case UndoWithdrawn(side):
                self.undo_offer = None
                # It counts like one declined: else a side could ask again and again.
                self.declined[UndoOffered, side] = self.ply
            case DrawWithdrawn(side):
                self.game.withdraw_draw(side)
            case TimeGiven(side):
                self.given[side] = self.ply
            case Resigned(side):
                self.game.resign(side)
            case Flagged(side, drawn):
                self.game.flag(side, drawn=drawn)
            case Abandoned(side, drawn):
                self.game.abandon(side, drawn=drawn)
            case Aborted(side) | InvitationExpired(side):
                self.game.abort(side)

    def _meet(
        self,
        event: EngineLost | Joined | SideFreed | Reseated | RematchOffered | RematchDeclined,
    ) -> None:
        """Apply an entry about who plays, in this game or in the next."""
        match event:
            case EngineLost():
                self.engine_lost = self.ply
            case RematchOffered(side):
                self.rematch_offer = side
            case RematchDeclined(side):
                self.rematch_offer = None
                self.declined[RematchOffered, other(side)] = self.ply
            case Joined():
                self.freed = False
            case SideFreed():
                self.freed = True
                self.undo_offer = None

    def _moved(self, hub: str, crowns: bool) -> Move:
        for move in self.playable():
            if move.hub() == hub and move.crowns == crowns:
                return move
        raise Refused("bad_move")


def require_showable(game: Game) -> None:
    """Raise PositionTooComplexError when there are more moves than a page can be told."""
    count = 0 if game.result is not None else len(game.legal_moves) + len(game.offence_moves)
    if count > MAX_MOVES:
        raise PositionTooComplexError(f"{count} moves are more than the {MAX_MOVES} that are shown")
