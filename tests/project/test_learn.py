"""The learning example improves with some self-play, reproducibly."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from damka.rules import load

SCRIPT = Path(__file__).parents[2] / "docs" / "examples" / "learn.py"


@pytest.fixture(scope="module")
def learn() -> Any:
    spec = importlib.util.spec_from_file_location("learn", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["learn"] = module  # needed by its dataclasses
    spec.loader.exec_module(module)
    return module


def score(*arguments: str) -> float:
    """Return the score of a run in a separate process, without an earlier import of NumPy."""
    command = [sys.executable, str(SCRIPT), "--games", "200", "--seed", "2", *arguments]
    completed = subprocess.run(command, check=True, capture_output=True, text=True)
    match = re.search(r"([0-9.]+)% of the points", completed.stdout)
    assert match
    return float(match[1]) / 100


def test_self_play_improves_the_score() -> None:
    before = score("--steps", "1")
    after = score("--steps", "1500")
    assert before < 0.65
    assert after > max(0.75, before + 0.2)


def test_the_network_learns_its_examples(learn: Any) -> None:
    rng = np.random.default_rng(1)
    network = learn.Network(6, 16, rng)
    inputs = rng.integers(0, 2, (64, 6)).astype(np.float32)
    targets = np.where(inputs[:, 0] == inputs[:, 3], 0.9, -0.9).astype(np.float32)
    for _ in range(600):
        network.learn(inputs, targets, 1e-2)
    assert np.abs(network(inputs) - targets).max() < 0.15


def test_the_network_has_the_same_inputs_for_both_sides(learn: Any) -> None:
    rules = load("american")
    board = learn.damka.Board(rules)
    board.push("11-15")
    mirrored = board.copy()
    white = learn.View(rules)(board.with_pieces(board.pieces, "W").tensor()[None])[0]
    turned = board.pieces[::-1].translate(str.maketrans("wbWB", "bwBW"))
    black = learn.View(rules)(mirrored.with_pieces(turned, "B").tensor()[None])[0]
    assert white.sum() == 24
    assert (white == black).all()


def test_the_same_seed_yields_the_same_score(
    learn: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--rules", "mini-american", "--steps", "40", "--games", "40", "--seed", "7"]
    scores = {learn.main(arguments), learn.main(arguments)}
    assert len(scores) == 1
    assert f"{scores.pop():.1%} of the points" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["--steps", "0"], ["--rules", "chess"], ["--games", "x"]])
def test_invalid_arguments_are_reported(
    learn: Any, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        learn.main(wrong)
    assert ended.value.code == 2
    assert wrong[1] in capsys.readouterr().err


def test_the_script_has_a_help_text() -> None:
    completed = subprocess.run(
        [sys.executable, SCRIPT, "--help"], check=True, capture_output=True, text=True
    )
    assert "--steps" in completed.stdout
