"""Replay of a live game from its log: its players, its state and its last event.

A replay starts from a stored game and changes only through `apply`.
"""

from __future__ import annotations

import functools
from array import array
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import msgspec

from damka import Rules, rules
from damka._former import warn_former
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
from damka.live.stored_game import EntryTime, StoredGame
from damka.move import Move
from damka.notation import fen
from damka.rules import SIDES, Side, other

if TYPE_CHECKING:
    from damka.live.guided import GuidedGame

__all__ = ["MAX_MOVES", "Replay", "require_showable"]

_FORMER: Final = {
    "begun": "started_at",
    "draw_waits": "too_early_for_draw",
    "flagged": "flag",
    "freed": "seat_freed",
    "given": "time_given_at",
    "kept": "unchanged_plies",
    "made": "plies_played",
    "question": "search_request",
}
"""Former names of members, with the current ones."""

MAX_MOVES: Final = 1000
"""Maximum number of moves in a position sent to a page; real games stay far below it."""

_MILLISECOND: Final = timedelta(milliseconds=1)


@functools.lru_cache(maxsize=256)
def _shared_rules(data: bytes) -> Rules:
    """Return a stored game's rules, as one shared value for all games with the same rules."""
    return rules.from_dict(msgspec.json.decode(data))


class Replay(Seating):
    """The game of `stored`, replayed from its log."""

    def __init__(self, stored: StoredGame) -> None:
        self.id: Final = stored.id
        self.rules: Final = _shared_rules(msgspec.json.encode(stored.rules))
        super().__init__(stored.seats)
        self.lot: Final = stored.lot
        self.next_id: str | None = stored.next
        self.seq = 0
        self._plies: Final = array("I")
        """Number of plies after each entry of the log."""
        self.last: Event | None = None
        """Latest entry of the log."""
        self.undo_offer: Side | None = None
        self.rematch_offer: Side | None = None
        self.time_given_at: dict[Side, int] = {}
        """Last ply at which each side gave the other time."""
        self.clock: Clock | None = None if stored.clock is None else clocks.start(stored.clock)
        """Clock at the last entry of the log; None for a game without a clock."""
        self.no_draw_before: Final = stored.no_draw_before
        """Move from which a draw may be offered; None for no limit."""
        self.code: str | None = stored.code
        """Invitation code, while a seat is open."""
        self.times: Final = stored.times[-1:]
        self.time_used: Final[dict[Side, int]] = dict.fromkeys(SIDES, 0)
        """Milliseconds of each side's finished turns while its clock ran."""
        self._turn_start: datetime | None = None
        self.rated: Final = stored.rated
        self.in_event: Final = stored.in_event
        self.engine_lost: int | None = None
        """Ply at which the operator's engine stopped playing, if it did."""
        self.seat_freed = False
        """Whether the player of the open seat used the same screen until then."""
        self.last_undo = 0
        """Sequence number of the latest takeback, 0 before any."""
        self.declined: dict[tuple[type[Event], Side], int] = {}
        """Last ply at which an offer of this kind and side was declined, or made and lapsed."""
        self.game: Final = Game(self.rules) if stored.base is None else Game.from_json(stored.base)
        # Saved games name the level or engine of the computer.
        self.game.players = levels.player_names(
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
        has_moves = self.plies_played > 0
        self.started_at: Final[datetime | None] = None if has_moves else stored.created
        """Time of its start; None for a game loaded with moves."""
        self.start: Final = fen.parse(self.rules, self.game.start_fen)[0]
        """Pieces at the start of the game, one character per square."""
        self._plies.append(self.ply)
        self.guided: Final = self._guided_game(stored)
        """The guide of a guided game."""
        self._replay(stored)
        require_showable(self.game)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name not in _FORMER:
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}", name=name)
            warn_former(f"LiveGame.{name}", _FORMER[name])
            return getattr(self, _FORMER[name])

    def _guided_game(self, stored: StoredGame) -> GuidedGame | None:
        if stored.guide is None or self.computer is None:
            return None
        from damka.live.guided import GuidedGame  # noqa: PLC0415  few games are guided

        guided = GuidedGame(stored.guide, self.computer, self.id)
        guided.follow(self.game)
        return guided

    # The game

    @property
    def plies_played(self) -> int:
        """Number of plies played, without those of a drawn opening."""
        return self.ply - self.game.opening_plies

    @property
    def running(self) -> Side | None:
        """Side whose clock runs: from the third ply on, once both have moved."""
        if self.clock is None or self.result is not None or self.open_side is not None:
            return None
        if self.clock.settings.kind != "days" and self.plies_played < 2:
            return None
        return self.game.turn

    @property
    def engine(self) -> str | None:
        """Name of the operator's engine that plays for the computer, until it fails."""
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
        """Number of plies played."""
        return self.game.ply_count

    def unchanged_plies(self, version: int, plies: int) -> int | None:
        """Return how much of the history is unchanged since a version that had `plies` plies.

        None when that version did not exist or had another number of plies.
        """
        if not 0 <= version <= self.seq or self._plies[version] != plies:
            return None
        return min(self._plies[version:])

    @property
    def pending_huff(self) -> int | None:
        """Square huffed in this turn, before the move that follows."""
        return self.game.pending_huff

    @property
    def must(self) -> tuple[int, ...]:
        """Squares of the pieces that must capture."""
        if self.result is not None or self.rules.obligation == "free":
            return ()
        return tuple(sorted({move.start for move in self.game.legal_moves if move.captures}))

    def playable(self) -> tuple[Move, ...]:
        """Return the legal moves, and the quiet moves that may be played as offences."""
        return (*self.game.legal_moves, *self.game.offence_moves)

    @property
    def counters(self) -> tuple[tuple[str, int, int], ...]:
        """Draw counters: kind, current count, and limit."""
        counters = []
        for kind, count, limit in self.game.counters:
            # Some counters count plies, but sentences count moves of each side.
            plies = 2 if self._counts_moves_of_each(kind) else 1
            if count // plies > (1 if kind == "repetition" else 0):
                counters.append((kind, count // plies, limit // plies))
        return tuple(counters)

    def _counts_moves_of_each(self, kind: str) -> bool:
        """Whether a counter counts moves of each side."""
        if kind in ("no_progress", "move_limit"):
            return self.rules.moves_by == "each"
        return kind == "material"

    @property
    def computer_has_to_act(self) -> bool:
        """Whether the computer has to move or to answer an offer."""
        computer = self.computer
        if computer is None or self.result is not None:
            return False
        return self.game.turn == computer or self.game.draw_offer == other(computer)

    # The log

    def _replay(self, stored: StoredGame) -> None:
        """Apply the log, and set the clock after it."""
        for event, time in zip_longest(stored.events, stored.times[: len(stored.events)]):
            running = self.running
            self.apply(event)
            if time is not None:
                self.add_time(time, running)
        if self.clock is not None and stored.times:
            last = stored.times[-1]
            if last.white is not None and last.black is not None:
                settings = self.clock.settings
                self.clock = Clock(settings, last.white, last.black, last.spent or 0)

    def apply(self, event: Event) -> None:
        """Apply an entry of the log."""
        match event:
            case Moved(side, hub, crowns):
                self.game.play(self._find_move(hub, crowns))
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
                # A lapsed offer counts as declined.
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
                self._apply_seating(event)
            case _:
                self._apply_ending(event)
        self.last = event
        self.seq += 1
        self._plies.append(self.ply)
        if self.guided is not None:
            self.guided.follow(self.game)

    def add_time(self, time: EntryTime, running: Side | None) -> None:
        """Count the time of a turn that the latest entry has ended; `running` ran before it."""
        if time.spent is None:
            return
        ended = self.running is None or self.game.turn != running
        if running is not None and self._turn_start is not None and ended:
            self.time_used[running] += (time.at - self._turn_start) // _MILLISECOND
        # An outage of the server is not counted: `spent` does not contain it.
        self._turn_start = None
        if self.running is not None:
            self._turn_start = time.at - time.spent * _MILLISECOND

    def _apply_ending(self, event: Event) -> None:
        """Apply an end of the game outside the rules, a withdrawal, or a clock entry."""
        match event:
            case UndoWithdrawn(side):
                self.undo_offer = None
                # It counts as declined: otherwise a side could repeat the request without limit.
                self.declined[UndoOffered, side] = self.ply
            case DrawWithdrawn(side):
                self.game.withdraw_draw(side)
            case TimeGiven(side):
                self.time_given_at[side] = self.ply
            case Resigned(side):
                self.game.resign(side)
            case Flagged(side, drawn):
                self.game.flag(side, drawn=drawn)
            case Abandoned(side, drawn):
                self.game.abandon(side, drawn=drawn)
            case Aborted(side) | InvitationExpired(side):
                self.game.abort(side)

    def _apply_seating(
        self,
        event: EngineLost | Joined | SideFreed | Reseated | RematchOffered | RematchDeclined,
    ) -> None:
        """Apply an entry about the players of this game or the next one."""
        match event:
            case EngineLost():
                self.engine_lost = self.ply
            case RematchOffered(side):
                self.rematch_offer = side
            case RematchDeclined(side):
                self.rematch_offer = None
                self.declined[RematchOffered, other(side)] = self.ply
            case Joined():
                self.seat_freed = False
            case SideFreed():
                self.seat_freed = True
                self.undo_offer = None

    def _find_move(self, hub: str, crowns: bool) -> Move:
        for move in self.playable():
            if move.hub() == hub and move.crowns == crowns:
                return move
        raise Refused("bad_move")


def require_showable(game: Game) -> None:
    """Raise PositionTooComplexError when a position has more than `MAX_MOVES` moves."""
    count = 0 if game.result is not None else len(game.legal_moves) + len(game.offence_moves)
    if count > MAX_MOVES:
        raise PositionTooComplexError(f"{count} moves are more than the {MAX_MOVES} that are shown")
