"""Work in the event loop and in threads: slow work does not block other clients."""

from __future__ import annotations

import pytest

from damka import Game, rules
from damka.server.light import is_light, is_shipped
from tests.live.live_games import live_game


@pytest.mark.parametrize("name", rules.names())
def test_rules_that_damka_brings_are_known(name: str) -> None:
    assert is_shipped(rules.load(name))
    assert not is_shipped(rules.load(name).replace(name="ours"))


@pytest.mark.parametrize(
    ("fen", "light"), [("W:WK1,K30:B9", True), ("W:WK1,K30:BK9", False), ("W:W30:B1", True)]
)
def test_many_kings_are_for_a_thread(fen: str, light: bool) -> None:
    assert is_light(live_game(Game("dama64", fen=fen))) is light
