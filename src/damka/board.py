"""The board: a position with the moves that led to it, push and pop, and the legal moves.

What is hot is native (`damka._core.Board`); this class adds what speaks in texts and pictures.
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
    """A position of one rule set, with the moves played on it.

    `rules` is a rule set or what `damka.rules.load` takes; without `fen` the board is at the start.
    Squares are numbered 1..n from White's top-left, row by row, on every rule set, and so they are
    where a board prints or draws itself; `damka.draw` has the federation's labels. With `labels`
    the squares of `fen` are those that the federation prints, as in the FEN tag of a game record:
    Spanish, Portuguese and Thai draughts count from another corner.

    Two boards are equal when their rules, their pieces and the side to move are, and the kings'
    moves where the rules limit them; how they came about does not matter. A board is hashed by the
    same, so it must not be changed while it is a key. `copy`, the functions of the module `copy`
    and a pickle make a board with the same moves and huffs, which can be taken back.

    Raises FenError for a position that cannot be read, UnknownRulesError and RulesError like
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
        """Set up a position: that of `fen`, or without it the start."""
        loaded = _rules(rules)
        if fen is None:
            super().__init__(loaded, None, None)
            return
        found = notation.read(loaded, fen, labels=labels)
        super().__init__(loaded, with_streaks(found.pieces, found.streaks), found.turn)

    @property
    def fen(self) -> str:
        """The position as text: side to move, White's squares, Black's squares, king streaks."""
        return self.fen_with()

    def fen_with(self, *, labels: bool = False) -> str:
        """Return `fen`, with `labels` by the squares that the federation prints.

        `Board(rules, fen, labels=True)` reads it back.
        """
        return notation.format(
            self.rules, self.pieces, self.turn, streaks=self.streaks, labels=labels
        )

    @property
    def result(self) -> Result | None:
        """How the game has ended by its rules with the last move or huff, or None while it is on.

        A position that the board was set up with is the first of its game. Moves can be made after
        the end; `is_over` says the same in less time.

        >>> import damka
        >>> board = damka.Board("american", "W:W18:B14")
        >>> _ = board.push("18x9")
        >>> board.is_over, board.result
        (True, Result(winner='W', reason='no_pieces'))
        """
        found = self._result
        return None if found is None else Result(*found)

    @property
    def counters(self) -> tuple[Counter, ...]:
        """How near a draw is by each of the draw rules that are on."""
        return counters(self.rules, self._counts, self.material_counts)

    def piece_at(self, square: int) -> str | None:
        """Return the piece on a square: "w" or "b" a man, "W" or "B" a king, None for none.

        Raises ValueError for a number that no square has, TypeError for another type.
        """
        self._check_square(square)
        return super().piece_at(square)

    def remove(self, square: int) -> Self:
        """Return a board without the piece on a square, and without the moves that led here.

        Raises ValueError where no piece stands, and as `piece_at` does.
        """
        if self.piece_at(square) is None:
            raise ValueError(f"no piece stands on {square}")
        return super().remove(square)

    def _check_square(self, square: object) -> None:
        if not isinstance(square, int):
            raise TypeError(f"a square is a number, not {type(square).__name__}")
        if not 1 <= square <= self.square_count:
            raise ValueError(f"{square} is not a square of this board: 1 to {self.square_count}")

    def parse(self, text: str, *, labels: bool = False) -> Move:
        """Return the legal move that `text` writes: "22-18", "22x15", "22x18x15", "c3-d4".

        Squares are the library's numbers, on every rule set, like `Move.start`; letters are read as
        well. With `labels` they are those that the game's federation prints: what
        `text(move, labels=True)` writes. In a game whose federation counts from another corner
        (Spanish, Portuguese and Thai draughts) a number means another square then.

        >>> import damka
        >>> board = damka.Board("portuguese")
        >>> board.parse("22-18"), board.parse("11-15", labels=True)
        (Move(22, 18), Move(22, 18))

        Raises InvalidMoveError when it is not a move, IllegalMoveError when the rules forbid it,
        AmbiguousMoveError when it fits several moves, and TypeError when it is not a text.
        """
        if not isinstance(text, str):
            raise TypeError(f"a move is a Move or a text, not {type(text).__name__}")
        from damka import refusal  # noqa: PLC0415  loaded when a text is first read

        return refusal.parse(self, text, labels=labels)

    def text(self, move: Move, *, labels: bool = False) -> str:
        """Return the shortest text that `parse`, with the same `labels`, reads as this legal move.

        Squares are the library's numbers, on every rule set, or with `labels` what the game's
        federation prints: letters where it has them, numbers from its own corner, and its sign of a
        capture. A capture is written with its ends, or with every landing when another capture has
        the same ends: right behind each piece that it takes, except where it must turn further on.

        >>> import damka
        >>> board = damka.Board("russian")
        >>> move = board.parse("c3-b4")
        >>> board.text(move), board.text(move, labels=True)
        ('22-17', 'c3-b4')
        """
        return texts.write(self, move) if labels else texts.numbers(self, move)

    def routes(self, move: Move, limit: int = 64) -> tuple[tuple[int, ...], ...]:
        """Return the ways to play a move: start, every landing square, end.

        The move's own route is the first, and they ascend. At most `limit` are returned. `move`
        must be legal, or a quiet move where a capture is compulsory; ValueError otherwise.
        """
        return tuple(self._routes(move, limit))

    def why_not(
        self, attempt: Move | str | Sequence[int], *, labels: bool = False
    ) -> Refusal | None:
        """Return why this move cannot be played, or None when it can.

        `attempt` is a move, a text that is read as `parse` reads it, or the squares that were
        clicked, from the first to the last. The refusal says it in four languages, and names
        squares as the text does.

        >>> import damka
        >>> print(damka.Board("russian").why_not("g1-h2").sentence("en"))
        Your own piece stands on h2.
        """
        from damka import refusal  # noqa: PLC0415  loaded when a move is first refused

        return refusal.explain(self, attempt, labels=labels)

    def _refuse(self, move: Move) -> NoReturn:
        """Raise the error for a move object that is not legal here; `push` calls it."""
        from damka import refusal  # noqa: PLC0415  loaded when a move is first refused

        why = refusal.explain(self, move)
        raise IllegalMoveError(why or refusal.Refusal("not_understood", {"text": move.hub()}))

    def __repr__(self) -> str:
        known = self.rules.name in rules.names() and rules.load(self.rules.name) == self.rules
        name = repr(self.rules.name) if known else repr(self.rules)
        return f"{type(self).__name__}({name}, {self.fen!r})"

    def __str__(self) -> str:
        from damka.draw import text as drawing  # noqa: PLC0415  loaded with the first picture

        return drawing.board(numbered(self.rules), self.pieces)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.rules, self.root().fen, self.steps)

    def _repr_svg_(self) -> str:
        from damka.draw import svg  # noqa: PLC0415  loaded with the first picture

        return svg.board(numbered(self.rules), self.pieces)


def with_streaks(pieces: str, streaks: Iterable[tuple[int, int]]) -> str:
    """Return pieces with the streaks of kings, (square, moves), as the kernel reads both."""
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
