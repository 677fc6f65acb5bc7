"""Two people on two devices play complete games with clocks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from damka import Move
from damka.engine import Engine
from damka.game import Game
from tests.browser.two_devices import BLITZ, pair, windows
from tests.server.support import Server


def worst(engine: Engine, game: Game) -> Move:
    """Return the move that is best for the other side, to end the game soon."""

    def after(move: Move) -> float:
        there = game.copy()
        there.play(move)
        return float("inf") if there.result else engine.search(there, depth=3).score

    return max(game.legal_moves, key=after)


@pytest.mark.parametrize(
    ("rules", "clock"),
    [
        ("international", BLITZ),
        ("russian", {"kind": "sudden", "seconds": 600}),
        ("turkish", {"kind": "delay", "seconds": 300, "increment": 5}),
    ],
)
def test_two_play_to_the_end(
    browser: Browser, server: Server, rules: str, clock: dict[str, Any]
) -> None:
    """White plays the engine's best move, Black the worst, until one has lost."""
    engine = Engine()
    with windows(browser, server, {}, {"reduced_motion": "reduce"}) as (one, two):
        pair(one, two, rules=rules, clock=clock)
        for each in (one, two):
            each.page.emulate_media(reduced_motion="reduce")
        game = Game(rules)
        while not one.state["result"]:
            mover, other = (one, two) if one.state["turn"] == "W" else (two, one)
            move = engine.search(game, depth=6).move if mover is one else worst(engine, game)
            assert move is not None
            mover.play(move.hub())
            game.play(move)
            ply = mover.state["ply"]
            other.until_ply(ply)
            if ply == 120:
                two.page.locator("#resign").click()
                two.answer("Resign")
                one.until(lambda: one.state["result"], "the other has resigned")
        two.until(lambda: two.state["result"], "both know the end")
        # Messages are shown a moment after their arrival.
        expect(one.page.locator("#end h2")).to_have_text("You win.")
        expect(two.page.locator("#end h2")).to_have_text("You lose.")
        clocks = {side: one.state["clock"]["left"][side] for side in "WB"}
        assert clocks == two.state["clock"]["left"]
        assert all(0 < left <= 1000 * clock["seconds"] + 500_000 for left in clocks.values())
