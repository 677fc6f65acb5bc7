"""Rule sets without published counts: their distinctive features, checked by hand."""

from __future__ import annotations

import pytest

from damka import Board, Game, reference
from damka.locales import LANGUAGES
from damka.rulebook import words
from damka.rules import load, names
from tests.support import legal

COUNTS = {
    "argentinian": (7, 49, 302, 1469, 7361, 36473),
    "german": (7, 49, 302, 1469, 7361, 36768),
    "malaysian": (11, 121, 1222, 10053, 78629),
    "mozambican": (7, 49, 302, 1469, 7473, 37628),
    "tanzanian": (7, 49, 302, 1469, 7361, 36768),
}
"""Counts of the specification; the tests repeat only the first plies with it."""


@pytest.mark.parametrize("name", COUNTS)
def test_perft_matches_the_specification(name: str) -> None:
    rules = load(name)
    for depth, count in enumerate(COUNTS[name], start=1):
        assert Board(rules).perft(depth) == count
        if depth < (4 if rules.width > 8 else 5):
            assert reference.perft(rules, reference.start(rules), depth) == count


def test_armenian_men_continue_as_kings() -> None:
    """From a6 over a7 to a8, and as a king over d8 and, behind it, down the last column."""
    fen = "W:W17:B9,4,16"
    ends = (24, 32, 40, 48, 56, 64)
    assert legal("armenian", fen) == {f"17x{end}x4x9x16" for end in ends}
    assert legal("turkish", fen) == {"17x1x9"}


def test_mozambican_counts_a_king_for_two() -> None:
    """Two kings go before three men, and one man before nothing."""
    fen = "W:W31:B26,17,9,K27,K19"
    men, kings = "31x6x9x17x26", "31x15x19x27"
    assert legal("mozambican", fen) >= {kings}
    assert men not in legal("mozambican", fen)


@pytest.mark.parametrize("name", ["portuguese", "spanish"])
def test_three_kings_need_the_long_diagonal_to_be_counted(name: str) -> None:
    rules = load(name)
    (draw,) = rules.material_draws
    assert draw.moves == 12
    # The long diagonal goes from 1 to 32.
    for squares, counts in (((1, 12, 13), True), ((4, 12, 13), False)):
        kings = ",".join(f"K{square}" for square in squares)
        board = Board(rules, f"W:W{kings}:BK32")
        position = reference.Position(board.pieces, "W")
        assert reference.fulfils(rules, draw, position) is counts
        assert board.material_counts == ((0,) if counts else (None,))


def test_german_kings_stop_right_behind_and_need_not_capture_first() -> None:
    assert legal("german", "W:W21,K29:B17,22") == {"21x14x17", "29x18x22"}


def test_tanzanian_kings_land_anywhere() -> None:
    assert legal("tanzanian", "W:WK29:B22") == {f"29x{end}x22" for end in (18, 15, 11, 8, 4)}
    assert legal("german", "W:WK29:B22") == {"29x18x22"}


def test_czech_kings_go_first_where_tanzanian_ones_need_not() -> None:
    fen = "W:W21,K29:B17,22"
    assert legal("czech", fen) == {f"29x{end}x22" for end in (18, 15, 11, 8, 4)}
    assert legal("tanzanian", fen) == legal("czech", fen) | {"21x14x17"}


def test_argentinian_kings_go_first_among_equals() -> None:
    # Two pieces each: the man's has a king in it.
    fen = "W:W21,K29:B22,11,K18"
    assert legal("spanish", fen) == {"21x7x11x18"}
    assert legal("argentinian", fen) == {"29x2x11x22", "29x6x11x22"}
    fen = "W:W30,K8:B26,14,K18"
    assert legal("spanish", fen) == {"30x21x26", "8x29x26"}
    assert legal("argentinian", fen) == {"8x29x26"}


def test_malaysian_men_capture_forwards() -> None:
    fen = "W:W40:B46,47"
    assert legal("canadian", fen) == {"40x51x46", "40x53x47"}
    assert legal("malaysian", fen) == {"40-34", "40-35"}


def test_malaysian_pieces_that_do_not_capture_are_huffed() -> None:
    game = Game("malaysian", "W:W40,65:B34,1")
    game.play("65-59")
    game.huff(40)
    assert game.board.pieces.count("w") == 1


@pytest.mark.parametrize("name", names())
def test_only_square_boards_have_main_road_draws(name: str) -> None:
    rules = load(name)
    if rules.width != rules.height:
        assert not any(draw.main_road for draw in rules.material_draws)


def test_philippine_three_kings_have_twelve_moves() -> None:
    rules = load("philippine")
    position = Board(rules, "W:WK1,K2,K3:BK29")
    (limit,) = [
        draw.moves
        for draw in rules.material_draws
        if reference.fulfils(rules, draw, reference.Position(position.pieces, "W"))
    ]
    assert limit == 12


def test_antidraughts_has_no_draws_by_number_of_moves() -> None:
    rules = load("antidraughts")
    assert (rules.repetition, rules.no_progress_moves, rules.material_draws) == (3, 0, ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_for_kings_without_u_turns_allows_none(language: str) -> None:
    turkish = load("turkish")
    free = turkish.replace(name="free", u_turn=True)
    chain = {rules.name: words.text(rules, "chain", language) for rules in (turkish, free)}
    assert chain["turkish"] != chain["free"]


@pytest.mark.parametrize(
    ("language", "piece", "man"), [("bg", "фигури", "пулове"), ("sk", "figúrk", "kameň")]
)
def test_a_side_loses_without_pieces_not_without_men(language: str, piece: str, man: str) -> None:
    for name in ("american", "antidraughts", "breakthrough"):
        for topic in ("goal", "no_moves"):
            text = words.text(load(name), topic, language)
            assert man not in text
    assert piece in words.text(load("american"), "no_moves", language)
