"""Draws by the letter of printed rule sheets: the same pieces, the same move, and counted moves."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka import Board, Boards, Game, Move, Rules, reference, rulebook
from damka.engine import Engine
from damka.errors import RulesError
from damka.result import Counter, Result
from damka.rules import from_dict, load
from tests.reference.agreement import assert_games_agree
from tests.strategies import endings, examples
from tests.support import play, read_fen

BARE = load("dama64").replace(name="bare", repetition=0, same_move=0, no_progress_moves=0)
"""The Bulgarian box without draws."""

KINGS = "W:WK29:BK32"
TRIANGLE = ("29-25", "32-28", "25-22", "28-32", "22-29")
"""White's king comes back in three moves and Black's in two: the other side is to move."""

ELSEWHERE = ("29-25", "32-28", "25-29", "28-24", "29-25")
"""White makes its first move again, while Black's king is elsewhere."""


def ends(moves: tuple[str, ...], fen: str = KINGS, **changes: Any) -> str | None:
    """Return the reason of the draw after these moves; none may end the game before.

    The board, a game and the reference rules must agree.
    """
    rules = BARE.replace(**changes)
    board, game = Board(rules, fen), Game(rules, fen)
    first = position = read_fen(rules, fen)
    played: list[reference.Move] = []
    for text in moves:
        assert not board.is_over
        assert not reference.draws(rules, first, played)
        move = board.push(text)
        game.play(text)
        played.append(
            next(
                specified
                for specified in reference.legal_moves(rules, position)
                if (specified.start, specified.end, specified.captures)
                == (move.start, move.end, move.captures)
            )
        )
        position = reference.apply(rules, position, played[-1])
    assert game.result == board.result
    drawn = reference.draws(rules, first, played)
    if board.result is None or board.result.winner:
        assert not drawn
        return None
    assert board.result.reason in drawn
    return board.result.reason


def counter(board: Board | Game, kind: str) -> Counter | None:
    return next((each for each in board.counters if each.kind == kind), None)


def test_the_same_pieces_count_whoever_is_to_move() -> None:
    assert ends(TRIANGLE, repetition=2) is None
    assert ends(TRIANGLE, repetition=2, repetition_of="pieces") == "repetition"
    assert ends(TRIANGLE, repetition=3, repetition_of="pieces") is None
    # The position with the same side to move counts as well.
    back = ("29-25", "32-28", "25-29", "28-32")
    assert ends(back, repetition=2, repetition_of="pieces") == "repetition"


def test_the_same_pieces_count_with_other_streaks_of_kings() -> None:
    frisian = load("frisian").replace(name="sheet", material_draws=[], repetition=2)
    back = ("47-36", "4-15", "36-47", "15-4")
    by_position, by_pieces = (
        Game(frisian.replace(repetition_of=what), "W:WK47,32:BK4,6")
        for what in ("position", "pieces")
    )
    play(by_position, *back)
    play(by_pieces, *back)
    assert by_position.result is None
    assert by_pieces.result == Result(None, "repetition")


def test_the_same_move_counts_in_any_position() -> None:
    assert ends(ELSEWHERE, same_move=2) is None
    assert ends(ELSEWHERE, same_move=2, same_move_in="game") == "same_move"
    assert ends(ELSEWHERE, same_move=3, same_move_in="game") is None
    # It need not be in consecutive turns.
    later = ("29-25", "32-28", "25-22", "28-32", "22-25", "32-28")
    assert ends(later, same_move=2, same_move_in="game") == "same_move"


def test_each_player_makes_moves_of_their_own() -> None:
    rules = BARE.replace(same_move=2, same_move_in="game")
    rng = random.Random(1)
    by_both = 0
    for _ in range(300):
        board = Board(rules, KINGS)
        seen: dict[str, set[tuple[int, int]]] = {"W": set(), "B": set()}
        while not board.is_over:
            side = board.turn
            move = board.push(rng.choice(board.legal_moves))
            squares = (move.start, move.end)
            assert board.is_over == (squares in seen[side] or not board.has_legal_moves)
            seen[side].add(squares)
        by_both += len(seen["W"] & seen["B"])
    assert by_both


def test_a_man_and_a_king_make_the_same_move() -> None:
    # A man goes from 6 to 1, and later a king.
    moves = ("6-1", "29-25", "1-6", "25-29", "6-1")
    assert ends(moves, "W:W6:BK29", same_move=2, same_move_in="game") == "same_move"


def test_captures_are_the_same_only_with_the_same_pieces_captured() -> None:
    # From 29 to 4 over 22, and later over 11.
    moves = ("29x4", "1-5", "4-29", "3-7", "32-28", "7-11", "29x4")
    fen = "W:WK29,32:B22,1,3"
    assert ends(moves, fen, king_landing="any", same_move=2, same_move_in="game") is None


def test_a_win_takes_precedence() -> None:
    won = Board(BARE.replace(move_limit=1, moves_by="both"), "W:W18:B14")
    won.push("18x9")
    assert won.result == Result("W", "no_pieces")


def test_a_game_is_drawn_after_its_last_move() -> None:
    assert ends(ELSEWHERE[:4], move_limit=2) == "move_limit"
    assert ends(ELSEWHERE[:2], move_limit=2, moves_by="both") == "move_limit"
    assert ends(ELSEWHERE[:1], move_limit=2) is None


def test_captures_and_moves_of_men_do_not_restart_the_move_limit() -> None:
    rules = load("american").replace(name="short", move_limit=3, repetition=0)
    board = Board(rules)
    for text in ("9-13", "22-18", "11-15", "18x11", "8x15", "21-17"):
        assert board.result is None
        board.push(text)
    assert board.result == Result(None, "move_limit")
    assert board.result.sentence(rules) == (
        "Draw. Each side made 3 moves, the most that these rules allow."
    )


def test_moves_without_progress_of_both_sides_together() -> None:
    assert ends(ELSEWHERE[:4], no_progress_moves=2) == "no_progress"
    assert ends(ELSEWHERE[:2], no_progress_moves=2, moves_by="both") == "no_progress"
    assert ends(ELSEWHERE[:3], no_progress_moves=3, moves_by="both") == "no_progress"


def test_counters() -> None:
    rules = BARE.replace(
        repetition=3,
        repetition_of="pieces",
        same_move=3,
        same_move_in="game",
        no_progress_moves=20,
        move_limit=30,
        moves_by="both",
    )
    board = Board(rules, KINGS)
    for text in TRIANGLE:
        board.push(text)
    assert board.counters == (
        Counter("no_progress", 5, 20),
        Counter("repetition", 2, 3),
        Counter("same_move", 1, 3),
        Counter("move_limit", 5, 30),
    )
    # Black can make its first move again; from 28 it could only make its second.
    board.push("32-28")
    assert counter(board, "same_move") == Counter("same_move", 1, 3)
    board.push("29-25")
    board.push("28-32")
    # White's king is on 25: it went once from there to 22, and twice to 25.
    assert counter(board, "same_move") == Counter("same_move", 1, 3)
    board.pop()
    assert counter(board, "same_move") == Counter("same_move", 1, 3)


def test_moves_from_a_huff_on_are_counted_once() -> None:
    rules = load("dama100").replace(
        name="sheet", same_move_in="game", same_move=2, move_limit=2, no_progress_moves=0
    )
    board = Board(rules, "W:W32,33,47:B27,8,9")
    board.push_unchecked(Move(33, 29))
    board.huff(32)
    assert counter(board, "move_limit") == Counter("move_limit", 1, 4)
    board.push("8-13")
    assert counter(board, "move_limit") == Counter("move_limit", 2, 4)
    assert board.copy().counters == board.counters


def test_a_game_is_loaded_with_its_count() -> None:
    rules = BARE.replace(same_move=2, same_move_in="game", move_limit=100)
    game = Game(rules, KINGS)
    play(game, *ELSEWHERE[:4])
    loaded = Game.from_json(game.to_json())
    assert loaded.rules == rules
    assert loaded.counters == game.counters
    loaded.play("29-25")
    assert loaded.result == Result(None, "same_move")
    again = Game.from_pdn(loaded.pdn())
    assert again.rules.to_dict() == rules.to_dict()
    assert again.result == loaded.result


LITERAL: dict[str, Any] = {
    "repetition": st.sampled_from((0, 2, 3)),
    "repetition_of": st.sampled_from(("position", "pieces")),
    "same_move": st.sampled_from((0, 2, 3)),
    "same_move_in": st.sampled_from(("position", "game")),
    "no_progress_moves": st.sampled_from((0, 3, 9)),
    "move_limit": st.sampled_from((0, 0, 4, 9)),
    "moves_by": st.sampled_from(("each", "both")),
}
SETS = ("dama64", "american", "dama100", "frisian", "turkish", "breakthrough", "russian")


def test_the_kernel_agrees_with_the_reference_rules() -> None:
    reasons: set[str] = set()

    @examples(250)
    @given(st.data(), st.fixed_dictionaries(LITERAL), st.integers(0, 2**32))
    def agree(data: st.DataObject, draws: dict[str, Any], seed: int) -> None:
        rules = load(data.draw(st.sampled_from(SETS))).replace(material_draws=[], **draws)
        start = reference.start(rules)
        if rules.objective != "breakthrough" and data.draw(st.booleans()):
            start = data.draw(endings(rules))
        assert_games_agree(rules, start, random.Random(seed), 40)
        board = Board(rules)
        rng = random.Random(seed)
        while not board.is_over and board.move_count < 60:
            board.push(rng.choice(board.legal_moves))
        if board.result is not None:
            reasons.add(board.result.reason)

    agree()
    assert reasons >= {"same_move", "move_limit"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"repetition": 2, "repetition_of": "pieces"}, "repetition"),
        ({"same_move": 2, "same_move_in": "game"}, "same_move"),
        ({"no_progress_moves": 3, "moves_by": "both"}, "no_progress"),
        ({"move_limit": 9}, "move_limit"),
        ({"move_limit": 9, "moves_by": "both"}, "move_limit"),
    ],
)
def test_batches_end_like_boards(changes: dict[str, Any], reason: str) -> None:
    rules = BARE.replace(**changes)
    fen = "W:WK29,K30:BK32,K3"
    batch = Boards(rules, 30, starts=[fen], threads=2)
    boards = [Board(rules, fen) for _ in range(30)]
    rng = random.Random(1)
    seen: set[str] = set()
    for _ in range(60):
        moves = [rng.choice(board.legal_moves) for board in boards]
        indices = [board.move_to_index(move) for board, move in zip(boards, moves, strict=True)]
        _, ended = batch.step(np.array(indices))
        for i, (board, move) in enumerate(zip(boards, moves, strict=True)):
            board.push(move)
            assert bool(ended[i]) == board.is_over
            if board.result is not None:
                seen.add(board.result.reason)
                assert Boards.REASONS[batch.reasons[i]] == board.result.reason
                boards[i] = Board(rules, fen)
    assert reason in seen


def searched(rules: Rules, fen: str, *moves: str, depth: int = 7) -> tuple[str, float]:
    """Return the best move and its score."""
    board = Board(rules, fen)
    for text in moves:
        board.push(text)
    analysis = Engine(hash_mb=1).search(board, depth=depth)
    assert analysis.move is not None
    return board.text(analysis.move), analysis.score


def test_the_search_avoids_a_draw_by_the_same_move_in_a_won_game() -> None:
    """Three kings beat one; the move that would draw is not chosen."""
    rules = BARE.replace(same_move=2, same_move_in="game")
    fen = "W:WK29,K30,K31:BK4"
    board = Board(rules, fen)
    assert not board.is_over
    engine = Engine(hash_mb=4)
    rng = random.Random(3)
    while not board.is_over and board.move_count < 80:
        if board.turn == "W":
            move = engine.search(board, depth=9).move
            assert move is not None
            board.push(move)
        else:
            board.push(rng.choice(board.legal_moves))
    assert board.result is not None
    assert board.result.winner == "W"


def test_the_search_takes_a_draw_by_the_same_move_in_a_lost_game() -> None:
    rules = BARE.replace(same_move=2, same_move_in="game")
    # Black is lost; going from 5 to 1 again draws.
    moves = ("29-25", "5-1", "25-29", "1-5", "30-26")
    move, score = searched(rules, "W:WK29,K30,K31:BK5", *moves)
    assert (move, score) == ("5-1", 0)
    lost = BARE
    _, worse = searched(lost, "W:WK29,K30,K31:BK5", *moves, depth=15)
    assert worse < -1


def test_the_search_knows_when_the_game_ends() -> None:
    last = BARE.replace(move_limit=1, moves_by="both")
    _, won = searched(BARE, "W:WK30,K31:B5")
    assert won > 1
    _, drawn = searched(last, "W:WK30,K31:B5")
    assert drawn == 0
    # The last move may win.
    _, score = searched(last, "W:W18:B14")
    assert score > 1


@pytest.mark.parametrize(
    ("changes", "key", "expected"),
    [
        ({"repetition_of": "board"}, "repetition_of", 'one of "position", "pieces"'),
        ({"same_move_in": True}, "same_move_in", 'one of "position", "game"'),
        ({"moves_by": ["each"]}, "moves_by", 'one of "each", "both"'),
        ({"move_limit": 501}, "move_limit", "a whole number from 0 to 500"),
        ({"move_limit": -1}, "move_limit", "a whole number from 0 to 500"),
        ({"move_limit": 2.5}, "move_limit", "a whole number from 0 to 500"),
        ({"same_move": 1, "same_move_in": "game"}, "same_move", "from 2 to 100"),
        ({"repetition": 1, "repetition_of": "pieces"}, "repetition", "from 2 to 100"),
    ],
)
def test_refused_values(changes: dict[str, Any], key: str, expected: str) -> None:
    with pytest.raises(RulesError) as caught:
        BARE.replace(**changes)
    assert caught.value.key == key
    assert expected in caught.value.expected


def test_older_rules_have_the_defaults() -> None:
    values = BARE.to_dict()
    new = {"repetition_of": "position", "same_move_in": "position", "moves_by": "each"}
    assert {key: values.pop(key) for key in new} == new
    assert values.pop("move_limit") == 0
    assert from_dict(values) == BARE


def paragraph(rules: Rules, topic: str) -> str:
    return {each.topic: each.text for each in rulebook.paragraphs(rules, "en")}.get(topic, "")


def test_the_rule_book_has_a_paragraph_for_each_reading() -> None:
    assert paragraph(BARE, "move_limit") == ""
    sheet = BARE.replace(
        repetition=3, repetition_of="pieces", same_move=3, same_move_in="game", move_limit=20
    )
    assert "with either side to move" in paragraph(sheet, "repetition")
    assert "3 times in the game, even in different positions" in paragraph(sheet, "same_move")
    assert "each side has made 20 moves, whatever happened" in paragraph(sheet, "move_limit")
    both = sheet.replace(moves_by="both", no_progress_moves=15)
    for topic in ("move_limit", "no_progress"):
        assert "of both sides are counted together" in paragraph(both, topic)


def test_the_same_move_can_be_made_without_kings() -> None:
    """In breakthrough positions do not recur, but another man can make the same move."""
    race = load("breakthrough").replace(name="race", same_move=2)
    assert paragraph(race, "same_move") == ""
    anywhere = race.replace(same_move_in="game")
    assert "the same move 2 times" in paragraph(anywhere, "same_move")
    board = Board(anywhere)
    rng = random.Random(2)
    while not board.is_over:
        board.push(rng.choice(board.legal_moves))
    assert board.result == Result(None, "same_move")
