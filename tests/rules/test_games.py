"""Complete games replayed move by move, by the game and by the executable specification."""

from __future__ import annotations

import json
from typing import Any

import pytest

from damka import Game, reference
from damka.notation import hub
from damka.rules import names
from tests.support import DATA, outcome, read_fen
from tests.support import hub as specified_hub

GAMES: list[dict[str, Any]] = [
    json.loads(line) for line in (DATA / "games" / "games.jsonl").read_text("utf-8").splitlines()
]
IDS = [f"{number}-{game['rules']}" for number, game in enumerate(GAMES)]


def replayed(record: dict[str, Any]) -> Game:
    game = Game(record["rules"], ballot=record.get("ballot"))
    for text in record["moves"].split()[len(game.history) :]:
        assert game.result is None
        game.play(text)
    return game


def test_there_is_a_game_of_every_rule_set() -> None:
    assert {game["rules"] for game in GAMES} == set(names())
    assert len([game for game in GAMES if game["event"] != "by lot"]) >= 10


@pytest.mark.parametrize("record", GAMES, ids=IDS)
def test_games_are_replayed_to_their_results(record: dict[str, Any]) -> None:
    game = replayed(record)
    assert outcome(game) == (record["result"] and tuple(record["result"]))
    assert " ".join(map(str, game.history)) == record["moves"]
    assert Game.from_json(game.to_json()) == game


@pytest.mark.parametrize("record", GAMES, ids=IDS)
def test_the_specification_replays_the_games(record: dict[str, Any]) -> None:
    game = replayed(record)
    # The games have no repetitions and no huffs.
    rules = game.rules
    first = position = read_fen(rules, game.start_fen)
    moves: list[reference.Move] = []
    for ply in game.history:
        assert reference.winner(rules, position) is None
        by_text = {specified_hub(move): move for move in reference.legal_moves(rules, position)}
        moves.append(by_text[hub.format(ply.move)])
        position = reference.apply(rules, position, moves[-1])
        assert position.pieces == ply.pieces
    drawn = reference.draws(rules, first, moves)
    if game.result is None:
        assert (reference.winner(rules, position), drawn) == (None, set())
    elif game.result.winner is None:
        assert game.result.reason in drawn
    else:
        assert reference.winner(rules, position) == game.result.winner


def test_the_games_include_draws_wins_and_a_breakthrough() -> None:
    reasons = {game["result"][1] for game in GAMES if game["result"]}
    assert reasons >= {"no_pieces", "repetition", "material", "breakthrough"}
