"""The Bulgarian box, sentence by sentence.

Interpretations, for questions that the box's sheet leaves open, are marked [R]. Kings drawn as
stacked men are tested with the drawing.
"""

from __future__ import annotations

import random

import pytest

from damka import Board, Game
from damka.rules import load
from tests.support import legal, offer_a_piece, outcome, play, wander

RULES = load("dama64")


# 1. The goal.


def test_a_side_without_pieces_loses() -> None:
    assert outcome(play(Game("dama64", "W:W18:B14"), "18x9")) == ("W", "no_pieces")
    assert outcome(play(Game("dama64", "B:W18:B14"), "14x23")) == ("B", "no_pieces")


def test_a_blocked_side_to_move_loses() -> None:
    # The man on 5 can only go to 9, next to White's man, and 14 behind is captured too.
    game = play(Game("dama64", "W:W13,14:B5"), "13-9")
    assert game.legal_moves == []
    assert outcome(game) == ("W", "no_moves")


# 2. The start.


def test_each_side_has_twelve_men_on_its_three_rows() -> None:
    """[R] On 8×8."""
    assert Board("dama64").pieces == "b" * 12 + "." * 8 + "w" * 12
    assert (RULES.width, RULES.height) == (8, 8)


def test_there_is_a_dark_square_at_each_players_left() -> None:
    """[R] White's left is the bottom left corner, Black's the top right one."""
    assert RULES.square_at(7, 0) == 29
    assert RULES.square_at(0, 7) == 4
    assert RULES.square_at(7, 7) is RULES.square_at(0, 0) is None


def test_white_moves_first() -> None:
    assert Board("dama64").turn == "W"
    assert RULES.colours == ("white", "black")


def test_a_rematch_draws_lots_again() -> None:
    """[R] Both outcomes happen, and the same game is played."""
    drawn = [Game("dama64").rematch(random.Random(seed)) for seed in range(20)]
    assert {swap for _, swap in drawn} == {True, False}
    assert {game.board.fen for game, _ in drawn} == {RULES.start_fen}


# 3. A man's move.


def test_a_man_moves_one_square_diagonally_forward_and_never_back() -> None:
    assert legal("dama64", "W:W18:B1") == {"18-14", "18-15"}
    assert legal("dama64", "B:W32:B15") == {"15-18", "15-19"}


# 4. A man's capture.


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("W:W22:B17", "22x13x17"),
        ("W:W22:B18", "22x15x18"),
        ("B:W17:B14", "14x21x17"),
        ("B:W18:B14", "14x23x18"),
    ],
)
def test_a_man_jumps_an_enemy_in_front_of_it_to_the_square_right_behind(
    fen: str, move: str
) -> None:
    assert legal("dama64", fen) == {move}


def test_a_man_jumps_only_adjacent_pieces() -> None:
    assert legal("dama64", "W:W22:B14") == {"22-17", "22-18"}


def test_a_man_does_not_jump_backwards() -> None:
    assert legal("dama64", "W:W14:B17,18") == {"14-9", "14-10"}


def test_a_man_jumps_neither_its_own_side_nor_onto_a_piece_nor_off_the_board() -> None:
    assert legal("dama64", "W:W22,18:B3") == {"22-17", "18-14", "18-15"}
    assert legal("dama64", "W:W22:B18,15") == {"22-17"}
    assert legal("dama64", "W:W25:B21") == {"25-22"}


def test_a_man_must_capture_if_it_can() -> None:
    assert legal("dama64", "W:W22,24:B18") == {"22x15x18"}


def test_with_several_jumps_possible_the_player_chooses() -> None:
    assert legal("dama64", "W:W22:B17,18") == {"22x13x17", "22x15x18"}


# 5. Chains.


def test_the_same_piece_must_capture_again_if_it_can() -> None:
    assert legal("dama64", "W:W30:B26,18") == {"30x14x18x26"}


def test_a_chain_may_zigzag() -> None:
    assert legal("dama64", "W:W30:B25,17,10") == {"30x7x10x17x25"}


def test_a_man_captures_only_forward_in_a_chain() -> None:
    # From 22 it could take 26 too, if it might turn back.
    assert legal("dama64", "W:W29:B25,26") == {"29x22x25"}


def test_a_kings_chain_may_go_any_way() -> None:
    """[R] Only men are limited to forward jumps."""
    assert legal("dama64", "W:WK29:B25,26") == {"29x31x25x26"}


# The king on 29 may take 15, 7, 6 and 14, to land on 18, or 15 and 8.
RETURN = "W:WK29:B6,7,8,14,15"


def test_captured_pieces_are_removed_after_the_chain() -> None:
    board = Board("dama64", RETURN)
    board.push("29x18")
    assert board.pieces == ".......b.........W.............."


def test_until_they_are_removed_captured_pieces_cannot_be_jumped_again_nor_crossed() -> None:
    """[R] Back on 18 the king stands before 15, already taken, and may not cross it to take 8."""
    assert legal("dama64", RETURN) == {"29x18x6x7x14x15", "29x4x8x15"}
    # A ring of four ends where it began, with nothing left to take.
    assert legal("dama64", "W:WK22:B9,10,17,18") == {"22x22x9x10x17x18"}


# 6. Several pieces at once.


@pytest.mark.parametrize("piece", ["29", "K29"])
def test_several_pieces_in_a_row_are_taken_if_there_is_an_empty_square_between(piece: str) -> None:
    assert legal("dama64", f"W:W{piece}:B25,18,11") == {"29x8x11x18x25"}


@pytest.mark.parametrize("piece", ["29", "K29"])
def test_two_pieces_without_an_empty_square_between_cannot_be_jumped(piece: str) -> None:
    assert legal("dama64", f"W:W{piece},21:B25,22") == {"21-17"}


# 7. Crowning.


@pytest.mark.parametrize(("fen", "move"), [("W:W5:B12", "5-1"), ("B:W21:B28", "28-32")])
def test_a_man_that_reaches_the_far_side_becomes_a_king(fen: str, move: str) -> None:
    board = Board("dama64", fen)
    side = board.turn
    played = board.push(move)
    assert played.crowns
    assert board.piece_at(played.end) == side


def test_crowning_ends_the_move() -> None:
    """[R] From 2 a king could take 7 as well; it may in its next move."""
    assert legal("dama64", "W:W9:B6,7,28") == {"9x2x6"}
    board = Board("dama64", "W:W9:B6,7,28")
    board.push("9x2")
    board.push("28-32")
    assert {move.hub() for move in board.legal_moves} == {"2x11x7"}


# 8. Kings.


def test_a_king_moves_any_distance_forwards_and_backwards() -> None:
    forwards, backwards = (10, 6, 1, 11, 8, 4), (18, 22, 25, 29, 19, 24, 28)
    moves = {f"15-{end}" for end in forwards + backwards}
    assert legal("dama64", "W:WK15:B3") == moves


def test_a_king_does_not_pass_its_own_pieces() -> None:
    assert legal("dama64", "W:WK29,18:B4") == {"29-25", "29-22", "18-14", "18-15"}


@pytest.mark.parametrize(
    ("victim", "landing"), [(25, 22), (22, 18), (18, 15), (15, 11), (11, 8), (8, 4)]
)
def test_however_far_away_the_piece_was_the_king_lands_right_behind_it(
    victim: int, landing: int
) -> None:
    assert legal("dama64", f"W:WK29:B{victim}") == {f"29x{landing}x{victim}"}


def test_a_king_captures_backwards_too() -> None:
    assert legal("dama64", "W:WK4:B11") == {"4x15x11"}
    assert legal("dama64", "B:W22:BK29") == {"29x18x22"}


def test_a_king_jumps_one_piece_at_a_time() -> None:
    assert legal("dama64", "W:WK29:B18,15") == {"29-25", "29-22"}


def test_a_king_may_change_direction_between_captures() -> None:
    assert legal("dama64", "W:WK29:B18,10") == {"29x6x10x18"}


def test_a_king_may_not_slide_and_then_turn_to_capture() -> None:
    # From 15 it could take 10; from 11, beyond where it must land, 7.
    slides = {f"29-{end}" for end in (25, 22, 18, 15, 11, 8, 4)}
    assert legal("dama64", "W:WK29:B10") == slides
    assert legal("dama64", "W:WK29:B18,7") == {"29x15x18"}


# 9. Who must capture.


def test_if_a_man_and_a_king_can_both_capture_the_king_must_be_used() -> None:
    assert legal("dama64", "W:W24:B18,19") == {"24x15x19"}
    assert legal("dama64", "W:WK29,24:B18,19") == {"29x15x18"}
    # Even if the man could take more.
    assert legal("dama64", "W:WK29,24:B22,19,10") == {"29x18x22"}


def test_between_kings_the_choice_is_free() -> None:
    assert legal("dama64", "W:WK29,K32:B18,27") == {"29x15x18", "32x14x18x27"}


def test_between_men_the_choice_is_free_when_no_king_can_capture() -> None:
    assert legal("dama64", "W:WK4,22,24:B17,19,10") == {"22x13x17", "24x6x10x19"}


def test_there_is_no_majority_rule() -> None:
    assert legal("dama64", "W:WK30:B26,25,17") == {"30x14x17x25", "30x23x26"}


# 10. Draws by agreement.


def test_players_may_agree_on_a_draw_with_one_king_each() -> None:
    game = Game("dama64", "W:WK30:BK3")
    game.offer_draw("W")
    game.accept_draw("B")
    assert outcome(game) == (None, "agreement")


@pytest.mark.parametrize("side", ["W", "B"])
@pytest.mark.parametrize("moves", [(), ("22-18",), ("22-18", "11-16")])
def test_a_draw_may_be_offered_at_any_time(side: str, moves: tuple[str, ...]) -> None:
    """[R] By either side."""
    game = play(Game("dama64"), *moves)
    game.offer_draw("W" if side == "W" else "B")
    assert game.draw_offer == side
    game.accept_draw("B" if side == "W" else "W")
    assert outcome(game) == (None, "agreement")


# 11. No progress.


def test_fifteen_moves_of_each_without_a_man_moved_or_a_capture_are_a_draw() -> None:
    """[R] Fifteen by each side: the thirtieth ply ends the game, the twenty-ninth does not."""
    game = wander(Game("dama64", "W:WK30,29:BK3,4"), 29)
    assert game.result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


def test_a_mans_move_starts_the_count_again() -> None:
    game = wander(Game("dama64", "W:WK30,29:BK3,4"), 28)
    man = next(move for move in game.legal_moves if not move.is_king)
    assert wander(play(game, str(man)), 29).result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


def test_a_capture_starts_the_count_again() -> None:
    game = offer_a_piece(Game("dama64", "W:WK30,K32:BK3,K5"))
    game.play(game.legal_moves[0])
    assert wander(game, 29).result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


# 12. Repetition.

CYCLE = ("30-26", "3-7", "26-30", "7-3")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    game = play(Game("dama64", "W:WK30:BK3"), *CYCLE, *CYCLE[:3])
    assert game.result is None
    assert outcome(play(game, CYCLE[3])) == (None, "repetition")


def test_positions_are_the_same_only_with_the_same_side_to_move() -> None:
    """[R] The arrangement of the start comes back with Black to move and then with White."""
    game = play(Game("dama64", "W:WK30:BK3"), "30-26", "3-7", "26-23", "7-3", "23-30")
    play(game, "3-7", "30-26", "7-10", "26-30", "10-3")
    assert game.result is None
    assert outcome(play(game, *CYCLE)) == (None, "repetition")
