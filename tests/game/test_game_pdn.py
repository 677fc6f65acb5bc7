"""A whole game in Portable Draughts Notation and back."""

from __future__ import annotations

import random

import pytest

import damka
from damka.errors import PdnError


def test_a_game_and_back() -> None:
    game = damka.Game("american", players={"W": "Ana", "B": "Bo"})
    for move in ("11-15", "23-19", "8-11", "22-17"):
        game.play(move)
    game.resign("W")
    text = game.pdn({"Event": "Cup"})
    assert text == (
        '[Event "Cup"]\n[White "Ana"]\n[Black "Bo"]\n[Result "0-1"]\n'
        '[Termination "resignation"]\n[GameType "21,B,8,8,N1,0"]\n\n'
        "1. 11-15 23-19 2. 8-11 22-17 0-1\n"
    )
    assert damka.Game.from_pdn(text) == game


@pytest.mark.parametrize("name", damka.rules.names())
def test_games_by_chance_and_back(name: str) -> None:
    lots = random.Random(name)
    game = damka.Game(name)
    for _ in range(80):
        if game.result is not None:
            break
        game.play(lots.choice(game.legal_moves))
    again = damka.Game.from_pdn(game.pdn())
    assert again.rules == game.rules
    assert [ply.move for ply in again.history] == [ply.move for ply in game.history]
    assert again.result == game.result
    assert again.pdn() == game.pdn()


def test_huffs_and_offences() -> None:
    game = damka.Game("dama100", "W:W32,33,47:B27,8,9")
    game.play("33-29")
    game.huff(32)
    game.play("8-13")
    text = game.pdn()
    assert '1. 33-29 {[%huff 32]} /FEN "B:W29,47:B8,9,27"/ 1... 8-13 *' in text
    assert damka.Game.from_pdn(text) == game


def test_a_draw_by_agreement() -> None:
    game = damka.Game("international")
    game.play("32-28")
    game.offer_draw("B")
    game.accept_draw("W")
    assert game.pdn().endswith("1. 32-28 1-1\n")
    assert damka.Game.from_pdn(game.pdn()).result == game.result


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1. 32-26",
        '1. 32-28 /FEN "B:W28:B19"/ 19-23 *',
        '[FEN "nonsense"] 1. 32-28',
        "1. 32-28 19-23 2. 28x19 {a {b} c}",
    ],
)
def test_what_is_no_game(text: str) -> None:
    with pytest.raises(PdnError):
        damka.Game.from_pdn(text, "international")


def test_moves_after_the_end_are_refused() -> None:
    with pytest.raises(PdnError, match="The game is over"):
        damka.Game.from_pdn('[FEN "W:W6,46:B40"] 1. 6-1 40-45 2. 46-41 *', "breakthrough")
