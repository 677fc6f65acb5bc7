"""Every value of every parameter, and semantics shared by all rule sets."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from damka import Board, Game
from damka.errors import FenError, IllegalMoveError, RulesError
from damka.notation import hub
from damka.refusal import parse_hub
from damka.rules import PARAMETERS, Rules, load, names
from tests.support import legal, outcome, play, published_positions, wander

PLAIN = load("dama64").replace(name="plain", king_landing="any", precedence=[])
"""8×8, men capture forward, kings fly and land anywhere, free choice of capture."""


def rules(**changes: Any) -> Rules:
    return PLAIN.replace(**changes)


# The board and the start


@pytest.mark.parametrize("width", [8, 10])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_width_and_height_and_rows(width: int, rows: int) -> None:
    board = Board(rules(width=width, height=width, rows=rows))
    men = rows * width // 2
    assert board.square_count == width * width // 2
    assert board.pieces == "b" * men + "." * (board.square_count - 2 * men) + "w" * men


def test_dark_corner_mirrors_the_board() -> None:
    # In the corner at White's left a man has a single move.
    assert legal(rules(dark_corner="left"), "W:W29:B1") == {"29-25"}
    assert legal(rules(dark_corner="left"), "W:W32:B1") == {"32-27", "32-28"}
    assert legal(rules(dark_corner="right"), "W:W29:B1") == {"29-25", "29-26"}
    assert legal(rules(dark_corner="right"), "W:W32:B1") == {"32-28"}


@pytest.mark.parametrize("side", ["W", "B"])
def test_the_first_side_begins(side: str) -> None:
    board = Board(rules(first=side))
    assert board.turn == side
    assert all(board.piece_at(move.start) == side.lower() for move in board.legal_moves)


def test_the_bottom_side_moves_up_even_if_it_is_second() -> None:
    assert legal(rules(first="B"), "W:W18:B1") == {"18-14", "18-15"}
    assert legal(rules(first="B"), "B:W32:B18") == {"18-22", "18-23"}


def test_colours_are_only_names() -> None:
    red = rules(colours=["red", "green"])
    assert Board(red).legal_moves == Board(PLAIN).legal_moves
    assert Board(red).fen == Board(PLAIN).fen


# Men and kings


def test_man_capture() -> None:
    assert legal(rules(man_capture="forward"), "W:W18:B14,22,23") == {"18x9x14"}
    assert legal(rules(man_capture="all"), "W:W18:B14,22,23") == {
        *("18x9x14", "18x25x22", "18x27x23")
    }


def test_a_man_that_captures_backwards_still_moves_forward_only() -> None:
    assert legal(rules(man_capture="all"), "W:W18:B1") == {"18-14", "18-15"}


def test_man_takes_king() -> None:
    assert legal(rules(man_takes_king=True), "W:W22:BK18") == {"22x15x18"}
    assert legal(rules(man_takes_king=False), "W:W22:BK18") == {"22-17"}
    assert legal(rules(man_takes_king=False), "W:WK22:BK18") == {
        *("22x15x18", "22x11x18", "22x8x18", "22x4x18")
    }


def test_a_king_that_a_man_may_not_take_ends_its_chain() -> None:
    assert legal(rules(man_takes_king=False), "W:W30:B26,K19") == {"30x23x26"}


def test_king_range_of_a_quiet_move() -> None:
    assert legal(rules(king_range="short"), "W:WK29:B1") == {"29-25"}
    assert legal(rules(king_range="flying"), "W:WK29:B1") == {
        *("29-25", "29-22", "29-18", "29-15", "29-11", "29-8", "29-4")
    }


def test_king_range_of_a_capture() -> None:
    assert legal(rules(king_range="short"), "W:WK29:B18") == {"29-25"}
    assert legal(rules(king_range="short"), "W:WK22:B18") == {"22x15x18"}
    assert legal(rules(king_range="flying"), "W:WK29:B18") == {
        *("29x15x18", "29x11x18", "29x8x18", "29x4x18")
    }


def test_king_landing() -> None:
    assert legal(rules(king_landing="any"), "W:WK14:B10") == {"14x7x10", "14x3x10"}
    assert legal(rules(king_landing="adjacent"), "W:WK14:B10") == {"14x7x10"}


def test_king_landing_counts_for_every_capture_of_a_chain() -> None:
    assert legal(rules(king_landing="any"), "W:WK29:B18,7") == {"29x2x7x18"}
    assert legal(rules(king_landing="adjacent"), "W:WK29:B18,7") == {"29x15x18"}


def test_king_landing_behind_a_king_taken_last() -> None:
    one, two = "W:WK29:BK18", "W:WK29:B22,K11"
    ends = {"any": {8, 4}, "killer": {8}}
    for value, squares in ends.items():
        assert legal(rules(king_landing=value), two) == {f"29x{end}x11x22" for end in squares}
    assert legal(rules(king_landing="killer"), one) == {"29x15x18"}
    # Behind a man the landing is free.
    assert legal(rules(king_landing="killer"), "W:WK29:BK22,11") == {"29x8x11x22", "29x4x11x22"}


def test_king_landing_is_ignored_for_short_kings() -> None:
    american = load("american")
    adjacent = american.replace(king_landing="adjacent")
    for fen, moves in published_positions("american"):
        assert legal(adjacent, fen) == legal(american, fen) == set(moves)


def test_capture_lines_are_diagonal() -> None:
    # Pieces beside, above and below 18 cannot be captured.
    assert legal(rules(), "W:W18:B17,19,10,26") == {"18-14", "18-15"}
    with pytest.raises(RulesError, match="capture_lines"):
        rules(capture_lines="orthogonal")


# Removal

RETURN = "W:WK29:B6,7,8,14,15"


def test_removal_after_the_move() -> None:
    """A captured piece stays on the board until the end: from 18 the king cannot cross 15 again."""
    assert legal(rules(removal="after", king_landing="adjacent"), RETURN) == {
        *("29x4x8x15", "29x18x6x7x14x15")
    }


def test_with_immediate_removal_a_captured_pieces_square_may_be_crossed() -> None:
    immediate = rules(removal="immediate", king_landing="adjacent", u_turn=False)
    assert legal(immediate, RETURN) == {"29x4x8x15", "29x4x6x7x8x14x15"}


def test_with_immediate_removal_a_captured_pieces_square_is_a_landing_square() -> None:
    fen, onto_seven = "W:WK3:B7,11,26,27", "3x7x7x11x26x27"
    assert onto_seven in legal(rules(removal="immediate", u_turn=False), fen)
    assert onto_seven not in legal(rules(removal="after", u_turn=False), fen)


def test_immediately_removed_pieces_stay_removed() -> None:
    board = Board(rules(removal="immediate"), "W:WK22:B18,25,1")
    board.push("22x4x29")
    assert board.fen == "B:WK29:B1"


def test_u_turn() -> None:
    turning, straight = (rules(removal="immediate", u_turn=u) for u in (True, False))
    one_way = {"22x15x18", "22x11x18", "22x8x18", "22x4x18", "22x29x25"}
    assert legal(straight, "W:WK22:B18,25") == one_way
    assert legal(turning, "W:WK22:B18,25") == {
        *("22x29x18x25", "22x4x18x25", "22x8x18x25", "22x11x18x25", "22x15x18x25")
    }


def test_u_turn_of_a_king_crowned_during_its_capture() -> None:
    crowned = rules(removal="immediate", promotion="go")
    assert legal(crowned, "W:W11:B7,16") == {"11x20x7x16"}
    assert legal(crowned.replace(u_turn=False), "W:W11:B7,16") == {"11x2x7"}


def test_u_turn_matters_only_with_immediate_removal() -> None:
    international = load("international")
    for fen, moves in published_positions("international"):
        assert legal(international.replace(u_turn=False), fen) == set(moves)


# Promotion in a capture

PASSING = "W:W9:B6,7,28"


@pytest.mark.parametrize("man_capture", ["forward", "all"])
def test_promotion_stop(man_capture: str) -> None:
    board = Board(rules(promotion="stop", man_capture=man_capture), PASSING)
    (move,) = board.legal_moves
    assert (move.hub(), move.crowns) == ("9x2x6", True)


def test_promotion_pass_continues_as_a_man() -> None:
    board = Board(rules(promotion="pass", man_capture="all"), PASSING)
    (move,) = board.legal_moves
    assert (move.hub(), move.crowns) == ("9x11x6x7", False)
    board.push(move)
    assert board.piece_at(11) == "w"


def test_promotion_pass_crowns_a_man_that_ends_there() -> None:
    for man_capture, fen in (("all", "W:W9:B6,28"), ("forward", PASSING)):
        board = Board(rules(promotion="pass", man_capture=man_capture), fen)
        (move,) = board.legal_moves
        assert (move.hub(), move.crowns) == ("9x2x6", True)
        board.push(move)
        assert board.piece_at(2) == "W"


def test_promotion_go_continues_with_all_rights_of_a_king() -> None:
    go = rules(promotion="go")
    # It captures backwards and lands on any square,
    assert legal(go, PASSING) == {"9x11x6x7", "9x16x6x7", "9x20x6x7"}
    # or where kings must land,
    assert legal(go.replace(king_landing="adjacent"), PASSING) == {"9x11x6x7"}
    # at any distance,
    assert legal(go, "W:W9:B6,16") == {"9x20x6x16"}
    # or not if kings are short,
    assert legal(go.replace(king_range="short"), "W:W9:B6,16") == {"9x2x6"}
    assert legal(go.replace(king_range="short"), PASSING) == {"9x11x6x7"}
    # and captures kings even if men may not.
    assert legal(go.replace(man_takes_king=False), "W:W9:B6,K16") == {"9x20x6x16"}


def test_promotion_go_remains_a_king() -> None:
    board = Board(rules(promotion="go"), PASSING)
    assert all(move.crowns and not move.is_king for move in board.legal_moves)
    board.push("9x2x11")
    assert board.piece_at(11) == "W"


# Precedence


@pytest.mark.parametrize(
    ("precedence", "fen", "moves"),
    [
        # Two men, or one king.
        ([], "W:W22:B17,9,K18", {"22x6x9x17", "22x15x18"}),
        (["count"], "W:W22:B17,9,K18", {"22x6x9x17"}),
        (["kings"], "W:W22:B17,9,K18", {"22x15x18"}),
        (["count", "kings"], "W:W22:B17,9,K18", {"22x6x9x17"}),
        (["kings", "count"], "W:W22:B17,9,K18", {"22x15x18"}),
        # One man by a king, or two by a man.
        ([], "W:WK4,15,22:B8,9,17", {"4x11x8", "22x6x9x17"}),
        (["with_king"], "W:WK4,15,22:B8,9,17", {"4x11x8"}),
        (["count", "with_king"], "W:WK4,15,22:B8,9,17", {"22x6x9x17"}),
        (["with_king", "count"], "W:WK4,15,22:B8,9,17", {"4x11x8"}),
        # A man and a king, in either order.
        (["kings"], "W:W30:BK26,19,25,K17", {"30x16x19x26", "30x14x17x25"}),
        (["king_early"], "W:W30:BK26,19,25,K17", {"30x16x19x26"}),
        (["count", "king_early"], "W:W30:BK26,19,25,K17", {"30x16x19x26"}),
        # A king, or a man and then a king.
        (["king_early"], "W:W30:BK26,25,K17", {"30x23x26"}),
        (["count", "king_early"], "W:W30:BK26,25,K17", {"30x14x17x25"}),
        # A king, or a king and then a man: a man in second place adds nothing.
        (["king_early"], "W:W30:BK26,K25,17", {"30x23x26", "30x14x17x25"}),
        (["king_early", "count"], "W:W30:BK26,K25,17", {"30x14x17x25"}),
        # A king, or two kings: a king in second place counts.
        (["king_early"], "W:W30:BK26,K25,K17", {"30x14x17x25"}),
    ],
)
def test_precedence_keys_are_compared_left_to_right_larger_first(
    precedence: list[str], fen: str, moves: set[str]
) -> None:
    assert legal(rules(precedence=precedence), fen) == moves


def test_points_count_a_man_for_one_and_a_king_for_two() -> None:
    kings, men = "31x15x19x27", "31x6x9x17x26"
    fen = "W:W31:B26,17,9,K27,K19"
    assert legal(rules(precedence=["points"]), fen) == {kings}
    assert legal(rules(precedence=["count"]), fen) == {men}
    # One king and two men are worth the same; by `value` the men are worth more.
    equal = "W:W31:B26,17,K27"
    assert legal(rules(precedence=["points"]), equal) == {"31x13x17x26", "31x24x27"}
    assert legal(rules(precedence=["value"]), equal) == {"31x13x17x26"}
    with pytest.raises(RulesError, match="king_early"):
        rules(precedence=["points", "king_early"])


def test_with_king_depends_on_the_piece_before_the_move() -> None:
    # A man crowned during its capture has no precedence over another man.
    go = rules(promotion="go", precedence=["with_king"])
    assert legal(go, "W:W9,24:B6,16,19") == {"9x20x6x16", "24x15x19"}


# Semantics shared by all rule sets

RING = "W:WK22:B9,10,17,K18"


def test_routes_with_the_same_effect_are_one_move() -> None:
    board = Board(rules(king_landing="adjacent"), RING)
    (move,) = board.legal_moves
    assert board.routes(move) == ((22, 13, 6, 15, 22), (22, 15, 6, 13, 22))
    assert board.perft(1) == 1


def test_a_move_has_the_first_of_its_routes() -> None:
    board = Board(rules(king_landing="adjacent"), RING)
    (move,) = board.legal_moves
    assert move.route == board.routes(move)[0]
    assert move.hub() == "22x22x9x10x17x18"


def test_any_route_of_a_move_may_be_played() -> None:
    for route in ("22x13x6x15x22", "22x15x6x13x22"):
        board = Board(rules(king_landing="adjacent"), RING)
        board.push(route)
        assert board.fen == "B:WK22:B"


def test_precedence_is_applied_to_every_route() -> None:
    board = Board(rules(king_landing="adjacent", precedence=["king_early"]), RING)
    (move,) = board.legal_moves
    assert board.routes(move) == ((22, 15, 6, 13, 22),)
    with pytest.raises(IllegalMoveError):
        board.push("22x13x6x15x22")


def test_moves_with_other_ends_or_captures_are_different() -> None:
    assert legal(rules(), "W:WK14:B10") == {"14x7x10", "14x3x10"}
    assert legal(rules(man_capture="all"), "W:W22:B9,10,17") == {"22x15x9x10x17"}
    # From 22 to 6 over 17 and 9, or over 18 and 10
    assert legal(rules(precedence=["count"]), "W:W22:B17,18,9,10") == {"22x6x9x17", "22x6x10x18"}


def test_during_a_capture_the_origin_may_be_landed_on() -> None:
    ring = "W:W22:B9,10,17,18"
    assert legal(rules(man_capture="all"), ring) == {"22x22x9x10x17x18"}


def test_during_a_capture_the_origin_may_be_crossed() -> None:
    board = Board(load("dama64"), "W:WK18:B16,22,23,24,K32")
    # From 11 to 25 over 22, and over 18, the king's origin
    assert (18, 27, 20, 11, 25) in {move.route for move in board.legal_moves}


def test_a_flying_king_must_land_where_it_can_continue() -> None:
    # Behind 18 are 15, 11, 8 and 4; from 11 the king can capture 7.
    assert legal(rules(), "W:WK29:B18") == {"29x15x18", "29x11x18", "29x8x18", "29x4x18"}
    assert legal(rules(), "W:WK29:B18,7") == {"29x2x7x18"}


def test_a_king_may_choose_among_landings_that_continue() -> None:
    # From 15 it captures 10, from 11 it captures 7.
    assert legal(rules(), "W:WK29:B18,7,10") == {"29x6x10x18", "29x1x10x18", "29x2x7x18"}


def test_a_man_on_its_own_crowning_row_is_refused_with_a_code() -> None:
    for fen in ("W:W3:B12", "W:W12:B30"):
        with pytest.raises(FenError) as caught:
            Board(rules(), fen)
        assert caught.value.code == "crowning_row"
    assert Board(rules(), "W:WK3:BK30").pieces[2] == "W"
    assert Board(rules(), "W:W30:B3").pieces[2] == "b"


@pytest.mark.parametrize("name", names())
def test_squares_are_numbered_from_whites_top_left_on_every_rule_set(name: str) -> None:
    chosen = load(name)
    bottom_left = chosen.square_count - chosen.row_length + 1
    top_right = chosen.row_length
    board = Board(chosen, f"W:W{bottom_left}:B{top_right + 1}")
    assert board.pieces[top_right] == "b"
    ends = {chosen.cell(move.end) for move in board.legal_moves}
    row, column = chosen.cell(bottom_left)
    diagonal = {(row - 1, c) for c in (column - 1, column + 1) if c >= 0}
    straight = {(row - 1, column), (row, column + 1)}
    lines = chosen.move_lines
    assert ends == (diagonal if "diagonal" in lines else set()) | (
        straight if "orthogonal" in lines else set()
    )


def test_a_text_of_two_squares_is_a_move_and_a_longer_one_a_route() -> None:
    american = load("american")
    assert Board(american).push("9-13").hub() == "9-13"
    assert Board(american, "W:W22:B18").push("22x15").hub() == "22x15x18"
    assert Board(american, "W:W22:B18,11").push("22x15x8").hub() == "22x8x11x18"
    # The captured squares are not a route.
    with pytest.raises(IllegalMoveError):
        Board(american, "W:W22:B18,11").push("22x8x11x18")


def test_algebraic_moves_are_accepted_by_all_rule_sets() -> None:
    for name in ("dama64", "american"):
        board = Board(name, "W:W22:B1")
        assert board.push("c3-d4").hub() == "22-18"
    assert Board("dama100").push("d4-e5").hub() == "32-28"


def test_hub_notation_has_its_own_parser_and_printer() -> None:
    board = Board("american", "W:W22:B18,11")
    move = parse_hub(board, "22x8x11x18")
    assert hub.format(move) == "22x8x11x18"
    assert board.push(move).end == 8


# Obligation, the end of the game, and rematches


def test_obligation_does_not_change_the_legal_moves() -> None:
    forced, huff = rules(obligation="forced"), rules(obligation="huff")
    assert legal(forced, "W:W22,24:B18") == legal(huff, "W:W22,24:B18") == {"22x15x18"}
    assert Board(huff).perft(5) == Board(forced).perft(5)


def test_forced_obligation_refuses_a_quiet_move_and_huff_allows_it() -> None:
    with pytest.raises(IllegalMoveError):
        play(Game(rules(obligation="forced"), "W:W22,24:B18,1"), "24-20")
    game = play(Game(rules(obligation="huff"), "W:W22,24:B18,1"), "24-20")
    assert game.offences == (22,)


@pytest.mark.parametrize("occurrences", [2, 3, 4])
def test_repetition(occurrences: int) -> None:
    game = Game(rules(repetition=occurrences, no_progress_moves=0), "W:WK30:BK3")
    plies = 0
    while game.result is None:
        game.play(("30-26", "3-7", "26-30", "7-3")[plies % 4])
        plies += 1
    # The start position is the first occurrence and recurs every fourth ply.
    assert (plies, outcome(game)) == (4 * (occurrences - 1), (None, "repetition"))


@pytest.mark.parametrize("times", [2, 3, 4])
def test_same_move(times: int) -> None:
    game = Game(rules(same_move=times, repetition=0, no_progress_moves=0), "W:WK30:BK3")
    plies = 0
    while game.result is None:
        game.play(("30-26", "3-7", "26-30", "7-3")[plies % 4])
        plies += 1
    assert (plies, outcome(game)) == (4 * (times - 1) + 1, (None, "same_move"))


def test_draw_rules_that_are_off_do_not_apply() -> None:
    game = Game(rules(repetition=0, same_move=0, no_progress_moves=0), "W:WK30:BK3")
    for _ in range(60):
        play(game, "30-26", "3-7", "26-30", "7-3")
    assert game.result is None
    assert game.counters == ()


@pytest.mark.parametrize("moves", [1, 2, 7])
def test_no_progress_moves_are_counted_in_plies(moves: int) -> None:
    """A game that starts from a FEN starts the count at 0."""
    game = wander(Game(rules(no_progress_moves=moves), "W:WK30:BK3"), 2 * moves - 1)
    assert game.result is None
    assert outcome(wander(game, 1)) == (None, "no_progress")


def test_a_huff_restarts_the_no_progress_count() -> None:
    game = Game(rules(obligation="huff"), "W:WK29,K32:BK18,K3")

    def idle() -> int:
        return next(counter.n for counter in game.counters if counter.kind == "no_progress")

    play(game, "32-28")
    assert idle() == 1
    game.huff(29)
    assert idle() == 0
    play(game, "3-8")
    assert idle() == 1


@pytest.mark.parametrize(("value", "swaps"), [("lots", {True, False}), ("alternate", {True})])
def test_rematch(value: str, swaps: set[bool]) -> None:
    game = Game(rules(rematch=value))
    assert {game.rematch(random.Random(seed))[1] for seed in range(20)} == swaps


# Documentation

PAGE = (Path(__file__).parents[2] / "docs" / "rules" / "parameters.md").read_text("utf-8")


def test_every_parameter_is_explained() -> None:
    headings = "".join(line for line in PAGE.splitlines() if line.startswith("### "))
    assert [key for key in PARAMETERS if f"`{key}`" not in headings] == []
