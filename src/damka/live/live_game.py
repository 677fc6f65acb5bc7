"""Actions in a live game, and permission checks for them.

Each method checks an action against the state of the game and returns its event for `apply`. It
raises `Refused` with a code of the live protocol, or `MoveError` when the rules forbid the action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from damka.game import Game
from damka.live.events import (
    Abandoned,
    Aborted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    Event,
    Flagged,
    Huffed,
    InvitationExpired,
    Joined,
    Moved,
    RematchDeclined,
    RematchOffered,
    Resigned,
    SideFreed,
    TimeGiven,
    UndoDeclined,
    Undone,
    UndoOffered,
    UndoWithdrawn,
)
from damka.live.problems import Refused
from damka.live.replay import Replay
from damka.live.search_request import SearchRequest
from damka.live.seating import Sides
from damka.live.stored_game import StoredGame
from damka.live.winnable import can_win
from damka.move import Move
from damka.rules import Side, other

__all__ = ["GIVEN_SECONDS", "LiveGame", "OfferLimits", "key_of"]

GIVEN_SECONDS: Final = 15
"""Seconds that a side gives to the other at once."""
FIRST_DRAW_OFFER: Final = 2
"""First ply at which two people on two devices may offer a draw: both have moved."""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class OfferLimits:
    """How often a side may repeat an offer or a request."""

    draw_offer_plies: int = 20
    """Plies before a side whose draw offer was declined may offer again."""
    undo_offer_plies: int = 1
    """Plies before a side whose takeback request was declined may request again."""


class LiveGame(Replay):
    """The game of `stored` with the actions that its players may take."""

    def __init__(self, stored: StoredGame, limits: OfferLimits | None = None) -> None:
        self._limits: Final = limits or OfferLimits()
        super().__init__(stored)

    # Actions

    def move(
        self, sides: Sides, ply: int, key: str, version: int | None = None, side: Side | None = None
    ) -> Moved:
        """Play the move with this key (`key_of`)."""
        mover = self._require_turn(sides, ply, version, side)
        move = self._move_with_key(key)
        if move is None:
            raise Refused("bad_move")
        return Moved(mover, move.hub(), move.crowns)

    def huff(
        self,
        sides: Sides,
        ply: int,
        square: int,
        version: int | None = None,
        side: Side | None = None,
    ) -> Huffed:
        """Huff the piece that did not capture."""
        mover = self._require_turn(sides, ply, version, side)
        if square not in self.game.offences:
            raise Refused("bad_move")
        return Huffed(mover, square)

    def undo(self, sides: Sides, side: Side | None = None) -> Undone | UndoOffered:
        """Take back to the side's previous turn: at once against the computer, else by consent."""
        requester = self._actor(sides, side, other(self.game.turn))
        if self.rated:
            raise Refused("no_takeback")
        # At a physical board one device enters both sides' moves and may enter a wrong one.
        if self.in_event and len(sides) == 1:
            raise Refused("event_takeback")
        steps = self._steps_back(requester)
        if steps == 0:
            raise Refused("nothing_to_undo")
        if self.computer is not None:
            return Undone(requester, steps)
        if self.undo_offer is not None or self._just_declined(
            UndoOffered, requester, self._limits.undo_offer_plies
        ):
            raise Refused("too_soon")
        return UndoOffered(requester)

    def answer_undo(
        self, sides: Sides, ok: bool, side: Side | None = None
    ) -> Undone | UndoDeclined | UndoWithdrawn:
        """Answer the other side's takeback request, or withdraw one's own with `ok` false."""
        requester = self.undo_offer
        if self._is_withdrawal(sides, requester, ok, side):
            return UndoWithdrawn(sides[0])
        answerer = self._answerer(sides, requester, side)
        if not ok:
            return UndoDeclined(answerer)
        return Undone(other(answerer), self._steps_back(other(answerer)))

    def draw(self, sides: Sides, side: Side | None = None) -> DrawOffered | DrawAccepted:
        """Offer a draw, or accept the other side's offer."""
        offerer = self._actor(sides, side, self.game.turn)
        if self.game.draw_offer == other(offerer):
            return DrawAccepted(offerer)
        if self.too_early_for_draw:
            raise Refused("no_draw_yet", n=self.no_draw_before or 0)
        if not self.may_offer_draw(offerer):
            raise Refused("too_soon")
        return DrawOffered(offerer)

    def answer_draw(
        self, sides: Sides, ok: bool, side: Side | None = None
    ) -> DrawAccepted | DrawDeclined | DrawWithdrawn:
        """Answer the other side's draw offer, or withdraw one's own with `ok` false."""
        if self._is_withdrawal(sides, self.game.draw_offer, ok, side):
            return DrawWithdrawn(sides[0])
        answerer = self._answerer(sides, self.game.draw_offer, side)
        return DrawAccepted(answerer) if ok else DrawDeclined(answerer)

    def resign(self, sides: Sides, side: Side | None = None) -> Resigned:
        """Resign the game."""
        return Resigned(self._actor(sides, side, self.game.turn))

    # Two people on two devices

    def abort(self, sides: Sides, side: Side | None = None) -> Aborted:
        """Abort the game before both have moved, or while its invitation is open."""
        self._require_player(sides, waiting=True)
        if not self.online or self.plies_played >= 2:
            raise Refused("too_late")
        return Aborted(self._own_side(sides, side))

    def free(self, sides: Sides, side: Side) -> SideFreed:
        """Open the seat of `side` to another device, in a game of two people at one screen."""
        self._require_player(sides)
        if len(sides) < 2 or side not in sides or self.clock is not None:
            raise Refused("not_yours")
        return SideFreed(side)

    def join(self, name: str = "", level: int | None = None) -> Joined:
        """Take the open seat."""
        side = self.open_side
        if side is None or self.result is not None:
            raise Refused("seat_taken")
        if self.rated and level is not None:
            raise Refused("rated")
        return Joined(side, name, level)

    def expire(self) -> InvitationExpired:
        """Abort a game whose invitation has expired."""
        side = self.open_side
        if side is None or self.result is not None:
            raise Refused("seat_taken")
        return InvitationExpired(side)

    def give_time(self, sides: Sides, side: Side | None = None) -> TimeGiven:
        """Give the other side time."""
        giver = self._actor(sides, side, sides[0] if sides else "W")
        if self.in_event:
            raise Refused("event_time")
        if self.running is None or not self.online or self._is_correspondence:
            raise Refused("no_clock")
        if self.time_given_at.get(giver) == self.ply:
            raise Refused("too_soon")
        return TimeGiven(giver, GIVEN_SECONDS)

    def claim(self, sides: Sides, draw: bool, away: Sides) -> Abandoned:
        """Claim the win or a draw; `away` are the sides that have been absent for too long."""
        claimer = self._actor(sides, None, sides[0] if sides else "W")
        if not self.online or other(claimer) not in away:
            raise Refused("not_away")
        return Abandoned(other(claimer), draw)

    def flag(self) -> Flagged:
        """Return the event of the running side's flag fall.

        The result is a draw when no sequence of legal moves wins for the other side. That check may
        be slow.
        """
        side = self.running
        if side is None:
            raise Refused("no_clock")
        return Flagged(side, drawn=not can_win(self.game, other(side)))

    def offer_rematch(self, sides: Sides) -> RematchOffered:
        """Offer a rematch. The other side accepts by requesting the rematch itself."""
        self._require_over(sides)
        declined = (RematchOffered, sides[0]) in self.declined
        if declined or self.rematch_offer is not None or self.next_id is not None:
            raise Refused("too_soon")
        return RematchOffered(sides[0])

    def decline_rematch(self, sides: Sides) -> RematchDeclined:
        """Decline a rematch."""
        self._require_over(sides)
        if self.rematch_offer is None or self.rematch_offer in sides:
            raise Refused("no_offer")
        return RematchDeclined(sides[0])

    def _require_over(self, sides: Sides) -> None:
        if not sides:
            raise Refused("not_yours")
        if self.result is None or not self.online:
            raise Refused("not_over")
        if self.in_event:
            raise Refused("event_rematch")

    @property
    def _is_correspondence(self) -> bool:
        return self.clock is not None and self.clock.settings.kind == "days"

    def hint_game(self, sides: Sides) -> Game:
        """Return a copy of the game for a hint search, if `sides` are to move."""
        self._require_player(sides)
        if self.online:
            raise Refused("no_help")
        if self.game.turn not in sides:
            raise Refused("not_your_turn")
        return self.game.copy()

    def may_offer_draw(self, side: Side) -> bool:
        """Return whether `side` may offer a draw: none is open, and none was declined recently."""
        if self.too_early_for_draw or (self.online and self.plies_played < FIRST_DRAW_OFFER):
            return False
        return self.game.draw_offer is None and not self._just_declined(
            DrawOffered, side, self._limits.draw_offer_plies
        )

    @property
    def too_early_for_draw(self) -> bool:
        """Whether it is too early for a draw offer, by the players' agreement."""
        first_move = self.no_draw_before
        return first_move is not None and self.online and self.plies_played < 2 * (first_move - 1)

    def may(self, action: Callable[[], object]) -> bool:
        """Return whether an action without side effects is allowed."""
        try:
            action()
        except Refused:
            return False
        return True

    # Decisions of the computer

    def search_request(self) -> SearchRequest | None:
        """Return the decision that is due from the computer now, if any."""
        computer = self.computer
        if computer is None or not self.computer_has_to_act:
            return None
        return SearchRequest(
            game=self.game.copy(),
            side=computer,
            level=self.seats[computer].level or 1,
            engine=self.engine,
            guide=None if self.guided is None else self.guided.player(self.game),
            about_draw=self.game.draw_offer == other(computer),
            may_offer_draw=self.may_offer_draw(computer),
        )

    # Permissions

    def _require_player(self, sides: Sides, *, waiting: bool = False) -> None:
        """Refuse spectators and finished games and, unless `waiting`, games with an open seat."""
        if not sides:
            raise Refused("not_yours")
        if self.result is not None:
            raise Refused("game_over")
        if not waiting and self.open_side is not None:
            raise Refused("waiting")

    def _actor(self, sides: Sides, side: Side | None, default: Side) -> Side:
        """Return the acting side, in a game that is not over."""
        self._require_player(sides)
        return self._own_side(sides, side if side is not None or default not in sides else default)

    def _own_side(self, sides: Sides, side: Side | None) -> Side:
        if side is None:
            side = sides[0]
        if side not in sides:
            raise Refused("not_your_side")
        return side

    def _require_turn(self, sides: Sides, ply: int, version: int | None, side: Side | None) -> Side:
        """Return the side to move; refuse players not on turn and stale messages."""
        self._require_player(sides)
        # A message sent before an undo may name a ply that has come up again.
        if ply != self.ply or (version is not None and not self.last_undo <= version <= self.seq):
            raise Refused("stale")
        if side is not None and side not in sides:
            raise Refused("not_your_side")
        if self.game.turn not in sides or side not in {None, self.game.turn}:
            raise Refused("not_your_turn")
        return self.game.turn

    def _answerer(self, sides: Sides, requester: Side | None, side: Side | None) -> Side:
        if requester is None and sides and self.result is None:
            raise Refused("no_offer")
        answerer = self._actor(sides, side, other(requester or "W"))
        if answerer == requester:
            raise Refused("no_offer")
        return answerer

    def _is_withdrawal(
        self, sides: Sides, requester: Side | None, ok: bool, side: Side | None
    ) -> bool:
        """Return whether `ok` false withdraws a request.

        Two people at one screen always answer it.
        """
        own = self.result is None and len(sides) == 1 and sides[0] == requester
        return own and not ok and side in {None, requester}

    def _just_declined(self, kind: type[Event], side: Side, plies: int) -> bool:
        declined = self.declined.get((kind, side))
        # An undo may have gone back beyond the refusal: the distance counts in both directions.
        return declined is not None and abs(self.ply - declined) < plies

    def _move_with_key(self, key: str) -> Move | None:
        playable = self.playable()
        return next((move for move in playable if key_of(move, playable) == key), None)

    def _steps_back(self, side: Side) -> int:
        """Return how often `Game.undo` leads to the previous turn of `side`; 0 if there is none.

        A huff without a following move is a step of its own; any other huff is taken back together
        with the ply that followed it. The moves of a balloted opening cannot be taken back.
        """
        steps = 0
        if self.pending_huff is not None:
            steps = 1
            if self.game.turn == side:
                return steps
        for back, ply in enumerate(reversed(self.game.history), start=1):
            if ply.balloted:
                return 0
            if ply.side == side:
                return steps + back
        return 0


def key_of(move: Move, moves: Iterable[Move]) -> str:
    """Return the key of one of `moves` on the page: its hub text, made unique.

    Where a man continues as a king after passing the last row, the same piece can capture the same
    men and land on the same square either as a man or as a king; the promoting move then carries
    "=".
    """
    hub = move.hub()
    if move.crowns and any(m.hub() == hub and m != move for m in moves):
        return f"{hub}="
    return hub
