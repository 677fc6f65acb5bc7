"""Why a move is legal: every claim holds, and the sentences of each rule."""

from __future__ import annotations

import random
import re
from typing import Any, Final

import pytest
from hypothesis import given

import damka
from damka import Board, reference
from damka.locales import LANGUAGES
from damka.refusal import why_allowed, why_huffed
from damka.refusal.allowed import ALLOWANCES
from damka.rules import Rules
from damka.rules.parameters import topic_applies
from damka.rules.topics import TOPICS
from tests.strategies import examples, situations
from tests.support import RULE_SETS, read_fen, write_fen

# Under these values of a parameter the move would be illegal.
OTHER_VALUES: Final[dict[str, dict[str, Any]]] = {
    "captures_backwards": {"man_capture": "forward"},
    "captures_straight": {"capture_lines": "diagonal"},
    "captures_diagonally": {"capture_lines": "orthogonal"},
    "takes_king": {"man_takes_king": False},
    "goes_on_crowned": {"promotion": "stop"},
    "passes_crowning": {"promotion": "stop"},
    "stops_crowned": {"promotion": "go"},
    "captures_from_afar": {"king_range": "short"},
    "lands_afar": {"king_landing": "adjacent"},
    "reappears": {"removal": "after"},
    "moves_straight": {"move_lines": "diagonal"},
    "moves_diagonally": {"move_lines": "orthogonal"},
    "flies": {"king_range": "short"},
    "fewer": {"precedence": ("count",)},
}


def reasons(rules: str, fen: str, move: str) -> list[str]:
    board = Board(rules, fen)
    return [each.sentence(board.rules) for each in why_allowed(board, board.parse(move))]


def is_legal(rules: Rules, position: reference.Position, move: Any) -> bool:
    """Whether a move is legal by the reference; quiet moves as if captures were optional."""
    moves = reference.legal_moves(rules, position)
    if not move.captures:
        moves = [*moves, *reference.quiet_moves(rules, position)]
    return any(
        (each.start, each.end, set(each.captures)) == (move.start, move.end, set(move.captures))
        for each in moves
    )


def check(board: Board, position: reference.Position, move: damka.Move) -> None:
    """Check every claim about a move against the reference."""
    rules = board.rules
    found = why_allowed(board, move)
    assert 1 <= len(found) <= 3
    captures = [each for each in board.legal_moves if each.captures]
    for reason in found:
        assert reason.topic in TOPICS
        assert topic_applies(reason.topic, rules.value_of), "the rule book has the paragraph"
        involved = {move.start, move.end, *move.captures}
        if reason.code in ("missed", "missed_huff"):
            involved = {at for each in captures for at in (each.start, *each.captures)}
        assert set(reason.squares) <= involved
        if changes := OTHER_VALUES.get(reason.code):
            other = rules.replace(**{"precedence": (), **changes})
            assert not is_legal(other, position, move), reason
        if reason.code == "takes_most":
            assert len(move.captures) == max(len(each.captures) for each in captures)
            assert reason.args["taken"] == len(move.captures)
        for language in LANGUAGES:
            sentence = reason.sentence(rules, language)
            assert re.search(r"[.!]$", sentence)
            assert not re.search(r"[{}]|why\.", sentence)


@examples(150)
@given(situations())
def test_every_claim_is_true(situation: tuple[Rules, reference.Position]) -> None:
    rules, position = situation
    board = Board(rules, write_fen(position))
    for move in board.legal_moves[:6]:
        check(board, position, move)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
def test_every_claim_is_true_in_random_games(rules: Rules) -> None:
    rng = random.Random(rules.name)
    codes = set()
    for _ in range(3):
        board = Board(rules)
        for _ in range(80):
            moves = board.legal_moves
            if not moves or board.result is not None:
                break
            move = rng.choice(moves)
            plain = board.with_pieces(board.pieces, board.turn)
            check(plain, read_fen(rules, plain.fen), move)
            codes |= {each.code for each in why_allowed(plain, move)}
            board.push(move)
    assert len(codes) > 2


def test_every_code_is_known() -> None:
    assert set(ALLOWANCES.values()) <= set(TOPICS)


@pytest.mark.parametrize(
    ("rules", "fen", "move", "sentences"),
    [
        (
            "international",
            "W:W28:B33,2",
            "28x39",
            ["Men also capture backwards: the man on 28 took 33."],
        ),
        (
            "international",
            "W:WK46:B28,2",
            "46x19",
            [
                "A king moves and captures over any distance.",
                "The king may land on any empty square behind the piece it takes.",
            ],
        ),
        ("international", "W:WK46:B2", "46-5", ["A king moves over any number of empty squares."]),
        ("american", "W:W30:B3", "30-26", ["A man moves one square forwards."]),
        ("american", "W:WK26:B3", "26-30", ["A king moves one square, also backwards."]),
        (
            "american",
            "W:W32,21:B27,17,9,3",
            "32x23",
            ["Any capture may be chosen: taking 1 piece instead of 2 is enough."],
        ),
        (
            "international",
            "W:W27,33:B22,29,20,1",
            "33x15",
            ["If several captures are possible, you must take the most pieces: here 2."],
        ),
        (
            "russian",
            "W:Wf6:Be7,a5",
            "f6xd8",
            ["The man reached the last row on d8 and became a king."],
        ),
        ("turkish", "W:Wa3:Bh7", "a3-b3", ["Men also move sideways."]),
        (
            "frisian",
            "W:W28:B27,2",
            "28x26",
            ["Pieces also capture along rows and columns."],
        ),
    ],
)
def test_examples(rules: str, fen: str, move: str, sentences: list[str]) -> None:
    assert reasons(rules, fen, move) == sentences


def test_a_missed_capture_is_explained() -> None:
    board = Board("dama100", "W:W32,36,37,46:B3,4,28")
    move = damka.Move(36, 31)
    sentences = [each.sentence(board.rules) for each in why_allowed(board, move)]
    assert sentences == [
        "A capture may be missed in this game. The opponent may then huff the piece on 32."
    ]
    huff = why_huffed(board, 32)
    assert huff.sentence(board.rules) == (
        "The piece on 32 could have taken 28 but didn’t, so it could be huffed."
    )
    assert huff.topic == "huffing"


def test_other_moves_are_refused() -> None:
    board = Board("american")
    with pytest.raises(ValueError, match="no piece of the side to move on 22"):
        why_allowed(board, damka.Move(22, 18))
    with pytest.raises(ValueError, match="not a move"):
        why_allowed(board, damka.Move(9, 18))
    with pytest.raises(ValueError, match="missed no capture"):
        why_huffed(board, 9)
