"""A game from its first move to its result: what the sides may do, and why something is refused."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from damka import rules as rule_sets
from damka.errors import IllegalActionError, MoveError
from damka.game import file
from damka.game.events import (
    Abandoned,
    Aborted,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    DrawWithdrawn,
    Event,
    Flagged,
    Resigned,
)
from damka.game.history import GameHistory
from damka.game.opening import opening
from damka.game.record import HUFF
from damka.move import Move
from damka.notation import labels as labels_of
from damka.notation import squares
from damka.refusal import Refusal, error, resolve, speaking
from damka.result import Result
from damka.rules import SIDES, other

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from damka.game.decision import Decision
    from damka.pdn import PdnGame
    from damka.rules import Rules, Side

__all__ = ["Game"]

MAX_PLAYER_NAME: Final = 80


class Game(GameHistory):
    """One game by one rule set, from the start position or from a FEN.

    `rules` is a rule set or what `damka.rules.load` takes. `obligation` ("forced" or "huff")
    replaces the rule set's own, for boxes that leave it to the players. `players` are the names of
    who plays each side, kept with the game and used for nothing. `ballot` is the place, from 0, of
    the opening in `rules.openings` that the lot has drawn: the game begins with its position, and
    its moves are made at once, by nobody, and are not taken back. `returned` says that the opening
    is played for the second time, with changed sides, so that a rematch draws another.

    Sides are "W", at the bottom of the board, and "B". Where an action takes a `side`, it is who
    acts, and None is whoever may. Every refused move raises a MoveError (IllegalMoveError,
    InvalidMoveError, AmbiguousMoveError), every other refused action IllegalActionError, whose
    `refusal` says why in any language; nothing has changed then.

    Two games are equal when the same happened in them by the same rules between the same players;
    a game has no hash, because it changes. `copy`, the functions of the module `copy` and a pickle
    make a game with the same past, huffs and offers included, that goes on by itself.

    Raises FenError, RulesError and UnknownRulesError as `Board` does, RulesError also for a ballot
    that cannot be played, IndexError for one that does not exist.

    >>> import damka
    >>> game = damka.Game("dama100", "W:W32,33,47:B27,8,9")
    >>> game.play("33-29")
    Move(33, 29)
    >>> game.offences
    (32,)
    >>> game.huff(32)
    >>> game.play("8-13")
    Move(8, 13)
    >>> [str(ply) for ply in game.history]
    ['33-29', '(32) 8-13']
    """

    @rule_sets.required
    def __init__(
        self,
        rules: Rules | str | Path,
        fen: str | None = None,
        *,
        obligation: Literal["forced", "huff"] | None = None,
        players: Mapping[Side, str] | None = None,
        ballot: int | None = None,
        returned: bool = False,
    ) -> None:
        loaded = rules if isinstance(rules, rule_sets.Rules) else rule_sets.load(rules)
        if obligation is not None and obligation != loaded.obligation:
            loaded = loaded.replace(obligation=obligation)
        self.players: Mapping[Side, str] = _checked_players(players or {})
        lot = None if ballot is None else opening(loaded, ballot)
        if lot is not None:
            if fen is not None:
                raise ValueError("a game begins with a position or with a ballot, not with both")
            fen = lot.fen
        self.ballot: Final = ballot
        """The place, from 0, of the opening that was drawn by lot, or None."""
        self.opening: Final = lot
        """The opening that was drawn by lot, with its number and name, or None."""
        self.returned: Final = returned
        """Whether the opening is played for the second time, with changed sides."""
        super().__init__(loaded, fen)
        for move in lot.moves if lot else ():
            self._push(move)
            self._by_lot += 1

    # Moves

    def play(
        self,
        attempt: str | Move | Sequence[int],
        side: Side | None = None,
        *,
        labels: bool = False,
    ) -> Move:
        """Play a move and return it.

        `attempt` is a text ("22-18", "22x15", "(23) 32-28" to huff 23 first), a Move, or the
        squares a player has clicked (see `damka.refusal.explain`). With `labels` a text is read as
        the game's federation writes moves, like by `Board.parse`. An offence may be played like a
        legal move. A draw that the other side has offered lapses.
        """
        if (
            isinstance(attempt, Move)
            and attempt in self._legal
            and side in (None, self.turn)
            and self._result is None
        ):
            # Most moves are legal; why another is refused takes longer.
            move = self._legal[self._legal.index(attempt)]
            self._push(move)
            return move
        found = self._found(attempt, side, labels=labels)
        if isinstance(found, Refusal):
            raise error(found)
        huffed, move = found
        if huffed is not None:
            self._huff(huffed)
        self._push(move)
        return move

    def why_not(
        self,
        attempt: str | Move | Sequence[int],
        side: Side | None = None,
        *,
        labels: bool = False,
    ) -> Refusal | None:
        """Return why `play` would refuse, or None when it would not."""
        found = self._found(attempt, side, labels=labels)
        return found if isinstance(found, Refusal) else None

    def undo(self) -> None:
        """Take back the last ply, with the huff before it; or a huff that no move follows yet.

        What was offered, answered or resigned since is taken back as well; the moves of an opening
        that was drawn are not.
        """
        if self.pending_huff is None and self._board.move_count <= self._by_lot:
            raise IllegalActionError(Refusal("nothing_to_undo"))
        self._take_back()

    def apply(self, decision: Decision) -> tuple[Event, ...]:
        """Let the side to move do what it has decided; return what it did, in order.

        It resigns, or it huffs, moves and offers a draw, as far as the game still goes on. An offer
        is left out while another waits for its answer.

        Raises MoveError as `play`, `huff` and `resign` do; then nothing has changed.
        """
        before, side = len(self._log), self.turn
        if decision.resign:
            self.resign(side)
            return self.events[before:]
        if decision.huff is not None:
            self.huff(decision.huff)
        if decision.move is not None and self._result is None:
            try:
                self.play(decision.move)
            except MoveError:
                if decision.huff is not None:
                    self._take_back()
                raise
        if decision.offer_draw and self._result is None and self._draw_offer is None:
            self.offer_draw(side)
        return self.events[before:]

    # Huffing

    def huff(self, square: int, side: Side | None = None) -> None:
        """Take a piece that the other side should have captured with, before moving oneself."""
        refusal = self.why_not_huff(square, side)
        if refusal is not None:
            raise IllegalActionError(refusal)
        self._huff(square)

    def why_not_huff(self, square: int, side: Side | None = None) -> Refusal | None:
        """Return why `huff` would refuse, or None when it would not."""
        refusal = self._not_now(side)
        if refusal is not None:
            return refusal
        if self.rules.obligation != "huff":
            kind = "free" if self.rules.obligation == "free" else "rules"
            return Refusal("nothing_to_huff", {"kind": kind})
        if self.pending_huff is not None:
            return Refusal("nothing_to_huff", {"kind": "done"})
        if not self._board.offences:
            # One's own last move, or the move just made, let the right pass.
            if any(ply.waived for ply in self.history[-2:]):
                return Refusal("too_late_to_huff")
            return Refusal("nothing_to_huff", {"kind": "now"})
        if square not in self._board.offences:
            pieces = self._board.offences
            return Refusal("not_offending", {"square": square, "pieces": pieces})
        return None

    # Draws by agreement, and resignation

    def offer_draw(self, side: Side) -> None:
        """Offer the other side a draw, which it accepts, declines, or lets lapse by moving."""
        self._require_on(side)
        if self._draw_offer is not None:
            raise IllegalActionError(Refusal("draw_already_offered"))
        self._draw_offer = side
        self._log.append(DrawOffered(side))

    def accept_draw(self, side: Side) -> None:
        """Accept the draw that the other side has offered: the game is drawn."""
        self._answer(side)
        self._log.append(DrawAccepted(side))
        self._result = Result(None, "agreement")

    def decline_draw(self, side: Side) -> None:
        """Decline the draw that the other side has offered."""
        self._answer(side)
        self._log.append(DrawDeclined(side))

    def withdraw_draw(self, side: Side) -> None:
        """Withdraw one's own offer of a draw before the other side has answered."""
        self._require_on(side)
        if self._draw_offer != side:
            raise IllegalActionError(Refusal("no_draw_offer"))
        self._draw_offer = None
        self._log.append(DrawWithdrawn(side))

    def resign(self, side: Side) -> None:
        """Give the game up: the other side wins. It need not be one's turn."""
        self._require_on(side)
        self._draw_offer = None
        self._log.append(Resigned(side))
        self._result = Result(other(side), "resignation")

    # Ends that only the people at a game know of

    def flag(self, side: Side, *, drawn: bool = False) -> None:
        """End the game because the time of `side` ran out.

        The other side has won, unless `drawn` says that it could not have.
        """
        self._require_on(side)
        self._draw_offer = None
        self._log.append(Flagged(side, drawn))
        self._result = Result(None, "time_draw") if drawn else Result(other(side), "time")

    def abandon(self, side: Side, *, drawn: bool = False) -> None:
        """End the game because `side` left it: the other side claims the win, or a draw."""
        self._require_on(side)
        self._draw_offer = None
        self._log.append(Abandoned(side, drawn))
        won = Result(other(side), "abandonment")
        self._result = Result(None, "abandonment_draw") if drawn else won

    def abort(self, side: Side) -> None:
        """End the game without a result."""
        self._require_on(side)
        self._draw_offer = None
        self._log.append(Aborted(side))
        self._result = Result(None, "aborted")

    def end(self, result: Result) -> None:
        """End a game that is still on as the sides ended it, for whoever reads it from a file.

        Raises ValueError for a result that only the rules can bring about.
        """
        winner, reason = result
        if winner is None:
            match reason:
                case "agreement":
                    self.offer_draw(self.turn)
                    self.accept_draw(other(self.turn))
                case "time_draw":
                    self.flag(self.turn, drawn=True)
                case "abandonment_draw":
                    self.abandon(self.turn, drawn=True)
                case "aborted":
                    self.abort(self.turn)
                case _:
                    raise ValueError(f"a game is not drawn by {reason} at will")
            return
        ending = {"resignation": self.resign, "time": self.flag, "abandonment": self.abandon}
        if reason not in ending:
            raise ValueError(f"a game is not won by {reason} at will")
        ending[reason](other(winner))

    # Other games

    def rematch(self, lots: random.Random | None = None) -> tuple[Game, bool]:
        """Return a new game by the same rules from the same position, and whether to swap sides.

        The rule set says how: by lot (drawn with `lots.random()`), or by turns, which swaps. A game
        with a ballot is followed by one with the same opening and changed sides if they go by
        turns, and that one, as where there are no turns, by one for which another is drawn.
        """
        lots = lots or random.SystemRandom()
        by_turns = self.rules.rematch == "alternate"
        swap = by_turns or lots.random() < 0.5
        names: dict[Side, str] = {
            other(side) if swap else side: name for side, name in self.players.items()
        }
        if self.ballot is None:
            return Game(self.rules, self.start_fen, players=names), swap
        again = by_turns and not self.returned
        ballot = self.ballot if again else int(lots.random() * len(self.rules.openings))
        return Game(self.rules, players=names, ballot=ballot, returned=again), swap

    # Portable Draughts Notation

    def pdn(self, headers: Mapping[str, str] | None = None) -> str:
        """Return the game in Portable Draughts Notation; `headers` are tags to add or to replace.

        Raises PdnError for a tag whose name is none.
        """
        from damka.game import pdn  # noqa: PLC0415  loaded when it is first used

        return pdn.text(self, headers)

    @classmethod
    def from_pdn(cls, text: str, rules: Rules | str | None = None) -> Game:
        """Return the first game of a text: the moves of its main line, and its result.

        `rules` are found as `damka.pdn.read` finds them. A game that the rules have not ended is
        resigned or drawn by agreement as the result says; the first figure of it is White's.

        Raises PdnError, with the place, for a text that is no game or whose moves are not legal.
        """
        from damka.game import pdn  # noqa: PLC0415  loaded when it is first used

        return pdn.load(cls, text, rules)

    @classmethod
    def from_pdn_game(cls, game: PdnGame) -> Game:
        """Return a game that `damka.pdn.read` has given, as `from_pdn` does.

        Raises PdnError for moves that go on after the end of the game by its rules, and for a
        position that is set up in mid-game and is no huff.
        """
        from damka.game import pdn  # noqa: PLC0415  loaded when it is first used

        return pdn.played(cls, game)

    # The file

    def to_json(self) -> str:
        """Return the game as the text of a game file.

        Raises GameFileError for a game too long to be read again.
        """
        return file.dump(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> Game:
        """Return the game that `to_json` gave, every move of it checked again.

        Raises GameFileError, which says where in the file and what is wrong there.
        """
        return file.parse(cls, text)

    def save(self, path: Path | str) -> None:
        """Write the game to a file: a game file, or PDN where the name ends in ".pdn".

        Raises OSError when that fails, GameFileError and PdnError as `to_json` and `pdn` do.
        """
        if file.is_pdn(path):
            Path(path).write_text(self.pdn(), "utf-8")
        else:
            file.save(self, path)

    @classmethod
    def load(cls, path: Path | str) -> Game:
        """Read a game file, or the first game of PDN where the name ends in ".pdn".

        Raises GameFileError or PdnError, also when there is no such file.
        """
        if file.is_pdn(path):
            from damka.game import pdn  # noqa: PLC0415  loaded when it is first used

            return pdn.load(cls, Path(path))
        return file.load(cls, path)

    def __eq__(self, other: object) -> bool:
        """Two games are equal when the same happened in them by the same rules."""
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.rules == other.rules
            and self.start_fen == other.start_fen
            and (self.ballot, self.returned) == (other.ballot, other.returned)
            and self.events == other.events
            and self.players == other.players
        )

    __hash__ = None  # type: ignore[assignment]  # A game changes.

    def __repr__(self) -> str:
        state = f"{self.turn} to move" if self._result is None else str(tuple(self._result))
        return f"<Game of {self.rules.name}: {self._board.move_count} plies, {state}>"

    def _repr_svg_(self) -> str:
        from damka.draw import Style, svg  # noqa: PLC0415  loaded with the first picture

        return svg.replay(self, Style(size=440), library_numbers=True)

    # Inside

    def _found(
        self, attempt: str | Move | Sequence[int], side: Side | None, *, labels: bool
    ) -> tuple[int | None, Move] | Refusal:
        """What `_find` finds, with squares named in a refusal as the attempt does."""
        labels = labels and isinstance(attempt, str)
        read = labels_of(self.rules).read(str(attempt)) if labels else attempt
        found = self._find(read, side)
        if isinstance(found, Refusal):
            return speaking(found, self.rules, attempt, as_printed=labels)
        return found

    def _find(
        self, attempt: str | Move | Sequence[int], side: Side | None
    ) -> tuple[int | None, Move] | Refusal:
        """The huff and the move that `attempt` means."""
        refusal = self._not_now(side)
        if refusal is not None:
            return refusal
        huff = HUFF.fullmatch(attempt) if isinstance(attempt, str) else None
        if huff is None:
            if not self._legal:
                return Refusal("must_huff", {"pieces": self._board.offences})
            allowed = self._legal + self.offence_moves
            found = resolve(self._board, attempt, allowed)
            return found if isinstance(found, Refusal) else (None, found)
        square = squares.read(self.rules, huff[1])
        if square is None:
            return Refusal("not_a_square", {"text": huff[1]})
        refusal = self.why_not_huff(square)
        if refusal is not None:
            return refusal
        # The move that follows is judged on the board without the huffed piece.
        after = self.copy()
        after._huff(square)
        found_after = after._find(huff[2], side)
        if isinstance(found_after, Refusal):
            return found_after
        return square, found_after[1]

    def _not_now(self, side: Side | None) -> Refusal | None:
        if self._result:
            return Refusal("game_over")
        if side not in (None, self.turn):
            colour = self.rules.colours[0 if self.turn == "W" else 1]
            return Refusal("not_your_turn", {"colour": colour})
        return None

    def _require_on(self, side: Side) -> None:
        if side not in SIDES:
            raise ValueError(f"the sides are W and B, not {side!r}")
        if self._result:
            raise IllegalActionError(Refusal("game_over"))

    def _answer(self, side: Side) -> None:
        self._require_on(side)
        if self._draw_offer != other(side):
            raise IllegalActionError(Refusal("no_draw_offer"))
        self._draw_offer = None


def _checked_players(players: Mapping[Side, str]) -> dict[Side, str]:
    for side, name in players.items():
        if side not in SIDES:
            raise ValueError(f"the sides are W and B, not {side!r}")
        if not (isinstance(name, str) and 1 <= len(name) <= MAX_PLAYER_NAME and name.isprintable()):
            raise ValueError(f"a player's name has 1 to {MAX_PLAYER_NAME} printable characters")
    return dict(players)
