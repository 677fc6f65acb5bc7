"""The Italian box, sentence by sentence; interpretations are marked [R].
Details of huffing (4) are tested in test_huffing.
"""

from __future__ import annotations

import random

import pytest

from damka import Board, Game
from damka.errors import IllegalMoveError
from damka.rules import load
from tests.support import legal, offer_a_piece, outcome, play, wander

RULES = load("dama100")


# 1. The start.


def test_twenty_green_and_twenty_blue_men_fill_the_first_four_rows() -> None:
    """[R] On 10×10."""
    assert Board("dama100").pieces == "b" * 20 + "." * 10 + "w" * 20
    assert (RULES.width, RULES.height) == (10, 10)
    assert set(RULES.colours) == {"green", "blue"}


def test_blue_begins() -> None:
    assert RULES.colours["WB".index(Board("dama100").turn)] == "blue"


def test_there_is_a_playing_square_at_each_players_left() -> None:
    """[R]"""
    assert RULES.square_at(9, 0) == 46
    assert RULES.square_at(0, 9) == 5
    assert RULES.square_at(9, 9) is RULES.square_at(0, 0) is None


# 2. Men.


def test_a_man_moves_one_square_diagonally_forward() -> None:
    assert legal("dama100", "W:W33:B1") == {"33-28", "33-29"}
    assert legal("dama100", "B:W50:B18") == {"18-22", "18-23"}


@pytest.mark.parametrize(("fen", "move"), [("W:W8:B16", "8-2"), ("B:W36:B43", "43-48")])
def test_on_the_last_row_a_man_becomes_a_king(fen: str, move: str) -> None:
    board = Board("dama100", fen)
    side = board.turn
    assert board.push(move).crowns
    assert board.piece_at(int(move.split("-")[1])) == side


def test_a_man_that_ends_its_capture_on_the_last_row_becomes_a_king() -> None:
    board = Board("dama100", "W:W11:B7,40")
    assert board.push("11x2").crowns
    assert board.piece_at(2) == "W"


def test_a_man_that_only_passes_the_last_row_during_a_capture_stays_a_man() -> None:
    """[R] It continues as a man: it does not capture 19, far away from 2."""
    assert legal("dama100", "W:W11:B7,8,40") == {"11x13x7x8"}
    board = Board("dama100", "W:W11:B7,8,40")
    assert not board.push("11x13").crowns
    assert board.piece_at(13) == "w"
    assert legal("dama100", "W:W11:B7,24") == {"11x2x7"}


# 3. Kings.


def test_a_king_moves_one_or_more_squares_diagonally_in_any_direction() -> None:
    ways = ((22, 17, 11, 6), (23, 19, 14, 10, 5), (32, 37, 41, 46), (33, 39, 44, 50))
    moves = {f"28-{end}" for way in ways for end in way}
    assert legal("dama100", "W:WK28:B1") == moves


# 4. Capturing is compulsory, or else.


def test_a_player_who_does_not_capture_loses_the_piece_that_should_have() -> None:
    game = Game("dama100", "W:W33,48:B29,3")
    assert {move.hub() for move in game.legal_moves} == {"33x24x29"}
    play(game, "48-42")
    assert game.offences == (33,)
    game.huff(33)
    assert game.board.piece_at(33) is None
    assert game.turn == "B"


def test_players_may_choose_to_be_forced_instead() -> None:
    game = Game("dama100", "W:W33,48:B29,3", obligation="forced")
    with pytest.raises(IllegalMoveError):
        game.play("48-42")


# 5. How men capture.


def test_a_man_captures_forwards_or_backwards() -> None:
    assert legal("dama100", "W:W28:B23") == {"28x19x23"}
    assert legal("dama100", "W:W28:B33") == {"28x39x33"}


def test_a_man_captures_only_over_an_adjacent_piece_with_a_free_square_behind_it() -> None:
    assert legal("dama100", "W:W28:B19") == {"28-22", "28-23"}
    assert legal("dama100", "W:W28:B23,19") == {"28-22"}
    assert legal("dama100", "W:W30:B25") == {"30-24"}


def test_a_man_that_can_capture_again_continues() -> None:
    assert legal("dama100", "W:W28:B23,24") == {"28x30x23x24"}


def test_then_the_turn_passes() -> None:
    board = Board("dama100", "W:W28:B23,24,1")
    board.push("28x30")
    assert board.turn == "B"


# 6. How kings capture.


@pytest.mark.parametrize("victim", [41, 37, 32, 28, 23, 19, 14, 10])
def test_a_king_captures_a_piece_near_or_far_if_a_square_behind_it_is_free(victim: int) -> None:
    """[R] And lands on any free square behind it."""
    line = [41, 37, 32, 28, 23, 19, 14, 10, 5]
    landings = line[line.index(victim) + 1 :]
    assert legal("dama100", f"W:WK46:B{victim}") == {f"46x{end}x{victim}" for end in landings}


def test_a_king_does_not_capture_without_a_free_square_behind() -> None:
    assert legal("dama100", "W:WK46:B28,23") == {"46-41", "46-37", "46-32"}
    assert legal("dama100", "W:WK46:B5") == {f"46-{s}" for s in (41, 37, 32, 28, 23, 19, 14, 10)}


def test_a_king_captures_forwards_or_backwards() -> None:
    assert legal("dama100", "W:WK5:B32") == {"5x37x32", "5x41x32", "5x46x32"}


def test_a_king_may_change_diagonal_if_a_further_capture_is_possible() -> None:
    # From 19, reached over 28, it takes 13.
    assert legal("dama100", "W:WK46:B28,13") == {"46x8x13x28", "46x2x13x28"}


# 7. The most pieces.

THREE_MEN_OR_TWO_KINGS = "B:WK28,K37,29,30,20:B23"


def test_three_men_must_be_taken_rather_than_two_kings() -> None:
    assert legal("dama100", THREE_MEN_OR_TWO_KINGS) == {"23x14x20x29x30"}
    # With one man less the numbers are equal, and the choice is free.
    assert legal("dama100", "B:WK28,K37,29,30:B23") == {"23x41x28x37", "23x25x29x30"}


def test_a_king_counts_as_one_piece() -> None:
    assert legal("dama100", "B:WK28,29,30:B23") == {"23x25x29x30"}
    assert legal("dama100", "B:WK28,29:B23") == {"23x32x28", "23x34x29"}


def test_there_is_no_priority_for_capturing_with_a_king() -> None:
    by_king = {f"46x{end}x41" for end in (37, 32, 28, 23, 19, 14, 10, 5)}
    assert legal("dama100", "W:WK46,24,25:B41,20") == by_king | {"24x15x20", "25x14x20"}


@pytest.mark.parametrize("move", ["23x41", "23x32x41", "23x32"])
def test_a_smaller_capture_is_refused_and_never_huffed(move: str) -> None:
    game = Game("dama100", THREE_MEN_OR_TWO_KINGS)
    with pytest.raises(IllegalMoveError):
        game.play(move)
    assert game.turn == "B"
    assert game.offences == ()


# 8. Removal.


def test_captured_pieces_are_removed_after_the_chain() -> None:
    """[R] Back on 48 the king may not go over 34, already taken, to take 30."""
    assert legal("dama100", "W:WK40:BK28,30,34,42") == {"40x48x28x34x42"}


# 9. Winning.


def test_a_player_wins_when_the_opponent_has_no_piece_left() -> None:
    assert outcome(play(Game("dama100", "W:W28:B23"), "28x19")) == ("W", "no_pieces")


def test_a_player_wins_when_the_opponent_cannot_move_on_their_turn() -> None:
    # 11 and 17 block the man on 6.
    assert outcome(play(Game("dama100", "W:W16,17:B6"), "16-11")) == ("W", "no_moves")


# 10. The same move.

CYCLE = ("48-42", "3-8", "42-48", "8-3")


def test_the_same_move_in_the_same_position_for_the_third_time_is_a_draw() -> None:
    """[R]"""
    game = play(Game("dama100", "W:WK48:BK3"), *CYCLE, *CYCLE)
    assert game.result is None
    assert outcome(play(game, CYCLE[0])) == (None, "same_move")


def test_another_move_in_the_same_position_is_not_the_same_move() -> None:
    """[R] The position occurs for the fourth time, and no rule of this box counts that."""
    game = play(Game("dama100", "W:WK48:BK3"), *CYCLE, *CYCLE)
    play(game, "48-43", "3-9", "43-48", "9-3")
    assert game.result is None


# 11. No progress.


def test_twenty_moves_of_each_without_a_capture_or_a_mans_move_are_a_draw() -> None:
    """[R] The fortieth ply ends the game, the thirty-ninth does not."""
    game = wander(Game("dama100", "W:WK48,47:BK3,4"), 39)
    assert game.result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


def test_a_mans_move_starts_the_count_of_twenty_again() -> None:
    """[R]"""
    game = play(wander(Game("dama100", "W:WK48,46:BK3,5"), 38), "46-41")
    assert wander(game, 39).result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


def test_a_capture_starts_the_count_of_twenty_again() -> None:
    """[R]"""
    game = offer_a_piece(Game("dama100", "W:WK48,K47:BK3,K4"))
    game.play(game.legal_moves[0])
    assert wander(game, 39).result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


# 12. Agreement, and the next game.


def test_players_may_agree_on_a_draw() -> None:
    """[R]"""
    game = Game("dama100")
    game.offer_draw("B")
    game.accept_draw("W")
    assert outcome(game) == (None, "agreement")


def test_a_rematch_draws_lots() -> None:
    swaps = {Game("dama100").rematch(random.Random(seed))[1] for seed in range(20)}
    assert swaps == {True, False}
