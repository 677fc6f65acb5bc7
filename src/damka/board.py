"""The class `Board`: a position with its move stack, push and pop, and the legal moves.

The time-critical part is native (`damka._core.Board`); this class adds texts and pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Self

from damka import _core, rules
from damka.errors import IllegalMoveError
from damka.move import Move
from damka.notation import fen as notation
from damka.notation import numbered
from damka.notation import text as texts
from damka.result import Counter, Result, counters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from damka.refusal import Refusal
    from damka.rules import Rules

__all__ = ["Board"]


class Board(_core.Board):
    """A position of one rule set, with its move stack.

    `rules` is a rule set or an argument of `damka.rules.load`; without `fen`, or with a
    placeholder such as "?", the board is at the start. Squares are numbered 1..n from White's
    top-left, row by row, in every rule set, also where a board is printed or drawn; `damka.draw`
    has the federation's labels. With `labels`, the squares of `fen` are the federation's, as in the
    FEN tag of a game record: Spanish, Portuguese and Thai draughts count from another corner.

    Two boards are equal when their rules, their pieces and the side to move are, and the kings'
    streaks where the rules limit them; their history does not matter. The hash uses the
    same values, so a board must not be changed while it is a key. `copy`, the functions of the
    module `copy` and a pickle create a board with the same stack of moves and huffs.

    Raises FenError for an invalid position, UnknownRulesError and RulesError like
    `damka.rules.load`.

    >>> import damka
    >>> board = damka.Board("dama64")
    >>> board.push("22-18")
    Move(22, 18)
    >>> len(board.legal_moves), board.turn
    (7, 'B')
    >>> board.pop().hub()
    '22-18'
    >>> board.perft(6)
    36768
    """

    __slots__ = ()

    @rules.required
    def __init__(
        self, rules: Rules | str | Path, fen: str | None = None, *, labels: bool = False
    ) -> None:
        """Set up the position of `fen`, or the start position."""
        loaded = _rules(rules)
        if fen is None or notation.is_placeholder(fen):
            super().__init__(loaded, None, None)
            return
        position = notation.read(loaded, fen, labels=labels)
        super().__init__(loaded, with_streaks(position.pieces, position.streaks), position.turn)

    @property
    def fen(self) -> str:
        """The position as text: side to move, White's squares, Black's squares, king streaks."""
        return self.fen_with()

    def fen_with(self, *, labels: bool = False) -> str:
        """Return `fen`; with `labels`, with the federation's square labels.

        `Board(rules, fen, labels=True)` reads it back.
        """
        return notation.format(
            self.rules, self.pieces, self.turn, streaks=self.streaks, labels=labels
        )

    @property
    def result(self) -> Result | None:
        """The result by the rules after the last move or huff, or None during the game.

        The position that the board was set up with is the first of its game. Moves are possible
        after the end; `is_over` is a faster test.

        >>> import damka
        >>> board = damka.Board("american", "W:W18:B14")
        >>> _ = board.push("18x9")
        >>> board.is_over, board.result
        (True, Result(winner='W', reason='no_pieces'))
        """
        result = self._result
        return None if result is None else Result(*result)

    @property
    def counters(self) -> tuple[Counter, ...]:
        """The counters of the active draw rules."""
        return counters(self.rules, self._counts, self.material_counts)

    def piece_at(self, square: int) -> str | None:
        """Return the piece on a square: "w" or "b" a man, "W" or "B" a king, None if it is empty.

        Raises ValueError for an invalid square, TypeError for another type.
        """
        self._check_square(square)
        return super().piece_at(square)

    def remove(self, square: int) -> Self:
        """Return a board without the piece on a square, and without a move stack.

        Raises ValueError for an empty square, and the errors of `piece_at`.
        """
        if self.piece_at(square) is None:
            raise ValueError(f"square {square} is empty")
        return super().remove(square)

    def _check_square(self, square: object) -> None:
        if not isinstance(square, int):
            raise TypeError(f"a square must be an int, not {type(square).__name__}")
        if not 1 <= square <= self.square_count:
            raise ValueError(f"{square} is not a square of this board (1 to {self.square_count})")

    def parse(self, text: str, *, labels: bool = False) -> Move:
        """Parse a legal move: "22-18", "22x15", "22x18x15", "c3-d4".

        Squares are the library's numbers, in every rule set, like `Move.start`; letters are
        accepted too. With `labels` they are those of the game's federation, as in
        `text(move, labels=True)`. In a game whose federation counts from another corner
        (Spanish, Portuguese and Thai draughts) a number then means another square.

        >>> import damka
        >>> board = damka.Board("portuguese")
        >>> board.parse("22-18"), board.parse("11-15", labels=True)
        (Move(22, 18), Move(22, 18))

        Raises InvalidMoveError if it is not a move, IllegalMoveError if the rules forbid it,
        AmbiguousMoveError if it matches several moves, and TypeError if it is not a str.
        """
        if not isinstance(text, str):
            raise TypeError(f"a move must be a Move or a str, not {type(text).__name__}")
        from damka import refusal  # noqa: PLC0415  loaded on first use

        return refusal.parse(self, text, labels=labels)

    def text(self, move: Move, *, labels: bool = False) -> str:
        """Return the shortest text that `parse`, with the same `labels`, reads as this legal move.

        Squares are the library's numbers, in every rule set, or with `labels` the federation's
        notation: letters where it uses them, numbers from its own corner, and its capture sign.
        A capture is written with its ends, or with every landing if another capture has
        the same ends: right behind each captured piece, unless it must turn further on.

        >>> import damka
        >>> board = damka.Board("russian")
        >>> move = board.parse("c3-b4")
        >>> board.text(move), board.text(move, labels=True)
        ('22-17', 'c3-b4')
        """
        return texts.write(self, move) if labels else texts.numbers(self, move)

    def routes(self, move: Move, limit: int = 64) -> tuple[tuple[int, ...], ...]:
        """Return the routes of a move: start, every landing square, end.

        The move's own route is the first, and they are in ascending order. At most `limit` are
        returned. `move` must be legal, or a quiet move where a capture is compulsory; ValueError
        otherwise.
        """
        return tuple(self._routes(move, limit))

    def why_not(
        self, attempt: Move | str | Sequence[int], *, labels: bool = False
    ) -> Refusal | None:
        """Return the reason why this move cannot be played, or None.

        `attempt` is a move, text in the syntax of `parse`, or the clicked squares, from the first
        to the last. The refusal is available in four languages, and names squares as `attempt`
        does.

        >>> import damka
        >>> print(damka.Board("russian").why_not("g1-h2").sentence("en"))
        Your own piece is on h2.
        """
        from damka import refusal  # noqa: PLC0415  loaded on first use

        return refusal.explain(self, attempt, labels=labels)

    def _refuse(self, move: Move) -> NoReturn:
        """Raise the error for an illegal move object; `push` calls it."""
        from damka import refusal  # noqa: PLC0415  loaded on first use

        why = refusal.explain(self, move)
        raise IllegalMoveError(why or refusal.Refusal("not_understood", {"text": move.hub()}))

    def __repr__(self) -> str:
        is_shipped = self.rules.name in rules.names() and rules.load(self.rules.name) == self.rules
        name = repr(self.rules.name) if is_shipped else repr(self.rules)
        return f"{type(self).__name__}({name}, {self.fen!r})"

    def __str__(self) -> str:
        from damka.draw import text as drawing  # noqa: PLC0415  loaded on first use

        return drawing.board(numbered(self.rules), self.pieces)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.rules, self.root().fen, self.steps)

    def _repr_svg_(self) -> str:
        from damka.draw import svg  # noqa: PLC0415  loaded on first use

        return svg.board(numbered(self.rules), self.pieces)


def with_streaks(pieces: str, streaks: Iterable[tuple[int, int]]) -> str:
    """Return pieces and streaks of kings, (square, moves), in the kernel's format."""
    return pieces + "".join(f"+{square}:{moves}" for square, moves in streaks)


def _rules(source: Rules | str | Path) -> Rules:
    return source if isinstance(source, rules.Rules) else rules.load(source)


def _rebuild(kind: type[Board], rules: Rules, fen: str, steps: Sequence[Move | int]) -> Board:
    board = kind(rules, fen)
    for step in steps:
        if isinstance(step, int):
            board.huff(step)
        else:
            board.push_unchecked(step)
    return board
