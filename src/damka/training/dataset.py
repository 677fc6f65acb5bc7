"""Features and targets of recorded positions, for a fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy import optimize

from damka import _core
from damka.training.records import UNKNOWN
from damka.training.regions import Regions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from damka.rules import Rules
    from damka.training.records import Records
    from damka.training.settings import Options

    Floats = NDArray[np.float32]

__all__ = [
    "Dataset",
    "cross_entropy",
    "dataset_of",
    "logistic",
    "quiet_positions",
    "train_test_split",
]

_MAX_SCORE: Final = 1500  # in hundredths of a man; a larger score is practically a win
_SCORE_SHARE: Final = 0.15
_TEST_INTERVAL: Final = 20
"""One in this many positions is a test position."""
_MAX_TEST: Final = 100_000
"""Maximum number of test positions, since they are evaluated often."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Positions as rows of features.

    There may be tens of millions, so they are stored compactly and expanded batch by batch.
    """

    regions: Regions
    states: NDArray[np.uint32]
    """The states of all regions, with the numbers of `regions`."""
    rest: NDArray[np.int16]
    """The traits and kings."""
    opening: Floats
    """The weight of the opening (the phase), 0 to 1."""
    target: Floats
    """White's expected score, 0 to 1."""
    full_board: int
    records: Records
    """The recorded positions."""

    @property
    def size(self) -> int:
        """The number of positions."""
        return len(self.target)

    def part(self, rows: NDArray[np.int64]) -> Dataset:
        """Return the dataset of these rows."""
        return replace(
            self,
            states=self.states[rows],
            rest=self.rest[rows],
            opening=self.opening[rows],
            target=self.target[rows],
            records=self.records[rows],
        )

    def logits(self, w: Floats) -> Floats:
        """Return the evaluations from White's view, in logits."""
        return self._logits(self.regions.matrix(self.states), self.rest.astype(np.float32), w)

    def loss(self, w: Floats) -> float:
        """Return the mean cross-entropy of the targets."""
        return cross_entropy(self.logits(w), self.target)

    def gradient(self, w: Floats) -> tuple[float, Floats]:
        """Return the loss and its gradient."""
        patterns, rest = self.regions.matrix(self.states), self.rest.astype(np.float32)
        logits = self._logits(patterns, rest, w)
        error = (logistic(logits) - self.target) / np.float32(self.size)
        halves = np.stack([error * self.opening, error * (1 - self.opening)], axis=1)
        gradient = np.concatenate([patterns.T @ halves, rest.T @ halves])
        return cross_entropy(logits, self.target), gradient

    def _logits(self, patterns: sparse.csr_array, rest: Floats, w: Floats) -> Floats:
        n = patterns.shape[1]
        halves = patterns @ w[:n] + rest @ w[n:]
        return np.asarray(self.opening * halves[:, 0] + (1 - self.opening) * halves[:, 1])


def cross_entropy(logits: Floats, target: Floats) -> float:
    """Return the mean cross-entropy of targets and logits."""
    # The mean of log(1 + exp(x)) - target * x.
    return float(np.mean(np.logaddexp(0, logits) - target * logits))


def logistic(x: NDArray[Any]) -> NDArray[Any]:
    """Return 1 / (1 + exp(-x))."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))


def train_test_split(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of the training and the test positions, `size` in total."""
    # Contiguous blocks, so that few games have positions in both sets.
    block = max(1, size // 400)
    is_test = np.arange(size) // block % _TEST_INTERVAL == 0
    test = np.flatnonzero(is_test)
    return np.flatnonzero(~is_test), test[:: 1 + len(test) // _MAX_TEST]


def quiet_positions(
    rules: Rules, records: Records, weights: _core.Weights | None, margin: float
) -> Records:
    """Return the quiet positions, in which search and static evaluation roughly agree.

    A difference above `margin` hundredths of a man (plus a share of the score) indicates a
    combination: a side that has sacrificed men usually regains them, and such positions would teach
    that men are worth little. With a margin of 0 all positions are returned.
    """
    if not margin:
        return records
    evaluations = np.frombuffer(_core.evaluate_records(rules, records.tobytes(), weights), np.int32)
    score = np.clip(records["score"].astype(np.int32), -_MAX_SCORE, _MAX_SCORE)
    return np.asarray(
        records[np.abs(score - evaluations) <= margin + _SCORE_SHARE * np.abs(evaluations)]
    )


def _score_scale(score: NDArray[Any], result: NDArray[Any]) -> float:
    """Return the logits per hundredth of a man that best fit the results."""

    def loss(k: float) -> float:
        p = logistic(k * score)
        return -float(np.mean(result * np.log(p + 1e-9) + (1 - result) * np.log(1 - p + 1e-9)))

    return float(optimize.minimize_scalar(loss, bounds=(1e-4, 0.1), method="bounded").x)


def dataset_of(rules: Rules, generations: Sequence[Records], options: Options) -> Dataset:
    """Return the dataset of the positions that can be evaluated.

    The players of each generation have another evaluation, so the scale of the scores is fitted per
    generation.
    """
    layout = _core.weights_layout(rules)
    records = np.concatenate(generations)
    target = np.concatenate(
        [_targets(generation, options.result_share) for generation in generations]
    )
    features = _core.position_features(rules, records.tobytes())
    usable = np.frombuffer(features[3], np.uint8).astype(bool)

    def feature_table(number: int, kind: type[np.generic]) -> NDArray[Any]:
        return np.asarray(np.frombuffer(features[number], kind).reshape(len(records), -1)[usable])

    full_board = 2 * rules.rows * rules.row_length
    pieces = np.minimum(np.bitwise_count(records["words"][usable]).sum(axis=1), full_board)
    states = feature_table(0, np.uint32)
    regions = Regions.of(layout, states, options.least_met)
    rest = np.concatenate(
        [feature_table(1, np.int16), feature_table(2, np.int8)], axis=1, dtype=np.int16
    )
    opening = pieces.astype(np.float32) / np.float32(full_board)
    return Dataset(regions, states, rest, opening, target[usable], full_board, records[usable])


def _targets(records: Records, result_share: float) -> Floats:
    """Return White's target score, 0 to 1: the result, mixed with the prediction of the search."""
    has_result = records["result"] != UNKNOWN
    score = np.clip(records["score"].astype(np.float64), -_MAX_SCORE, _MAX_SCORE)
    result = 0.5 + 0.5 * records["result"]
    prediction = logistic(_score_scale(score[has_result], result[has_result]) * score)
    share = np.where(has_result, result_share, 0.0)
    return np.asarray(share * result + (1 - share) * prediction, np.float32)
