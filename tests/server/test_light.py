"""Classification of games for the event loop or a thread; slow games get a thread."""

from __future__ import annotations

import pytest

from damka import Game, rules
from damka.server.light import is_light, is_shipped
from tests.live.live_games import live_game


@pytest.mark.parametrize("name", rules.names())
def test_shipped_rules_are_recognised(name: str) -> None:
    assert is_shipped(rules.load(name))
    assert not is_shipped(rules.load(name).replace(name="ours"))


@pytest.mark.parametrize(
    ("fen", "light"), [("W:WK1,K30:B9", True), ("W:WK1,K30:BK9", False), ("W:W30:B1", True)]
)
def test_positions_with_several_kings_are_not_light(fen: str, light: bool) -> None:
    assert is_light(live_game(Game("dama64", fen=fen))) is light
