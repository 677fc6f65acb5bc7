"""Static evaluation of one position or of many at once."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, overload

from damka import _core
from damka import rules as rule_sets
from damka.board import Board
from damka.boards import Boards
from damka.engine.weights import GENERAL, SHIPPED, WeightsFile, choose

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from damka.rules import Rules

__all__ = ["Evaluation", "evaluate"]


class Evaluation:
    """The static evaluation for games by `rules`; call it with a `Board` or with `Boards`.

    A score is in hundredths of a man from the side to move's view: 100 is about a man ahead.
    It ignores pending captures, earlier moves, the counters of the draw rules, and whether the game
    is over. `Engine.search` considers all of these.

    `rules` is a rule set or an argument of `damka.rules.load`. `weights` are as for `Engine`:
    "shipped" for the weights that come with Damka for these rules, with the general evaluation as
    the fallback; "general" for the general evaluation; or custom weights, as a path or as returned
    by `damka.engine.weights.read`.

    Raises what `damka.rules.load` raises, and WeightsError for weights that are damaged or for
    another board.

    >>> import damka
    >>> from damka.engine import Evaluation
    >>> evaluation = Evaluation("american")
    >>> board = damka.Board("american", "W:W22,25,29,30:B1,2")
    >>> evaluation(board) > 150
    True
    >>> evaluation(damka.Boards("american", 3)).shape
    (3,)
    """

    def __init__(
        self, rules: Rules | str | Path, weights: str | Path | WeightsFile = SHIPPED
    ) -> None:
        self.rules = rules if isinstance(rules, rule_sets.Rules) else rule_sets.load(rules)
        self.weights = weights
        self._native = _core.Evaluation(self.rules, choose(self.rules, weights))

    @overload
    def __call__(self, position: Board) -> int: ...
    @overload
    def __call__(self, position: Boards) -> npt.NDArray[np.int32]: ...
    def __call__(self, position: Board | Boards) -> int | npt.NDArray[np.int32]:
        """Return the score of a board, or of every game in `Boards`, computed on all cores.

        For `Boards` the result is an array of int32, one score per game. Raises ValueError for a
        position by other rules and TypeError for any other type.
        """
        if isinstance(position, Boards):
            return position._evaluate(self._native)
        return self._native.of_board(position)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.rules, self.weights)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rules.name!r})"


@overload
def evaluate(position: Board, weights: str | Path | WeightsFile = SHIPPED) -> int: ...
@overload
def evaluate(
    position: Boards, weights: str | Path | WeightsFile = SHIPPED
) -> npt.NDArray[np.int32]: ...
def evaluate(
    position: Board | Boards, weights: str | Path | WeightsFile = SHIPPED
) -> int | npt.NDArray[np.int32]:
    """Return the static evaluation of a position, in hundredths of a man.

    The score is from the side to move's view: above 0 it is ahead. For `damka.Boards` the result is
    an array of int32, one score per game, computed on all cores. See `Evaluation` for details and
    for `weights`; to evaluate many positions with custom weights, create one `Evaluation`.

    Raises WeightsError like `Evaluation`, and TypeError for other types than `Board` and `Boards`.

    >>> import damka
    >>> from damka.engine import evaluate
    >>> board = damka.Board("american", "W:W22,25,29,30:B1,2")
    >>> evaluate(board) > 150, evaluate(board.with_pieces(board.pieces, "B")) < -150
    (True, True)
    >>> evaluate(damka.Boards("american", 2)).dtype
    dtype('int32')
    """
    if not isinstance(position, Board | Boards):
        raise TypeError(f"a Board or Boards, not {type(position).__name__}")
    if isinstance(weights, str) and weights in {SHIPPED, GENERAL}:
        return _cached_evaluation(position.rules, weights)(position)
    return Evaluation(position.rules, weights)(position)


@functools.lru_cache(64)
def _cached_evaluation(rules: Rules, weights: str) -> Evaluation:
    return Evaluation(rules, weights)
