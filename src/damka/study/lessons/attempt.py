"""An attempt at a level: the rules judge every answer, and the board shows mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from damka import locales, refusal
from damka.move import Move
from damka.notation import labels
from damka.refusal import Refusal
from damka.study.lessons import inputs
from damka.study.lessons.positions import Positions, hub

if TYPE_CHECKING:
    from damka.board import Board
    from damka.rules import Rules
    from damka.study.lessons.level import Level

__all__ = ["MAX_STARS", "Attempt", "Reply", "Verdict", "VerdictId"]

MAX_STARS: Final = 3

VerdictId = Literal[
    "right",
    "refused",
    "more",
    "square",
    "number",
    "other_number",
    "punished",
    "no_gift",
    "no_draw",
    "huffed",
    "other",
    "not_huffable",
]

Reply: TypeAlias = "Move | int"
"""What happens on the board: a move, or the square of a piece that is huffed."""


@dataclass(frozen=True, slots=True, weakref_slot=True, kw_only=True)
class Verdict:
    """What an answer leads to.

    `done` means that the level is finished, and `stars` are then its stars; a right answer that
    does not finish it is a part of a sequence. `played` is the learner's own move, if it was
    allowed, and `reply` what is played after it, in order. `refusal` is the reason of the rules
    for an answer that they refuse. `squares` are those that the sentence is about. After a wrong
    answer the level starts again. `number` is the right number, or of a wrong gift the number of
    pieces that are lost by it, and `back` how many can be taken back.
    """

    rules: Rules
    id: VerdictId
    done: bool = False
    stars: int = 0
    played: Move | None = None
    reply: tuple[Reply, ...] = ()
    refusal: Refusal | None = None
    squares: tuple[int, ...] = ()
    number: int = 0
    back: int = 0

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.id == "right"

    def sentence(self, language: str) -> str:
        """Return a sentence about the answer, in one of `damka.locales.LANGUAGES`."""
        name = labels(self.rules).name
        if self.id == "refused" and self.refusal is not None:
            return self.refusal.sentence(language, name)
        if self.id == "punished" and self.number:
            back = "equal" if self.back == self.number else "some" if self.back else "nothing"
            key = f"lessons.verdict.gift.{back}"
            return locales.plural(language, key, self.number, back=self.back)
        values: dict[str, object] = {"n": self.number}
        if self.squares:
            values["square"] = name(self.squares[0])
        said = locales.translate(language, f"lessons.verdict.{self.id}", **values)
        if self.id == "square" and self.refusal is not None:
            said += f" {self.refusal.sentence(language, name)}"
        return said


class Attempt:
    """One learner's attempt at a level, which counts mistakes and hints for the stars.

    A hint costs a star of its attempt only, which lasts until the level is finished, also if the
    page is left meanwhile; the next attempt may earn all stars.
    """

    def __init__(self, level: Level) -> None:
        self.level: Final = level
        self.mistakes = 0
        self.hints = 0
        self._played: tuple[str, ...] = ()

    @property
    def board(self) -> Board:
        """The position to answer in."""
        return self._at().board

    @property
    def played(self) -> tuple[str, ...]:
        """The right moves of a sequence so far, in Hub notation."""
        return self._played

    @property
    def tempting(self) -> list[tuple[int, int]]:
        """Moves, by their ends, that look possible to a beginner."""
        return sorted(inputs.moves(self._at()))

    def hint(self, language: str) -> str | None:
        """Return the next hint, or None if there are no more."""
        hints = self.level.hints(language, self._played)
        if self.hints == len(hints):
            return None
        self.hints += 1
        return hints[self.hints - 1]

    def answer(self, value: str | int | Sequence[int]) -> Verdict:
        """Judge an answer.

        For a move it is its text in the library's numbers or the squares clicked, otherwise a
        number, the squares chosen, or the square of the piece to huff. Raises TypeError for a
        value of another kind.
        """
        verdict = self._judge(value)
        if not verdict.right:
            self.mistakes += 1
            self._played = ()
        return verdict

    def _at(self) -> Positions:
        return self.level.after(self._played)

    def _judge(self, value: str | int | Sequence[int]) -> Verdict:
        kind = self.level.goal.kind
        if kind == "count":
            return self._number(_whole(value))
        if kind == "huff":
            return self._huff(_whole(value))
        if kind in ("select", "land"):
            if isinstance(value, str | int):
                raise TypeError(f"the answer must be squares, not {type(value).__name__}")
            return self._squares(sorted({*value}))
        if isinstance(value, int):
            raise TypeError("the answer must be a move, not a number")
        return self._move(value)

    # Moves

    def _move(self, value: str | Sequence[int]) -> Verdict:
        rules, at = self.level.rules, self._at()
        found = refusal.resolve(at.board, value)
        if isinstance(found, Refusal):
            offence = self._offence(at, value) if rules.obligation == "huff" else None
            if offence is None:
                return Verdict(rules=rules, id="refused", refusal=found)
            return self._huffed(at, offence)
        played = (*self._played, hub(found))
        lines = [line for line in self._lines() if line[: len(played)] == played]
        if not lines:
            return self._wrong(at.after(hub(found)), found)
        if played in lines:
            return self._done(played=found)
        self._played = played
        (reply,) = at.after(hub(found)).board.legal_moves
        return Verdict(rules=rules, id="right", played=found, reply=(reply,))

    def _wrong(self, after: Positions, played: Move) -> Verdict:
        """Return the verdict on a legal move that is no solution: its punishment, if there is one.

        It is the capture of the most pieces, for which the fewest can be taken back.
        """
        rules = self.level.rules
        gifts = self.level.goal.asks in ("exchange", "shot")
        captures = [
            (len(move.captures), -_most(after.after(hub(move))), move)
            for move in after.board.legal_moves
            if move.is_capture
        ]
        if not captures:
            quiet: VerdictId = "no_draw" if self.level.goal.asks == "draw" else "other"
            return Verdict(rules=rules, id="no_gift" if gifts else quiet, played=played)
        lost, back, reply = max(captures, key=lambda each: each[:2])
        punished = Verdict(rules=rules, id="punished", played=played, reply=(reply,))
        return replace(punished, number=lost, back=-back) if gifts else punished

    def _lines(self) -> list[tuple[str, ...]]:
        """Return the right moves, one after the other."""
        moves = cast("tuple[str | tuple[str, ...], ...]", self.level.solutions)
        return [line if isinstance(line, tuple) else (line,) for line in moves]

    def _offence(self, at: Positions, value: str | Sequence[int]) -> Move | None:
        """Return the quiet move that is meant, where a capture is compulsory."""
        if any(not move.is_capture for move in at.board.legal_moves):
            return None
        found = refusal.explain(at.board, value, at.board.quiet_moves)
        if found is not None:
            return None
        moved = refusal.resolve(at.board, value, at.board.quiet_moves)
        return moved if isinstance(moved, Move) else None

    def _huffed(self, at: Positions, offence: Move) -> Verdict:
        after = at.after(hub(offence))
        square = after.huffable[0]
        return Verdict(
            rules=self.level.rules,
            id="huffed",
            played=offence,
            reply=(square,),
            squares=(square,),
        )

    # Squares and numbers

    def _squares(self, chosen: list[int]) -> Verdict:
        rules = self.level.rules
        right = cast("tuple[int, ...]", self.level.solutions[0])
        wrong = [square for square in chosen if square not in right]
        if wrong:
            return Verdict(
                rules=rules, id="square", squares=(wrong[0],), refusal=self._why_not(wrong[0])
            )
        if len(chosen) < len(right):
            return Verdict(rules=rules, id="more", squares=tuple(chosen))
        return self._done(squares=tuple(chosen))

    def _why_not(self, square: int) -> Refusal | None:
        """Return why a chosen square is wrong, in the words of the rules."""
        goal, board = self.level.goal, self._at().board
        if not 1 <= square <= board.square_count:
            return None
        clicks = (goal.piece, square) if goal.kind == "land" else (square,)
        found = board.why_not(clicks)
        # A square that a chain passes, or reaches with a turn, is not where one line leads.
        chains = any(len(move.captures) > 1 for move in board.legal_moves)
        unclear = ("ambiguous", *(("not_diagonal", "not_on_a_line") if chains else ()))
        return None if found is None or found.code in unclear else found

    def _number(self, chosen: int) -> Verdict:
        right = cast("int", self.level.solutions[0])
        shown = self._capture_of(right) if self.level.goal.asks == "most" else None
        reply = () if shown is None else (shown,)
        if chosen == right:
            return self._done(reply=reply)
        told: VerdictId = "number" if reply else "other_number"
        return Verdict(rules=self.level.rules, id=told, number=right, reply=reply)

    def _capture_of(self, number: int) -> Move:
        piece = self.level.goal.piece
        return next(
            move
            for move in self._at().board.legal_moves
            if move.start == piece and len(move.captures) == number
        )

    def _huff(self, square: int) -> Verdict:
        if square in self.level.solutions:
            return self._done(squares=(square,), reply=(square,))
        return Verdict(rules=self.level.rules, id="not_huffable", squares=(square,))

    def _done(
        self,
        *,
        played: Move | None = None,
        reply: tuple[Reply, ...] = (),
        squares: tuple[int, ...] = (),
    ) -> Verdict:
        """Return the verdict that ends the level, with a star less for mistakes, and for hints."""
        stars = MAX_STARS - (self.mistakes > 0) - (self.mistakes > 2 or self.hints > 0)
        return Verdict(
            rules=self.level.rules,
            id="right",
            done=True,
            stars=0 if self.level.demonstration else max(1, stars),
            played=played,
            reply=reply,
            squares=squares,
        )


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"the answer must be a whole number, not {type(value).__name__}")
    return value


def _most(at: Positions) -> int:
    """Return the maximum number of pieces that a move takes."""
    return max((len(move.captures) for move in at.board.legal_moves), default=0)
