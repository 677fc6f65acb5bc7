"""Openings drawn by lot: forced moves, rematches, files, and invalid ballots."""

from __future__ import annotations

import json
import random

import pytest

from damka import Game
from damka.errors import GameFileError, IllegalActionError, RulesError
from damka.rules import load, names

BALLOTS = ("9-13 22-18 10-15", "B:W21,30:B5,9 9-13 21-17", "11-15")
RULES = load("american").replace(name="by-lot", ballots=BALLOTS)


def test_the_opening_is_played() -> None:
    game = Game(RULES, ballot=0)
    assert [str(ply) for ply in game.history] == ["9-13", "22-18", "10-15"]
    assert all(ply.by_lot for ply in game.history)
    assert game.plies_by_lot == len(game.history)
    assert (game.turn, game.ballot) == ("W", 0)
    game.play(game.legal_moves[0])
    assert not game.history[-1].by_lot
    assert game.plies_by_lot == len(game.history) - 1


def test_without_a_ballot_there_is_no_opening() -> None:
    game = Game(RULES)
    assert (game.history, game.ballot) == ((), None)


def test_an_opening_may_begin_with_a_position() -> None:
    game = Game(RULES, ballot=1)
    assert game.start_fen == "B:W21,30:B5,9"
    assert game.board.fen == "B:W17,30:B5,13"


def test_an_opening_may_take_men_off_at_the_start() -> None:
    game = Game(RULES.replace(ballots=["(9) (24) 11-15 22-18"]), ballot=0)
    full = Game(RULES).board.pieces
    assert Game(RULES, game.start_fen).board.pieces == full[:8] + "." + full[9:23] + "." + full[24:]
    assert [str(ply) for ply in game.history] == ["11-15", "22-18"]
    assert Game.from_json(game.to_json()) == game


def test_the_moves_of_an_opening_cannot_be_taken_back() -> None:
    game = Game(RULES, ballot=0)
    game.play(game.legal_moves[0])
    game.undo()
    with pytest.raises(IllegalActionError) as refused:
        game.undo()
    assert refused.value.refusal.code == "nothing_to_undo"
    assert game == Game(RULES, ballot=0)


def test_a_game_with_a_ballot_differs_from_one_with_the_same_moves() -> None:
    by_hand = Game(RULES)
    for text in BALLOTS[0].split():
        by_hand.play(text)
    assert by_hand.board == Game(RULES, ballot=0).board
    assert by_hand != Game(RULES, ballot=0)


def test_the_rematch_is_played_with_the_same_opening_and_then_with_another() -> None:
    game = Game(RULES, ballot=0, players={"W": "Ana", "B": "Bo"})
    again, swap = game.rematch()
    assert (swap, again.ballot, again.returned, again.players["W"]) == (True, 0, True, "Bo")
    drawn = {again.rematch(random.Random(seed))[0].ballot for seed in range(30)}
    assert drawn == {0, 1, 2}
    third, swap = again.rematch()
    assert (swap, third.returned, third.players["W"]) == (True, False, "Ana")


def test_with_sides_by_lot_every_rematch_draws_an_opening() -> None:
    game = Game(RULES.replace(rematch="lots"), ballot=0)
    games = [game.rematch(random.Random(seed))[0] for seed in range(30)]
    assert {each.ballot for each in games} == {0, 1, 2}
    assert not any(each.returned for each in games)


@pytest.mark.parametrize("ballot", [0, 1])
@pytest.mark.parametrize("returned", [False, True])
def test_it_is_saved_and_loaded(ballot: int, returned: bool) -> None:
    game = Game(RULES, ballot=ballot, returned=returned)
    game.play(game.legal_moves[0])
    game.offer_draw("W")
    loaded = Game.from_json(game.to_json())
    assert loaded == game
    assert loaded.history == game.history
    assert (loaded.ballot, loaded.returned) == (ballot, returned)


def test_a_file_without_an_opening_has_no_key_for_it() -> None:
    assert not {"ballot", "returned"} & json.loads(Game(RULES).to_json()).keys()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"moves": ["9-13", "22-17"]}, r"moves\[1\]: expected 22-18"),
        ({"moves": ["9-13"]}, r"moves\[1\]: expected 22-18"),
        ({"start": "B:W21,30:B5,9"}, "start: expected B:W21,22"),
        ({"ballot": 3}, "ballot: ballot 3: the rule set has 3"),
        ({"ballot": -1}, "ballot"),
    ],
)
def test_a_file_that_contradicts_its_opening_is_refused(
    changes: dict[str, object], message: str
) -> None:
    whole = json.loads(Game(RULES, ballot=0).to_json())
    with pytest.raises(GameFileError, match=message):
        Game.from_json(json.dumps({**whole, **changes}))


def test_offers_during_the_opening_are_refused() -> None:
    whole = json.loads(Game(RULES, ballot=0).to_json())
    whole["offers"] = [{"after": 1, "side": "W", "act": "offer"}]
    with pytest.raises(GameFileError, match="offers"):
        Game.from_json(json.dumps(whole))


@pytest.mark.parametrize(
    ("ballot", "message"),
    [
        ("9-13 22-17 13x22 9-14", "9-14"),
        ("9-13 tea", "tea"),
        ("B:W99:B1 9-13", "99"),
        ("(99) 9-13", "99 is not a square"),
        ("(9) (9) 11-15", "no piece"),
        ("W:W:B9", "expected moves after which the game goes on"),
        ("B:W18:B14 14x23", "expected moves after which the game goes on"),
    ],
)
def test_a_ballot_that_cannot_be_played_is_named(ballot: str, message: str) -> None:
    rules = RULES.replace(ballots=["11-15", ballot])
    Game(rules, ballot=0)
    with pytest.raises(RulesError, match=message) as error:
        Game(rules, ballot=1)
    assert error.value.key == "ballots[1]"


@pytest.mark.parametrize("ballot", [-1, 3])
def test_an_unknown_ballot_is_refused(ballot: int) -> None:
    with pytest.raises(IndexError, match=f"ballot {ballot}: the rule set has 3"):
        Game(RULES, ballot=ballot)


def test_a_game_begins_in_one_way() -> None:
    with pytest.raises(ValueError, match="not with both"):
        Game(RULES, RULES.start_fen, ballot=0)


@pytest.mark.parametrize("name", [name for name in names() if load(name).openings])
def test_every_ballot_that_is_shipped_can_be_played(name: str) -> None:
    rules = load(name)
    count = len(rules.openings)
    starts = {Game(rules, ballot=n).board.fen for n in range(0, count, 1 + count // 400)}
    assert len(starts) > 60
