"""The optimiser Adam (Kingma and Ba, 2015)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

__all__ = ["Adam"]

_MEAN: Final = 0.9
_SPREAD: Final = 0.999


class Adam:
    """Updates `weights` in place; `paces` are factors of the learning rate."""

    def __init__(self, weights: Sequence[Floats], paces: Sequence[Floats | float]) -> None:
        self._each = [
            (w, np.asarray(pace, np.float32), np.zeros_like(w), np.zeros_like(w))
            for w, pace in zip(weights, paces, strict=True)
        ]
        self._steps = 0

    def step(self, slopes: Sequence[Floats], rate: float) -> None:
        """Take one optimisation step."""
        self._steps += 1
        rate *= math.sqrt(1 - _SPREAD**self._steps) / (1 - _MEAN**self._steps)
        for gradient, (weights, pace, mean, spread) in zip(slopes, self._each, strict=True):
            np.add(mean, np.float32(1 - _MEAN) * (gradient - mean), out=mean)
            np.add(spread, np.float32(1 - _SPREAD) * (gradient * gradient - spread), out=spread)
            way = np.float32(rate) * pace * mean / (np.sqrt(spread) + np.float32(1e-8))
            np.subtract(weights, way, out=weights)
