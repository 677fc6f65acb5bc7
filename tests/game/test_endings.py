"""Objectives of games, and material draws."""

from __future__ import annotations

from typing import Any

import pytest

from damka import Game
from damka.game import Counter, Result
from damka.rules import Rules, load
from tests.support import play

PLAIN = load("dama64").replace(name="plain", king_landing="any", precedence=[])
LOSING = PLAIN.replace(objective="losing")
BREAKTHROUGH = PLAIN.replace(objective="breakthrough")

# White's king moves between 30 and 25, Black's between 3 and 7.
KINGS = "W:WK30:BK3"
ROUND = ("30-25", "3-7", "25-30", "7-3")


def with_draws(*draws: dict[str, Any], **changes: Any) -> Rules:
    off = {"repetition": 0, "no_progress_moves": 0}
    return PLAIN.replace(material_draws=draws, **{**off, **changes})


def counter(game: Game) -> Counter | None:
    return next((counter for counter in game.counters if counter.kind == "material"), None)


# The losing game and breakthrough


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("W:W:B3", Result("W", "no_pieces")),
        ("B:W22:B", Result("B", "no_pieces")),
        ("W:W13:B9,6", Result("W", "no_moves")),
    ],
)
def test_the_side_that_cannot_move_wins_the_losing_game(fen: str, result: Result) -> None:
    assert Game(LOSING, fen).result == result


def test_losing_the_last_piece_wins_the_losing_game() -> None:
    game = play(Game(LOSING, "W:W22:B18"), "22x15")
    assert game.result == Result("B", "no_pieces")


def test_a_huff_of_the_last_piece_wins_the_losing_game() -> None:
    huffing = LOSING.replace(obligation="huff")
    game = play(Game(huffing, "W:W22:B18,1"), "22-17")
    game.huff(17)
    assert game.result == Result("W", "no_pieces")


def test_the_first_king_wins_breakthrough() -> None:
    game = play(Game(BREAKTHROUGH, "W:W5,32:B22"), "5-1")
    assert game.result == Result("W", "breakthrough")
    assert game.legal_moves == []
    game.undo()
    assert game.result is None


def test_a_breakthrough_takes_precedence_over_a_draw() -> None:
    drawn = BREAKTHROUGH.replace(material_draws=[{"moves": 0}], repetition=2)
    assert Game(drawn, "W:WK5:B27").result == Result("W", "breakthrough")
    assert Game(drawn, "W:WK5:BK31").result == Result("B", "breakthrough")
    assert Game(drawn, "W:W5:B27").result == Result(None, "material")


def test_the_side_that_cannot_move_loses_breakthrough() -> None:
    assert Game(BREAKTHROUGH, "W:W13:B9,6").result == Result("B", "no_moves")


# Material draws


def test_material_draws_count_plies() -> None:
    game = Game(with_draws({"moves": 2, "strong": {"pieces": 1}, "weak": {"pieces": 1}}), KINGS)
    counts = [game.material_counts]
    for move in ROUND:
        assert game.result is None
        game.play(move)
        counts.append(game.material_counts)
    assert counts == [(0,), (1,), (2,), (3,), (4,)]
    assert game.result == Result(None, "material")
    assert counter(game) == Counter("material", 4, 4)


def test_an_unmet_condition_is_not_counted() -> None:
    game = Game(with_draws({"moves": 2, "pieces": 3}, {"moves": 9, "pieces": 2}), KINGS)
    assert game.material_counts == (None, 0)
    assert counter(game) == Counter("material", 0, 18)
    none = Game(with_draws({"moves": 2, "pieces": 3}), KINGS)
    assert (none.material_counts, none.counters) == ((None,), ())


def test_the_counter_is_that_of_the_earliest_draw() -> None:
    two_to_one = {"moves": 3, "strong": {"kings": 2}, "weak": {"kings": 1}}
    game = Game(with_draws({"moves": 7, "weak": {"men": 0}}, two_to_one), "W:WK30,K29:BK3,20")
    play(game, "30-25", "20-24")
    assert game.material_counts == (2, 2)
    assert counter(game) == Counter("material", 2, 6)


def test_a_capture_restarts_the_count() -> None:
    game = play(Game(with_draws({"moves": 9}), "W:WK30:BK3,1"), "30-25", "3-8")
    assert game.material_counts == (2,)
    play(game, "25x4")
    assert game.material_counts == (0,)


def test_a_new_king_restarts_the_count_of_unchanged_pieces() -> None:
    game = Game(with_draws({"moves": 9, "unchanged": True}, {"moves": 9}), "W:W5,30:BK3")
    play(game, "30-25", "3-7", "5-1")
    assert game.material_counts == (0, 3)


def test_a_huff_restarts_the_count() -> None:
    huffing = with_draws({"moves": 9, "pieces": [0, 9]}, obligation="huff")
    game = play(Game(huffing, "W:W22,32:B18,1"), "32-28")
    assert game.material_counts == (1,)
    game.huff(22)
    assert game.material_counts == (0,)
    play(game, "1-5")
    assert game.material_counts == (1,)
    game.undo()
    assert game.material_counts == (1,)
    assert game.offences == (22,)


def test_the_main_road_is_the_long_diagonal() -> None:
    road = {"moves": 5, "strong": {"pieces": 3}, "weak": {"kings": 1, "men": 0}, "main_road": True}
    for square, on_it in ((29, True), (4, True), (18, True), (30, False), (1, False)):
        game = Game(with_draws(road), f"W:WK{square}:BK2,K3,K21")
        assert (game.material_counts != (None,)) is on_it
    mirrored = with_draws(road, dark_corner="right")
    assert Game(mirrored, "W:WK1:BK2,K3,K20").material_counts == (0,)


def test_an_immediate_draw_waits_for_captures() -> None:
    one_each = with_draws({"moves": 0, "strong": {"pieces": 1}, "weak": {"pieces": 1}})
    assert Game(one_each, KINGS).result == Result(None, "material")
    assert Game(one_each, "W:WK30:BK23").result is None
    game = play(Game(one_each, "W:WK30:BK5,26"), "30x23")
    assert (game.material_counts, game.result) == ((0,), None)
    game = play(Game(one_each, "B:WK30,14:B10"), "10x17")
    assert game.result == Result(None, "material")
    game.undo()
    assert game.result is None


def test_an_immediate_draw_waits_for_a_huff() -> None:
    one_each = with_draws({"moves": 0, "pieces": 2}, obligation="huff")
    offence = play(Game(one_each, "W:WK30:BK23"), "30-25")
    assert (offence.result, offence.offences) == (None, (25,))
    waived = play(offence.copy(), "23-27")
    assert waived.result == Result(None, "material")
    offence.huff(25)
    assert offence.result == Result("B", "no_pieces")


def test_a_win_takes_precedence_over_a_material_draw() -> None:
    game = play(Game(with_draws({"moves": 0, "pieces": 1}), "W:W22:B18"), "22x15")
    assert game.result == Result("W", "no_pieces")


def test_a_drawn_game_round_trips() -> None:
    rules = with_draws(
        {"moves": 1, "strong": {"kings": [1, 3]}, "weak": {"men": 0}, "pieces": [0, 4]}
    )
    game = play(Game(rules, KINGS), *ROUND[:2])
    loaded = Game.from_json(game.to_json())
    assert loaded == game
    assert loaded.result == Result(None, "material")
    assert loaded.material_counts == game.material_counts
