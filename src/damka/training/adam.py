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

_MEAN_DECAY: Final = 0.9
_VARIANCE_DECAY: Final = 0.999


class Adam:
    """Optimises `weights` in place; `rate_factors` multiply their learning rates."""

    def __init__(self, weights: Sequence[Floats], rate_factors: Sequence[Floats | float]) -> None:
        self._state = [
            (w, np.asarray(rate_factor, np.float32), np.zeros_like(w), np.zeros_like(w))
            for w, rate_factor in zip(weights, rate_factors, strict=True)
        ]
        self._steps = 0

    def step(self, gradients: Sequence[Floats], rate: float) -> None:
        """Update the weights with their gradients at the learning rate `rate`."""
        self._steps += 1
        rate *= math.sqrt(1 - _VARIANCE_DECAY**self._steps) / (1 - _MEAN_DECAY**self._steps)
        for gradient, (weights, rate_factor, mean, variance) in zip(
            gradients, self._state, strict=True
        ):
            np.add(mean, np.float32(1 - _MEAN_DECAY) * (gradient - mean), out=mean)
            np.add(
                variance,
                np.float32(1 - _VARIANCE_DECAY) * (gradient * gradient - variance),
                out=variance,
            )
            change = np.float32(rate) * rate_factor * mean / (np.sqrt(variance) + np.float32(1e-8))
            np.subtract(weights, change, out=weights)
