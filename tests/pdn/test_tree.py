"""Changes of a game's tree: lines, their order, and their lookup."""

from __future__ import annotations

import weakref

import pytest

from damka import Game, Move, pdn
from damka.errors import IllegalMoveError, InvalidMoveError

TEXT = "1. 11-15 (1. 9-14 22-18) ({third} 1. 10-15 $1) 1... 23-19 2. 8-11 *"


def read() -> pdn.PdnGame:
    [game] = pdn.read(TEXT, rules="american")
    return game


def order(node: pdn.Node) -> list[str]:
    return [str(each.move) for each in node.variations]


@pytest.mark.parametrize(
    ("choice", "up", "down", "first"),
    [
        ("11-15", "0 1 2", "1 0 2", "0 1 2"),
        ("9-14", "1 0 2", "0 2 1", "1 0 2"),
        ("10-15", "0 2 1", "0 1 2", "2 0 1"),
    ],
)
@pytest.mark.parametrize("kind", ["text", "move", "node", "place"])
def test_variations_are_moved_up_down_and_first(
    choice: str, up: str, down: str, first: str, kind: str
) -> None:
    names = ["11-15", "9-14", "10-15"]
    for method, expected in (("promote", up), ("demote", down), ("promote_to_main", first)):
        game = read()
        place = names.index(choice)
        node = game.variations[place]
        assert node.move is not None
        argument = {"text": choice, "move": node.move, "node": node, "place": place}[kind]
        getattr(game, method)(argument)
        assert order(game) == [names[int(i)] for i in expected.split()]
        assert {id(each) for each in game.variations} >= {id(node)}


def test_a_promoted_variation_is_the_main_line() -> None:
    game = read()
    game.promote_to_main("9-14")
    assert [str(move) for move in game.mainline_moves()] == ["9-14", "22-18"]
    assert game.move_count == 2
    assert [str(ply.move) for ply in game.playback().history] == ["9-14", "22-18"]
    [again] = pdn.read(str(game))
    assert [str(move) for move in again.mainline_moves()] == ["9-14", "22-18"]
    assert order(again) == ["9-14", "11-15", "10-15"]
    assert again.variation("10-15").starting_comment == "third"
    assert len(Game.from_pdn_game(game).moves) == 2


def test_a_promoted_variation_keeps_its_starting_comment() -> None:
    game = read()
    game.promote_to_main("10-15")
    assert "{third} 1. 10-15 $1 (1. 11-15 23-19 2. 8-11) (1. 9-14 22-18) *" in str(game)
    [again] = pdn.read(str(game))
    assert (again.comment, again.variations[0].nags) == ("third", {1})


def test_a_line_is_added_completely_or_not_at_all() -> None:
    game = read()
    node = game.variations[1]
    last = node.add_line(
        ["22-17", Move(11, 15), "17-13"], comment="!", starting_comment="or", nags=[2]
    )
    assert [str(each.move) for each in last.line()] == ["9-14", "22-17", "11-15", "17-13"]
    assert order(node) == ["22-18", "22-17"]
    assert (last.comment, last.nags, node.variations[1].starting_comment) == ("!", {2}, "or")
    assert last is node.variation("22-17").end()
    assert "({or} 1... 22-17 2. 11-15 17-13 $2 {!})" in str(game)
    before = str(game)
    with pytest.raises(IllegalMoveError):
        game.add_line(["12-16", "1-5"])
    with pytest.raises(InvalidMoveError):
        game.add_line(["12-16", "nonsense"])
    with pytest.raises(ValueError, match="has no moves"):
        game.add_line([])
    assert str(game) == before


def test_a_main_variation_is_added_before_the_others() -> None:
    game = read()
    node = game.add_main_variation("12-16", comment="new")
    assert order(game) == ["12-16", "11-15", "9-14", "10-15"]
    assert node.is_main_variation
    assert node.is_mainline
    assert game.is_mainline
    assert not game.variations[1].is_main_variation
    reply = game.variations[1].variations[0]
    assert reply.is_main_variation
    assert not reply.is_mainline


def test_variations_are_found_and_removed() -> None:
    game = read()
    assert game.variation(1) is game.variation("9-14") is game.variation(Move(9, 14))
    assert game.has_variation("10-15")
    for wrong in ("12-16", "1-5", "nonsense", 3, -1, Move(12, 16), pdn.PdnGame("american")):
        assert not game.has_variation(wrong)
        for method in (game.variation, game.promote, game.demote, game.remove_variation):
            with pytest.raises(KeyError):
                method(wrong)
    game.remove_variation("11-15")
    assert order(game) == ["9-14", "10-15"]
    assert game.end() is game.variations[0].variations[0]
    leaf = game.end()
    assert leaf.end() is leaf
    assert list(leaf.mainline_moves()) == []


def test_a_node_can_be_a_weak_key() -> None:
    game = read()
    numbers = weakref.WeakKeyDictionary({game: 1, game.variations[0]: 2})
    assert numbers[game.variations[0]] == 2
