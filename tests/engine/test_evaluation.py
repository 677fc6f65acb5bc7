"""Static evaluation of positions, one at a time and in batches."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import damka
from damka.engine import Evaluation, evaluate
from damka.engine.weights import read, shipped_file
from damka.errors import WeightsError
from damka.rules import load, names


@pytest.mark.native
@pytest.mark.parametrize("name", names())
def test_batch_scores_equal_single_scores(name: str) -> None:
    rng = np.random.default_rng(4)
    games = damka.Boards(name, 30, threads=2)
    for _ in range(25):
        mask = games.legal_mask()
        games.step((rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1))
    for weights in ("shipped", "general"):
        scores = evaluate(games, weights)
        assert scores.shape == (30,)
        assert scores.dtype == np.int32
        boards = [games.board(i) for i in range(30)]
        assert scores.tolist() == [evaluate(board, weights) for board in boards]
        assert scores.tolist() == [Evaluation(name, weights)(board) for board in boards]


@pytest.mark.parametrize("weights", ["shipped", "general"])
@pytest.mark.parametrize("name", ["american", "international", "russian", "frisian", "turkish"])
def test_an_extra_man_is_worth_about_a_man(name: str, weights: str) -> None:
    board = damka.Board(name)
    men = [i for i, piece in enumerate(board.pieces) if piece == "b"]
    pieces = list(board.pieces)
    pieces[men[len(men) // 2]] = "."
    ahead = board.with_pieces("".join(pieces), "W")
    assert 40 < evaluate(ahead, weights) < 250
    assert -250 < evaluate(ahead.with_pieces(ahead.pieces, "B"), weights) < -40


def test_default_weights_are_the_shipped_file() -> None:
    rules = load("american")
    path = shipped_file(rules)
    assert path
    board = damka.Board(rules, "B:W17,22,25,30:B1,2,9,12")
    expected = evaluate(board)
    assert expected == evaluate(board, path) == evaluate(board, str(path))
    assert expected == Evaluation(rules, read(path))(board)
    assert expected == pickle.loads(pickle.dumps(Evaluation(rules)))(board)  # noqa: S301
    assert expected != evaluate(board, "general")
    with pytest.raises(WeightsError):
        evaluate(damka.Board("international"), path)


@pytest.mark.native
def test_invalid_arguments_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="a Board or Boards, not str"):
        evaluate("W:W22:B1")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        Evaluation("american")("W:W22:B1")  # type: ignore[call-overload]
    for other in (damka.Board("russian"), damka.Boards("russian", 2)):
        with pytest.raises(ValueError, match="different rules"):
            Evaluation("american")(other)
    with pytest.raises(WeightsError):
        evaluate(damka.Board("american"), tmp_path / "none.weights")
