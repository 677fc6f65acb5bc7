"""Drawing of PDN games."""

from __future__ import annotations

import pytest

from damka import Game, pdn
from damka.draw import svg
from damka.errors import PdnError


def test_a_notebook_shows_the_federations_labels() -> None:
    [game] = pdn.read('[GameType "25"] 1. c3-d4 f6-e5 2. d4:f6 e7:g5 1-0')
    picture = game._repr_svg_()
    assert picture is not None
    assert "2. d4:f6" in picture
    assert "white wins" in picture


def test_a_pdn_game_and_a_game_have_the_same_drawing() -> None:
    game = Game("dama100", "W:W32,33,47:B27,8,9")
    for text in ("33-29", "(32) 8-13"):
        game.play(text)
    [read] = pdn.read(game.pdn(), game.rules)
    assert list(svg.frames(pdn.Playback(read))) == list(svg.frames(game))
    assert svg.replay(pdn.Playback(read)) == svg.replay(game)


def test_a_game_that_continues_after_a_draw_is_drawn() -> None:
    moves = "46-41 4-15 41-46 15-4 " * 5
    [game] = pdn.read(f'[GameType "20"] [FEN "W:WK46:BK4"] {moves} 1-1')
    assert len(list(svg.frames(pdn.Playback(game)))) == 21
    assert "drawn" in svg.game(pdn.Playback(game))


def test_a_position_set_up_in_mid_game_is_not_drawn() -> None:
    text = '[GameType "20"] 1. 32-28 /FEN "W:W32,33:B1,2"/ 1. 32-28 *'
    [game] = pdn.read(text)
    assert game._repr_svg_() is None
    with pytest.raises(PdnError, match="set up in mid-game"):
        pdn.Playback(game)


def test_a_pdn_game_is_drawn_without_conversion() -> None:
    [game] = pdn.read('[GameType "20"] 1. 32-28 19-23 2. 28x19 14x23 1-1')
    assert svg.replay(game) == svg.replay(pdn.Playback(game))
    assert svg.game(game) == svg.game(pdn.Playback(game))
    assert list(svg.frames(game)) == list(svg.frames(game.playback()))


def test_an_invalid_game_is_not_drawn() -> None:
    with pytest.raises(TypeError, match="expected a Game or a PdnGame, not str"):
        svg.replay("32-28")  # type: ignore[arg-type]
