"""Events with a house box whose openings are positions."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from damka import Game, pdn, rules
from tests.server.events.support import Bot, act, event_data, join, make, wait_for
from tests.server.support import LIMITS, Browser, serving

BOX = rules.load("american").replace(
    name="mine",
    title={"en": "Positions"},
    ballots=["7. Two a side: W:W21,22,K30:B5,9", "12. Three a side: B:W21,22,30:B1,5,9"],
)


def _game(player: Browser, path: str) -> str | None:
    """Return the address of a player's game."""
    found: str | None = event_data(player, path)["me"]["game"]
    return found


def test_every_game_of_an_event_begins_with_a_position_by_lot(tmp_path: Path) -> None:
    starts = {Game(BOX, ballot=n).board.pieces: n for n in (0, 1)}
    with serving(tmp_path, limits=LIMITS, boxes=(BOX,)) as server, ExitStack() as open_:
        arbiter = open_.enter_context(server.browser())
        path = make(arbiter, server, rules="house:0", rounds=1, play="online")
        players: list[Browser] = []
        for name in ("Ana", "Ben", "Cvetan", "Dina"):
            players.append(open_.enter_context(server.browser()))
            join(players[-1], path, name)
        act(arbiter, path, "start")
        act(arbiter, path, "pair")
        act(arbiter, path, "begin")
        shown = []
        for each in players:
            game = wait_for(partial(_game, each, path), bool)
            live = each.live(game.rpartition("/")[2])
            shown.append(live.state())
            live.close()
        for state in shown:
            place = starts[state["pieces"]]
            assert state["opening"]["number"] == (7, 12)[place]
            assert state["turn"] == "WB"[place]
        over = threading.Event()
        bots = [Bot(each, path, f"bot {n}", plies=2) for n, each in enumerate(players)]
        threads = [threading.Thread(target=bot.run, args=(over.is_set,)) for bot in bots]
        for thread in threads:
            thread.start()
        wait_for(
            lambda: [each["result"] for each in event_data(arbiter, path)["round"]["boards"]], all
        )
        over.set()
        for thread in threads:
            thread.join()
        games = list(pdn.read(arbiter.http.get(f"{path}/export.pdn").text))
        assert len(games) == 2
        for game in games:
            assert game.headers["Opening"] in ("Two a side", "Three a side")
            assert game.headers["Ballot"] in ("7", "12")
            assert game.fen in {Game(BOX, ballot=n).start_fen for n in (0, 1)}
            assert game.errors == []
