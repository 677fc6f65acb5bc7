"""Batched games for machine learning, with NumPy arrays as input and output."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeVar

from damka import _core
from damka.board import Board
from damka.rules import Rules, load, required

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Boards"]

B = TypeVar("B", bound="Boards")

if TYPE_CHECKING:
    _Parts: TypeAlias = tuple[type[B], Rules, int, int, bytes, tuple[Board, ...], int, int | None]

_MAX_PLIES: Final = 2**32 - 1
_SEEDS: Final = 2**64


class Boards(_core.Boards):
    """A batch of `n` games of one rule set, played in parallel on all cores; requires NumPy.

    `rules` is a rule set or an argument of `damka.rules.load`; `threads` defaults to the number of
    processors. A finished game restarts at once, so that every game always has a legal move.
    Captures are compulsory, also in rules with huffing, where no side offends.

    Every game begins at the rules' start position or, with `starts`, at one of these positions
    (boards, whose move stack is ignored, or FEN as in `Board`), drawn at random with `seed`. With
    `max_plies` an unfinished game is truncated after this many plies, without a winner.

    An action is the index of a legal move, from 0 to `actions` - 1, as in `Board.move_to_index`.
    `damka.engine.evaluate` evaluates the positions. Copies and pickles include the state of the
    games with all draw counts; two batches are equal only if they are the same object.

    Raises ValueError for a number of games or threads out of range (1 to 1,048,576 and 1 to 256)
    and for a start position in which the game is over, FenError for an invalid start position,
    ImportError without NumPy, and the errors of `damka.rules.load`.

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

    Reasons and final positions of finished games:

    >>> games = damka.Boards("american", 2, starts=["W:W18:B14"], max_plies=1)
    >>> rewards, ended = games.step(games.legal_mask().argmax(axis=1))
    >>> rewards, [damka.Boards.REASONS[reason] for reason in games.reasons]
    (array([1., 1.], dtype=float32), ['no_pieces', 'no_pieces'])
    >>> which, last = games.final_observations()
    >>> which, last.shape
    (array([0, 1]), (2, 8, 8, 8))
    """

    REASONS: ClassVar = (
        "",
        "no_pieces",
        "no_moves",
        "breakthrough",
        "repetition",
        "same_move",
        "no_progress",
        "material",
        "move_limit",
        "truncated",
    )
    """Meaning of the numbers in `reasons`: "" for a running game, then `damka.game.Reason`."""

    @required
    def __init__(
        self,
        rules: Rules | str | Path,
        n: int,
        *,
        threads: int | None = None,
        starts: Iterable[Board | str] = (),
        seed: int = 0,
        max_plies: int | None = None,
    ) -> None:
        """Start `n` games."""
        loaded = rules if isinstance(rules, Rules) else load(rules)
        try:
            import numpy  # noqa: F401, PLC0415  for a better error than the kernel's
        except ImportError as error:
            raise ImportError("damka.Boards needs NumPy: pip install numpy") from error
        if max_plies is not None and not 1 <= max_plies <= _MAX_PLIES:
            raise ValueError(f"max_plies: 1 or more, not {max_plies}")
        boards = tuple(_start(loaded, start, i) for i, start in enumerate(_checked_starts(starts)))
        thread_count = _processors() if threads is None else threads
        super().__init__(loaded, n, thread_count, boards, seed % _SEEDS, max_plies or 0)
        self._starts: Final = boards
        self._seed: Final = seed
        self._max_plies: Final = max_plies

    @property
    def starts(self) -> tuple[Board, ...]:
        """The start positions of games; empty for the rules' own."""
        return tuple(board.copy() for board in self._starts)

    @property
    def max_plies(self) -> int | None:
        """The plies after which a game is truncated, or None."""
        return self._max_plies

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """A mask of the games that the last step truncated: a new array.

        They are among the games that it reported as ended.
        """
        mask: NDArray[np.bool_] = self.reasons == len(self.REASONS) - 1
        return mask

    def reset(self, where: NDArray[np.bool_] | None = None, seed: int | None = None) -> None:
        """Restart every game, or those in the mask `where`.

        With `seed` the random choice of start positions is reseeded.
        """
        super().reset(_checked_mask(where), None if seed is None else seed % _SEEDS)

    def step(
        self, actions: NDArray[np.int64], where: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Play a move in every game; return new arrays of the rewards and of the ended games.

        A reward is 1 where the side that moved has won, -1 where it has lost, and 0 for a
        draw, a truncated game, or an unfinished game. An ended game has restarted: `reasons`,
        `truncated` and `final_observations` describe its end. With `where`, an array of bool, only
        the games in this mask play a move, and the other actions are ignored.

        Raises ValueError, and changes nothing, for an illegal action or a wrong number of
        them; TypeError for anything but a one-dimensional array of integers.
        """
        marked = _checked_mask(where)
        try:
            # The kernel would convert 1.5 to 1.
            if getattr(getattr(actions, "dtype", None), "kind", "i") not in "iu":
                raise TypeError
            return super().step(actions, marked)
        except TypeError:
            kind, shape = type(actions).__name__, getattr(actions, "shape", None)
            described = kind if shape is None else f"{kind} of {actions.dtype}, shape {shape}"
            raise TypeError(
                f"actions must be a NumPy array of int64, one for each game, not {described}"
            ) from None

    def board(self, game: int) -> Board:
        """Return the position of a game, from 0, without its move stack.

        Raises IndexError for an invalid game number.
        """
        pieces, turn = self._position(game)
        return Board(self.rules).with_pieces(pieces, turn)

    def copy(self) -> Self:
        """Return an independent copy of the games in their present state.

        >>> import damka
        >>> games = damka.Boards("american", 2)
        >>> twin = games.copy()
        >>> _ = twin.step(twin.legal_mask().argmax(axis=1))
        >>> twin.board(0) == games.board(0)
        False
        """
        return _rebuild(*self._parts())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, self._parts()

    def _parts(self) -> _Parts[Self]:
        state = self._state()
        state_parts = type(self), self.rules, len(self), self.threads, state
        return *state_parts, self.starts, self._seed, self._max_plies


def _rebuild(
    kind: type[B],
    rules: Rules,
    n: int,
    threads: int,
    state: bytes,
    starts: tuple[Board, ...] = (),
    seed: int = 0,
    max_plies: int | None = None,
) -> B:
    """Restore pickled games. Pickles of version 0.1 end with the state."""
    games = kind(rules, n, threads=threads, starts=starts, seed=seed, max_plies=max_plies)
    games._set_state(state)
    return games


def _checked_starts(starts: Iterable[Board | str]) -> Iterable[Board | str]:
    if isinstance(starts, str | Board):
        raise TypeError("starts must be an iterable of boards or FENs: use [start]")
    return starts


def _start(rules: Rules, start: Board | str, number: int) -> Board:
    if not isinstance(start, Board):
        return Board(rules, start)
    if start.rules != rules:
        raise ValueError(f"starts[{number}] has other rules: {start.rules.name}")
    return start.copy()


def _checked_mask(where: NDArray[np.bool_] | None) -> NDArray[np.bool_] | None:
    """Check the type of a mask of games: the kernel would accept numbers for bools."""
    kind = getattr(getattr(where, "dtype", None), "kind", None)
    if where is not None and (kind != "b" or where.ndim != 1):
        described = type(where).__name__ if kind is None else f"{where.dtype}, shape {where.shape}"
        raise TypeError(f"where must be a NumPy array of bool, one for each game, not {described}")
    return where


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
