"""Results by the board, compared with the reference rules, and special cases of boards."""

from __future__ import annotations

import copy
import pickle
import random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka import Board, Move, locales, reference
from damka.result import Counter, Reason, Result
from damka.rules import load, names
from tests.reference.agreement import assert_games_agree
from tests.strategies import endings, examples, positions


@pytest.mark.parametrize("name", names())
def test_results_match_the_reference_rules(name: str) -> None:
    rules = load(name)
    assert assert_games_agree(rules, reference.start(rules), random.Random(name), 60) > 10

    @examples(3)
    @given(st.one_of(positions(rules), endings(rules)), st.integers(0, 2**32))
    def agree(first: reference.Position, seed: int) -> None:
        assert_games_agree(rules, first, random.Random(seed), 40)

    agree()


def test_a_game_continues_until_the_board_ends_it() -> None:
    rng = random.Random(1)
    board = Board("russian")
    while not board.is_over:
        assert board.result is None
        board.push(rng.choice(board.legal_moves))
    assert board.copy().result is not None
    board.pop()
    assert board.copy().result is None


def test_moves_can_be_made_after_a_draw() -> None:
    board = Board("american", "W:WK1:BK32")
    for move in ("1-6", "32-27", "6-1", "27-32") * 2:
        board.push(move)
    assert board.result == Result(None, "repetition")
    assert Counter("repetition", 3, 3) in board.counters
    board.push("1-5")
    assert board.result is None


def test_offences_and_huffs_are_part_of_the_history() -> None:
    board = Board("dama100", "W:W32,33,47:B27,8,9")
    board.push_unchecked(Move(33, 29))
    assert (board.offences, board.pending_huff) == ((32,), None)
    with pytest.raises(ValueError, match="offences"):
        board.huff(29)
    board.huff(32)
    assert (board.offences, board.pending_huff, board.piece_at(32)) == ((), 32, None)
    board.unhuff()
    assert (board.offences, board.piece_at(32)) == ((32,), "w")
    with pytest.raises(IndexError):
        board.unhuff()
    board.huff(32)
    move = board.push("8-13")
    for twin in (board.copy(), pickle.loads(pickle.dumps(board)), copy.deepcopy(board)):  # noqa: S301
        assert twin.steps == board.steps
        assert [str(step) for step in twin.steps] == ["33-29", "32", "8-13"]
        assert twin.stack == board.stack
    assert board.pop() == move
    assert (board.offences, board.pending_huff, board.move_count) == ((32,), None, 1)
    board.huff(32)
    assert board.pop().hub() == "33-29"
    assert (board.steps, board.fen) == ((), board.root().fen)
    with pytest.raises(IndexError):
        board.pop()


@pytest.mark.parametrize("language", locales.LANGUAGES)
@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_result_has_a_sentence(reason: Reason, language: str) -> None:
    rules = load("dama64")
    won = reason in ("no_pieces", "no_moves", "breakthrough", "resignation")
    won |= reason in ("time", "abandonment")
    sentence = Result("W" if won else None, reason).sentence(rules, language)
    assert sentence.endswith(".")
    assert "{" not in sentence


def test_in_the_losing_game_the_winner_has_no_pieces() -> None:
    losing = load("american-giveaway")
    assert Result("W", "no_pieces").sentence(losing) == "White wins. White has no pieces left."
    assert Result("W", "resignation").sentence(losing) == "White wins. Red resigned."
    assert Result("B", "no_moves").sentence(load("american")) == ("Red wins. White can’t move.")
    assert Result(None, "repetition").sentence(losing).startswith("Draw. The same position")
