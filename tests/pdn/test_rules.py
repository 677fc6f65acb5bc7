"""Detection of a game's rules, by GameType or by its moves."""

from __future__ import annotations

import random

import pytest

import damka
from damka import pdn
from damka.errors import UnknownRulesError
from damka.notation import pdn_game_type

TYPES = {
    "20": ("international", "W", "N2"),
    "21": ("american", "B", "N1"),
    "22": ("italian", "W", "N2"),
    "23": ("pool", "B", "N1"),
    "24": ("spanish", "W", "N1"),
    "25": ("russian", "W", "A0"),
    "26": ("brazilian", "W", "A0"),
    "27": ("canadian", "W", "N2"),
    "28": ("portuguese", "W", "N1"),
    "29": ("czech", "W", "A0"),
    "30": ("turkish", "W", "A0"),
    "31": ("thai", "B", "N2"),
    "40": ("frisian", "W", "N2"),
    "41": ("spantsiretti", "W", "A0"),
    "20,W,10,10,N1,0": ("international", "W", "N1"),
    "20, w, 10, 10, n2, 0": ("international", "W", "N2"),
    "21,W,8,8,N1,0": ("american", "W", "N1"),
    "23,B,8,8,N1,0": ("pool", "B", "N1"),
    "23,B,8,8,A1,1": ("jamaican", "B", "A1"),
    "23,W,8,8,A0,0": ("pool", "W", "A0"),
    "25,W,8,8,N2,0": ("russian", "W", "N2"),
    "25,W,8,8,S0,0": ("russian", "W", "A0"),
    "International": ("international", "W", "N2"),
    "russian draughts": ("russian", "W", "A0"),
}


@pytest.mark.parametrize("tag", TYPES)
def test_game_type_tags_select_rules(tag: str) -> None:
    rules = pdn.rules_of(tag)
    assert rules is not None
    assert (rules.name, rules.first, rules.notation) == TYPES[tag]


@pytest.mark.parametrize("tag", ["", "7", "20,X", "999", "20,W,11,11,N2,0", "x" * 1000, "٢٠"])
def test_unknown_game_types_have_no_rules(tag: str) -> None:
    assert pdn.rules_of(tag) is None


@pytest.mark.parametrize("name", damka.rules.names())
def test_games_of_every_rule_set_round_trip(name: str) -> None:
    rules = damka.rules.load(name)
    board = damka.Board(rules)
    game = pdn.PdnGame(rules)
    rng = random.Random(name)
    node: pdn.Node = game
    for _ in range(60):
        if not board.legal_moves:
            break
        move = rng.choice(board.legal_moves)
        board.push(move)
        node = node.append(move)
    text = pdn.format(game)
    [again] = pdn.read(text)
    assert again.rules == rules
    assert [node.move for node in again.mainline()] == list(board.stack)
    assert pdn.format(again) == text


def played(name: str, plies: int, seed: int, notation: str | None = None) -> str:
    """Return the moves of a random game, without tags."""
    rules = damka.rules.load(name)
    if notation:
        rules = rules.replace(notation=notation)
    board = damka.Board(rules)
    game = pdn.PdnGame(rules)
    node: pdn.Node = game
    rng = random.Random(seed)
    for _ in range(plies):
        if not board.legal_moves:
            break
        node = node.append(rng.choice(board.legal_moves))
        board.push(node.move or "")
    return pdn.format(game).partition("\n\n")[2]


@pytest.mark.parametrize(
    "name", ["american", "italian", "russian", "international", "canadian", "frisian"]
)
def test_rules_are_inferred_from_the_moves(name: str) -> None:
    names = [game.rules.name for seed in range(8) for game in pdn.read(played(name, 70, seed))]
    assert names.count(name) >= 7, names


def test_rules_are_inferred_from_the_notation() -> None:
    [game] = pdn.read(played("brazilian", 60, 5, "N2"))
    assert game.rules.name in ("brazilian", "russian", "czech", "spanish", "portuguese", "dama64")
    [game] = pdn.read("1. c3-d4 d6-c5 *")
    assert game.rules.name == "russian"
    [game] = pdn.read("1. 11-15 23-19 *")
    assert game.rules.name == "american"
    [game] = pdn.read("1. 32-28 19-23 *")
    assert game.rules.name == "international"
    [game] = pdn.read('[FEN "W:W46:B5"] 1. 46-41 *')
    assert game.rules.name == "international"


@pytest.mark.parametrize(
    ("fen", "name"),
    [
        ("?:W29,13,11:B22,4,2", "american"),
        ("W:W31,29,K15:B14,13,12,9.", "american"),
        ("W:W31-50:B1-20", "international"),
        ("W:Wa1,Kc3:Bb8,Kd8", "russian"),
        ("W:Wa1,j4:Bb8", "spantsiretti"),
        ("W:W60:B1", "canadian"),
    ],
)
def test_rules_are_inferred_from_a_position(fen: str, name: str) -> None:
    [game] = pdn.read(f'[FEN "{fen}"]\n*')
    assert game.rules.name == name


def test_given_rules_take_precedence() -> None:
    [game] = pdn.read('[GameType "20"] 1. 11-15 *', "american")
    assert game.rules.name == "american"


def test_a_game_type_with_the_wrong_corner_is_corrected() -> None:
    # The tag claims that squares are counted from the other side, which the moves contradict.
    [game] = pdn.read('[GameType "20,W,10,10,N1,0"] 1. 32-28 19-23 2. 28x19 14x23 *')
    assert game.rules.name == "international"
    assert game.move_count == 4


def test_a_game_type_with_another_corner_is_respected() -> None:
    [game] = pdn.read('[GameType "20,W,10,10,N1,0"] 1. 18-23 31-27 *')
    rules = game.rules
    assert pdn_game_type(rules) == "20,W,10,10,N1,0"
    assert game.move_count == 2
    assert "1. 18-23 31-27 *" in pdn.format(game)


def test_a_position_set_up_in_the_moves_determines_the_board_size() -> None:
    for text, name in (
        ('/FEN "W:W32:B9"/ 1. 32-28 9-14 *', "american"),
        ('/FEN "W:W45:B19"/ 1. 45-40 19-24 *', "international"),
        ('/FEN "W:Wc3:Bf6"/ 1. c3-d4 *', "russian"),
    ):
        [game] = pdn.read(text)
        assert (game.rules.name, game.move_count > 0) == (name, True)


def test_a_game_can_be_created_from_a_rule_sets_name() -> None:
    game = pdn.PdnGame("american")
    game.add_variation("11-15")
    assert game.rules == damka.rules.load("american")
    assert str(game).endswith("1. 11-15 *\n")
    with pytest.raises(UnknownRulesError):
        pdn.PdnGame("no such rules")


def test_equal_rules_keep_separate_titles() -> None:
    one, two = (
        damka.rules.load("dama64").replace(name="mine", king_landing="any", title={"en": title})
        for title in ("One", "Two")
    )
    assert one == two
    for each in (one, two):
        (game,) = pdn.read("1. 22-18 *", rules=each)
        assert game.rules.title == each.title
