"""Fitting a curve by maximum likelihood, and measuring its calibration error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["CurveFit", "Errors", "Positions", "errors", "fit"]

_BINS: Final = 10
_LEAST: Final = 1e-6
"""The smallest probability in the likelihood."""
_START: Final = (100.0, 100.0, 60.0, 60.0)
_BOUNDS: Final = (0.5, 2_000.0)
"""The bounds of a curve's numbers, in hundredths of a man."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions with their scores and the results of their games, both for White.

    `occupied` is the share of the playing squares that have pieces on them.
    """

    scores: Floats
    occupied: Floats
    results: Floats

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def joined(cls, parts: Sequence[Positions]) -> Positions:
        """Return all positions of several games."""
        return cls(
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.occupied for part in parts]),
            np.concatenate([part.results for part in parts]),
        )


class CurveFit(NamedTuple):
    """The numbers of a curve: `a` and `b` on an empty and on a full board."""

    a: tuple[float, float]
    b: tuple[float, float]

    def chances(self, positions: Positions) -> tuple[Floats, Floats, Floats]:
        """Return the probabilities of a win, a draw and a loss."""
        a = self.a[0] + (self.a[1] - self.a[0]) * positions.occupied
        b = self.b[0] + (self.b[1] - self.b[0]) * positions.occupied
        win = expit((positions.scores - a) / b)
        loss = expit((-positions.scores - a) / b)
        return win, 1 - win - loss, loss


class Errors(NamedTuple):
    """Calibration errors: the weighted mean gap between predictions and results in ten bins."""

    win: float
    draw: float
    loss: float


def fit(positions: Positions) -> CurveFit:
    """Return the curve with the largest likelihood."""

    def minus_log_likelihood(logs: Floats) -> float:
        curve = _curve(logs)
        chances = np.choose(1 - positions.results.astype(int), curve.chances(positions))
        return -float(np.mean(np.log(np.maximum(chances, _LEAST))))

    result = minimize(
        minus_log_likelihood,
        np.log(_START),
        method="L-BFGS-B",
        bounds=[tuple(np.log(_BOUNDS))] * len(_START),
    )
    return _curve(result.x)


def _curve(logs: Floats) -> CurveFit:
    a, a_full, b, b_full = (float(value) for value in np.exp(logs))
    return CurveFit((a, a_full), (b, b_full))


def errors(curve: CurveFit, positions: Positions) -> Errors:
    """Return the calibration errors of a curve on these positions.

    The positions are divided into ten bins of equal width by the probability that the curve
    predicts. The error is the mean of the distances between the bins' average prediction and the
    share of games with this result, weighted by the number of positions.
    """
    return Errors(
        *(
            _error(chances, positions.results == result)
            for chances, result in zip(curve.chances(positions), (1, 0, -1), strict=True)
        )
    )


def _error(chances: Floats, happened: NDArray[np.bool_]) -> float:
    bins = np.minimum((chances * _BINS).astype(int), _BINS - 1)
    gaps = np.bincount(bins, chances - happened, minlength=_BINS)
    return float(np.abs(gaps).sum() / len(chances))
