"""Sentences of docs/rules/parameters.md, one by one, under the reference rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from damka import reference
from damka.rules import Rules, load
from tests.support import hub, read_fen

PLAIN = load("dama64").replace(name="plain", king_landing="any", precedence=[])
"""8×8, men capture forward, kings fly and land anywhere, free choice of capture."""

LARGE = load("international").replace(name="large", precedence=[])
FRISIAN = load("frisian").replace(name="frisian-like", material_draws=[])
KILLER = load("killer").replace(name="killer-like", precedence=[])
TURKISH = load("turkish").replace(name="turkish-like", precedence=[])
ARMENIAN = TURKISH.replace(name="armenian", move_lines="diagonal+orthogonal")


def rules(**changes: Any) -> Rules:
    return PLAIN.replace(**changes)


def legal(rules: Rules, fen: str) -> set[str]:
    return set(map(hub, reference.legal_moves(rules, read_fen(rules, fen))))


def starting(rules: Rules) -> dict[str, list[int]]:
    pieces = reference.start(rules).pieces
    return {side: [s for s, p in enumerate(pieces, start=1) if p == side] for side in "bw"}


def after(rules: Rules, fen: str, *moves: str) -> list[reference.Position]:
    """Return the positions from this one, by legal moves in Hub notation."""
    positions = [read_fen(rules, fen)]
    for text in moves:
        by_text = {hub(move): move for move in reference.legal_moves(rules, positions[-1])}
        positions.append(reference.apply(rules, positions[-1], by_text[text]))
    return positions


def drawn(rules: Rules, fen: str, *moves: str) -> set[str]:
    moves_played = []
    position = read_fen(rules, fen)
    for text in moves:
        by_text = {hub(move): move for move in reference.legal_moves(rules, position)}
        moves_played.append(by_text[text])
        position = reference.apply(rules, position, by_text[text])
    return reference.draws(rules, read_fen(rules, fen), moves_played)


# Boards and the start


def test_men_fill_all_squares_of_their_rows() -> None:
    no_row_behind = TURKISH.replace(rows_behind=0)
    assert starting(no_row_behind) == {"b": [*range(1, 17)], "w": [*range(49, 65)]}


def test_rows_behind_stay_empty() -> None:
    assert starting(TURKISH) == {"b": [*range(9, 25)], "w": [*range(41, 57)]}
    assert starting(rules(rows=1, rows_behind=2)) == {"b": [*range(9, 13)], "w": [*range(21, 25)]}


def test_a_board_wider_than_high() -> None:
    wide = LARGE.replace(height=8, rows=3)
    assert starting(wide) == {"b": [*range(1, 16)], "w": [*range(26, 41)]}
    # Its first row has a playing square in the right corner, its last row in the left one.
    assert legal(wide, "W:W6:B36") == {"6-1"}
    assert legal(wide, "B:W6:B36") == set()
    assert legal(wide, "W:WK36:B1") == {f"36-{s}" for s in (31, 27, 22, 18, 13, 9, 4)}


def test_small_and_large_boards() -> None:
    assert legal(rules(width=6, height=6, rows=2), "W:W13:B1") == {"13-10", "13-11"}
    assert legal(load("canadian"), "W:W42:B1") == {"42-36"}


# Lines


def test_move_lines() -> None:
    assert legal(TURKISH, "W:W28:B1") == {"28-20", "28-27", "28-29"}
    assert legal(TURKISH, "B:W64:B28") == {"28-36", "28-27", "28-29"}
    assert legal(ARMENIAN, "W:W28:B1") == {"28-19", "28-20", "28-21", "28-27", "28-29"}


def test_move_lines_of_a_king() -> None:
    column, row = {f"28-{s}" for s in (4, 12, 20, 36, 44, 52, 60)}, {25, 26, 27, 29, 30, 31, 32}
    assert legal(TURKISH, "W:WK28:B1") == column | {f"28-{s}" for s in row}
    short = ARMENIAN.replace(king_range="short")
    assert legal(short, "W:WK28:B1") == {f"28-{s}" for s in (19, 20, 21, 27, 29, 35, 36, 37)}


def test_a_man_captures_forward_and_sideways_on_orthogonals() -> None:
    around = "W:W28:B19,20,21,27,29,35,36,37"
    assert legal(TURKISH, around) == {"28x12x20", "28x26x27", "28x30x29"}
    assert legal(ARMENIAN, around) == {"28x12x20", "28x26x27", "28x30x29"}
    back = TURKISH.replace(man_capture="all")
    assert legal(back, around) == {"28x12x20", "28x26x27", "28x30x29", "28x44x36"}


@pytest.mark.parametrize(
    ("victim", "move"),
    [
        (22, "28x17x22"),
        (23, "28x19x23"),
        (18, "28x8x18"),
        (27, "28x26x27"),
        (29, "28x30x29"),
        (32, "28x37x32"),
        (33, "28x39x33"),
        (38, "28x48x38"),
    ],
)
def test_capture_lines_on_boards_with_dark_squares_only(victim: int, move: str) -> None:
    """Along a row or a column the next playing square is two squares away."""
    assert legal(FRISIAN, f"W:W28:B{victim}") == {move}
    forward = FRISIAN.replace(man_capture="forward")
    allowed = {move} if victim < 30 else {"28-22", "28-23"}
    assert legal(forward, f"W:W28:B{victim}") == allowed


def test_a_king_captures_from_afar_on_orthogonals() -> None:
    free = FRISIAN.replace(precedence=[])
    assert legal(free, "W:WK48:B18") == {"48x8x18"}
    assert legal(free, "W:WK46:B48") == {"46x49x48", "46x50x48"}
    # Other pieces on the row's playing squares between are not on the line.
    assert legal(free, "W:WK46,42,43,44:B49") == {"46x50x49"}
    assert legal(TURKISH, "W:WK57:B33") == {f"57x{s}x33" for s in (25, 17, 9, 1)}
    assert legal(TURKISH.replace(king_range="short"), "W:WK57:B49") == {"57x41x49"}


def test_a_king_does_not_move_along_capture_only_lines() -> None:
    # Frisian kings move on diagonals only.
    assert legal(FRISIAN, "W:WK50:B1") == {f"50-{s}" for s in (45, 44, 39, 33, 28, 22, 17, 11, 6)}


def test_u_turn_false_forbids_reversing_direction() -> None:
    # After capturing 29 the king could go back over its square and capture 26.
    fen = "W:WK28:B29,26"
    assert "28x25x26x29" in legal(TURKISH.replace(u_turn=True), fen)
    assert legal(TURKISH, fen) == {"28x25x26"} | {f"28x{s}x29" for s in (30, 31, 32)}


# Landing


def test_killer_stops_behind_a_king_captured_last() -> None:
    assert legal(KILLER, "W:WK46:B28") == {f"46x{s}x28" for s in (23, 19, 14, 10, 5)}
    assert legal(KILLER, "W:WK46:BK28") == {"46x23x28"}


def test_killer_does_not_limit_earlier_landings() -> None:
    assert legal(KILLER, "W:WK46:BK28,13") == {"46x2x13x28", "46x8x13x28"}
    assert legal(KILLER, "W:WK46:B28,K13") == {"46x8x13x28"}


def test_killer_does_not_apply_to_men_and_short_kings() -> None:
    assert legal(KILLER, "W:W33:BK28") == {"33x22x28"}
    short = KILLER.replace(king_range="short")
    assert legal(short, "W:WK33:BK28") == {"33x22x28"}


# Precedence


@pytest.mark.parametrize(
    ("line", "other", "best"),
    [
        ("41", "K43", "other"),
        ("41,32", "K43", "line"),
        ("41,32", "K43,34", "other"),
        ("41,32,23", "K43,34", "line"),
        ("41,32,23", "K43,K34", "other"),
        ("41,32,23,14", "K43,K34", "line"),
        ("41,K32", "K43,34", "both"),
        ("41,32", "43,34", "both"),
    ],
)
def test_precedence_by_value(line: str, other: str, best: str) -> None:
    """N kings are worth more than 2N - 1 men, and less than 2N."""
    starts = {"line": {46}, "other": {48}, "both": {46, 48}}
    by_value = LARGE.replace(precedence=["value"])
    position = read_fen(by_value, f"W:W46,48:B{line},{other}")
    assert reference.must_capture(by_value, position) == starts[best]


# Consecutive moves of a king

STREAK = "W:WK47,32:BK4,6"
THRICE = ("47-36", "4-15", "36-47", "15-4", "47-36", "4-15")


def test_a_king_at_its_streak_limit_must_not_move() -> None:
    *_, position = after(FRISIAN, STREAK, *THRICE)
    assert position.streaks == ((15, 3), (36, 3))
    moves = reference.legal_moves(FRISIAN, position)
    assert {hub(move) for move in moves} == {"32-27", "32-28"}


def test_without_a_limit_streaks_are_not_counted() -> None:
    assert after(FRISIAN.replace(king_streak=0), STREAK, *THRICE)[-1].streaks == ()


def test_another_move_resets_the_streak() -> None:
    position = after(FRISIAN, STREAK, *THRICE, "32-28", "6-11")[-1]
    assert position.streaks == ()
    assert any(move.start == 36 for move in reference.legal_moves(FRISIAN, position))


def test_each_king_has_its_own_streak() -> None:
    position = after(FRISIAN, "W:WK47,K46,32:BK4,6", "47-36", "4-15", "46-41")[-1]
    assert position.streaks == ((15, 1), (41, 1))


def test_a_king_at_its_streak_limit_may_capture() -> None:
    position = after(FRISIAN, STREAK, *THRICE)[-1].with_changes({13: "b"})
    moves = reference.legal_moves(FRISIAN, position)
    assert {(move.start, move.captures) for move in moves} == {(36, (13,))}
    # The other side's streak is unchanged.
    assert reference.apply(FRISIAN, position, moves[0]).streaks == ((15, 3),)


def test_the_streak_of_a_captured_king_ends() -> None:
    position = replace(read_fen(FRISIAN, "W:WK46,36:BK28,5"), streaks=((28, 2),))
    move, *_ = reference.legal_moves(FRISIAN, position)
    assert move.captures == (28,)
    assert reference.apply(FRISIAN, position, move).streaks == ()


def test_the_streak_ends_with_the_last_man() -> None:
    position = replace(read_fen(FRISIAN, "W:WK46,36:B28,K6"), streaks=((6, 2),))
    move, *_ = reference.legal_moves(FRISIAN, position)
    assert move.captures == (28,)
    assert reference.apply(FRISIAN, position, move).streaks == ()


def test_a_player_without_men_is_not_limited() -> None:
    position = after(FRISIAN, "W:WK47:BK4,6", *THRICE)[-1]
    assert position.streaks == ((15, 3),)
    assert any(move.start == 36 for move in reference.legal_moves(FRISIAN, position))


def test_a_crowned_last_man_ends_the_count() -> None:
    fen = "W:WK36,7:BK15,19"
    *_, counted, position = after(FRISIAN, fen, "36-47", "15-4", "47-36", "4-15", "7-1")
    assert counted.streaks == ((15, 2), (36, 2))
    assert position.streaks == ((15, 2),)


def test_positions_differ_when_their_counts_do() -> None:
    twice = FRISIAN.replace(repetition=2)
    back = ("47-36", "4-15", "36-47", "15-4")
    start, *_, end = after(twice, STREAK, *back)
    assert end.pieces == start.pieces
    assert end != start
    assert not drawn(twice, STREAK, *back)
    assert drawn(twice.replace(king_streak=0), STREAK, *back) == {"repetition"}


# Obligation and objective


def test_captures_are_optional_with_free_obligation() -> None:
    free = rules(obligation="free", precedence=["count"])
    fen = "W:W22,21,32:B18,17,10"
    # The captures of one piece are forbidden by the precedence.
    assert legal(free, fen) == {"21x7x10x17", "22x6x10x18", "32-27", "32-28"} - {"22x6x10x18"} | (
        legal(rules(precedence=["count"]), fen)
    )
    assert reference.must_capture(free, read_fen(free, fen)) == set()


@pytest.mark.parametrize("fen", ["W:W:B1", "W:W5:B1"])
def test_the_side_that_cannot_move_has_lost_or_won(fen: str) -> None:
    blocked = rules(rows=1)
    position = read_fen(blocked, fen)
    assert reference.winner(blocked, position) == "B"
    assert reference.winner(rules(objective="losing"), position) == "W"
    assert reference.winner(rules(objective="breakthrough"), position) == "B"


def test_the_first_king_wins() -> None:
    first_king = rules(objective="breakthrough")
    before, crowned = after(first_king, "W:W5,32:B22", "5-1")
    assert reference.winner(first_king, before) is None
    assert reference.winner(first_king, crowned) == "W"
    assert reference.legal_moves(first_king, crowned) == []
    # Two replies to each of the other two moves, and none to the winning one.
    assert reference.perft(first_king, before, 2) == 4
    assert not drawn(first_king.replace(repetition=2), "W:W5,32:B22", "5-1")


def test_the_king_of_the_side_not_to_move_is_removed_first() -> None:
    first_king = rules(objective="breakthrough")
    assert reference.winner(first_king, read_fen(first_king, "W:WK15:BK1")) == "B"
    assert reference.winner(first_king, read_fen(first_king, "W:WK15:B1")) == "W"


# Draws by material

BACK_AND_FORTH = ("47-36", "4-15", "36-47", "15-4")


def with_draw(**draw: Any) -> Rules:
    return LARGE.replace(repetition=0, no_progress_moves=0, material_draws=[draw])


def test_material_counts_moves_of_each_side() -> None:
    one_each = with_draw(moves=2, strong={"pieces": 1}, weak={"pieces": 1})
    assert not drawn(one_each, "W:WK47:BK4", *BACK_AND_FORTH[:3])
    assert drawn(one_each, "W:WK47:BK4", *BACK_AND_FORTH) == {"material"}
    assert not drawn(one_each, "W:WK47,32:BK4", *BACK_AND_FORTH)


def test_material_is_the_same_for_both_sides() -> None:
    two_to_one = with_draw(moves=1, strong={"kings": 2, "men": 0}, weak={"kings": 1, "men": 0})
    assert drawn(two_to_one, "W:WK47,K46:BK4", *BACK_AND_FORTH[:2]) == {"material"}
    assert drawn(two_to_one, "W:WK47:BK4,K6", *BACK_AND_FORTH[:2]) == {"material"}
    assert not drawn(two_to_one, "W:WK47,K46:BK4,K6", *BACK_AND_FORTH[:2])
    assert not drawn(two_to_one, "W:WK47,32:BK4", *BACK_AND_FORTH[:2])


def test_the_material_count_restarts_after_a_capture() -> None:
    few = with_draw(moves=2, pieces=[0, 5])
    fen = "W:WK47,46:BK4,6,13"
    captures = ("47-36", "6-11", "36x9x13", "4x13x9")
    assert not drawn(few, fen, *captures)
    assert not drawn(few, fen, *captures, "46-41", "13-4", "41-37")
    assert drawn(few, fen, *captures, "46-41", "13-4", "41-37", "4-15") == {"material"}


def test_the_material_count_restarts_after_an_unmet_condition() -> None:
    """The weak side's king leaves the main road and returns, which restarts the count."""
    road = with_draw(moves=2, weak={"kings": 1, "men": 0}, strong={"kings": 3}, main_road=True)
    fen = "W:WK47,K48,K49:BK5"
    assert drawn(road, fen, "47-36", "5-10", "36-47", "10-5") == {"material"}
    away = ("47-36", "5-10", "36-47", "10-4", "47-36", "4-10")
    assert not drawn(road, fen, *away)
    assert not drawn(road, fen, *away, "36-47", "10-5", "47-36")
    assert drawn(road, fen, *away, "36-47", "10-5", "47-36", "5-10") == {"material"}


def test_the_main_road_joins_two_corners() -> None:
    immediate = {"moves": 0, "weak": {"kings": 1}, "strong": {"kings": 3}, "main_road": True}

    def on_the_road(rules: Rules) -> list[int]:
        weak = rules.replace(material_draws=[immediate], man_capture="all")
        return [
            square
            for square in range(1, rules.square_count + 1)
            if reference.draws(weak, reference.place(weak, "W", {square: "W", **three(square)}), [])
        ]

    def three(square: int) -> dict[int, str]:
        # Three enemy kings at the edge, which cannot be captured.
        far = (1, 2, 3) if square > 10 else (30, 31, 32)
        return dict.fromkeys(far, "B")

    assert on_the_road(rules()) == [4, 8, 11, 15, 18, 22, 25, 29]
    assert on_the_road(rules(dark_corner="right"))[1:-1] == [5, 10, 14, 19, 23, 28]


def test_the_material_count_restarts_with_a_new_king() -> None:
    few = with_draw(moves=1, pieces=[0, 4])
    unchanged = with_draw(moves=1, pieces=[0, 4], unchanged=True)
    assert drawn(unchanged, "W:WK47,32:BK4", "47-36", "4-15") == {"material"}
    assert drawn(few, "W:WK47,7:BK4", "7-1", "4-15") == {"material"}
    assert not drawn(unchanged, "W:WK47,7:BK4", "7-1", "4-15")
    assert drawn(unchanged, "W:WK47,7:BK4", "7-1", "4-15", "47-36") == {"material"}


def test_an_immediate_draw_waits_for_captures() -> None:
    immediate = with_draw(moves=0, strong={"pieces": 1}, weak={"pieces": 1})
    assert drawn(immediate, "W:WK47:BK4") == {"material"}
    assert not drawn(immediate, "W:WK47:BK33")
    # Only captures of the side to move count.
    assert drawn(immediate, "B:WK47:B33") == {"material"}


def test_several_conditions_are_counted_at_the_same_time() -> None:
    longer, shorter = {"moves": 9, "pieces": 2}, {"moves": 1, "weak": {"pieces": 1}}
    both = LARGE.replace(repetition=0, no_progress_moves=0, material_draws=[longer, shorter])
    assert drawn(both, "W:WK47:BK4", *BACK_AND_FORTH[:2]) == {"material"}


def test_a_won_game_is_not_a_draw() -> None:
    immediate = LARGE.replace(material_draws=[{"moves": 0}])
    assert reference.winner(immediate, read_fen(immediate, "B:WK47:B")) == "W"
    assert not drawn(immediate, "B:WK47:B")
