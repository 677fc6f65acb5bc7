"""A game from its first move to its result: the actions of the sides, and refusals."""

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
from damka.refusal import Refusal, error, named_as_typed, resolve
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

    `rules` is a rule set or an argument of `damka.rules.load`. `obligation` ("forced" or "huff")
    overrides the rule set's, for games in which the players choose it. `players` are the names of
    the players by side, stored with the game. `ballot` is the index, from 0, of a balloted opening
    in `rules.openings`: the game begins with its position and its moves, which no player made and
    which cannot be taken back. `returned` marks the second game with an opening, with swapped
    sides; a rematch after it draws another opening.

    Sides are "W", at the bottom of the board, and "B". The `side` of an action is the acting side;
    None means any side that may act. A refused move raises a MoveError (IllegalMoveError,
    InvalidMoveError, AmbiguousMoveError), any other refused action an IllegalActionError. The
    error's `refusal` has the reason in any language, and the game is unchanged.

    Two games are equal if they have the same rules, players and events. A game has no hash, because
    it is mutable. `copy`, the functions of the module `copy`, and pickling create an independent
    game with the same history, including huffs and offers.

    Raises FenError, RulesError and UnknownRulesError as `Board` does; RulesError also for an
    opening that cannot be played, IndexError for an invalid ballot.

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
        balloted_opening = None if ballot is None else opening(loaded, ballot)
        if balloted_opening is not None:
            if fen is not None:
                raise ValueError("fen and ballot exclude each other")
            fen = balloted_opening.fen
        self.ballot: Final = ballot
        """The index, from 0, of the balloted opening, or None."""
        self.opening: Final = balloted_opening
        """The balloted opening, with its number and name, or None."""
        self.returned: Final = returned
        """Whether this is the second game with the opening, with swapped sides."""
        super().__init__(loaded, fen)
        for move in balloted_opening.moves if balloted_opening else ():
            self._push(move)
            self._opening_plies += 1

    # Moves

    def play(
        self,
        attempt: str | Move | Sequence[int],
        side: Side | None = None,
        *,
        labels: bool = False,
    ) -> Move:
        """Play a move and return it.

        `attempt` is text ("22-18", "22x15", "(23) 32-28" to huff 23 first), a Move, or the
        clicked squares (see `damka.refusal.explain`). With `labels`, text is in the federation's
        notation, as in `Board.parse`. In huffing games, quiet moves that miss a capture
        (`offence_moves`) can be played too. A draw offer of the other side lapses.
        """
        if (
            isinstance(attempt, Move)
            and attempt in self._legal
            and side in (None, self.turn)
            and self._result is None
        ):
            # A fast path, since most moves are legal.
            move = self._legal[self._legal.index(attempt)]
            self._push(move)
            return move
        turn = self._resolve_labelled(attempt, side, labels=labels)
        if isinstance(turn, Refusal):
            raise error(turn)
        huff, move = turn
        if huff is not None:
            self._huff(huff)
        self._push(move)
        return move

    def why_not(
        self,
        attempt: str | Move | Sequence[int],
        side: Side | None = None,
        *,
        labels: bool = False,
    ) -> Refusal | None:
        """Return the reason why `play` would refuse the attempt, or None."""
        result = self._resolve_labelled(attempt, side, labels=labels)
        return result if isinstance(result, Refusal) else None

    def undo(self) -> None:
        """Take back the last ply, with the huff before it; or a huff without a following move.

        Later offers, answers and resignations are also taken back. The moves of a balloted opening
        cannot be taken back.
        """
        if self.pending_huff is None and self._board.move_count <= self._opening_plies:
            raise IllegalActionError(Refusal("nothing_to_undo"))
        self._take_back()

    def apply(self, decision: Decision) -> tuple[Event, ...]:
        """Play a decision of the side to move; return its events, in order.

        The side resigns, or it huffs, moves and offers a draw, unless the game ends before. It
        makes no offer while another is pending.

        Raises MoveError as `play`, `huff` and `resign` do; the game is then unchanged.
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
        """Remove an opponent's piece that should have captured, before one's own move."""
        refusal = self.why_not_huff(square, side)
        if refusal is not None:
            raise IllegalActionError(refusal)
        self._huff(square)

    def why_not_huff(self, square: int, side: Side | None = None) -> Refusal | None:
        """Return the reason why `huff` would refuse the square, or None."""
        refusal = self._refusal_now(side)
        if refusal is not None:
            return refusal
        if self.rules.obligation != "huff":
            kind = "free" if self.rules.obligation == "free" else "rules"
            return Refusal("nothing_to_huff", {"kind": kind})
        if self.pending_huff is not None:
            return Refusal("nothing_to_huff", {"kind": "done"})
        if not self._board.offences:
            # The chance ended with one's own last move, or with the move just made.
            if any(ply.waived for ply in self.history[-2:]):
                return Refusal("too_late_to_huff")
            return Refusal("nothing_to_huff", {"kind": "now"})
        if square not in self._board.offences:
            pieces = self._board.offences
            return Refusal("not_offending", {"square": square, "pieces": pieces})
        return None

    # Draws by agreement, and resignation

    def offer_draw(self, side: Side) -> None:
        """Offer a draw; the offer lapses if the other side moves without an answer."""
        self._require_running(side)
        if self._draw_offer is not None:
            raise IllegalActionError(Refusal("draw_already_offered"))
        self._draw_offer = side
        self._log.append(DrawOffered(side))

    def accept_draw(self, side: Side) -> None:
        """Accept the other side's draw offer: the game is drawn."""
        self._take_offer(side)
        self._log.append(DrawAccepted(side))
        self._result = Result(None, "agreement")

    def decline_draw(self, side: Side) -> None:
        """Decline the other side's draw offer."""
        self._take_offer(side)
        self._log.append(DrawDeclined(side))

    def withdraw_draw(self, side: Side) -> None:
        """Withdraw one's own draw offer before it is answered."""
        self._require_running(side)
        if self._draw_offer != side:
            raise IllegalActionError(Refusal("no_draw_offer"))
        self._draw_offer = None
        self._log.append(DrawWithdrawn(side))

    def resign(self, side: Side) -> None:
        """Resign, also in the other side's turn: the other side wins."""
        self._require_running(side)
        self._draw_offer = None
        self._log.append(Resigned(side))
        self._result = Result(other(side), "resignation")

    # Results outside the rules

    def flag(self, side: Side, *, drawn: bool = False) -> None:
        """End the game because `side` ran out of time.

        The other side wins, or with `drawn` the game is a draw: the other side could not win.
        """
        self._require_running(side)
        self._draw_offer = None
        self._log.append(Flagged(side, drawn))
        self._result = Result(None, "time_draw") if drawn else Result(other(side), "time")

    def abandon(self, side: Side, *, drawn: bool = False) -> None:
        """End the game because `side` left it: the other side wins, or draws with `drawn`."""
        self._require_running(side)
        self._draw_offer = None
        self._log.append(Abandoned(side, drawn))
        won = Result(other(side), "abandonment")
        self._result = Result(None, "abandonment_draw") if drawn else won

    def abort(self, side: Side) -> None:
        """End the game without a result."""
        self._require_running(side)
        self._draw_offer = None
        self._log.append(Aborted(side))
        self._result = Result(None, "aborted")

    def end(self, result: Result) -> None:
        """End an unfinished game with a result that players can agree or claim.

        For loading files. Raises ValueError for a result that only follows from the rules.
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
                    raise ValueError(f"{reason} is not a draw by the players")
            return
        ending = {"resignation": self.resign, "time": self.flag, "abandonment": self.abandon}
        if reason not in ending:
            raise ValueError(f"{reason} is not a win by the players")
        ending[reason](other(winner))

    # Other games

    def rematch(self, rng: random.Random | None = None) -> tuple[Game, bool]:
        """Return a new game by the same rules from the same position, and whether to swap sides.

        By the rule set, the sides alternate, or `rng` draws them by lot. If they alternate, a
        balloted opening is played twice, the second time with swapped sides; otherwise `rng` draws
        another opening.
        """
        rng = rng or random.SystemRandom()
        alternate = self.rules.rematch == "alternate"
        swap = alternate or rng.random() < 0.5
        names: dict[Side, str] = {
            other(side) if swap else side: name for side, name in self.players.items()
        }
        if self.ballot is None:
            return Game(self.rules, self.start_fen, players=names), swap
        same_opening = alternate and not self.returned
        ballot = self.ballot if same_opening else int(rng.random() * len(self.rules.openings))
        return Game(self.rules, players=names, ballot=ballot, returned=same_opening), swap

    # Portable Draughts Notation

    def pdn(self, headers: Mapping[str, str] | None = None) -> str:
        """Return the game in Portable Draughts Notation; `headers` are tags to add or replace.

        Raises PdnError for an invalid tag name.
        """
        from damka.game import pdn  # noqa: PLC0415  loaded on first use

        return pdn.text(self, headers)

    @classmethod
    def from_pdn(cls, text: str, rules: Rules | str | None = None) -> Game:
        """Return the first game in `text`: the moves of its main line, and its result.

        `rules` are determined as in `damka.pdn.read`. A game that is not over by the rules ends in
        resignation or agreement, according to its result; the first number is White's.

        Raises PdnError, with line and column, for text without a game or with illegal moves.
        """
        from damka.game import pdn  # noqa: PLC0415  loaded on first use

        return pdn.load(cls, text, rules)

    @classmethod
    def from_pdn_game(cls, game: PdnGame) -> Game:
        """Convert a game of `damka.pdn.read`, as `from_pdn` does.

        Raises PdnError for moves after the end of the game by the rules, and for a position set up
        in mid-game that is not a huff.
        """
        from damka.game import pdn  # noqa: PLC0415  loaded on first use

        return pdn.game_of(cls, game)

    # The file

    def to_json(self) -> str:
        """Return the game as the text of a game file.

        Raises GameFileError for a game too long to load again.
        """
        return file.dump(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> Game:
        """Parse the text of `to_json`, validating every move.

        Raises GameFileError, with the place of the error in the file.
        """
        return file.parse(cls, text)

    def save(self, path: Path | str) -> None:
        """Write the game to a file: a game file, or PDN if the name ends in ".pdn".

        Raises OSError, and GameFileError and PdnError as `to_json` and `pdn` do.
        """
        if file.is_pdn(path):
            Path(path).write_text(self.pdn(), "utf-8")
        else:
            file.save(self, path)

    @classmethod
    def load(cls, path: Path | str) -> Game:
        """Load a game file, or the first game of a PDN file if the name ends in ".pdn".

        Raises GameFileError or PdnError, also if the file is missing.
        """
        if file.is_pdn(path):
            from damka.game import pdn  # noqa: PLC0415  loaded on first use

            return pdn.load(cls, Path(path))
        return file.load(cls, path)

    def __eq__(self, other: object) -> bool:
        """Whether two games have the same rules, players and events."""
        if not isinstance(other, Game):
            return NotImplemented
        return (
            self.rules == other.rules
            and self.start_fen == other.start_fen
            and (self.ballot, self.returned) == (other.ballot, other.returned)
            and self.events == other.events
            and self.players == other.players
        )

    __hash__ = None  # type: ignore[assignment]  # A game is mutable.

    def __repr__(self) -> str:
        state = f"{self.turn} to move" if self._result is None else str(tuple(self._result))
        return f"<Game of {self.rules.name}: {self._board.move_count} plies, {state}>"

    def _repr_svg_(self) -> str:
        from damka.draw import Style, svg  # noqa: PLC0415  loaded on first use

        return svg.replay(self, Style(size=440), library_numbers=True)

    # Internals

    def _resolve_labelled(
        self, attempt: str | Move | Sequence[int], side: Side | None, *, labels: bool
    ) -> tuple[int | None, Move] | Refusal:
        """Return the result of `_resolve`; refusals name squares as the attempt does."""
        labels = labels and isinstance(attempt, str)
        library_attempt = labels_of(self.rules).read(str(attempt)) if labels else attempt
        result = self._resolve(library_attempt, side)
        if isinstance(result, Refusal):
            return named_as_typed(result, self.rules, attempt, as_printed=labels)
        return result

    def _resolve(
        self, attempt: str | Move | Sequence[int], side: Side | None
    ) -> tuple[int | None, Move] | Refusal:
        """Return the huff, if any, and the move of `attempt`."""
        refusal = self._refusal_now(side)
        if refusal is not None:
            return refusal
        huff = HUFF.fullmatch(attempt) if isinstance(attempt, str) else None
        if huff is None:
            if not self._legal:
                return Refusal("must_huff", {"pieces": self._board.offences})
            allowed = self._legal + self.offence_moves
            move = resolve(self._board, attempt, allowed)
            return move if isinstance(move, Refusal) else (None, move)
        square = squares.read(self.rules, huff[1])
        if square is None:
            return Refusal("not_a_square", {"text": huff[1]})
        refusal = self.why_not_huff(square)
        if refusal is not None:
            return refusal
        # The move is validated on the board without the huffed piece.
        after = self.copy()
        after._huff(square)
        turn = after._resolve(huff[2], side)
        if isinstance(turn, Refusal):
            return turn
        return square, turn[1]

    def _refusal_now(self, side: Side | None) -> Refusal | None:
        if self._result:
            return Refusal("game_over")
        if side not in (None, self.turn):
            colour = self.rules.colours[0 if self.turn == "W" else 1]
            return Refusal("not_your_turn", {"colour": colour})
        return None

    def _require_running(self, side: Side) -> None:
        if side not in SIDES:
            raise ValueError(f'side: expected "W" or "B", not {side!r}')
        if self._result:
            raise IllegalActionError(Refusal("game_over"))

    def _take_offer(self, side: Side) -> None:
        self._require_running(side)
        if self._draw_offer != other(side):
            raise IllegalActionError(Refusal("no_draw_offer"))
        self._draw_offer = None


def _checked_players(players: Mapping[Side, str]) -> dict[Side, str]:
    for side, name in players.items():
        if side not in SIDES:
            raise ValueError(f'side: expected "W" or "B", not {side!r}')
        if not (isinstance(name, str) and 1 <= len(name) <= MAX_PLAYER_NAME and name.isprintable()):
            raise ValueError(f"player name: expected 1 to {MAX_PLAYER_NAME} printable characters")
    return dict(players)
