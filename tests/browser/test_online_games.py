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
    """Return the worst move, to end the game soon."""

    def after(move: Move) -> float:
        position = game.copy()
        position.play(move)
        return float("inf") if position.result else engine.search(position, depth=3).score

    return max(game.legal_moves, key=after)


@pytest.mark.parametrize(
    ("rules", "clock"),
    [
        ("international", BLITZ),
        ("russian", {"kind": "sudden", "seconds": 600}),
        ("turkish", {"kind": "delay", "seconds": 300, "increment": 5}),
    ],
)
def test_a_game_with_a_clock_to_the_end(
    browser: Browser, server: Server, rules: str, clock: dict[str, Any]
) -> None:
    """White plays the engine's best move, Black the worst, until one has lost."""
    engine = Engine()
    with windows(browser, server, {}, {"reduced_motion": "reduce"}) as (first, second):
        pair(first, second, rules=rules, clock=clock)
        for each in (first, second):
            each.page.emulate_media(reduced_motion="reduce")
        game = Game(rules)
        while not first.state["result"]:
            mover, other = (first, second) if first.state["turn"] == "W" else (second, first)
            move = engine.search(game, depth=6).move if mover is first else worst(engine, game)
            assert move is not None
            mover.play(move.hub())
            game.play(move)
            ply = mover.state["ply"]
            other.until_ply(ply)
            if ply == 120:
                second.page.locator("#resign").click()
                second.answer("Resign")
                first.until(lambda: first.state["result"], "the opponent has resigned")
        second.until(lambda: second.state["result"], "both pages show the result")
        # Messages are shown a moment after their arrival.
        expect(first.page.locator("#end h2")).to_contain_text("You won:")
        expect(second.page.locator("#end h2")).to_contain_text("You lost:")
        clocks = {side: first.state["clock"]["left"][side] for side in "WB"}
        assert clocks == second.state["clock"]["left"]
        assert all(0 < left <= 1000 * clock["seconds"] + 500_000 for left in clocks.values())
