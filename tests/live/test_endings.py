"""Sentences of results and counters, for every objective."""

from __future__ import annotations

import pytest

from damka import rulebook
from damka.game import Game
from damka.live.sentences import Sentences
from damka.locales import LANGUAGES
from damka.rules import load
from tests.live.live_games import live_game

PLAIN = load("dama64").replace(name="plain", king_landing="any", precedence=[])


def result_sentence(game: Game, language: str = "en") -> str:
    live = live_game(game)
    assert live.result is not None
    return Sentences(live, ("W", "B"), language).result(*live.result)


def game_from(fen: str, **changes: object) -> Game:
    return Game(PLAIN.replace(**changes), fen)


LOSING = game_from("W:W13:B9,6", objective="losing")
BREAKTHROUGH = game_from("W:WK5:B22", objective="breakthrough")
MATERIAL = game_from("W:WK30:BK3", material_draws=[{"moves": 0}])


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (game_from("W:W13:B9,6"), "Black wins. White can’t move."),
        (LOSING, "White wins. White can’t move."),
        (game_from("B:W13:B", objective="losing"), "Black wins. Black has no pieces left."),
        (BREAKTHROUGH, "White wins. White got the first king."),
        (MATERIAL, "Draw. By the rules, not enough pieces are left to win."),
    ],
)
def test_the_sentence_of_a_result(game: Game, sentence: str) -> None:
    assert result_sentence(game) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_has_a_sentence_in_every_language(language: str) -> None:
    sentences = {result_sentence(game, language) for game in (LOSING, BREAKTHROUGH, MATERIAL)}
    assert len(sentences) == 3
    assert language == "en" or result_sentence(MATERIAL, language) != result_sentence(MATERIAL)


def test_a_result_links_to_its_rule() -> None:
    assert Sentences.result_topic("breakthrough") == "goal"
    assert Sentences.result_topic("material") == "material_draws"


def test_material_draws_are_counted_in_moves_of_each_side() -> None:
    game = game_from("W:WK30:BK3", material_draws=[{"moves": 5}], repetition=0, no_progress_moves=0)
    assert live_game(game).counters == ()
    for move in ("30-25", "3-7", "25-30"):
        game.play(move)
    # A loaded game counts from the moves in its file.
    counted = live_game(game).counters
    assert counted == (("material", 1, 5),)
    sentences = Sentences(live_game(game), ("W",), "en")
    assert sentences.counter(*counted[0]) == "Draw in 4 moves with these pieces"


TWO_KINGS = "W:WK29:BK32"
ROUND = ("29-25", "32-28", "25-29", "28-32")


@pytest.mark.parametrize(
    ("changes", "plies", "counted", "sentence"),
    [
        (
            {"repetition": 4, "repetition_of": "pieces"},
            4,
            ("repetition", 2, 4),
            "Draw if the pieces are on these squares 2 more times",
        ),
        (
            {"same_move": 3, "same_move_in": "game"},
            8,
            ("same_move", 2, 3),
            "Draw if a move already made is played 1 more time",
        ),
        (
            {"no_progress_moves": 15, "moves_by": "both"},
            3,
            ("no_progress", 3, 15),
            "Draw in 12 moves, both sides together, without a capture or man move",
        ),
        ({"move_limit": 20}, 5, ("move_limit", 2, 20), "Draw in 18 moves"),
        (
            {"move_limit": 20, "moves_by": "both"},
            5,
            ("move_limit", 5, 20),
            "Draw in 15 moves, both sides together",
        ),
    ],
)
def test_counters_of_literal_draws(
    changes: dict[str, object], plies: int, counted: tuple[str, int, int], sentence: str
) -> None:
    without = {"repetition": 0, "no_progress_moves": 0}
    game = game_from(TWO_KINGS, **{**without, **changes})
    for ply in range(plies):
        game.play(ROUND[ply % 4])
    assert live_game(game).counters == (counted,)
    assert Sentences(live_game(game), ("W",), "en").counter(*counted) == sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"repetition": 2, "repetition_of": "pieces"},
            "Draw. The same pieces were on the same squares 2 times.",
        ),
        (
            {"same_move": 2, "same_move_in": "game"},
            "Draw. The same move was played 2 times in the game.",
        ),
        (
            {"no_progress_moves": 4, "moves_by": "both"},
            "Draw. 4 moves by both sides together without a capture or a man move.",
        ),
        ({"move_limit": 2}, "Draw. Each side made 2 moves, the most that these rules allow."),
        (
            {"move_limit": 3, "moves_by": "both"},
            "Draw. 3 moves were played, the most that these rules allow.",
        ),
    ],
)
def test_ends_of_literal_draws(changes: dict[str, object], sentence: str) -> None:
    game = game_from(TWO_KINGS, **{"repetition": 0, "no_progress_moves": 0, **changes})
    for text in ROUND * 2:
        if game.result is None:
            game.play(text)
    assert result_sentence(game) == sentence
    assert game.result is not None
    assert game.result.sentence(game.rules) == sentence
    topic = Sentences.result_topic(game.result.reason)
    assert topic in {paragraph.topic for paragraph in rulebook.paragraphs(game.rules, "en")}
    for language in LANGUAGES:
        assert result_sentence(game, language) == game.result.sentence(game.rules, language)


def test_no_capture_is_compulsory_where_captures_are_free() -> None:
    assert live_game(game_from("W:W22:B18")).must == (22,)
    assert live_game(game_from("W:W22:B18", obligation="free")).must == ()
