"""Draw rules of each federation, tested to the exact move."""

from __future__ import annotations

import pytest

from damka import Game
from damka.game import Counter
from damka.rules import load
from tests.support import outcome, play

# On 10×10 White's king moves between 47 and 36, Black's between 4 and 15: at the edges, where
# nothing can be captured. On 8×8 the squares are 30 and 21, 3 and 12.
LARGE = (("47-36", "4-15"), ("36-47", "15-4"))
SMALL = (("30-21", "3-12"), ("21-30", "12-3"))
DRAWN = (None, "material")


def back_and_forth(rounds: tuple[tuple[str, str], ...], plies: int) -> list[str]:
    both = [move for pair in rounds for move in pair]
    return [both[ply % 4] for ply in range(plies)]


def begin(name: str, fen: str) -> Game:
    """Return a game without repetition draws."""
    return Game(load(name).replace(repetition=0), fen)


def count(game: Game, condition: int) -> int | None:
    """Return the plies for which a material draw's condition has been fulfilled."""
    return game.material_counts[condition]


def assert_drawn_after(game: Game, moves: list[str], reason: str = "material") -> None:
    """Assert that only the last of the moves draws the game."""
    play(game, *moves[:-1])
    assert outcome(game) is None
    game.play(moves[-1])
    assert outcome(game) == (None, reason)


@pytest.mark.parametrize(
    ("name", "fen", "each"),
    [
        # Three pieces against a king, one of them a king at least: sixteen moves of each side.
        ("international", "W:WK47,K50,K49:BK4", 16),
        ("international", "W:WK47,50,49:BK4", 16),
        ("international", "W:WK47:BK4,1,2", 16),
        # Two or one against a king: five.
        ("international", "W:WK47,50:BK4", 5),
        ("international", "W:WK47:BK4,K2", 5),
        ("international", "W:WK47:BK4", 5),
        # Frisian: two kings against one, seven; one against one, two.
        ("frisian", "W:WK47,K50:BK4", 7),
        ("frisian", "W:WK47:BK4,K2", 7),
        ("frisian", "W:WK47:BK4", 2),
    ],
)
def test_material_draws_on_the_large_board(name: str, fen: str, each: int) -> None:
    assert_drawn_after(begin(name, fen), back_and_forth(LARGE, 2 * each))


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        # Four against a king, and two kings each: only the 25 moves.
        ("international", "W:WK47,K50,K49,K48:BK4"),
        ("international", "W:WK47,K50:BK4,K2"),
    ],
)
def test_twenty_five_moves_of_kings_only(name: str, fen: str) -> None:
    game = begin(name, fen)
    assert game.material_counts == (None, None)
    assert_drawn_after(game, back_and_forth(LARGE, 50), "no_progress")


def test_two_men_and_no_king_are_not_enough_for_the_five_moves() -> None:
    assert begin("international", "W:W47,46:BK4").material_counts == (None, None)


def test_the_five_moves_override_the_sixteen() -> None:
    # After four moves of each side White gives the man away, which starts the count of five.
    game = begin("international", "W:WK47,K50,32:BK4")
    play(game, *back_and_forth(LARGE, 8))
    assert count(game, 0) == 8
    play(game, "32-27", "4x36")
    assert [count(game, 0), count(game, 1)] == [None, 0]
    assert game.counters[1] == Counter("material", 0, 10)


@pytest.mark.parametrize("name", ["russian", "brazilian"])
@pytest.mark.parametrize(
    ("fen", "each"),
    [
        # Three or more kings against a king off the main road: fifteen.
        ("W:WK30,K32,K31:BK3", 15),
        ("W:WK30,K32,K31,K29:BK3", 15),
        # Two pieces or one against a king: five.
        ("W:WK30,32:BK3", 5),
        ("W:WK30,K32:BK3", 5),
        ("W:WK30:BK3", 5),
    ],
)
def test_material_draws_on_the_small_board(name: str, fen: str, each: int) -> None:
    game = Game(load(name).replace(repetition=0, no_progress_moves=0), fen)
    assert_drawn_after(game, back_and_forth(SMALL, 2 * each))


@pytest.mark.parametrize("name", ["russian", "brazilian"])
def test_a_king_on_the_main_road_draws_after_five_moves(name: str) -> None:
    """White's king holds the road from 29 to 4; three black kings cannot drive it away."""
    game = begin(name, "W:WK29:BK1,K2,K3")
    assert count(game, 1) == 0
    road = (("29-25", "3-12"), ("25-29", "12-3"))
    assert_drawn_after(game, back_and_forth(road, 10))


@pytest.mark.parametrize("name", ["russian", "brazilian"])
def test_leaving_the_main_road_stops_its_count(name: str) -> None:
    game = begin(name, "W:WK30:BK1,K2,K3")
    assert count(game, 1) is None
    play(game, "30-25", "3-12")
    assert count(game, 1) == 1
    play(game, "25-21")
    assert count(game, 1) is None
    assert count(game, 0) == 3
    play(game, "12-3", "21-25")
    assert count(game, 1) == 0


@pytest.mark.parametrize("name", ["russian", "brazilian"])
@pytest.mark.parametrize(
    ("fen", "condition", "each"),
    [
        ("W:WK30,31:BK3,1", 3, 30),
        ("W:WK30,31,32:BK3,1", 3, 30),
        ("W:WK30,31,32:BK3,1,2", 4, 60),
        ("W:WK30,31,32,29:BK3,1,2", 4, 60),
    ],
)
def test_an_unchanged_balance_of_four_to_seven_pieces(
    name: str, fen: str, condition: int, each: int
) -> None:
    game = Game(load(name).replace(repetition=0, no_progress_moves=0), fen)
    assert_drawn_after(game, back_and_forth(SMALL, 2 * each))
    assert count(game, condition) == 2 * each


def test_a_new_king_changes_the_balance() -> None:
    game = Game("russian", "W:WK30,31,5:BK3,13")
    assert count(game, 3) == 0
    play(game, "30-21", "3-12", "5-1")
    assert count(game, 3) == 0


@pytest.mark.parametrize("name", ["pool", "jamaican"])
def test_three_kings_must_win_within_thirteen_moves(name: str) -> None:
    game = begin(name, "W:WK30,K32,K31:BK3")
    if load(name).dark_corner == "right":
        game = begin(name, "W:WK30,K29,K31:BK3")
    moves = quiet_plies(game, 26)
    assert_drawn_after(game, moves)


def quiet_plies(game: Game, plies: int) -> list[str]:
    """Return moves of two kings back and forth, without captures."""
    first, back = _round(game)
    both = [*first, *back]
    return [both[ply % 4] for ply in range(plies)]


def _round(game: Game) -> tuple[tuple[str, str], tuple[str, str]]:
    for ours in game.legal_moves:
        one = game.copy()
        one.play(ours)
        for theirs in one.legal_moves:
            two = one.copy()
            two.play(theirs)
            back = f"{ours.end}-{ours.start}", f"{theirs.end}-{theirs.start}"
            if ours.is_capture or theirs.is_capture or two.why_not(back[0]):
                continue
            two.play(back[0])
            if not two.why_not(back[1]) and ours.is_king and theirs.is_king:
                return (str(ours), str(theirs)), back
    raise AssertionError(game.board.fen)


@pytest.mark.parametrize("name", ["turkish", "armenian"])
def test_one_piece_each_is_an_immediate_draw(name: str) -> None:
    assert outcome(Game(name, "W:WK57:BK8")) == DRAWN
    assert outcome(Game(name, "W:W57:B8")) == DRAWN
    # Not if the side to move can capture the other piece.
    game = Game(name, "W:WK57:BK25")
    assert outcome(game) is None
    game.play(game.legal_moves[0])
    assert outcome(game) == ("W", "no_pieces")


@pytest.mark.parametrize(
    ("name", "each"),
    [("american", 40), ("italian", 40), ("czech", 15), ("spanish", 20), ("international", 25)],
)
def test_moves_of_each_side_without_a_capture_or_a_mans_move(name: str, each: int) -> None:
    rules = load(name)
    assert rules.no_progress_moves == each
    edges = "W:WK30,K32,K29:BK1,K2,K3" if rules.width == 8 else "W:WK47,K50,K49:BK1,K2,K3"
    game = Game(rules.replace(repetition=0, material_draws=[]), edges)
    if rules.first == "B":
        game = Game(rules.replace(repetition=0), edges)
    assert_drawn_after(game, quiet_plies(game, 2 * each), "no_progress")
    assert Counter("no_progress", 2 * each, 2 * each) in game.counters
