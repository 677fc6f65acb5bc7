"""Fits the network beside the patterns, whose inputs are all pieces of the board.

White's evaluation is a factor times the patterns' value, plus White's view of the board minus
Black's; see `core/eval/network.hpp`. Gradients are explicit, in batches with dense inputs, since
there are few of them.
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
_REPORTS: Final = 60
_WARM: Final = 100
"""Warm-up steps, in which the learning rate rises to its full value."""


@dataclass(frozen=True, slots=True)
class Net:
    """A fitted network: `hidden` (inputs × hidden) and `output` (opening and ending × hidden).

    Both in logits; `unit` is the logits of a hundredth of a man by the patterns.
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
    """Network inputs of positions by index."""

    def __init__(self, rules: Rules, dataset: Dataset, worth: NDArray[np.int32]) -> None:
        self.rules = rules
        self.records: Records = dataset.records
        self.worth = worth.astype(np.float32)
        self.phase = np.stack([dataset.opening, 1 - dataset.opening], axis=1)
        self.target = dataset.target

    def inputs(self, rows: NDArray[np.int64]) -> Floats:
        """Return the boards: two views × positions × inputs, 0 to 2."""
        seen = _core.network_inputs(self.rules, self.records[rows].tobytes())
        views = np.frombuffer(seen, np.uint8).reshape(len(rows), 2, -1)
        return np.asarray(views.transpose(1, 0, 2), np.float32)


def net_steps(size: int, options: Options) -> int:
    """Return the number of steps of a fit to `size` positions; 0 without a network."""
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
    """Return the network that best fits the residual of `weights`; a man is `man` logits.

    `on_step` receives the step's number, the training loss and the test loss.
    """
    worth = np.frombuffer(
        _core.evaluate_records(rules, dataset.records.tobytes(), weights), np.int32
    )
    positions = _Positions(rules, dataset, worth)
    train, test = train_test_split(dataset.size)
    rng = np.random.default_rng(options.seed)
    rng.shuffle(train)
    layout = _core.weights_layout(rules)
    inputs, width = positions.inputs(train[:1]).shape[2], layout["hidden"]
    hidden = (0.1 * rng.standard_normal((inputs, width))).astype(np.float32)
    output = (0.05 * rng.standard_normal((2, width))).astype(np.float32)
    unit = np.full(1, man / 100, np.float32)
    most = _most(dataset.full_board, layout)
    adam = Adam([hidden, output, unit], paces=(1.0, 1.0, man / 100))

    def loss(rows: NDArray[np.int64]) -> float:
        parts = np.array_split(rows, max(1, len(rows) // _BATCH))
        sums = [len(part) * _forward(positions, part, hidden, output, unit).loss for part in parts]
        return float(sum(sums) / len(rows))

    before = cross_entropy(unit[0] * positions.worth[test], positions.target[test])
    steps = net_steps(dataset.size, options)
    told = max(1, steps // _REPORTS)
    batches = max(1, len(train) // _BATCH)
    losses: list[tuple[float, float]] = []
    total = [0.0, 0]
    for step in range(1, steps + 1):
        at = (step - 1) % batches
        rows = np.sort(train[at * len(train) // batches : (at + 1) * len(train) // batches])
        seen = _forward(positions, rows, hidden, output, unit)
        rate = options.net_rate * 0.5 * (1 + math.cos(math.pi * step / steps))
        adam.step(seen.slopes(), rate * min(1, step / _WARM))
        np.clip(hidden, -most, most, out=hidden)
        total = [total[0] + seen.loss, total[1] + 1]
        if step % told == 0 or step == steps:
            losses.append((total[0] / total[1], loss(test)))
            total = [0.0, 0]
            on_step(step, *losses[-1])
    return Net(hidden, output, float(unit[0]), tuple(losses), before)


def net_numbers(rules: Rules, net: Net, full_board: int) -> bytes:
    """Return a network's numbers in the format of `_core.Weights`."""
    layout = _core.weights_layout(rules)
    one = layout["net_one"]
    parts = layout["parts"] * layout["net_output"] / one / net.unit
    most = round(_most(full_board, layout) * one)
    hidden = np.clip(np.round(one * net.hidden), -most, most)
    top = layout["net_most_output"]
    output = np.clip(np.round(parts * net.output), -top, top)
    return np.concatenate([hidden, output]).astype(np.int16).tobytes()


def _most(full_board: int, layout: dict[str, Any]) -> float:
    """Return the largest weight that cannot overflow a sum on a full board."""
    return float((32767 // (full_board + 2)) / layout["net_one"])


@dataclass(frozen=True, slots=True)
class _Activations:
    """The activations of one batch."""

    inputs: Floats
    active: NDArray[np.bool_]
    both: Floats
    """White's view minus Black's: positions × hidden."""
    output: Floats
    phase: Floats
    worth: Floats
    error: Floats
    loss: float

    def slopes(self) -> list[Floats]:
        """Return the gradients of the loss for the hidden layer, the output, and the unit."""
        mixed = self.error[:, None] * self.phase
        back = mixed @ self.output
        hidden = self.inputs[0].T @ (back * self.active[0]) - self.inputs[1].T @ (
            back * self.active[1]
        )
        unit = np.array([np.dot(self.error, self.worth)], np.float32)
        return [hidden, mixed.T @ self.both, unit]


def _forward(
    positions: _Positions, rows: NDArray[np.int64], hidden: Floats, output: Floats, unit: Floats
) -> _Activations:
    inputs = positions.inputs(rows)
    sums = inputs @ hidden
    active = sums > 0
    above = np.maximum(sums, 0)
    both = above[0] - above[1]
    phase, worth, target = positions.phase[rows], positions.worth[rows], positions.target[rows]
    logits = ((both @ output.T) * phase).sum(axis=1) + unit[0] * worth
    error = np.asarray((logistic(logits) - target) / np.float32(len(rows)), np.float32)
    loss = cross_entropy(logits, target)
    return _Activations(inputs, active, both, output, phase, worth, error, loss)
