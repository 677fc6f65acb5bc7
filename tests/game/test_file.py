"""Game files: contents, validation, and invalid input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damka import Game, rules
from damka.errors import GameFileError
from damka.game import Result, file

if TYPE_CHECKING:
    from pathlib import Path


def sample() -> Game:
    """Return a game with a huff, a declined draw offer and a resignation."""
    game = Game("dama100", "W:W32,33,38,47:B27,8,9", players={"W": "Ana"})
    game.play("33-29")
    game.offer_draw("W")
    game.huff(32)
    game.decline_draw("B")
    game.play("8-12")
    game.resign("W")
    return game


def changed(**values: Any) -> str:
    """Return the sample's file with some values replaced; "omit" removes a key."""
    whole = {**json.loads(sample().to_json()), **values}
    return json.dumps({key: value for key, value in whole.items() if value != "omit"})


def refused(text: str | bytes) -> str:
    with pytest.raises(GameFileError) as error:
        Game.from_json(text)
    return str(error.value)


# Contents


def test_a_file_has_the_documented_layout() -> None:
    whole = json.loads(sample().to_json())
    rule_set = whole.pop("rules")
    assert rule_set == json.loads(json.dumps(rules.load("dama100").to_dict()))
    assert whole == {
        "format": "damka-game",
        "version": 1,
        "start": "W:W32,33,38,47:B8,9,27",
        "moves": ["33-29", "(32) 8-12"],
        "offers": [
            {"after": 1, "side": "W", "act": "offer"},
            {"after": 2, "side": "B", "act": "decline"},
        ],
        "result": {"winner": "B", "reason": "resignation"},
        "players": {"W": "Ana"},
    }


def test_a_game_is_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "игра.json"
    sample().save(path)
    assert Game.load(path) == Game.load(str(path)) == sample()


def test_bytes_are_read_like_text() -> None:
    assert Game.from_json(sample().to_json().encode()) == sample()


def test_a_file_has_the_house_rules_of_its_game() -> None:
    house = rules.load("dama64").replace(name="house", king_landing="any", repetition=0)
    game = Game(house)
    game.play("22-18")
    assert Game.from_json(game.to_json()).rules == house


def test_a_file_has_the_chosen_obligation() -> None:
    game = Game("dama100", obligation="forced")
    assert Game.from_json(game.to_json()).rules.obligation == "forced"


@pytest.mark.parametrize("moves", [["22-18", "12-16"], ["c3-d4", "h6-g5"], []])
def test_optional_keys_may_be_missing(moves: list[str]) -> None:
    """Offers, result and players are optional, and moves may be in any notation."""
    text = json.dumps(
        {
            "format": "damka-game",
            "version": 1,
            "rules": {"base": "dama64"},
            "start": rules.load("dama64").start_fen,
            "moves": moves,
        }
    )
    assert len(Game.from_json(text).moves) == len(moves)


# Validation


def test_an_error_names_another_version() -> None:
    assert refused(changed(version=2)) == (
        "version: this Damka reads version 1, the file has version 2"
    )
    # A later version may have any other contents.
    assert "has version 7" in refused('{"format": "damka-game", "version": 7, "x": []}')


def test_an_error_names_another_format() -> None:
    assert refused('{"format": "pdn", "version": 1}') == (
        'format: expected "damka-game", found "pdn"'
    )


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"rules": 3}, "rules: "),
        ({"rules": {"base": "chess"}}, "rules: base = 'chess': expected the name"),
        ({"rules": {"base": "dama64", "rows": 9}}, "rules: rows = 9: expected"),
        ({"rules": "omit"}, "Object missing required field `rules`"),
        ({"start": "W:W99:B1"}, "start: 99 is not a playing square"),
        ({"start": None}, "start: "),
        ({"moves": "33-29"}, "moves: "),
        ({"moves": ["33-29", 4]}, "moves[1]: "),
        (
            {"moves": ["33-29", "(29) 8-12"]},
            "moves[1]: '(29) 8-12': The piece on 29 didn’t miss a capture",
        ),
        ({"moves": ["33-29", "(99) 8-12"]}, "moves[1]: '(99) 8-12': "),
        ({"moves": ["33-29", "(32) 8-18"]}, "moves[1]: '(32) 8-18': "),
        ({"moves": ["33-22"]}, "moves[0]: '33-22': "),
        ({"moves": ["nonsense"]}, "moves[0]: 'nonsense': “nonsense” is not a move"),
        ({"offers": [{"after": 1, "side": "W", "act": "yell"}]}, "offers[0].act: "),
        ({"offers": [{"after": -1, "side": "W", "act": "offer"}]}, "offers[0].after: "),
        ({"offers": [{"after": 0, "side": "W", "act": "accept"}]}, "offers[0]: There is no draw"),
        ({"offers": [{"after": 9, "side": "W", "act": "offer"}]}, "offers[0].after: out of order"),
        ({"result": {"winner": "B", "reason": "boredom"}}, "result.reason: "),
        (
            {"result": {"winner": None, "reason": "resignation"}},
            "result.winner: expected the winner",
        ),
        ({"result": {"winner": "B", "reason": "no_moves"}}, "result: no_moves (B wins), but the"),
        ({"result": {"winner": None, "reason": "agreement"}}, "result: agreement (a draw), but"),
        ({"players": {"W": ""}}, "players: player name: expected 1 to 80"),
        ({"players": {"X": "Ana"}}, "players: "),
        ({"mvoes": []}, "Object contains unknown field `mvoes`"),
    ],
)
def test_errors_name_their_place(values: dict[str, Any], where: str) -> None:
    assert refused(changed(**values)).startswith(where)


def test_a_huff_may_be_a_separate_entry() -> None:
    assert Game.from_json(changed(moves=["33-29", "(32)", "8-12"])) == sample()


def test_an_unfinished_game_has_no_result() -> None:
    assert Game.from_json(changed(result=None)).result is None
    assert Game.from_json(changed(result="omit")).result is None


def test_a_result_is_checked_against_the_moves() -> None:
    over = Game("dama64", "W:W22:B18")
    over.play("22x15")
    assert over.result == Result("W", "no_pieces")
    other_winner = over.to_json().replace('"winner": "W"', '"winner": "B"')
    assert refused(other_winner) == (
        "result: no_pieces (B wins), but the moves end in no_pieces (W wins)"
    )
    without_result = json.loads(over.to_json())
    del without_result["result"]
    assert refused(json.dumps(without_result)).startswith(
        "result: an unfinished game, but the moves"
    )


def test_moves_after_the_end_are_refused() -> None:
    over = Game("dama64", "W:W22:B18")
    over.play("22x15")
    whole = json.loads(over.to_json())
    whole["moves"].append("15-10")
    assert refused(json.dumps(whole)) == "moves[1]: '15-10': The game is over."


# Limits


def test_too_large_a_file_is_refused() -> None:
    assert "larger than" in refused(" " * (file.MAX_BYTES + 2))


def test_too_many_moves_are_refused() -> None:
    assert refused(changed(moves=["1-2"] * (file.MAX_MOVES + 1))).startswith("moves: ")


def test_too_long_a_game_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "MAX_MOVES", 1)
    with pytest.raises(GameFileError, match="has 2 moves; a file may have at most 1"):
        sample().to_json()
    monkeypatch.undo()
    monkeypatch.setattr(file, "MAX_BYTES", 1000)
    with pytest.raises(GameFileError, match="larger than 1000 bytes"):
        sample().to_json()


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match=r"nowhere\.json: cannot be read"):
        Game.load(tmp_path / "nowhere.json")
    with pytest.raises(GameFileError, match="cannot be read"):
        Game.load(tmp_path)
    with pytest.raises(GameFileError, match="cannot be read"):
        Game.load("a\0b")


def test_an_error_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("{", "utf-8")
    with pytest.raises(GameFileError, match=r"game\.json: not JSON: "):
        Game.load(path)


# Invalid input


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_random_input_is_refused(garbage: str | bytes) -> None:
    with pytest.raises(GameFileError):
        Game.from_json(garbage)


def test_deeply_nested_input_is_refused() -> None:
    for deep in ("[" * 100_000, '{"a":' * 100_000, changed(rules="omit") + "]"):
        refused(deep)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
KEYS = ("format", "version", "rules", "start", "moves", "offers", "result", "players")


@given(st.dictionaries(st.sampled_from(KEYS), JSON, min_size=1, max_size=3))
def test_a_file_with_random_values_is_a_game_or_an_error(values: dict[str, Any]) -> None:
    text = json.dumps({**json.loads(sample().to_json()), **values})
    try:
        game = Game.from_json(text)
    except GameFileError:
        return
    assert Game.from_json(game.to_json()) == game


@given(st.integers(0, 5000), st.binary(min_size=1, max_size=3))
def test_a_damaged_file_is_a_game_or_an_error(at: int, damage: bytes) -> None:
    text = sample().to_json().encode()
    at %= len(text)
    try:
        game = Game.from_json(text[:at] + damage + text[at + len(damage) :])
    except GameFileError:
        return
    assert Game.from_json(game.to_json()) == game
