"""Sentences of results and counters, for every objective."""

from __future__ import annotations

import pytest

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


def test_no_capture_is_compulsory_where_captures_are_free() -> None:
    assert live_game(game_from("W:W22:B18")).must == (22,)
    assert live_game(game_from("W:W22:B18", obligation="free")).must == ()
