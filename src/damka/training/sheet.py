"""Recorded positions as the weights of an evaluation see them, and what is to be said of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy import optimize, sparse

from damka import _core
from damka.training.records import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from damka.rules import Rules
    from damka.training.records import Records
    from damka.training.settings import Options

    Floats = NDArray[np.float32]

__all__ = ["Sheet", "calm", "cross_entropy", "held_out", "logistic", "sheet_of"]

_MOST: Final = 1500  # hundredths of a man; what lies beyond is as good as won
_SHARE: Final = 0.15
_HELD_OUT: Final = 20
"""One position in so many is kept from a fit."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Positions as the weights see them: a row each.

    `patterns` (sparse) holds +1 and -1 for the patterns, White's and Black's, by number of the
    parameter; `rest` the traits and kings; `opening` (0 to 1) how much the opening's weights count;
    `target` what White is to score, 0 to 1.
    """

    patterns: sparse.csr_array
    rest: NDArray[np.float32]
    opening: NDArray[np.float32]
    target: NDArray[np.float32]
    kept: NDArray[np.int64]
    """The states of whole regions that have parameters, table after table, ascending."""
    full_board: int
    records: Records
    """The positions themselves."""

    @property
    def size(self) -> int:
        return len(self.target)

    def part(self, rows: NDArray[np.int64]) -> Sheet:
        """Return the positions with these numbers."""
        return self._cut(self.patterns[rows], rows)

    def slice(self, first: int, last: int) -> Sheet:
        """Return a stretch of positions."""
        return self._cut(self.patterns[first:last], slice(first, last))

    def _cut(self, patterns: sparse.csr_array, rows: Any) -> Sheet:
        return replace(
            self,
            patterns=patterns,
            rest=self.rest[rows],
            opening=self.opening[rows],
            target=self.target[rows],
            records=self.records[rows],
        )

    def logits(self, w: Floats) -> Floats:
        """Return what the positions are worth to White."""
        n = self.patterns.shape[1]
        both = self.patterns @ w[:n] + self.rest @ w[n:]
        return np.asarray(self.opening * both[:, 0] + (1 - self.opening) * both[:, 1])

    def loss(self, w: Floats) -> float:
        """Return the mean cross-entropy of the targets."""
        return cross_entropy(self.logits(w), self.target)

    def slope(self, w: Floats) -> tuple[float, Floats]:
        """Return the loss and how it changes with each weight."""
        logits = self.logits(w)
        error = (logistic(logits) - self.target) / np.float32(self.size)
        both = np.stack([error * self.opening, error * (1 - self.opening)], axis=1)
        slope = np.concatenate([self.patterns.T @ both, self.rest.T @ both])
        return cross_entropy(logits, self.target), slope


def cross_entropy(logits: Floats, target: Floats) -> float:
    """Return the mean cross-entropy of targets by these logits."""
    # The mean of log(1 + exp(x)) - target x.
    return float(np.mean(np.logaddexp(0, logits) - target * logits))


def logistic(x: NDArray[Any]) -> NDArray[Any]:
    """Return 1 / (1 + exp(-x))."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))


def held_out(size: int) -> NDArray[np.bool_]:
    """Return which of so many positions are kept from a fit, to see how it does on new ones."""
    # Whole stretches, so that no game has positions on both sides but those at the seams.
    stretch = max(1, size // 400)
    return np.asarray(np.arange(size) // stretch % _HELD_OUT == 0)


def calm(rules: Rules, records: Records, weights: _core.Weights | None, most: float) -> Records:
    """Return the positions of which the search says about the same as `weights` at a glance.

    Where it says something else by more than `most` hundredths of a man (and a share of what is
    promised), a combination is going on: who has offered men there mostly gets them back, and to
    learn from it that men are worth little would be a mistake. 0 for all positions.
    """
    if not most:
        return records
    worth = np.frombuffer(_core.evaluate_records(rules, records.tobytes(), weights), np.int32)
    score = np.clip(records["score"].astype(np.int32), -_MOST, _MOST)
    return np.asarray(records[np.abs(score - worth) <= most + _SHARE * np.abs(worth)])


def _score_scale(score: NDArray[Any], result: NDArray[Any]) -> float:
    """Return how many logits a hundredth of a man was worth in these games."""

    def loss(k: float) -> float:
        chance = logistic(k * score)
        return -float(
            np.mean(result * np.log(chance + 1e-9) + (1 - result) * np.log(1 - chance + 1e-9))
        )

    return float(optimize.minimize_scalar(loss, bounds=(1e-4, 0.1), method="bounded").x)


def sheet_of(rules: Rules, generations: Sequence[Records], options: Options) -> Sheet:
    """Return what the weights see of the positions that count.

    Scores of different generations are those of different players, so what they promise is looked
    up in the results of each by itself.
    """
    layout = _core.weights_layout(rules)
    records = np.concatenate(generations)
    target = np.concatenate([_targets(each, options.result_share) for each in generations])
    packed = _core.position_features(rules, records.tobytes())
    usable = np.frombuffer(packed[3], np.uint8).astype(bool)

    def table(number: int, kind: type[np.generic]) -> NDArray[Any]:
        return np.asarray(np.frombuffer(packed[number], kind).reshape(len(records), -1)[usable])

    full_board = 2 * rules.rows * rules.row_length
    pieces = np.minimum(np.bitwise_count(records["words"][usable]).sum(axis=1), full_board)
    patterns, kept = _patterns(layout, table(0, np.uint32), options.least_met)
    rest = np.concatenate([table(1, np.int16), table(2, np.int8)], axis=1).astype(np.float32)
    opening = pieces.astype(np.float32) / np.float32(full_board)
    return Sheet(patterns, rest, opening, target[usable], kept, full_board, records[usable])


def _targets(records: Records, result_share: float) -> Floats:
    """Return what White is to score, 0 to 1: the result mixed with what the search promised."""
    known = records["result"] != UNKNOWN
    score = np.clip(records["score"].astype(np.float64), -_MOST, _MOST)
    result = 0.5 + 0.5 * records["result"]
    promised = logistic(_score_scale(score[known], result[known]) * score)
    share = np.where(known, result_share, 0.0)
    return np.asarray(share * result + (1 - share) * promised, np.float32)


def _patterns(
    layout: dict[str, Any], states: NDArray[np.uint32], least_met: int
) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """Number the parameters, kept states of whole regions first, then pairs of rows."""
    n, views, tables = len(states), layout["views"], len(layout["regions"])
    base = 3 ** layout["columns"]
    size = base ** layout["rows"]
    between = layout["rows"] - 1
    met = np.zeros(tables * size, np.int64)
    for table in range(tables):
        for view in range(views):
            column = states[:, view * tables + table]
            met[table * size : (table + 1) * size] += np.bincount(column, minlength=size)
    kept = np.flatnonzero(met >= least_met)
    number = np.full(tables * size, -1, np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    first_pair = len(kept)
    columns = views * tables * (1 + between)
    index = np.empty((n, columns), np.int32)
    sign = np.empty((n, columns), np.float32)
    at = 0
    for view in range(views):
        for table in range(tables):
            state = states[:, view * tables + table].astype(np.int64)
            whole = number[table * size + state]
            plus = np.float32(1 if view % 2 == 0 else -1)
            index[:, at] = np.maximum(whole, 0)
            sign[:, at] = np.where(whole >= 0, plus, 0)
            at += 1
            for pair in range(between):
                part = state // base ** (between - 1 - pair) % base**2
                index[:, at] = first_pair + (table * between + pair) * base**2 + part
                sign[:, at] = plus
                at += 1
    parameters = first_pair + tables * between * base**2
    rows = np.arange(0, n * columns + 1, columns, dtype=np.int64)
    matrix = sparse.csr_array(
        (
            sign.reshape(-1),
            index.reshape(-1),
            rows.astype(np.int32 if n * columns < 2**31 else np.int64),
        ),
        shape=(n, parameters),
    )
    return matrix, kept
