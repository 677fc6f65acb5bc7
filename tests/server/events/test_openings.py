"""Tournaments with custom rules whose openings are positions."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from damka import Game, pdn, rules
from tests.server.events.support import Bot, act, create_event, event_data, join, wait_for
from tests.server.support import LIMITS, Browser, serving

BOX = rules.load("american").replace(
    name="mine",
    title={"en": "Positions"},
    ballots=["7. Two a side: W:W21,22,K30:B5,9", "12. Three a side: B:W21,22,30:B1,5,9"],
)


def _game(player: Browser, path: str) -> str | None:
    """Return the address of a player's game."""
    game: str | None = event_data(player, path)["me"]["game"]
    return game


def test_every_tournament_game_begins_with_a_drawn_opening(tmp_path: Path) -> None:
    starts = {Game(BOX, ballot=n).board.pieces: n for n in (0, 1)}
    with serving(tmp_path, limits=LIMITS, boxes=(BOX,)) as server, ExitStack() as stack:
        arbiter = stack.enter_context(server.browser())
        path = create_event(arbiter, server, rules="house:0", rounds=1, play="online")
        players: list[Browser] = []
        for name in ("Ana", "Ben", "Cvetan", "Dina"):
            players.append(stack.enter_context(server.browser()))
            join(players[-1], path, name)
        act(arbiter, path, "start")
        act(arbiter, path, "pair")
        act(arbiter, path, "begin")
        states = []
        for each in players:
            game = wait_for(partial(_game, each, path), bool)
            live = each.live(game.rpartition("/")[2])
            states.append(live.state())
            live.close()
        for state in states:
            ballot = starts[state["pieces"]]
            assert state["opening"]["number"] == (7, 12)[ballot]
            assert state["turn"] == "WB"[ballot]
        stop = threading.Event()
        bots = [Bot(each, path, f"bot {n}", plies=2) for n, each in enumerate(players)]
        threads = [threading.Thread(target=bot.run, args=(stop.is_set,)) for bot in bots]
        for thread in threads:
            thread.start()
        wait_for(
            lambda: [each["result"] for each in event_data(arbiter, path)["round"]["boards"]], all
        )
        stop.set()
        for thread in threads:
            thread.join()
        games = list(pdn.read(arbiter.http.get(f"{path}/export.pdn").text))
        assert len(games) == 2
        for game in games:
            assert game.headers["Opening"] in ("Two a side", "Three a side")
            assert game.headers["Ballot"] in ("7", "12")
            assert game.fen in {Game(BOX, ballot=n).start_fen for n in (0, 1)}
            assert game.errors == []
