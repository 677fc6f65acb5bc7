"""A complete game in each of the three boxes, played on the page."""

from __future__ import annotations

import random

import pytest

from damka import Board
from damka.engine import Engine
from tests.browser.support import Window

MOST_PLIES = 240


def best(engine: Engine, rules: str, window: Window) -> str:
    """Return the engine's move in the page's position."""
    board = Board(rules).with_pieces(window.state["pieces"], window.state["turn"])
    move = engine.search(board, depth=4).move
    assert move is not None
    return move.hub()


@pytest.mark.parametrize("name", ["dama64", "dama100"])
def test_a_game_against_the_computer_is_won(desk: Window, name: str) -> None:
    """Moves are clicks on the page, which shows every reply to the end of the game."""
    desk.new_game(name, opponent="computer", level=1, colour="first")
    engine = Engine(hash_mb=4)
    while not desk.state["result"]:
        assert desk.state["ply"] < MOST_PLIES
        desk.until(lambda: desk.state["turn"] in desk.state["you"] or desk.state["result"])
        if desk.state["result"]:
            break
        desk.settled()
        desk.play(best(engine, name, desk))
    desk.until(lambda: desk.page.locator("#end").is_visible())
    assert desk.state["result"]["winner"] == "W"
    assert desk.pieces == desk.state["pieces"]
    assert "win" in desk.page.inner_text("#end-result").lower()
    assert desk.page.inner_text("#end-reason")
    assert len(desk.moves()) == desk.state["ply"]


def test_a_game_of_two_people_at_one_screen(desk: Window) -> None:
    """Random moves of both sides, until the rules end the game."""
    desk.new_game("american")
    chance = random.Random(2)  # a short game
    while not desk.state["result"]:
        assert desk.state["ply"] < MOST_PLIES
        captures = [m for m in desk.state["legal"] if m["captures"]]
        # Prefer moves of men, so that the game ends.
        men = [m for m in desk.state["legal"] if not m["king"]]
        desk.play(chance.choice(captures or men or desk.state["legal"])["hub"])
    desk.until(lambda: desk.page.locator("#end").is_visible())
    result = desk.state["result"]
    assert desk.page.inner_text("#end-result") == result["outcome"]
    assert desk.page.inner_text("#end-reason") == result["cause"]
    assert len(desk.moves()) == desk.state["ply"]
