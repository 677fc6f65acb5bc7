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
_ENDINGS: Final = (4, 7, 12, 18)
"""The numbers of pieces at which a curve has numbers of its own, besides that at the start."""
_START: Final = (80.0, 50.0, 100.0)
"""The first guess of a, b and c."""
_BOUNDS: Final = ((0.5, 3_000.0), (0.5, 3_000.0), (3.0, 1_000.0))
"""The bounds of a, b and c, in hundredths of a man."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions with their scores and the results of their games, both for White."""

    scores: Floats
    pieces: Floats
    results: Floats

    def __len__(self) -> int:
        return len(self.scores)

    @classmethod
    def joined(cls, parts: Sequence[Positions]) -> Positions:
        """Return all positions of several games."""
        return cls(
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.pieces for part in parts]),
            np.concatenate([part.results for part in parts]),
        )


class CurveFit(NamedTuple):
    """The numbers of a curve: see `damka.engine.chances`."""

    pieces: tuple[int, ...]
    a: tuple[float, ...]
    b: tuple[float, ...]
    c: tuple[float, ...]

    def chances(self, positions: Positions) -> tuple[Floats, Floats, Floats]:
        """Return the probabilities of a win, a draw and a loss."""
        a, b, c = (np.interp(positions.pieces, self.pieces, each) for each in self[1:])
        x = c * np.arcsinh(positions.scores / c)
        win, loss = expit((x - a) / b), expit((-x - a) / b)
        return win, 1 - win - loss, loss


class Errors(NamedTuple):
    """Calibration errors: the weighted mean gap between predictions and results in ten bins."""

    win: float
    draw: float
    loss: float


def fit(positions: Positions, most: int) -> CurveFit:
    """Return the curve with the largest likelihood, up to `most` pieces."""
    knots = (*(each for each in _ENDINGS if each < most), most)

    def minus_log_likelihood(logs: Floats) -> float:
        chances = np.choose(
            1 - positions.results.astype(int), _curve(knots, logs).chances(positions)
        )
        return -float(np.mean(np.log(np.maximum(chances, _LEAST))))

    result = minimize(
        minus_log_likelihood,
        np.log(np.repeat(_START, len(knots))),
        method="L-BFGS-B",
        bounds=np.log(np.repeat(_BOUNDS, len(knots), axis=0)).tolist(),
    )
    return _curve(knots, result.x)


def _curve(knots: tuple[int, ...], logs: Floats) -> CurveFit:
    a, b, c = (tuple(float(value) for value in part) for part in np.split(np.exp(logs), 3))
    return CurveFit(knots, a, b, c)


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
