"""Many games at once, for programs that learn: NumPy arrays in and out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self, TypeVar

from damka import _core
from damka.board import Board
from damka.rules import Rules, load, required

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Boards"]

B = TypeVar("B", bound="Boards")


class Boards(_core.Boards):
    """`n` games of one rule set that make a move each at a time, on all cores; NumPy is needed.

    `rules` is a rule set or what `damka.rules.load` takes; `threads` are as many as there are
    processors without it. Every game begins at the start position, and begins anew at once when it
    has ended, so that there is a move to choose in each of them at any time. Captures are made as
    the rules demand: where a box has huffing, nobody lets a capture be.

    An action is the index of a legal move, from 0 to `actions` - 1, as `Board.move_to_index` has
    it. `damka.engine.evaluate` says what the positions are worth. Copies and pickles have the games
    as they stand, with all that counts for draws; two sets of games are equal only if they are one.

    Raises ValueError for a number of games or threads out of range (1 to 1,048,576 and 1 to 256),
    ImportError where NumPy is not installed, and what `damka.rules.load` raises.

    >>> import numpy as np
    >>> import damka
    >>> games = damka.Boards("american", 3)
    >>> mask = games.legal_mask()
    >>> mask.shape, mask.dtype, mask.sum(axis=1)
    ((3, 1152), dtype('bool'), array([7, 7, 7]))
    >>> rewards, ended = games.step(mask.argmax(axis=1))
    >>> rewards, ended
    (array([0., 0., 0.], dtype=float32), array([False, False, False]))
    >>> games.board(0).fen == games.board(2).fen
    True
    """

    @required
    def __init__(self, rules: Rules | str | Path, n: int, *, threads: int | None = None) -> None:
        """Begin `n` games."""
        loaded = rules if isinstance(rules, Rules) else load(rules)
        try:
            import numpy  # noqa: F401, PLC0415  the kernel imports it, and says less
        except ImportError as error:
            raise ImportError("damka.Boards needs NumPy: pip install numpy") from error
        super().__init__(loaded, n, _processors() if threads is None else threads)

    def step(self, actions: NDArray[np.int64]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Make a move in every game; return the rewards and which games ended, two new arrays.

        A reward is 1 where the side that moved has won by it, -1 where it has lost, and 0 for a
        draw or while the game is on. An ended game has begun anew. Raises ValueError, and changes
        nothing, for an action that is not legal or a wrong number of them; TypeError for what is no
        array of whole numbers of one dimension.
        """
        try:
            # The kernel would take 1.5 for 1.
            if getattr(getattr(actions, "dtype", None), "kind", "i") not in "iu":
                raise TypeError
            return super().step(actions)
        except TypeError:
            kind, shape = type(actions).__name__, getattr(actions, "shape", None)
            told = kind if shape is None else f"{kind} of {actions.dtype}, shape {shape}"
            raise TypeError(
                f"actions are a NumPy array of int64 with one for each game, not {told}"
            ) from None

    def board(self, game: int) -> Board:
        """Return the position of a game, from 0, without the moves that led to it.

        Raises IndexError for a number that no game has.
        """
        pieces, turn = self._position(game)
        return Board(self.rules).with_pieces(pieces, turn)

    def copy(self) -> Self:
        """Return as many games that stand as these do; neither follows the other from here on.

        >>> import damka
        >>> games = damka.Boards("american", 2)
        >>> twin = games.copy()
        >>> _ = twin.step(twin.legal_mask().argmax(axis=1))
        >>> twin.board(0) == games.board(0)
        False
        """
        return _rebuild(type(self), self.rules, len(self), self.threads, self._state())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.rules, len(self), self.threads, self._state())


def _rebuild(kind: type[B], rules: Rules, n: int, threads: int, state: bytes) -> B:
    games = kind(rules, n, threads=threads)
    games._set_state(state)
    return games


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
