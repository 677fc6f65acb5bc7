"""Unit tests of statistics.js, which counts the numbers of a finished game."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from damka import Game
from damka.live import messages
from damka.live.events import Huffed, Moved, Resigned
from damka.live.live_game import LiveGame
from damka.live.state import state
from tests.live.live_games import live_game, played

STATIC = Path(__file__).parents[2] / "src" / "damka" / "web" / "static"


def evaluate(expression: str, *arguments: Any) -> Any:
    """Return the value of a call of a function of the module."""
    module = (STATIC / "statistics.js").read_text("utf-8")
    call = f"process.stdout.write(JSON.stringify({expression}(...{json.dumps(arguments)})));"
    command = ["node", "--input-type=module", "-e", f"{module}\n{call}"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def statistics(live: LiveGame, **changes: Any) -> Any:
    game = json.loads(messages.encode(state(live, ("W", "B"), "en")))
    return evaluate("statistics", {**game, **changes})


NONE = {"moves": 0, "captured": 0, "longest": 0, "missed": 0, "huffed": 0, "time": 0}


def test_moves_and_captures_are_counted_by_side() -> None:
    assert statistics(played("")) == {"W": NONE, "B": NONE}
    live = played("22-18 11-15 18x11x15 8x15x11")
    one = {**NONE, "moves": 2, "captured": 1, "longest": 1}
    assert statistics(live) == {"W": one, "B": one}
    chain = played("33x15x20x29", Game("international", fen="W:W33:B20,29,3"))
    assert statistics(chain)["W"] == {**NONE, "moves": 1, "captured": 2, "longest": 2}


def test_missed_captures_and_huffs_are_counted() -> None:
    live = live_game(Game("dama100", fen="W:W32,36,37,46:B3,4,28"))
    live.apply(Moved("W", "36-31"))
    live.apply(Huffed("B", 32))
    assert statistics(live)["W"] == {**NONE, "moves": 1, "missed": 1}
    live.apply(Moved("B", "28-33"))
    assert statistics(live)["B"] == {**NONE, "moves": 1, "huffed": 1}


def test_a_huff_of_the_last_piece_belongs_to_the_winner() -> None:
    live = live_game(Game("dama100", fen="W:W32:B28,4"))
    live.apply(Moved("W", live.game.offence_moves[0].hub()))
    live.apply(Huffed("B", live.game.offences[0]))
    assert live.result is not None
    assert statistics(live)["B"] == {**NONE, "huffed": 1}


def test_times_are_those_of_the_clocks() -> None:
    live = played("22-18 11-15")
    live.apply(Resigned("W"))
    assert statistics(live)["W"]["time"] == 0, "a game without a clock"
    counted = statistics(live, time_used={"W": 61_400, "B": 0})
    assert (counted["W"]["time"], counted["B"]["time"]) == (61_400, 0)


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0, "0:00"), (9_499, "0:09"), (59_600, "1:00"), (754_000, "12:34"), (3_661_000, "1:01:01")],
)
def test_a_time_is_minutes_and_seconds(milliseconds: int, text: str) -> None:
    assert evaluate("clockTime", milliseconds) == text
