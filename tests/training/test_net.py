"""The network beside the patterns: the kernel's evaluation of it, and its fit."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from damka import _core
from damka.rules import load
from damka.training import Options
from damka.training.dataset import dataset_of, logistic, quiet_positions
from damka.training.net import Net, fit_net, net_numbers, net_steps
from tests.training.positions import boards, record_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHAPES = ["mini-american", "american", "international", "frisian", "canadian", "turkish"]


def output_of(net: Net, name: str, records: bytes, opening: NDArray[Any]) -> NDArray[Any]:
    """Return a network's output by the definition, in hundredths of a man."""
    seen = np.frombuffer(_core.network_inputs(load(name), records), np.uint8)
    views = seen.reshape(len(opening), 2, -1).astype(np.float64)
    sums = np.maximum(views @ net.hidden, 0)
    both = (sums[:, 0] - sums[:, 1]) @ net.output.T
    return np.asarray((opening * both[:, 0] + (1 - opening) * both[:, 1]) / net.unit)


@pytest.mark.parametrize("name", SHAPES)
def test_the_kernel_computes_the_network(name: str) -> None:
    rules = load(name)
    layout = _core.weights_layout(rules)
    rng = np.random.default_rng(3)
    inputs = layout["net"] // layout["hidden"] - 2
    net = Net(
        rng.normal(0, 0.3, (inputs, layout["hidden"])).astype(np.float32),
        rng.normal(0, 0.2, (2, layout["hidden"])).astype(np.float32),
        0.01,
        (),
        0.0,
    )
    positions = boards(rules, random.Random(name), 200)
    # Excludes endings whose score is scaled down, and those against a lone king.
    records = np.concatenate([record_of(b, 0, 0) for b in positions])
    usable = np.frombuffer(_core.position_features(rules, records.tobytes())[3], np.uint8)
    words = records["words"].reshape(len(records), 4, -1)
    both = words[:, 0].any(axis=1) & words[:, 1].any(axis=1)
    records = records[usable.astype(bool) & both]
    full = 2 * rules.rows * rules.row_length
    pieces = np.minimum(np.bitwise_count(records["words"]).sum(axis=1), full)
    expected = output_of(net, name, records.tobytes(), pieces / full)
    numbers = bytes(2 * layout["numbers"]) + net_numbers(rules, net, full)
    weights = _core.Weights(rules, numbers, 1, full)
    data = records.tobytes()
    worth = np.frombuffer(_core.evaluate_records(rules, data, weights), np.int32)
    assert np.abs(expected).max() > 100
    assert np.abs(worth - expected).max() < 2 + 0.02 * np.abs(expected).max()


def test_a_fit_learns_what_the_patterns_cannot() -> None:
    name = "international"
    rules = load(name)
    records = np.concatenate([record_of(b, 0, 0) for b in boards(rules, random.Random(5), 4_000)])
    options = Options(net_epochs=20, net_rate=0.03)
    dataset = dataset_of(rules, [records], options)
    # White does well with men on both far corners, or on neither; Black the same.
    seen = np.frombuffer(_core.network_inputs(rules, dataset.records.tobytes()), np.uint8)
    views = seen.reshape(dataset.size, 2, -1)
    agree = (views[:, :, 4] == views[:, :, 45]).astype(np.float32)
    dataset.target[:] = logistic(2 * (agree[:, 0] - agree[:, 1]))
    weights = _core.Weights(rules, bytes(2 * _core.weights_layout(rules)["numbers"]), 1, 40)
    steps: list[int] = []
    net = fit_net(rules, dataset, weights, 1.0, options, lambda step, *_: steps.append(step))
    assert steps[-1] == net_steps(dataset.size, options)
    assert net.before == pytest.approx(np.log(2), abs=0.001)
    assert net.helps
    best = float(np.mean(-(p := dataset.target) * np.log(p) - (1 - p) * np.log(1 - p)))
    assert net.losses[-1][1] < 0.5 * net.before + 0.5 * best
    assert np.abs(net.hidden).max() <= 32767 // 42 / 256


def test_zero_epochs_train_no_network() -> None:
    assert net_steps(1_000_000, Options(net_epochs=0)) == 0
    assert not Net(np.zeros((1, 1), np.float32), np.zeros((2, 1), np.float32), 1.0, (), 0.5).helps


def test_tactical_positions_are_excluded() -> None:
    rules = load("american")
    positions = boards(rules, random.Random(8), 300)
    glance = np.frombuffer(
        _core.evaluate_records(
            rules, b"".join(record_of(b, 0, 0).tobytes() for b in positions), None
        ),
        np.int32,
    )
    off = np.array([0, 99, 300] * 100)
    scores = np.clip(glance, -1000, 1000) + off
    records = np.concatenate(
        [record_of(b, int(s), 0) for b, s in zip(positions, scores, strict=True)]
    )
    kept = quiet_positions(rules, records, None, 100)
    small = np.abs(glance) < 500
    assert 0 < len(kept) < len(records)
    assert (
        len(quiet_positions(rules, records[(off < 100) & small], None, 100))
        == ((off < 100) & small).sum()
    )
    assert len(quiet_positions(rules, records[(off == 300) & small], None, 100)) == 0
    assert len(quiet_positions(rules, records, None, 0)) == len(records)
