"""One running game: who sits where, what they may do, and the log that follows from it.

A table is made from what is stored and changes only by `apply`. The other methods look at what
somebody asks for and return the entry that it amounts to, or raise: `Refused` with a code of the
live protocol, or `MoveError` when the rules forbid it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from damka import rules
from damka.engine import levels
from damka.game import Game
from damka.move import Move
from damka.notation import fen
from damka.server.events import (
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    EngineLost,
    Event,
    Huffed,
    Moved,
    Resigned,
    Side,
    UndoDeclined,
    Undone,
    UndoOffered,
)
from damka.server.opponents import Question
from damka.server.problems import Refused
from damka.server.settings import Limits
from damka.server.store import StoredGame, StoredSeat

__all__ = ["OTHER", "Table", "key_of"]

OTHER: Final[dict[Side, Side]] = {"W": "B", "B": "W"}

Sides = tuple[Side, ...]
"""The sides that somebody plays: none for who only watches, both for two people at one screen."""


class Table:
    """The game that `stored` tells, replayed from its log."""

    def __init__(self, stored: StoredGame, limits: Limits) -> None:
        self.id: Final = stored.id
        self.rules: Final = rules.from_dict(stored.rules)
        self.seats: Final[dict[Side, StoredSeat]] = {seat.side: seat for seat in stored.seats}
        self.lot: Final = stored.lot
        self.next_id: str | None = stored.next
        self.seq = 0
        self.last: Event | None = None
        """The latest entry of the log."""
        self.undo_offer: Side | None = None
        self.engine_lost: int | None = None
        """The ply at which the operator's engine stopped playing, if it did."""
        self._limits: Final = limits
        self._last_undo = 0
        self._declined: dict[tuple[type[Event], Side], int] = {}
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
        self.start: Final = fen.parse(self.rules, self.game.start_fen)[0]
        """The pieces at the start of the game, one character a square."""
        for event in stored.events:
            self.apply(event)

    # Who is here

    def sides_of(self, holder: str | None) -> Sides:
        """Return the sides that the holder of a seat cookie plays, in the order of the players."""
        if holder is None:
            return ()
        return tuple(side for side, seat in self.seats.items() if seat.holder == holder)

    @property
    def computer(self) -> Side | None:
        """The computer's side, if it plays."""
        return next((s for s, seat in self.seats.items() if seat.kind == "computer"), None)

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
        return len(self.game.history)

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

    # What somebody asks for

    def move(
        self, sides: Sides, ply: int, key: str, version: int | None = None, side: Side | None = None
    ) -> Moved:
        """Play the move of that key (`key_of`)."""
        mover = self._on_turn(sides, ply, version, side)
        move = self._find(key)
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
        """Take the piece that did not capture."""
        mover = self._on_turn(sides, ply, version, side)
        if square not in self.game.offences:
            raise Refused("bad_move")
        return Huffed(mover, square)

    def undo(self, sides: Sides, side: Side | None = None) -> Undone | UndoOffered:
        """Take back to one's previous turn: at once from the computer, else by consent."""
        asker = self._actor(sides, side, OTHER[self.game.turn])
        steps = self._steps_back(asker)
        if steps == 0:
            raise Refused("nothing_to_undo")
        if self.computer is not None:
            return Undone(asker, steps)
        if self.undo_offer is not None or self._just_declined(
            UndoOffered, asker, self._limits.undo_offer_plies
        ):
            raise Refused("too_soon")
        return UndoOffered(asker)

    def answer_undo(
        self, sides: Sides, ok: bool, side: Side | None = None
    ) -> Undone | UndoDeclined:
        """Answer the other side's request to take back."""
        asker = self.undo_offer
        answerer = self._answerer(sides, asker, side)
        if not ok:
            return UndoDeclined(answerer)
        return Undone(OTHER[answerer], self._steps_back(OTHER[answerer]))

    def draw(self, sides: Sides, side: Side | None = None) -> DrawOffered | DrawAccepted:
        """Offer a draw, or accept the other side's offer."""
        offerer = self._actor(sides, side, self.game.turn)
        if self.game.draw_offer == OTHER[offerer]:
            return DrawAccepted(offerer)
        if not self.may_offer_draw(offerer):
            raise Refused("too_soon")
        return DrawOffered(offerer)

    def answer_draw(
        self, sides: Sides, ok: bool, side: Side | None = None
    ) -> DrawAccepted | DrawDeclined:
        """Answer the other side's offer of a draw."""
        answerer = self._answerer(sides, self.game.draw_offer, side)
        return DrawAccepted(answerer) if ok else DrawDeclined(answerer)

    def resign(self, sides: Sides, side: Side | None = None) -> Resigned:
        """Give the game up."""
        return Resigned(self._actor(sides, side, self.game.turn))

    def hint_game(self, sides: Sides) -> Game:
        """Return a copy of the game to look for a good move in, if it is theirs to move."""
        if not sides:
            raise Refused("not_yours")
        if self.result is not None:
            raise Refused("game_over")
        if self.game.turn not in sides:
            raise Refused("not_your_turn")
        return self.game.copy()

    def may_offer_draw(self, side: Side) -> bool:
        """Tell whether `side` may offer a draw: not while one is offered, nor soon after a no."""
        return self.game.draw_offer is None and not self._just_declined(
            DrawOffered, side, self._limits.draw_offer_plies
        )

    def may(self, action: Callable[[], object]) -> bool:
        """Tell whether an action that only looks would be refused."""
        try:
            action()
        except Refused:
            return False
        return True

    # What the computer has to decide

    @property
    def computer_has_to_act(self) -> bool:
        """Whether the computer has a move to make or an offer to answer."""
        computer = self.computer
        if computer is None or self.result is not None:
            return False
        return self.game.turn == computer or self.game.draw_offer == OTHER[computer]

    def question(self) -> Question | None:
        """Return what the computer has to decide now, if anything."""
        computer = self.computer
        if computer is None or not self.computer_has_to_act:
            return None
        return Question(
            game=self.game.copy(),
            side=computer,
            level=self.seats[computer].level or 1,
            engine=self.engine,
            about_draw=self.game.draw_offer == OTHER[computer],
            may_offer_draw=self.may_offer_draw(computer),
        )

    # The log

    def apply(self, event: Event) -> None:
        """Let an entry of the log happen."""
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
                self._last_undo = self.seq + 1
            case UndoOffered(side):
                self.undo_offer = side
            case UndoDeclined(side):
                self.undo_offer = None
                self._declined[UndoOffered, OTHER[side]] = self.ply
            case DrawOffered(side):
                self.game.offer_draw(side)
                # An offer that lapses counts like one declined.
                self._declined[DrawOffered, side] = self.ply
            case DrawAccepted(side):
                self.game.accept_draw(side)
            case DrawDeclined(side):
                self.game.decline_draw(side)
            case EngineLost():
                self.engine_lost = self.ply
            case Resigned(side):
                self.game.resign(side)
        self.last = event
        self.seq += 1

    def _moved(self, hub: str, crowns: bool) -> Move:
        for move in self.playable():
            if move.hub() == hub and move.crowns == crowns:
                return move
        raise Refused("bad_move")

    def _find(self, key: str) -> Move | None:
        playable = self.playable()
        return next((move for move in playable if key_of(move, playable) == key), None)

    # Who may

    def _actor(self, sides: Sides, side: Side | None, default: Side) -> Side:
        """Return the side for which somebody acts in a game that is still on."""
        if not sides:
            raise Refused("not_yours")
        if self.result is not None:
            raise Refused("game_over")
        if side is None:
            side = default if default in sides else sides[0]
        if side not in sides:
            raise Refused("not_your_side")
        return side

    def _on_turn(self, sides: Sides, ply: int, version: int | None, side: Side | None) -> Side:
        """Return the side to move, when it is `sides` that may and the position is the one seen."""
        if not sides:
            raise Refused("not_yours")
        if self.result is not None:
            raise Refused("game_over")
        # A message from before an undo may name a ply that is there again.
        if ply != self.ply or (version is not None and not self._last_undo <= version <= self.seq):
            raise Refused("stale")
        if side is not None and side not in sides:
            raise Refused("not_your_side")
        if self.game.turn not in sides or side not in {None, self.game.turn}:
            raise Refused("not_your_turn")
        return self.game.turn

    def _answerer(self, sides: Sides, asker: Side | None, side: Side | None) -> Side:
        if asker is None and sides and self.result is None:
            raise Refused("no_offer")
        answerer = self._actor(sides, side, OTHER[asker or "W"])
        if answerer == asker:
            raise Refused("no_offer")
        return answerer

    def _just_declined(self, kind: type[Event], side: Side, plies: int) -> bool:
        declined = self._declined.get((kind, side))
        # An undo may have gone back behind the refusal: the distance counts either way.
        return declined is not None and abs(self.ply - declined) < plies

    def _steps_back(self, side: Side) -> int:
        """Return how many times `Game.undo` leads to the previous turn of `side`; 0 if none does.

        A huff that no move follows yet is a step of its own; another is taken back with the ply
        that followed it. The moves of a balloted opening are nobody's to take back.
        """
        steps = 0
        if self.pending_huff is not None:
            steps = 1
            if self.game.turn == side:
                return steps
        for back, ply in enumerate(reversed(self.game.history), start=1):
            if ply.by_lot:
                return 0
            if ply.side == side:
                return steps + back
        return 0


def key_of(move: Move, moves: Iterable[Move]) -> str:
    """Return the text by which the page names one of `moves`: its hub text, made unique.

    Where a man that passes the last row goes on as a king, the same piece can take the same men to
    the same square as a man or as a king; the crowned one then carries "=".
    """
    hub = move.hub()
    if move.crowns and any(m.hub() == hub and m != move for m in moves):
        return f"{hub}="
    return hub
