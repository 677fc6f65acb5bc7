"""Features of the learned evaluation, against a plain count of squares."""

from __future__ import annotations

import random

import numpy as np
import pytest

from damka import Board, _core
from damka.rules import Rules, load, names
from tests.training.positions import boards, record_of, turned

SHAPES = ["mini-american", "american", "italian", "spantsiretti", "frisian", "canadian", "turkish"]


def states_of(board: Board) -> list[int]:
    """Return the regions' states, square by square."""
    rules = board.rules
    layout = _core.weights_layout(rules)
    height, width = rules.height, rules.row_length
    grid = np.array([".wb".find(p.lower()) if p in "wb" else 0 for p in board.pieces])
    grid = grid.reshape(height, width)
    if rules.dark_corner == "right" and rules.squares == "dark":
        grid = grid[:, ::-1]
    other = np.choose(grid, [0, 2, 1])[::-1, ::-1]
    views = [grid, other, grid[:, ::-1], other[:, ::-1]][: layout["views"]]
    states = []
    for view in views:
        for row, column in layout["regions"]:
            region = view[row : row + layout["rows"], column : column + layout["columns"]]
            states.append(int("".join(map(str, region.reshape(-1))), 3))
    return states


@pytest.mark.parametrize("name", SHAPES)
def test_the_state_of_a_region_encodes_its_squares(name: str) -> None:
    rules = load(name)
    for board in boards(rules, random.Random(name), 30):
        record = record_of(board, 0, 0)
        states = np.frombuffer(_core.position_features(rules, record.tobytes())[0], np.uint32)
        assert states.tolist() == states_of(board)


@pytest.mark.parametrize("name", names())
def test_every_square_lies_in_a_region(name: str) -> None:
    layout = _core.weights_layout(rules := load(name))
    seen = np.zeros((rules.height, rules.row_length), bool)
    for row, column in layout["regions"]:
        seen[row : row + layout["rows"], column : column + layout["columns"]] = True
    seen |= seen[::-1, ::-1]
    if layout["views"] == 4:
        seen |= seen[:, ::-1]
    assert seen.all()
    assert layout["rows"] * layout["columns"] == 12


def test_traits_are_white_minus_black() -> None:
    rules = load("american")
    board = Board(rules, "W:W22,25,K1:B5,6")
    features = _core.position_features(rules, record_of(board, 0, 0).tobytes())
    traits = dict(
        zip(
            _core.weights_layout(rules)["traits"], np.frombuffer(features[1], np.int16), strict=True
        )
    )
    # 22 steps to 17 and 18, 25 to 21; 5 to 9, 6 to 9 and 10; the king on 1 has 5 and 6 before it.
    assert traits["men"] == 0
    assert traits["kings"] == traits["crowned"] == 1
    assert traits["steps"] == 0
    assert traits["king_steps"] == 0
    assert traits["turn"] == 1
    kings = np.frombuffer(features[2], np.int8)
    assert kings[0] == 1
    assert kings.sum() == 1


def any_weights(rules: Rules, seed: int) -> _core.Weights:
    rng = np.random.default_rng(seed)
    count = _core.weights_layout(rules)["numbers"]
    return _core.Weights(rules, rng.integers(-40, 40, count, np.int16).tobytes(), 2, 20)


@pytest.mark.parametrize("name", SHAPES)
def test_the_evaluation_is_the_same_for_both_sides(name: str) -> None:
    rules = load(name)
    weights = any_weights(rules, 1)
    scores = []
    for board in boards(rules, random.Random(name), 20):
        scores.append(_core.evaluate(board, weights))
        assert scores[-1] == _core.evaluate(turned(board), weights)
    assert len(set(scores)) > 10


def test_mirror_images_are_equal_on_boards_that_use_all_squares() -> None:
    rules = load("turkish")
    weights = any_weights(rules, 2)
    for board in boards(rules, random.Random(3), 20):
        rows = ["".join(board.pieces)[i : i + 8][::-1] for i in range(0, 64, 8)]
        mirrored = board.with_pieces("".join(rows), board.turn)
        assert _core.evaluate(board, weights) == _core.evaluate(mirrored, weights)


def test_an_extra_man_adds_its_weight() -> None:
    rules = load("american")
    layout = _core.weights_layout(rules)
    numbers = np.zeros((layout["numbers"] // 2, 2), np.int16)
    rest = len(numbers) - len(layout["traits"]) - layout["squares"]
    numbers[rest] = 100 * layout["parts"]
    weights = _core.Weights(rules, numbers.tobytes(), 4, 24)
    assert _core.evaluate(Board(rules, "W:W22,25:B5"), weights) == 100
    assert _core.evaluate(Board(rules, "B:W22,25:B5"), weights) == -100


def test_a_region_adds_its_own_weight_and_those_of_its_row_pairs() -> None:
    rules = load("american")
    layout = _core.weights_layout(rules)
    numbers = np.zeros((layout["numbers"] // 2, 2), np.int16)
    pairs = len(layout["regions"]) * 3**12
    # A lone man on square 5: the first of the second row of the first region, and of no other.
    numbers[3**8] = 8
    numbers[pairs + 9] = 16
    numbers[pairs + 27**2 + 9 * 27] = 32
    weights = _core.Weights(rules, numbers.tobytes(), 4, 24)
    parts = layout["parts"]
    assert _core.evaluate(Board(rules, "W:W5:B12"), weights) == (8 + 16 + 32) * 4 // parts
    assert _core.evaluate(Board(rules, "B:W21:B28"), weights) == (8 + 16 + 32) * 4 // parts
    assert _core.evaluate(Board(rules, "W:W6:B12"), weights) == 0


@pytest.mark.parametrize(("step", "full"), [(0, 24), (1000, 24), (4, 0)])
def test_invalid_weights_are_refused(step: int, full: int) -> None:
    rules = load("american")
    numbers = b"\0\0" * _core.weights_layout(rules)["numbers"]
    with pytest.raises(ValueError, match="weights"):
        _core.Weights(rules, numbers, step, full)
    with pytest.raises(ValueError, match="weights"):
        _core.Weights(rules, numbers[:-2], 4, 24)
