"""Fitting the network that is added to the patterns; its inputs are all pieces of the board.

White's evaluation is a factor times the value of the patterns, plus the output for White's view of
the board, minus the output for Black's; see `core/eval/network.hpp`. Batches have dense inputs,
since there are few inputs, and gradients are explicit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from damka import _core
from damka.training.adam import Adam
from damka.training.dataset import cross_entropy, logistic, train_test_split

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from damka.rules import Rules
    from damka.training.dataset import Dataset
    from damka.training.records import Records
    from damka.training.settings import Options

    Floats = NDArray[np.float32]

__all__ = ["Net", "fit_net", "net_numbers", "net_steps"]

_BATCH: Final = 16_384
_MAX_REPORTS: Final = 60
_WARM_UP_STEPS: Final = 100
"""Warm-up steps, in which the learning rate rises to its full value."""


@dataclass(frozen=True, slots=True)
class Net:
    """A fitted network: `hidden` (inputs × hidden) and `output` (opening and ending × hidden).

    Both are in logits; `unit` is the logits of a hundredth of a man of the patterns.
    """

    hidden: Floats
    output: Floats
    unit: float
    losses: tuple[tuple[float, float], ...]
    """(training loss, test loss) during the fit."""

    before: float
    """The test loss without a network."""

    @property
    def helps(self) -> bool:
        """Whether the network lowers the test loss."""
        return bool(self.losses) and self.losses[-1][1] < self.before


class _Positions:
    """Network inputs and targets of positions, by index."""

    def __init__(self, rules: Rules, dataset: Dataset, evaluations: NDArray[np.int32]) -> None:
        self.rules = rules
        self.records: Records = dataset.records
        self.evaluations = evaluations.astype(np.float32)
        self.phase = np.stack([dataset.opening, 1 - dataset.opening], axis=1)
        self.target = dataset.target

    def inputs(self, rows: NDArray[np.int64]) -> Floats:
        """Return the boards: two views × positions × inputs, 0 to 2."""
        boards = _core.network_inputs(self.rules, self.records[rows].tobytes())
        views = np.frombuffer(boards, np.uint8).reshape(len(rows), 2, -1)
        return np.asarray(views.transpose(1, 0, 2), np.float32)


def net_steps(size: int, options: Options) -> int:
    """Return the number of steps to fit `size` positions; 0 if there is no network."""
    if not options.net_epochs:
        return 0
    return max(options.steps, math.ceil(options.net_epochs * size / _BATCH))


def fit_net(
    rules: Rules,
    dataset: Dataset,
    weights: _core.Weights,
    man: float,
    options: Options,
    on_step: Callable[[int, float, float], object],
) -> Net:
    """Fit a network to the residual of `weights`; a man is `man` logits.

    `on_step` receives the step's number, the training loss and the test loss.
    """
    evaluations = np.frombuffer(
        _core.evaluate_records(rules, dataset.records.tobytes(), weights), np.int32
    )
    positions = _Positions(rules, dataset, evaluations)
    train, test = train_test_split(dataset.size)
    rng = np.random.default_rng(options.seed)
    rng.shuffle(train)
    layout = _core.weights_layout(rules)
    inputs, width = positions.inputs(train[:1]).shape[2], layout["hidden"]
    hidden = (0.1 * rng.standard_normal((inputs, width))).astype(np.float32)
    output = (0.05 * rng.standard_normal((2, width))).astype(np.float32)
    unit = np.full(1, man / 100, np.float32)
    limit = _weight_limit(dataset.full_board, layout)
    adam = Adam([hidden, output, unit], rate_factors=(1.0, 1.0, man / 100))

    def loss(rows: NDArray[np.int64]) -> float:
        parts = np.array_split(rows, max(1, len(rows) // _BATCH))
        sums = [len(part) * _forward(positions, part, hidden, output, unit).loss for part in parts]
        return float(sum(sums) / len(rows))

    before = cross_entropy(unit[0] * positions.evaluations[test], positions.target[test])
    steps = net_steps(dataset.size, options)
    report_every = max(1, steps // _MAX_REPORTS)
    batches = max(1, len(train) // _BATCH)
    losses: list[tuple[float, float]] = []
    total = [0.0, 0]
    for step in range(1, steps + 1):
        at = (step - 1) % batches
        rows = np.sort(train[at * len(train) // batches : (at + 1) * len(train) // batches])
        activations = _forward(positions, rows, hidden, output, unit)
        rate = options.net_rate * 0.5 * (1 + math.cos(math.pi * step / steps))
        adam.step(activations.gradients(), rate * min(1, step / _WARM_UP_STEPS))
        np.clip(hidden, -limit, limit, out=hidden)
        total = [total[0] + activations.loss, total[1] + 1]
        if step % report_every == 0 or step == steps:
            losses.append((total[0] / total[1], loss(test)))
            total = [0.0, 0]
            on_step(step, *losses[-1])
    return Net(hidden, output, float(unit[0]), tuple(losses), before)


def net_numbers(rules: Rules, net: Net, full_board: int) -> bytes:
    """Return a network's numbers in the format of `_core.Weights`."""
    layout = _core.weights_layout(rules)
    one = layout["net_one"]
    parts = layout["parts"] * layout["net_output"] / one / net.unit
    limit = round(_weight_limit(full_board, layout) * one)
    hidden = np.clip(np.round(one * net.hidden), -limit, limit)
    output_limit = layout["net_most_output"]
    output = np.clip(np.round(parts * net.output), -output_limit, output_limit)
    return np.concatenate([hidden, output]).astype(np.int16).tobytes()


def _weight_limit(full_board: int, layout: dict[str, Any]) -> float:
    """Return the largest weight with which a sum cannot overflow on a full board."""
    return float((32767 // (full_board + 2)) / layout["net_one"])


@dataclass(frozen=True, slots=True)
class _Activations:
    """The activations of one batch."""

    inputs: Floats
    active: NDArray[np.bool_]
    difference: Floats
    """White's view minus Black's: positions × hidden."""
    output: Floats
    phase: Floats
    evaluations: Floats
    error: Floats
    loss: float

    def gradients(self) -> list[Floats]:
        """Return the gradients of the loss for the hidden layer, the output, and the unit."""
        weighted = self.error[:, None] * self.phase
        output_gradient = weighted @ self.output
        hidden = self.inputs[0].T @ (output_gradient * self.active[0]) - self.inputs[1].T @ (
            output_gradient * self.active[1]
        )
        unit = np.array([np.dot(self.error, self.evaluations)], np.float32)
        return [hidden, weighted.T @ self.difference, unit]


def _forward(
    positions: _Positions, rows: NDArray[np.int64], hidden: Floats, output: Floats, unit: Floats
) -> _Activations:
    inputs = positions.inputs(rows)
    sums = inputs @ hidden
    active = sums > 0
    relu = np.maximum(sums, 0)
    difference = relu[0] - relu[1]
    phase, evaluations, target = (
        positions.phase[rows],
        positions.evaluations[rows],
        positions.target[rows],
    )
    logits = ((difference @ output.T) * phase).sum(axis=1) + unit[0] * evaluations
    error = np.asarray((logistic(logits) - target) / np.float32(len(rows)), np.float32)
    loss = cross_entropy(logits, target)
    return _Activations(inputs, active, difference, output, phase, evaluations, error, loss)
