"""Why played moves and huffs were legal, in every game that is shipped."""

from __future__ import annotations

import random

import pytest

from damka import Game, rules
from damka.live import actions, lines
from damka.live.problems import Refused
from damka.live.state import rule_text
from damka.locales import LANGUAGES
from damka.rules.parameters import topic_applies
from tests.live.live_games import live_game


@pytest.mark.parametrize("name", rules.names())
def test_every_move_of_a_random_game_is_explained(name: str) -> None:
    """Huffs and missed captures, too; the page Analyse says the same as the game."""
    rng = random.Random(name)
    game = Game(name)
    while game.result is None and len(game.history) < 80:
        if game.offences and rng.random() < 0.6:
            game.huff(rng.choice(game.offences))
            continue
        game.play(rng.choice([*game.legal_moves, *game.offence_moves]))
    live = live_game(game)
    keys = [lines.key_with_huff(each.move.hub(), each.huff) for each in game.history]
    for ply in range(1, len(keys) + 1):
        language = LANGUAGES[ply % len(LANGUAGES)]
        answer = actions.allowed(live, ply, language)
        assert answer.route == game.history[ply - 1].move.route
        assert set(answer.squares) <= set(range(1, game.rules.square_count + 1))
        assert answer.rule is not None
        topic = answer.rule.url.partition("#p-")[2]
        assert topic_applies(topic, game.rules.value_of)
        assert (topic == "huffing") >= (game.history[ply - 1].huff is not None)
        if ply % 20 == 0:
            request = lines.LineRequest(moves=keys[:ply], why=True)
            why = lines.describe(game.rules, request, language)["why"]
            assert why["sentence"] == answer.sentence
            assert why["rule"]["url"] == f"/rules/{name}#p-{topic}"


def test_only_played_moves_are_explained() -> None:
    with pytest.raises(Refused):
        actions.allowed(live_game(), 1, "en")


def test_the_first_sentences_of_a_rule_are_whole() -> None:
    assert rule_text(rules.load("dama64"), "chain", "en") == (
        "If the same piece can capture again from the square where it landed, it must. "
        "All the jumps together are one move, and you may not stop half-way."
    )
    long_sentence = "x" * 200
    assert rule_text(rules.load("dama64"), "chain", "en", after=long_sentence) is None
    assert rule_text(rules.load("dama64"), "your_turn", "en") is None
    assert rule_text(rules.load("dama64"), "king_streak", "en") is None
