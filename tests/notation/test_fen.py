"""FEN: output, accepted and rejected input, round trips."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka import Board, Rules, pdn, rules
from damka.errors import FenError
from damka.notation import fen, squares

SETS = [rules.load(name) for name in rules.names()]
DAMA64 = rules.load("dama64")
DAMA100 = rules.load("dama100")
ITALIAN = rules.load("italian")


def board(width: int = 32, **on: str) -> str:
    """Return the pieces of keyword arguments such as s22="w"."""
    return "".join(on.get(f"s{square}", ".") for square in range(1, width + 1))


@st.composite
def positions(draw: st.DrawFn) -> tuple[Rules, str, str]:
    box = draw(st.sampled_from(SETS))
    pieces = [draw(st.sampled_from("....wbWB")) for _ in range(box.square_count)]
    for i, piece in enumerate(pieces):
        row = box.cell(i + 1)[0]
        if (piece == "w" and row == 0) or (piece == "b" and row == box.height - 1):
            pieces[i] = piece.upper()
    return box, "".join(pieces), draw(st.sampled_from("WB"))


@given(positions())
def test_positions_round_trip(position: tuple[Rules, str, str]) -> None:
    box, pieces, turn = position
    text = fen.format(box, pieces, turn)  # type: ignore[arg-type]
    assert fen.parse(box, text) == (pieces, turn)


@pytest.mark.parametrize("box", SETS, ids=lambda box: box.name)
def test_start_positions_round_trip(box: Rules) -> None:
    assert fen.format(box, *fen.parse(box, box.start_fen)) == box.start_fen


def test_the_output_format() -> None:
    """Side to move, White first, ascending squares, K before a king."""
    assert fen.format(DAMA64, board(s1="W", s22="w", s3="b", s30="B"), "W") == "W:WK1,22:B3,K30"


@pytest.mark.parametrize(
    "text", ["B:W22:B3:H0:F1", "B:W22:B3:H12:F34.", "B:B3:W22:F7", "B:H0:F1:W22:B3"]
)
def test_counters_of_other_programs_are_ignored(text: str) -> None:
    assert fen.parse(DAMA64, text) == (board(s3="b", s22="w"), "B")


def test_an_empty_side_is_a_group_without_squares() -> None:
    assert fen.format(DAMA64, board(s3="b"), "B") == "B:W:B3"
    assert fen.parse(DAMA64, "B:W:B3") == (board(s3="b"), "B")
    assert fen.parse(DAMA64, "W:W:B") == (board(), "W")


@pytest.mark.parametrize(
    "text",
    [
        "W:WK1,22:B3",
        "W:B3:W22,K1",
        "W:WK1,22:B3.",
        "  W : WK1 , 22 : B3 .",
        "W:WK01,022:B003",
        "W:WKb8,c3:Bf8",
        "W:WKB8,C3:BF8",
    ],
)
def test_other_spellings_are_read(text: str) -> None:
    assert fen.parse(DAMA64, text) == (board(s1="W", s22="w", s3="b"), "W")


def test_ranges_of_squares_are_read() -> None:
    assert fen.parse(DAMA64, DAMA64.start_fen) == fen.parse(DAMA64, "W:W21-32:B1-12")
    assert fen.parse(DAMA64, "W:WK1-3,30:B") == (board(s1="W", s2="W", s3="W", s30="w"), "W")


def test_a_missing_group_is_an_empty_side() -> None:
    assert fen.parse(DAMA64, "B:B3") == (board(s3="b"), "B")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "turn"),
        ("?:W22:B3", "turn"),
        ("X:W22:B3", "turn"),
        ("w:W22:B3", "turn"),
        ("22,23", "turn"),
        ("W", "group"),
        ("W:", "group"),
        ("W:H0:F1", "group"),
        ("W:W22:B3:H", "group"),
        ("W:W22:B3:H0:H1", "group_twice"),
        ("W:W22:B3:F1x", "group"),
        ("W:W22:B3:F123456", "group"),
        ("W:W22:B3:+0", "group"),
        ("W:W22:B3:+0+0:+0+0", "group_twice"),
        ("W:W22,G99:B3", "off_board"),
        ('[FEN "W:W22:B3:X"]', "group"),
        ("W:22:B3", "group"),
        ("W:W22:X3", "group"),
        ("W:W22:B3..", "square"),
        ("W:W22:W23", "group_twice"),
        ("W:W22,:B3", "square"),
        ("W:W22,,23:B3", "square"),
        ("W:W2²:B3", "square"),
        ("W:Wk22:B3", "off_board"),
        ("W:WKK22:B3", "off_board"),
        ("W:W22-:B3", "square"),
        ("W:W-22:B3", "square"),
        ("W:W1234:B3", "square"),
        ("W:W33:B3", "off_board"),
        ("W:W0:B3", "off_board"),
        ("W:W22-99:B3", "off_board"),
        ("W:Wc4:B3", "off_board"),
        ("W:W25-22:B3", "range"),
        ("W:W22,22:B3", "duplicate"),
        ("W:W22,c3:B3", "duplicate"),
        ("W:W22:B22", "duplicate"),
        ("W:W21-24,23:B3", "duplicate"),
        ("W:W4:B5", "crowning_row"),
        ("W:W22:B29", "crowning_row"),
        ("W:W22:B3" + " " * fen.MAX_LENGTH, "length"),
    ],
)
def test_invalid_fens_are_refused(text: str, code: str) -> None:
    with pytest.raises(FenError) as refused:
        fen.parse(DAMA64, text)
    assert refused.value.code == code
    assert code in fen.CODES


def test_every_error_code_is_tested() -> None:
    marks = test_invalid_fens_are_refused.pytestmark  # type: ignore[attr-defined]
    assert {code for _, code in marks[0].args[1]} == set(fen.CODES)


def test_a_man_on_its_crowning_row_is_refused_on_the_larger_board_too() -> None:
    with pytest.raises(FenError, match="the blue man on 5 would be a king there: write WK5"):
        fen.parse(DAMA100, "W:W5:B20")
    with pytest.raises(FenError, match="the green man on 46 would be a king there: write BK46"):
        fen.parse(DAMA100, "W:W15:B46")
    assert fen.parse(DAMA100, "W:W46:B5")


def test_an_error_has_its_position() -> None:
    with pytest.raises(FenError) as refused:
        fen.parse(DAMA64, "W:W22,99:B3")
    assert refused.value.at == 6
    assert "99 is not a playing square of the 8×8 board (1 to 32) (at character 7)" in str(
        refused.value
    )


@given(st.text(max_size=60) | st.text("WBK:,.-0123456789 ace?x", max_size=60))
def test_any_text_is_a_position_or_raises_fen_error(text: str) -> None:
    for box in (DAMA64, DAMA100):
        try:
            pieces, turn = fen.parse(box, text)
        except FenError:
            continue
        assert fen.parse(box, fen.format(box, pieces, turn)) == (pieces, turn)


@pytest.mark.parametrize("box", SETS, ids=lambda box: box.name)
def test_names_of_squares_round_trip(box: Rules) -> None:
    for square in range(1, box.square_count + 1):
        name = squares.algebraic(box, square)
        assert squares.read(box, name) == squares.read(box, name.upper()) == square
        assert squares.read(box, str(square)) == square


def test_a1_is_whites_bottom_left_corner() -> None:
    assert squares.algebraic(DAMA64, 29) == "a1"
    assert squares.algebraic(DAMA100, 46) == "a1"
    assert squares.algebraic(DAMA100, 5) == "j10"
    # If the dark corner is at the right, a1 exists but is not a playing square.
    assert squares.algebraic(ITALIAN, 32) == "h1"
    assert squares.read(ITALIAN, "a1") is None


FRISIAN = rules.load("frisian")


@pytest.mark.parametrize(
    ("text", "streaks", "moves"),
    [
        ("W:WK5,30:B1,2", (), 11),
        ("W:WK5,30:B1,2:H0:F1:+0+0", (), 11),
        ("W:WK5,30:B1,2:H0:F1:+0+3K5", ((5, 3),), 2),
        ("W:WK5,30:B1,2:H0:F1:+3K5+0", ((5, 3),), 2),  # the square determines the king's side
        ("W:WK5,30:B1,2:+0+3", ((5, 3),), 2),
        ("W:WK5,30:B1,2:+0+2K5", ((5, 2),), 11),
        ("B:BK46,9:W50:+3K46+0", ((46, 3),), 2),
        ("W:WK50:B1:H0:F1:+0+0", (), 9),
        ("W:WK50:B1:+0+3K50", (), 9),  # without men there are no streaks
        ("W:WK5,30:B1,2:+0+3K30", (), 11),  # no king on the square
    ],
)
def test_king_streaks_are_read_and_written(
    text: str, streaks: tuple[tuple[int, int], ...], moves: int
) -> None:
    board = Board("frisian", text)
    assert (board.streaks, len(board.legal_moves)) == (streaks, moves)
    again = Board("frisian", board.fen)
    assert (again, again.streaks) == (board, streaks)
    assert Board("frisian", board.fen_with(labels=True), labels=True) == board


def test_a_board_writes_the_streaks_of_its_moves() -> None:
    board = Board("frisian", "W:WK50,36:BK1,16")
    for move in ("50-45", "1-6", "45-50", "6-1", "50-45"):
        board.push(move)
    assert board.fen.endswith(":+2K1+3K45")
    again = Board("frisian", board.fen)
    assert again == board
    assert again.legal_moves == board.legal_moves


def test_rules_without_streaks_ignore_them() -> None:
    board = Board("international", "W:WK5,30:B1,2:H0:F1:+0+3K5")
    assert (board.streaks, board.fen) == ((), "W:WK5,30:B1,2")


def test_read_returns_every_field() -> None:
    fields = fen.read(FRISIAN, "B:WK5,30:B1,2:H7:F31:+0+1K5")
    assert (fields.turn, fields.streaks) == ("B", ((5, 1),))
    assert (fields.half_moves, fields.move_number) == (7, 31)
    assert fen.read(FRISIAN, "W:W30:B1")[2:] == ((), None, None)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("W:WG22:B1", "W:W:B1"),
        ("W:W30,G22,K5:B1,P11,G12", "W:WK5,30:B1"),
        ("W:WP22,30:BG1", "W:W30:B"),
    ],
)
def test_captured_pieces_are_ignored(text: str, plain: str) -> None:
    assert Board("international", text).fen == plain


def test_g_is_a_file_in_algebraic_notation() -> None:
    assert Board("russian", "W:WG3,a1:Bb8") == Board("russian", "W:Wg3,a1:Bb8")
    assert Board("dama64", "W:WG3:BB8") == Board("dama64", "W:Wg3:Bb8")


@pytest.mark.parametrize(
    "text",
    [
        '[FEN "W:W31-50:B1-20"]',
        ' [FEN "W:W31-50:B1-20."] ',
        '[fen"W:W31-50:B1-20"]',
        '"W:W31-50:B1-20"',
        '[FEN "W:W31-50:B1-20"',
    ],
)
def test_a_whole_tag_is_read(text: str) -> None:
    assert Board("international", text) == Board("international")


def test_an_error_in_a_tag_has_its_position() -> None:
    with pytest.raises(FenError) as refused:
        fen.parse(DAMA64, '[FEN "W:W22,99:B3"]')
    assert refused.value.at == 12


@pytest.mark.parametrize("name", ["spanish", "portuguese", "thai", "russian", "international"])
def test_a_fen_header_has_the_boards_labels(name: str) -> None:
    box = rules.load(name)
    board = Board(box)
    for _ in range(5):
        board.push(board.legal_moves[0])
    here = Board(box, board.fen)
    game = pdn.PdnGame(box, here.fen)
    game.add_variation(here.legal_moves[0])
    [again] = pdn.read(pdn.format(game))
    from_tag = Board(again.rules, again.headers["FEN"], labels=True)
    assert from_tag == again.start() == here
    assert here.fen_with(labels=True) == again.headers["FEN"]


def test_a_man_on_its_crowning_row_may_be_repaired() -> None:
    pieces, _ = fen.parse(DAMA64, "W:W4,22:B29,K3", repair=True)
    assert (pieces[3], pieces[28], pieces[21]) == ("W", "B", "w")


@pytest.mark.parametrize(
    "text",
    [
        '[FEN "{}"]',
        "[FEN {}]",
        'FEN "{}"',
        "FEN {}",
        '"{}"',
        '\ufeff[FEN "{}"]',
        "\ufeff{}",
        '[GameType "20"]\n[FEN "{}"]',
        '[Event "x"]\r\n[FEN "{}"]\r\n[Result "*"]\r\n',
    ],
)
def test_a_tag_in_any_form_is_read(text: str) -> None:
    assert Board("international", text.format("W:W31:B20")) == Board("international", "W:W31:B20")
    with pytest.raises(FenError) as caught:
        Board("international", text.format("W:W99:B20"))
    assert caught.value.at == text.index("{}") + 3


@pytest.mark.parametrize(
    "text",
    ["?", "??", "*", "-", "--", "...", "start", "startpos", "initial", "None", "null", "N/A"],
)
def test_a_placeholder_is_the_start_position(text: str) -> None:
    assert Board("international", text) == Board("international")
    assert Board("russian", f'[FEN "{text}"]', labels=True) == Board("russian")
    [game] = pdn.read(f'[GameType "20"][FEN "{text}"] 1. 32-28 *')
    assert (game.fen, game.errors, game.move_count) == (None, [], 1)
