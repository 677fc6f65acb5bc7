"""A complete game in each of the three boxes, played on the page."""

from __future__ import annotations

import random

import pytest

from damka import Board
from damka.engine import Engine
from tests.browser.support import Window

MAX_PLIES = 240


def best(engine: Engine, rules: str, window: Window) -> str:
    """Return the engine's move in the page's position."""
    board = Board(rules).with_pieces(window.state["pieces"], window.state["turn"])
    move = engine.search(board, depth=4).move
    assert move is not None
    return move.hub()


@pytest.mark.parametrize("name", ["dama64", "dama100"])
def test_a_game_against_the_computer_is_won(desktop: Window, name: str) -> None:
    """Moves are clicks on the page, which shows every reply to the end of the game."""
    desktop.new_game(name, opponent="computer", level=1, colour="first")
    engine = Engine(hash_mb=4)
    while not desktop.state["result"]:
        assert desktop.state["ply"] < MAX_PLIES
        desktop.until(
            lambda: desktop.state["turn"] in desktop.state["you"] or desktop.state["result"]
        )
        if desktop.state["result"]:
            break
        desktop.settled()
        desktop.play(best(engine, name, desktop))
    desktop.until(lambda: desktop.page.locator("#end").is_visible())
    assert desktop.state["result"]["winner"] == "W"
    assert desktop.pieces == desktop.state["pieces"]
    assert "You won:" in desktop.page.inner_text("#end-result")
    assert len(desktop.moves()) == desktop.state["ply"]


def test_a_game_of_two_people_at_one_screen(desktop: Window) -> None:
    """Random moves of both sides to the end of the game."""
    desktop.new_game("american")
    rng = random.Random(2)  # a short game
    while not desktop.state["result"]:
        assert desktop.state["ply"] < MAX_PLIES
        captures = [m for m in desktop.state["legal"] if m["captures"]]
        # Prefer moves of men, so that the game ends.
        men = [m for m in desktop.state["legal"] if not m["king"]]
        desktop.play(rng.choice(captures or men or desktop.state["legal"])["hub"])
    desktop.until(lambda: desktop.page.locator("#end").is_visible())
    result = desktop.state["result"]
    assert desktop.page.inner_text("#end-result") == result["sentence"]
    assert len(desktop.moves()) == desktop.state["ply"]
