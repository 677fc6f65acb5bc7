"""The American rules of the on-screen game, sentence by sentence.
Interpretations are marked [R]. Moving pieces (9), messages to a player who is stuck (10) and the
look of pieces and boards (11) are tested with the page and the drawing.
"""

from __future__ import annotations

import random

import pytest

from damka import Board, Game
from damka.errors import IllegalMoveError
from damka.rules import load
from tests.support import legal, offer_a_piece, outcome, play, wander

RULES = load("american")


# 1. The board.


def test_each_player_has_a_dark_square_at_the_far_left_and_a_light_one_at_the_far_right() -> None:
    near, far = RULES.height - 1, 0
    assert RULES.square_at(near, 0) == 29
    assert RULES.square_at(near, 7) is None
    assert RULES.square_at(far, 7) == 4
    assert RULES.square_at(far, 0) is None


def test_play_is_on_the_dark_squares() -> None:
    """They touch only at their corners, and there are 32."""
    cells = {RULES.cell(square) for square in range(1, RULES.square_count + 1)}
    assert len(cells) == 32
    assert not any(
        (row, column + 1) in cells or (row + 1, column) in cells for row, column in cells
    )


def test_the_double_corner_is_the_pair_of_dark_squares_near_the_right_corner() -> None:
    assert (RULES.square_at(7, 6), RULES.square_at(6, 7)) == (32, 28)
    assert (RULES.square_at(0, 1), RULES.square_at(1, 0)) == (1, 5)
    # A king there has a single exit, which makes it a refuge.
    assert legal("american", "W:WK32:B3") == {"32-27", "32-28"}


def test_each_side_has_twelve_pieces_on_its_nearest_dark_squares() -> None:
    assert Board("american").pieces == "b" * 12 + "." * 8 + "w" * 12


# 2. Colours, and who begins.


def test_the_pieces_are_red_and_white() -> None:
    assert RULES.colours == ("white", "red")


def test_red_moves_first() -> None:
    assert RULES.colours["WB".index(Board("american").turn)] == "red"


def test_colours_alternate_in_the_following_games() -> None:
    swaps = {Game("american").rematch(random.Random(seed))[1] for seed in range(20)}
    assert swaps == {True}


# 3. Moves.


def test_a_man_moves_one_square_diagonally_forward() -> None:
    assert legal("american", "W:W18:B1") == {"18-14", "18-15"}
    assert legal("american", "B:W32:B15") == {"15-18", "15-19"}


def test_a_king_moves_one_square_diagonally_forward_or_backward() -> None:
    assert legal("american", "W:WK18:B1") == {"18-14", "18-15", "18-22", "18-23"}


def test_a_piece_moves_only_to_an_empty_square() -> None:
    own = legal("american", "W:WK18,14,15,22,23:B1")
    assert not any(move.startswith("18-") for move in own)
    # Between two enemies that are covered, a king has nowhere to go.
    assert legal("american", "B:W9,6,14,10:BK1,K5") == set()


# 4. Jumps.


def test_a_jump_goes_over_the_adjacent_enemy_to_the_empty_square_behind() -> None:
    assert legal("american", "W:W22:B18") == {"22x15x18"}
    assert legal("american", "W:W22:B18,15") == {"22-17"}
    assert legal("american", "W:WK22:B15") == {"22-17", "22-18", "22-25", "22-26"}


def test_a_king_jumps_forward_or_backward_and_any_other_piece_only_forward() -> None:
    assert legal("american", "W:WK18:B14,15,22,23") == {
        *("18x9x14", "18x11x15", "18x25x22", "18x27x23")
    }
    assert legal("american", "W:W18:B14,15,22,23") == {"18x9x14", "18x11x15"}
    assert legal("american", "W:W18:B22,23") == {"18-14", "18-15"}


def test_a_multiple_jump_may_change_direction() -> None:
    assert legal("american", "W:W30:B26,19") == {"30x16x19x26"}
    assert legal("american", "W:WK30:B17,18,26") == {"30x21x17x18x26"}


def test_a_multiple_jump_is_made_by_one_piece_only() -> None:
    # The man on 30 takes 26 and stops; the one on 24 cannot take 19 in the same move.
    assert legal("american", "W:W30,24:B26,20") == {"30x23x26"}


def test_each_jump_takes_one_piece() -> None:
    assert legal("american", "W:W30:B26,23") == {"30-25"}
    board = Board("american", "W:W30:B26,19")
    assert board.push("30x16").captures == (19, 26)


def test_jumped_pieces_are_removed() -> None:
    board = Board("american", "W:W30:B26,19,4")
    board.push("30x16")
    assert board.fen == "B:W16:B4"


def test_a_piece_never_jumps_its_own_side() -> None:
    assert legal("american", "W:W22,18:B3") == {"22-17", "18-14", "18-15"}
    assert legal("american", "W:WK22,18:B14") == {"18x9x14"}


def test_a_piece_never_jumps_the_same_piece_twice_in_one_move() -> None:
    # Round the ring back to 22, and there it ends.
    assert legal("american", "W:WK22:B9,10,17,18") == {"22x22x9x10x17x18"}


@pytest.mark.parametrize("jumper", ["22", "K22"])
def test_a_man_or_a_king_may_jump_a_king(jumper: str) -> None:
    assert legal("american", f"W:W{jumper}:BK18") == {"22x15x18"}


# 5. Jumping is compulsory.


def test_if_you_can_jump_you_must() -> None:
    assert legal("american", "W:W22,24:B18") == {"22x15x18"}
    board = Board("american", "W:W22,24:B18")
    with pytest.raises(IllegalMoveError):
        board.push("24-20")


def test_a_multiple_jump_must_be_completed() -> None:
    assert legal("american", "W:W30:B26,19") == {"30x16x19x26"}
    with pytest.raises(IllegalMoveError):
        Board("american", "W:W30:B26,19").push("30x23")


def test_with_a_choice_of_jumps_any_may_be_taken_whether_or_not_some_are_multiple() -> None:
    assert legal("american", "W:W22:B17,18,11") == {"22x13x17", "22x8x11x18"}
    assert legal("american", "W:WK14,22:B18,9") == {"14x5x9", "14x23x18", "22x15x18"}


# 6. Crowning.


@pytest.mark.parametrize(("fen", "move"), [("W:W5:B12", "5-1"), ("B:W21:B28", "28-32")])
def test_a_piece_that_reaches_the_last_row_becomes_a_king(fen: str, move: str) -> None:
    board = Board("american", fen)
    side = board.turn
    assert board.push(move).crowns
    assert board.piece_at(int(move.split("-")[1])) == side


def test_a_new_king_cannot_go_on_jumping_until_the_next_move() -> None:
    board = Board("american", "W:W9:B6,7,28")
    assert [move.hub() for move in board.legal_moves] == ["9x2x6"]
    board.push("9x2")
    board.push("28-32")
    assert [move.hub() for move in board.legal_moves] == ["2x11x7"]


# 7. Turns.


def test_turns_alternate_one_move_each() -> None:
    board = Board("american")
    turns = []
    for _ in range(6):
        turns.append(board.turn)
        board.push(board.legal_moves[0])
    assert turns == ["B", "W"] * 3


def test_a_player_who_cannot_move_loses() -> None:
    game = play(Game("american", "W:W13,14:B5"), "13-9")
    assert outcome(game) == ("W", "no_moves")
    assert outcome(play(Game("american", "W:W22:B18"), "22x15")) == ("W", "no_pieces")


# 8. Draws.


def test_players_may_agree_on_a_draw() -> None:
    """[R]"""
    game = Game("american")
    game.offer_draw("B")
    game.accept_draw("W")
    assert outcome(game) == (None, "agreement")


def test_the_same_position_three_times_is_a_draw() -> None:
    """[R]"""
    cycle = ("30-26", "3-7", "26-30", "7-3")
    game = play(Game("american", "W:WK30:BK3"), *cycle, *cycle[:3])
    assert game.result is None
    assert outcome(play(game, cycle[3])) == (None, "repetition")


def test_forty_moves_of_each_without_a_mans_move_or_a_capture_are_a_draw() -> None:
    """[R] The eightieth ply ends the game, the seventy-ninth does not."""
    game = wander(Game("american", "W:WK30,29:BK3,4"), 79)
    assert game.result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


def test_a_mans_move_starts_the_count_of_forty_again() -> None:
    """[R]"""
    game = wander(Game("american", "W:WK30,29:BK3,4"), 78)
    man = next(move for move in game.legal_moves if not move.is_king)
    assert wander(play(game, str(man)), 79).result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


def test_a_capture_starts_the_count_of_forty_again() -> None:
    """[R]"""
    game = offer_a_piece(Game("american", "W:WK30,K18:BK3,K11"))
    game.play(game.legal_moves[0])
    assert wander(game, 79).result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")
