"""Reasons for refusing a move: a position for each, and their order of precedence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from damka import Board, Game, rules
from damka.errors import IllegalActionError, IllegalMoveError
from damka.refusal import CODES, Refusal
from tests.support import RULE_SETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damka.rules import Rules

DAMA64 = rules.load("dama64")
START = DAMA64.start_fen
THAI = DAMA64.replace(name="thai", removal="immediate", precedence=[])
FRISIAN, TURKISH = RULE_SETS["frisian"], RULE_SETS["turkish"]
ARMENIAN = TURKISH.replace(name="armenian", move_lines="diagonal+orthogonal")
# Captures on more lines than moves.
STAR = TURKISH.replace(name="star", capture_lines="diagonal+orthogonal")
KILLER = RULE_SETS["killer"]
POINTS = RULE_SETS["dama64"].replace(name="points", precedence=["points"])


def why(of: str | Rules, fen: str, attempt: str | Sequence[int]) -> Refusal:
    refusal = Board(of, fen).why_not(attempt)
    assert refusal is not None
    return refusal


# One row for each reason that depends on the board: the rules, the position, the attempt, and the
# English sentence, in the order of checking.
TABLE: list[tuple[str, str | Rules, str, str | list[int], str]] = [
    ("game_over", "dama64", "W:W:B3", "22-18", "The game is over."),
    ("game_over", "dama64", "W:W13:B9,6", "13-9", "The game is over."),
    ("no_piece", "dama64", START, "18-14", "There is no piece on 18."),
    ("no_piece", "dama64", START, [18], "There is no piece on 18."),
    ("opponents_piece", "dama64", START, "12-16", "The man on 12 is your opponent’s."),
    ("opponents_piece", "dama64", "W:W22:BK3", [3], "The king on 3 is your opponent’s."),
    ("not_a_square", "dama64", START, "22-33", "33 is not a playing square."),
    ("not_a_square", "dama64", START, "c3-d5", "d5 is not a playing square."),
    ("not_a_square", "dama64", START, [0, 18], "0 is not a playing square."),
    (
        "not_understood",
        "dama64",
        START,
        "forward!",
        "“forward!” is not a move. Write 22-18 for a move, 22x15 for a capture.",
    ),
    (
        "not_understood",  # A long text names every landing square.
        "american",
        "W:W29:B25,18,11",
        "29x15x8",
        "Name every square the piece lands on: 29x22x15x8.",
    ),
    (
        "ambiguous",
        "american",
        "W:W31:B18,19,26,27",
        "31x15",
        "Several moves match: 31x22x15 or 31x24x15. Which one do you mean?",
    ),
    (
        "ambiguous",
        "american",
        "W:W31:B18,19,26,27",
        [31],
        "Several moves match: 31x22x15 or 31x24x15. Which one do you mean?",
    ),
    ("target_occupied", "dama64", START, "26-22", "Your own piece is on 22."),
    (
        "target_occupied",
        "dama64",
        "W:W22:B18,3",
        "22-18",
        "Your opponent’s piece is on 18. To take it, jump to the empty square behind it.",
    ),
    ("target_occupied", "dama64", START, [22, 22], "The piece is already on 22."),
    (
        "man_one_square",
        "dama64",
        START,
        "22-15",
        "15 is too far: a man moves one square, and jumps only the piece right next to it.",
    ),
    (
        "man_one_square",  # One step after another.
        "dama64",
        START,
        "22-17-13",
        "13 is too far: a man moves one square, and jumps only the piece right next to it.",
    ),
    (
        "man_one_square",  # Past the square behind the piece.
        "american",
        "W:W29:B25,3",
        "29x18",
        "18 is too far: a man moves one square, and jumps only the piece right next to it.",
    ),
    (
        "man_backwards",
        "dama64",
        "W:W18:B3",
        "18-22",
        "A man moves only forwards; 22 is behind it.",
    ),
    (
        "king_one_square",
        "american",
        "W:WK30:B3",
        "30-21",
        "21 is too far: in this game a king moves one square, and jumps only the piece right next "
        "to it.",
    ),
    (
        "not_diagonal",
        "dama64",
        START,
        "22-14",
        "22 and 14 are not on one diagonal. Pieces move only along diagonals.",
    ),
    (
        "not_on_a_line",
        TURKISH,
        "W:W28:B1",
        "28-19",
        "28 and 19 are not in one row or column. Pieces move only along rows and columns.",
    ),
    (
        "not_on_a_line",
        ARMENIAN,
        "W:W28:B1",
        "28-11",
        "28 and 11 are not in one row, column or diagonal.",
    ),
    (
        "not_on_a_line",
        FRISIAN,
        "W:W28:B1",
        "28-12",
        "28 and 12 are not in one row, column or diagonal.",
    ),
    (
        "line_not_moved_on",
        FRISIAN,
        "W:W28:B1",
        "28-18",
        "Along rows and columns pieces can only capture. "
        "Without capturing, they move along diagonals.",
    ),
    (
        "line_not_moved_on",
        STAR,
        "W:W28:B1",
        "28-19",
        "Along diagonals pieces can only capture. "
        "Without capturing, they move along rows and columns.",
    ),
    (
        "line_not_captured_on",
        ARMENIAN,
        "W:W28:B19",
        "28x10",
        "Pieces capture only along rows and columns, not along diagonals.",
    ),
    (
        "way_blocked",
        "russian",
        "W:WK29:B22,15,3",
        "29x8x3",
        "The way from 29 to 8 is blocked by the pieces on 22 and 15.",
    ),
    ("way_blocked", "dama64", START, [32], "The man on 32 can’t move: its way is blocked."),
    (
        "way_blocked",
        "american",
        "W:WK4,8,7:B1",
        [4],
        "The king on 4 can’t move: its way is blocked.",
    ),
    ("own_piece_jumped", "dama64", START, "26-17", "You can’t jump your own piece on 22."),
    (
        "own_piece_jumped",
        "dama64",
        "W:WK29,18:B3",
        "29-8",
        "You can’t jump your own piece on 18.",
    ),
    (
        "two_in_a_row",
        "dama64",
        "W:WK29:B22,18,3",
        "29x15",
        "You can’t jump two pieces in a row: 22 and 18.",
    ),
    (
        "two_in_a_row",
        "american",
        "W:W29,32:B25,22,3",
        "29x18",
        "You can’t jump two pieces in a row: 25 and 22.",
    ),
    (
        "jumped_twice",
        "american",
        "W:WK22:B18,3",
        "22x15x22",
        "You have already taken the piece on 18. You can’t jump it twice in one move.",
    ),
    (
        "man_captures_backwards",
        "american",
        "W:W15:B18,3",
        "15x22",
        "A man captures only forwards; the piece on 18 is behind it.",
    ),
    (
        "man_captures_backwards",  # In the middle of a capture as well.
        "dama64",
        "W:W22:B18,19,3",
        "22x15x24",
        "A man captures only forwards; the piece on 19 is behind it.",
    ),
    (
        "man_captures_backwards",  # And when only the end of it is named.
        "dama64",
        "W:W22:B18,19,3",
        "22x24",
        "A man captures only forwards; the piece on 19 is behind it.",
    ),
    (
        "man_takes_king",
        "italian",
        "W:W22:BK19",
        "22x15",
        "A man may not take a king, and there is one on 19.",
    ),
    (
        "king_landing",
        "dama64",
        "W:WK29:B22",
        "29x15",
        "The king must land right behind the man it takes: on 18.",
    ),
    (
        "king_landing",
        "dama64",
        "W:WK29:BK22",
        [29, 4],
        "The king must land right behind the king it takes: on 18.",
    ),
    (
        "king_turn",
        "dama64",
        "W:WK29:B14,3",
        "29x9",
        "A king may turn only between two captures. It can’t slide first and then turn.",
    ),
    (
        "king_turn",  # With the corner named.
        "dama64",
        "W:WK29:B14,3",
        [29, 18, 9],
        "A king may turn only between two captures. It can’t slide first and then turn.",
    ),
    (
        "king_turn",
        THAI.replace(king_landing="any", u_turn=False),
        "W:WK22:B18,25",
        "22x15x29",
        "A king may not turn right back between two captures.",
    ),
    (
        "crowning_ends",
        "american",
        "W:W11:B7,6",
        "11x2x9",
        "On 2 the man becomes a king, and its move ends there.",
    ),
    (
        "land_to_go_on",
        "russian",
        "W:WK29:B22,10",
        "29x18",
        "After taking 22 you must capture again, so land on 15.",
    ),
    (
        "land_to_go_on",  # After the second piece as well.
        "russian",
        "W:WK29:B9,10,22",
        "29x15x1",
        "After taking 10 you must capture again, so land on 6.",
    ),
    (
        "must_capture",
        "dama64",
        "W:W22,28:B18",
        "28-24",
        "You must capture: the man on 22 can take 18.",
    ),
    (
        "must_capture",
        "dama64",
        "W:W28,K29:B22,15",
        [28],
        "You must capture: the king on 29 can take 15 and 22.",
    ),
    (
        "must_capture",
        "dama64",
        "W:W22,28:B17,18",
        "28-24",
        "You must capture with the man on 22.",
    ),
    (
        "must_capture",
        "american",
        "W:W28,K22:B17,18",
        "28-24",
        "You must capture with the king on 22.",
    ),
    (
        "must_capture",
        "dama64",
        "W:W21,22,28:B17,18",
        "28-24",
        "You must capture with the piece on 21 or 22.",
    ),
    (
        "must_use_king",
        "dama64",
        "W:WK29,24:B22,19",
        "24x15",
        "If a king can capture, it must. Use the one on 29.",
    ),
    (
        "must_take_most",
        "dama100",
        "W:W32,36:B18,28,31",
        "36x27",
        "You must take 2 pieces, not 1.",
    ),
    (
        "must_take_most",  # A king counts as one piece: three men go before two kings.
        "dama100",
        "W:W33:BK28,K17,29,20,10",
        "33x11",
        "You must take 3 pieces, not 2.",
    ),
    (
        "must_take_value",
        FRISIAN,
        "W:W46,48:B41,32,K43",
        "48x39",
        "You must take the highest value: 46x28. A king is worth slightly less than two men.",
    ),
    (
        "must_take_points",
        POINTS,
        "W:W31:B26,17,9,K27,K19",
        "31x6",
        "You must take the most points: 31x15. A man counts one, a king two.",
    ),
    (
        "must_take_kings",
        "spanish",
        "W:W22:B18,K19",
        "22x13",
        "You must take as many kings as you can: 1, not 0.",
    ),
    (
        "must_take_king_early",
        "italian",
        "W:WK22:BK18,10,19,K12",
        "22x15x8",
        "You must take a king as early as you can: 22x6.",
    ),
    (
        "must_continue",
        "american",
        "W:W29:B25,18",
        "29x22",
        "Your capture isn’t finished. Continue from 22 to 15.",
    ),
    (
        "must_continue",
        "american",
        "W:W29:B25,18,17",
        "29x22",
        "Your capture isn’t finished. Continue from 22 to 13 or 15.",
    ),
]


@pytest.mark.parametrize(
    ("code", "of", "fen", "attempt", "sentence"),
    TABLE,
    ids=[f"{i}-{row[0]}" for i, row in enumerate(TABLE)],
)
def test_reasons_of_refusals(
    code: str, of: str | Rules, fen: str, attempt: str | list[int], sentence: str
) -> None:
    refusal = why(of, fen, attempt)
    assert (refusal.code, refusal.sentence("en")) == (code, sentence)


def test_killer_landing_is_refused_with_its_reason() -> None:
    refusal = why(KILLER, "W:WK46:BK28", "46x14")
    assert (refusal.code, refusal.args["kind"]) == ("king_landing", "killer")
    assert refusal.sentence("en") == (
        "If a king is the last piece taken, the capture ends right behind it: on 23."
    )
    assert Board(KILLER, "W:WK46:B28").why_not("46x14") is None
    # At the end of a chain as well, and when only its ends are named.
    for attempt in ("46x19x2", "46x2", [46, 2]):
        assert why(KILLER, "W:WK46:B28,K13", attempt) == why(KILLER, "W:WK46:B28,K13", "46x19x2")
    assert why(KILLER, "W:WK46:B28,K13", "46x19x2").code == "king_landing"
    # A possible continuation is compulsory, killer or not.
    assert why(KILLER, "W:WK46:BK28,13", "46x14").code == "land_to_go_on"


def board_after_three_king_moves(fen: str) -> Board:
    board = Board(FRISIAN, fen)
    for move in ("47-36", "4-15", "36-47", "15-4", "47-36", "4-15"):
        board.push(move)
    return board


def test_a_king_at_its_streak_limit_is_refused() -> None:
    board = board_after_three_king_moves("W:WK47,32:BK4,6")
    for attempt in ("36-41", [36], [36, 27], "36-9"):
        refusal = board.why_not(attempt)
        assert refusal == Refusal("king_rests", {"start": 36, "limit": 3})
    assert refusal is not None
    assert refusal.topic == "king_streak"
    assert refusal.sentence("en") == (
        "The king on 36 has made 3 moves in a row: move another piece, or capture with it."
    )
    # A general prohibition is reported first.
    moved = board.why_not("36-26")
    assert moved is not None
    assert moved.code == "line_not_moved_on"


def game_is_over() -> Game:
    game = Game("dama64")
    game.resign("B")
    return game


def test_the_game_is_over() -> None:
    refusal = game_is_over().why_not("22-18")
    assert refusal == Refusal("game_over")
    with pytest.raises(IllegalMoveError, match="The game is over"):
        game_is_over().play("22-18")


def test_it_is_not_your_turn() -> None:
    game = Game("american")
    refusal = game.why_not("22-18", side="W")
    assert refusal == Refusal("not_your_turn", {"colour": "red"})
    assert refusal.sentence("en") == "It’s not your turn. Red to move."
    assert refusal.sentence("sk") == "Nie si na ťahu. Červený je na ťahu."
    assert game.why_not("12-16", side="B") is None


# 33-29 is an offence: 32 could have captured 27.
OFFENCE = ("dama100", "W:W32,33,38,47:B27,8,9")


def test_nothing_to_huff() -> None:
    game = Game(*OFFENCE)
    refusal = game.why_not_huff(8)
    assert refusal is not None
    assert refusal.sentence("en") == "There is nothing to huff: no capture was missed."
    game.play("32x21")
    assert game.why_not_huff(21) == Refusal("nothing_to_huff", {"kind": "now"})


def test_nothing_to_huff_if_captures_are_forced() -> None:
    refusal = Game("dama64").why_not_huff(22)
    assert refusal is not None
    assert refusal.code == "nothing_to_huff"
    assert refusal.sentence("en") == "There is no huffing in this game: you must capture."


def test_nothing_to_huff_if_captures_are_optional() -> None:
    refusal = Game(DAMA64.replace(obligation="free")).why_not_huff(22)
    assert refusal is not None
    assert refusal.sentence("en") == "There is no huffing in this game: capturing is optional."


def test_an_incomplete_capture_is_refused_if_captures_are_optional() -> None:
    free = rules.load("american").replace(obligation="free")
    assert Board(free, "W:W29,32:B25,18").why_not("32-27") is None
    assert why(free, "W:W29,32:B25,18", "29x22").code == "must_continue"


def test_a_game_won_by_breakthrough_is_over() -> None:
    first_king = DAMA64.replace(objective="breakthrough")
    game = Game(first_king, "W:W5,32:B22")
    game.play("5-1")
    assert game.why_not("22-25") == Refusal("game_over")
    assert why(first_king, "W:WK5:B22", "5-1") == Refusal("game_over")


def test_nothing_more_to_huff_after_a_huff() -> None:
    game = Game("dama100", "W:W32,34,47:B27,29,8")
    game.play("47-41")
    assert game.offences == (32, 34)
    game.huff(32)
    refusal = game.why_not_huff(34)
    assert refusal is not None
    assert refusal.code == "nothing_to_huff"
    assert refusal.sentence("en") == "You have already huffed. Now make your move."


def test_not_an_offending_piece() -> None:
    game = Game(*OFFENCE)
    game.play("33-29")
    refusal = game.why_not_huff(29)
    assert refusal == Refusal("not_offending", {"square": 29, "pieces": (32,)})
    assert refusal.sentence("en") == "The piece on 29 didn’t miss a capture. You may huff 32."
    with pytest.raises(IllegalActionError):
        game.huff(29)


def test_too_late_to_huff() -> None:
    too_late = Refusal("too_late_to_huff")
    game = Game(*OFFENCE)
    game.play("33-29")
    game.play("8-12")
    assert game.why_not_huff(32) == too_late  # The player has just moved.
    game.play("32x21")
    assert game.why_not_huff(21) == too_late  # The player's last move waived the right.
    game.play("9-13")
    game.play("47-41")
    assert game.why_not_huff(21) == Refusal("nothing_to_huff", {"kind": "now"})
    assert too_late.sentence("en") == "It’s too late to huff: you have already moved."


def test_a_player_without_moves_must_huff() -> None:
    # White should have captured 37, which is blocked by 41 and 42.
    game = Game("dama100", "W:W41,42,46,48,50:B37")
    game.play("50-45")
    refusal = game.why_not("37-41")
    assert refusal == Refusal("must_huff", {"pieces": (41, 42)})
    assert refusal.sentence("en") == "You can’t move until you huff 41 or 42."
    assert game.why_not("(41) 37-41") is None


# Attempts with two reasons: the first in the list is reported.
PRECEDENCE: list[tuple[str, str, str | Rules, str, str | list[int]]] = [
    ("game_over", "no_piece", "dama64", "W:W13:B9,6", "18-14"),
    ("no_piece", "not_a_square", "dama64", START, "18-33"),
    ("opponents_piece", "not_a_square", "dama64", START, "12-33"),
    ("not_a_square", "man_one_square", "dama64", START, "22-15-33"),
    ("not_a_square", "target_occupied", "dama64", START, [22, 25, 33]),
    ("target_occupied", "man_backwards", "dama64", START, "22-25"),
    ("target_occupied", "not_diagonal", "dama64", START, "22-31"),
    ("target_occupied", "must_capture", "dama64", "W:W22,28,24:B18", "28-24"),
    ("man_one_square", "man_backwards", "dama64", "W:W15:B3", "15-22"),
    ("man_one_square", "must_capture", "dama64", "W:W22,32:B18", "32-23"),
    ("man_backwards", "must_capture", "dama64", "W:W22,15:B18", "22-25"),
    ("king_one_square", "must_capture", "american", "W:W22,K32:B18", "32-23"),
    ("not_diagonal", "must_capture", "dama64", "W:W22:B18", "22-14"),
    ("way_blocked", "must_capture", "dama64", "W:W22,28,32,27:B18", [32]),
    ("own_piece_jumped", "man_captures_backwards", "dama64", "W:W15,18:B3", "15-22"),
    ("own_piece_jumped", "must_capture", "dama64", "W:W22,26,21:B18", "26-17"),
    ("two_in_a_row", "man_captures_backwards", "american", "W:W15:B18,22,3", "15-25"),
    ("man_captures_backwards", "man_takes_king", "italian", "W:W15:BK19,3", "15x22"),
    ("man_captures_backwards", "must_take_most", "italian", "W:W15,30:B18,19,26", "15x22"),
    ("man_takes_king", "must_capture", "italian", "W:W22,32:BK19,28", "22x15"),
    ("king_landing", "must_capture", "dama64", "W:WK29,K32:B22,27", "29x15"),
    ("king_turn", "must_capture", "dama64", "W:WK29,24:B14,19", "29x9"),
    ("crowning_ends", "must_take_most", "italian", "W:W11,30:B7,6,26,18", "11x4x13"),
    ("land_to_go_on", "must_take_most", "international", "W:WK46,49:B24,27,34,41,44", "46x37"),
    ("must_use_king", "must_continue", "dama64", "W:WK32,29:B27,25,18", "29x22"),
    ("must_take_most", "must_continue", "italian", "W:W29,32:B12,18,20,26,28", "29x22"),
]


@pytest.mark.parametrize(
    ("first", "second", "of", "fen", "attempt"),
    PRECEDENCE,
    ids=[f"{row[0]}-before-{row[1]}" for row in PRECEDENCE],
)
def test_the_first_of_two_reasons_is_reported(
    first: str, second: str, of: str | Rules, fen: str, attempt: str | list[int]
) -> None:
    assert CODES.index(first) < CODES.index(second)
    assert why(of, fen, attempt).code == first


def test_the_order_of_reasons_in_a_game() -> None:
    over = game_is_over()
    assert over.why_not("18-14", side="B") == Refusal("game_over")
    assert over.why_not_huff(22, side="B") == Refusal("game_over")
    game = Game("dama64")
    refusals = [game.why_not("18-14", side="B"), game.why_not_huff(18, side="B")]
    assert [refusal and refusal.code for refusal in refusals] == ["not_your_turn"] * 2
    huffing = Game(*OFFENCE)
    assert huffing.why_not_huff(99) == Refusal("nothing_to_huff", {"kind": "now"})


def test_every_reason_is_tested() -> None:
    """Reasons that depend on the board have a row in the table; those of a game, a test."""
    of_boards = {row[0] for row in TABLE}
    of_games = {
        *("not_your_turn", "must_huff", "nothing_to_huff", "not_offending", "too_late_to_huff"),
        *("draw_already_offered", "no_draw_offer", "nothing_to_undo"),
        "king_rests",
    }
    assert of_boards | of_games == set(CODES)
    assert list(dict.fromkeys(row[0] for row in TABLE)) == [c for c in CODES if c not in of_games]
