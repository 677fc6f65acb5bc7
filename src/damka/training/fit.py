"""Fitting the weights of an evaluation to recorded positions: logistic regression.

A position's value is linear in the weights, and the winning probability is its logistic function.
The weights maximise the likelihood of the games' results, mixed with the search scores, under a
prior that keeps the weights of rare features small.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from damka import _core
from damka.training.adam import Adam
from damka.training.dataset import train_test_split

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from damka.engine.weights import WeightsFile
    from damka.rules import Rules
    from damka.training.dataset import Dataset
    from damka.training.settings import Options

    Floats = NDArray[np.float32]

__all__ = ["FittedWeights", "fit", "fit_steps", "mix", "weight_numbers"]

_BATCH: Final = 8192
_REPORTS_PER_EPOCH: Final = 5  # loss reports per epoch, …
_MAX_REPORTS: Final = 60  # … and in total
_STEP: Final = 4  # units of pattern weights, in parts of a hundredth


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """Fitted weights in logits, for the opening and the ending, and the value of a man."""

    whole: Floats
    pairs: Floats
    rest: Floats
    man: float
    losses: tuple[tuple[float, float], ...]
    """(training loss, test loss) during the fit."""


def fit(
    dataset: Dataset, options: Options, on_step: Callable[[int, float, float], object]
) -> FittedWeights:
    """Fit weights to the dataset, by Adam on small batches with a decaying learning rate.

    `on_step` receives the step's number, the training loss and the test loss a few times per epoch.
    """
    train, test_rows = train_test_split(dataset.size)
    test = dataset.part(test_rows)
    np.random.default_rng(options.seed).shuffle(train)
    patterns = dataset.regions.parameters
    whole = len(dataset.regions.kept)
    prior = np.concatenate(
        [
            np.full(whole, options.prior_whole),
            np.full(patterns - whole, options.prior_pairs),
            np.full(dataset.rest.shape[1], options.prior_rest),
        ]
    )
    decay = (1 / prior**2 / len(train))[:, None].astype(np.float32)
    w = np.zeros((len(prior), 2), np.float32)
    # The weights of the other features are larger, so their learning rate is higher.
    rate_factors = np.ones((len(prior), 1), np.float32)
    rate_factors[patterns:] = 4
    adam = Adam([w], rate_factors=[rate_factors])
    batches = max(1, len(train) // _BATCH)
    steps = fit_steps(dataset.size, options)
    report_every = max(1, batches // _REPORTS_PER_EPOCH, steps // _MAX_REPORTS)
    losses: list[tuple[float, float]] = []
    sums = [0.0, 0]
    for step in range(1, steps + 1):
        at = (step - 1) % batches
        rows = train[at * len(train) // batches : (at + 1) * len(train) // batches]
        loss, gradient = dataset.part(rows).gradient(w)
        gradient += decay * w
        adam.step([gradient], options.rate * 0.5 * (1 + math.cos(math.pi * step / steps)))
        sums = [sums[0] + loss, sums[1] + 1]
        if step % report_every == 0 or step == steps:
            losses.append((sums[0] / sums[1], test.loss(w)))
            sums = [0.0, 0]
            on_step(step, *losses[-1])
    return FittedWeights(
        w[:whole], w[whole:patterns], w[patterns:], _man_value(dataset, w), tuple(losses)
    )


def fit_steps(size: int, options: Options) -> int:
    """Return the number of steps to fit `size` positions."""
    batches = max(1, len(train_test_split(size)[0]) // _BATCH)
    return max(options.steps, options.epochs * batches)


def _man_value(dataset: Dataset, w: Floats) -> float:
    """Return the logits of an additional man in positions without a difference in kings."""
    men, kings = dataset.rest[:, 0].astype(np.float32), dataset.rest[:, 1]
    few_men = np.flatnonzero((kings == 0) & (np.abs(men) <= 2))[:200_000]
    x, y = men[few_men], dataset.part(few_men).logits(w)
    spread = float(np.dot(x, x))
    return float(np.dot(x, y)) / spread if spread else 0.0


def weight_numbers(rules: Rules, dataset: Dataset, fitted: FittedWeights) -> tuple[bytes, int]:
    """Return the numbers and the step of the weights for `_core.Weights`."""
    layout = _core.weights_layout(rules)
    # The margins of the search expect that a man is worth 100.
    scale = 100 * layout["parts"] / max(fitted.man, 0.05)
    rest = len(fitted.rest)
    numbers = np.zeros((layout["numbers"] // 2, 2), np.int16)
    numbers[dataset.regions.kept] = _round(fitted.whole * (scale / _STEP), 127)
    numbers[-rest - len(fitted.pairs) : -rest] = _round(fitted.pairs * (scale / _STEP), 8000)
    numbers[-rest:] = _round(fitted.rest * scale, 32767)
    return numbers.tobytes(), _STEP


def mix(numbers: bytes, best: WeightsFile, keep: float) -> bytes:
    """Return the numbers of new weights, mixed with a share of `keep` of the best weights."""
    new = np.frombuffer(numbers, np.int16)
    # A network's hidden units differ from fit to fit, so its weights cannot be averaged.
    old = np.frombuffer(best.numbers, np.int16)[: len(new)]
    return _round((1 - keep) * new + keep * old, 32767).tobytes()


def _round(values: Floats, limit: int) -> NDArray[np.int16]:
    return np.clip(np.round(values), -limit, limit).astype(np.int16)
