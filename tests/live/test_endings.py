"""Sentences of results and counters, for every objective."""

from __future__ import annotations

import pytest

from damka import rulebook
from damka.game import Game
from damka.live.sentences import Sentences
from damka.locales import LANGUAGES
from damka.rules import SIDES, load, other
from tests.live.live_games import live_game

PLAIN = load("dama64").replace(name="plain", king_landing="any", precedence=[])


def result_sentence(game: Game, language: str = "en") -> str:
    live = live_game(game)
    assert live.result is not None
    return Sentences(live, ("W", "B"), language).result(*live.result)


def one_sentence(text: str) -> str:
    """Return a result of the library, two sentences, as the page says it."""
    outcome, _, cause = text.partition(". ")
    return f"{outcome}: {cause[:1].lower()}{cause[1:]}"


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
        (MATERIAL, "Draw: by the rules, not enough pieces are left to win."),
    ],
)
def test_the_sentence_of_a_result(game: Game, sentence: str) -> None:
    assert result_sentence(game) == sentence


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_has_a_sentence_in_every_language(language: str) -> None:
    sentences = {result_sentence(game, language) for game in (LOSING, BREAKTHROUGH, MATERIAL)}
    assert len(sentences) == 3
    assert language == "en" or result_sentence(MATERIAL, language) != result_sentence(MATERIAL)


@pytest.mark.parametrize(
    ("game", "won", "lost"),
    [
        (
            game_from("W:W13:B9,6"),
            "You won: your opponent has no moves.",
            "You lost: you have no moves.",
        ),
        (LOSING, "You won: you have no moves.", "You lost: your opponent has no moves."),
        (BREAKTHROUGH, "You won: you got the first king.", "You lost: your opponent got"),
    ],
)
def test_a_player_is_addressed(game: Game, won: str, lost: str) -> None:
    live = live_game(game)
    assert live.result is not None
    winner, reason = live.result
    assert winner is not None
    assert Sentences(live, (winner,), "en").result(winner, reason) == won
    assert Sentences(live, (other(winner),), "en").result(winner, reason).startswith(lost)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("objective", ["normal", "losing"])
def test_every_result_has_a_sentence_for_its_players(language: str, objective: str) -> None:
    live = live_game(game_from("W:W13:B9,6", objective=objective))
    reasons = ("no_pieces", "no_moves", "breakthrough", "resignation", "time", "abandonment")
    sentences = {
        Sentences(live, (side,), language).result("W", reason)
        for side in SIDES
        for reason in reasons
    }
    assert len(sentences) == 2 * len(reasons)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Ana wins. Black can’t move."), ("bg", "Ana побеждава. Черните нямат ход.")],
)
def test_the_winner_at_one_screen_has_a_name(language: str, sentence: str) -> None:
    live = live_game(game_from("W:W13:B9,6"))
    live.game.players = {"B": "Bo", "W": "Ana"}
    assert Sentences(live, ("W", "B"), language).result("W", "no_moves") == sentence


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
            "Draw in 12 moves without a capture or man move, counting both sides",
        ),
        ({"move_limit": 20}, 5, ("move_limit", 2, 20), "Draw in 18 moves"),
        (
            {"move_limit": 20, "moves_by": "both"},
            5,
            ("move_limit", 5, 20),
            "Draw in 15 moves, counting both sides",
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
            "Draw. 4 moves without a capture or a man move, counting both sides.",
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
    assert result_sentence(game) == one_sentence(sentence)
    assert game.result is not None
    assert game.result.sentence(game.rules) == sentence
    topic = Sentences.result_topic(game.result.reason)
    assert topic in {paragraph.topic for paragraph in rulebook.paragraphs(game.rules, "en")}
    for language in LANGUAGES:
        in_library = game.result.sentence(game.rules, language)
        assert result_sentence(game, language) == one_sentence(in_library)


def test_no_capture_is_compulsory_where_captures_are_free() -> None:
    assert live_game(game_from("W:W22:B18")).must == (22,)
    assert live_game(game_from("W:W22:B18", obligation="free")).must == ()
