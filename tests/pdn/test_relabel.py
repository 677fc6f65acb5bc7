"""Games with relabelled squares stay the same."""

from __future__ import annotations

import pytest

import damka
from damka import pdn
from damka.errors import PdnError
from damka.pdn.naming import Kind


def played(name: str) -> pdn.PdnGame:
    game = pdn.PdnGame(damka.rules.load(name), headers={"White": "Ana"})
    board = game.start()
    node: pdn.Node = game
    for number in range(30):
        moves = board.legal_moves
        if not moves:
            break
        node = node.add_variation(moves[number * 7 % len(moves)])
        board = node.board()
    return game


@pytest.mark.parametrize("kind", ["numeric", "algebraic", "rules"])
@pytest.mark.parametrize("name", damka.rules.names())
def test_relabelling_preserves_the_moves(name: str, kind: Kind) -> None:
    game = played(name)
    moves = [node.move for node in game.mainline()]
    game.relabel(kind)
    [again] = pdn.read(str(game))
    assert again.rules.name == name
    assert [node.move for node in again.mainline()] == moves
    if kind != "rules":
        assert again.rules.notation[0] == ("N" if kind == "numeric" else "A")


@pytest.mark.parametrize("squares", ["numeric", "algebraic"])
@pytest.mark.parametrize("name", damka.rules.names())
def test_another_fen_notation_preserves_the_position(
    name: str, squares: pdn.writer.Squares
) -> None:
    rules = damka.rules.load(name)
    board = damka.Board(rules)
    for number in range(6):
        moves = board.legal_moves
        board.push(moves[number * 5 % len(moves)])
    game = pdn.PdnGame(rules, board.fen)
    game.add_variation(board.legal_moves[0])
    text = pdn.format(game, fen=squares)
    [again] = pdn.read(text)
    assert again.start() == game.start()


def test_squares_in_comments_are_relabelled() -> None:
    text = "1. 32-28 {see [%csl G28] [%cal R28-23,Y19-23] [%pv 19-23 28x19]} *"
    [game] = pdn.read(text, rules="international")
    marks = next(game.mainline()).marks
    game.relabel("algebraic")
    node = next(game.mainline())
    assert node.comment == "see [%csl Ge5] [%cal Re5-f6,Yg7-f6] [%pv g7-f6 e5xg7]"
    assert node.marks == marks


def test_skipped_games_are_reported() -> None:
    errors: list[PdnError] = []
    text = "1. 32-26 *\n\n1. 32-28 *\n\n1. 32-28 {a {b}} *"
    with pytest.deprecated_call():
        games = list(pdn.read(text, rules="international", errors="skip", skipped=errors.append))
    assert len(games) == 1
    assert [(error.game, error.line) for error in errors] == [(1, 1), (3, 5)]
    assert errors[0].message.startswith("32-26: ")
