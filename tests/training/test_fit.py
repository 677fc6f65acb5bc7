"""The fit recovers known weights."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from damka.rules import load
from damka.training import Options
from damka.training.dataset import dataset_of
from damka.training.fit import fit, fit_steps, weight_numbers
from damka.training.records import UNKNOWN
from tests.training.positions import boards, record_of

RULES = load("mini-american")


def test_a_fit_recovers_the_weights_behind_the_results() -> None:
    rng = random.Random(1)
    chance = np.random.default_rng(2)
    records = np.concatenate([record_of(b, 0, 0) for b in boards(RULES, rng, 8_000)])
    options = Options(result_share=1.0, least_met=50, steps=160)
    plain = dataset_of(RULES, [records], options)
    men, kings = plain.rest[:, 0], plain.rest[:, 1]
    # A man is worth one and a king two, in the opening and in the ending.
    true = 1.0 * men + 2.0 * kings
    white = chance.random(len(true)) < 1 / (1 + np.exp(-true))
    assert len(true) > 2000
    dataset = replace(plain, target=white.astype(np.float32))
    progress: list[tuple[int, float, float]] = []
    fitted = fit(dataset, options, lambda *each: progress.append(each))
    assert progress[-1][0] == fit_steps(dataset.size, options)
    assert fitted.losses[-1][1] < 0.75 * np.log(2)
    w = np.concatenate([fitted.whole, fitted.pairs, fitted.rest])
    found = dataset.logits(w)
    gradient = np.dot(found, true) / np.dot(true, true)
    assert np.corrcoef(found, true)[0, 1] > 0.95
    assert gradient == pytest.approx(1, abs=0.2)
    assert fitted.man == pytest.approx(1, abs=0.2)
    numbers, step = weight_numbers(RULES, dataset, fitted)
    assert len(numbers) % 4 == 0
    assert step >= 1


def test_a_fit_is_deterministic() -> None:
    records = np.concatenate(
        [
            record_of(b, i % 300 - 150, i % 3 - 1)
            for i, b in enumerate(boards(RULES, random.Random(4), 300))
        ]
    )
    options = Options(steps=20)
    sheets = [dataset_of(RULES, [records], options) for _ in range(2)]
    results = [weight_numbers(RULES, s, fit(s, options, lambda *_: None))[0] for s in sheets]
    assert results[0] == results[1]


def test_the_target_mixes_the_result_with_the_search_score() -> None:
    positions = boards(RULES, random.Random(5), 500)
    # A side with an extra man won three games of four.
    kinds = [(100, 1), (100, 1), (100, 1), (100, -1), (100, UNKNOWN)]
    records = np.concatenate([record_of(b, *kinds[i % 5]) for i, b in enumerate(positions)])
    results = dataset_of(RULES, [records], Options(result_share=1.0)).target
    mix = dataset_of(RULES, [records], Options(result_share=0.5)).target
    for target, other in [(1.0, 0.875), (0.0, 0.375), (0.75, 0.75)]:
        assert mix[np.isclose(results, target, atol=0.01)] == pytest.approx(other, abs=0.01)
