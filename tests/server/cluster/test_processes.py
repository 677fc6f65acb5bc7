"""Two processes serve together; no move is lost if one is killed, paused or stopped."""

from __future__ import annotations

import asyncio
import json
import signal
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import SimpleNamespace
from typing import Any

import httpx
from sqlalchemy import create_engine
from websockets.sync.client import ClientConnection, connect

from damka.live import events
from damka.server.events import admin
from tests.server.accounts.support import PASSWORD, form, register
from tests.server.cluster.fleet import TAKEOVER, Fleet, at_node, reconnect
from tests.server.events import support as of_events
from tests.server.faults import DOWN_SECONDS, Gap, playing
from tests.server.online import at, invited, join, play
from tests.server.programs import Player, Program, open_stream, token_ids
from tests.server.support import PATIENCE, Browser, Live
from tests.server.test_clocks import DIRECT, delayed_connection
from tests.services import Broker, PostgreSql

SUDDEN = {"kind": "sudden", "seconds": 60}


def seated(ana: Browser, petra: Browser, **options: Any) -> tuple[Live, Live]:
    """Let two browsers, possibly at two processes, join a game that Ana's process owns."""
    game = invited(ana, **options)
    first = ana.live(game)
    first.state()
    join(petra, game)
    second = petra.live(game)
    second.state()
    first.state(lambda state: not state.get("invitation"))
    return first, second


def test_two_play_at_two_processes(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        first, second = seated(ana, petra, clock=SUDDEN)
        play(first, second, "22-18 11-15 18x11x15")
        assert second.now["presence"]["W"]["here"]
        assert first.ask("move", ply=0, move="22-18")["code"] == "stale"
        assert second.ask("why", clicks=[22, 21])["t"] == "refusal"
        game = first.now["id"]
        for browser in (ana, petra):
            page = browser.http.get(f"/game/{game}", headers={"accept": "text/html"})
            assert page.status_code == 200
            assert "content-security-policy" in page.headers
            assert browser.http.get(f"/api/games/{game}/pdn").text.count("22-18") == 1
        second.send("resign")
        first.state(lambda state: state["result"])
        assert petra.post(f"/api/games/{game}/rematch").status_code == 202
        made = ana.post(f"/api/games/{game}/rematch").json()["id"]
        assert petra.live(made).state()["you"], "the lot has given her a side"
        assert second.state(lambda state: state.get("next"))
        first.close()
        second.state(lambda state: not state["presence"]["W"]["here"])


def test_every_process_refuses_the_same_requests(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as eve:
        game = ana.new_game()
        ana.live(game).state()
        assert eve.live("x" * 22).closed_with() == 4404
        assert eve.http.get("/game/" + "x" * 22).status_code == 404
        assert eve.post(f"/api/games/{game}/computer", {"level": 1}).json()["error"] == "not_yours"
        big = eve.http.post(f"/api/games/{game}/join", content=b"x" * 300_000)
        assert big.status_code == 413
        chunks = (b"x" * 100_000 for _ in range(3))
        assert eve.http.post(f"/api/games/{game}/join", content=chunks).status_code == 413
        foreign = eve.http.post(
            f"/api/games/{game}/join", headers={"origin": "http://evil.example"}
        )
        assert foreign.json()["error"] == "cross_origin"
        watcher = eve.live(game)
        watcher.state()
        watcher.connection.send("x" * 5000)
        assert watcher.closed_with() == 1009


def lag_costs(fleet: Fleet, seconds: float, hold_pongs: float = 0.0, **more: str) -> list[float]:
    """Return the milliseconds charged for each of Petra's moves beyond her thinking time.

    She plays with a real or feigned latency, through another process than the game's.
    """
    costs = []
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        node = SimpleNamespace(host=fleet.node(1).url.partition("//")[2])
        with delayed_connection(petra, node, seconds, **more) as delay:  # type: ignore[arg-type]
            delay.hold_pongs = hold_pongs
            first, second = seated(ana, petra, clock={"kind": "sudden", "seconds": 600})
            play(first, second, "22-18 11-15 18x11x15")
            time.sleep(1.0)
            left = second.now["clock"]["left"]["B"]
            for _ in range(3):
                thought, ply = 0.3 + hold_pongs, second.now["ply"]
                time.sleep(thought)
                second.send("move", ply=ply, move=second.now["legal"][0]["hub"])
                second.state(at(ply + 1))
                costs.append(left - second.now["clock"]["left"]["B"] - 1000 * thought)
                left = second.now["clock"]["left"]["B"]
                first.state(at(ply + 1))
                first.send("move", ply=ply + 1, move=first.now["legal"][0]["hub"])
                first.state(at(ply + 2))
                second.state(at(ply + 2))
    return costs[1:]  # the first turn began earlier


def test_lag_is_measured_where_the_connection_is(fleet: Fleet) -> None:
    costs = lag_costs(fleet, 0.15)
    # A busy machine delays some of them; latency that is not compensated affects each.
    assert min(costs) <= 60, f"{costs} ms a move at 300 ms of latency"


def test_held_pongs_gain_nothing_at_another_process(fleet: Fleet) -> None:
    costs = lag_costs(fleet, 0.0, hold_pongs=0.3, source=DIRECT)
    assert statistics.median(costs) >= -30, f"{costs} ms a move by pongs that are all held"


def test_closing_an_account_ends_games_of_every_process(fleet: Fleet, broker: Broker) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        register(petra, "Petra")
        games = [seated(ana, petra, clock=SUDDEN) for _ in range(2)]
        for first, second in games:
            play(first, second, "22-18 11-15")
        owners = [fleet.owner_of(first.now["id"]) for first, _ in games]
        # Closing an account resigns its games: each process ends its own.
        broker.end(signal.SIGKILL)
        try:
            # The owner is unreachable: the request's process takes them over.
            gone = form(petra, "/account/close", name="Petra", old=PASSWORD)
        finally:
            broker.start()
        assert gone.status_code == 303, gone.text
        for (first, _), owner in zip(games, owners, strict=True):
            left = first.now["clock"]["left"]["W"]
            assert first.closed_with() == 1012
            state = ana.live(first.now["id"]).state(lambda state: state["result"])
            assert (state["result"]["winner"], state["result"]["reason"]) == ("W", "resignation")
            assert fleet.owner_of(first.now["id"]) != owner
            assert left - 8000 < state["clock"]["left"]["W"] <= left


def test_a_paused_process_writes_nothing_afterwards(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        first, second = seated(ana, petra)
        play(first, second, "22-18 11-15")
        game = first.now["id"]
        owner = fleet.owner_of(game)
        node = fleet.node(0)
        node.process.send_signal(signal.SIGSTOP)
        paused = time.monotonic()
        # The move waits in the paused process, and arrives after the takeover.
        first.send("move", ply=2, move="18x11x15")
        try:
            with suppress(Exception):
                second.connection.recv(timeout=0.1)
            while fleet.owner_of(game) == owner:
                assert time.monotonic() < paused + TAKEOVER
                with at_node(ana, fleet.node(1)) as there, suppress(Exception):
                    there.http.get(f"/api/games/{game}/pdn", timeout=2)
            with at_node(ana, fleet.node(1)) as there:
                assert there.live(game).state()["ply"] == 2
        finally:
            node.process.send_signal(signal.SIGCONT)
        assert first.closed_with() == 1012
        store = fleet.store()
        found = store.load(game)
        store.close()
        assert found is not None
        assert len([e for e in found.events if isinstance(e, events.Moved)]) == 2
        # It serves again, under another id.
        assert ana.live(game).state()["ply"] == 2


def test_a_stopping_process_hands_over_its_games(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        first, second = seated(ana, petra, clock=SUDDEN)
        play(first, second, "22-18 11-15")
        # Earlier tests may have removed the database.
        before = len(fleet.node(0).errors())
        code, errors = fleet.node(0).end(signal.SIGTERM)
        errors = errors[before:]
        assert code in {0, -signal.SIGTERM}, errors
        assert "Traceback" not in errors, errors
        ended = time.monotonic()
        assert first.closed_with() == 1012
        assert second.closed_with() == 1012
        _, state = reconnect(petra, first.now["id"], ended + TAKEOVER)
        assert state["ply"] == 2
        assert state["clock"]["left"]["W"] > 50_000


def test_a_flag_falls_when_the_process_of_its_game_has_ended(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        first, second = seated(ana, petra, clock={"kind": "sudden", "seconds": 1})
        play(first, second, "22-18 11-15")
        fleet.node(0).end(signal.SIGKILL)
        store = fleet.store()
        until = time.monotonic() + TAKEOVER
        while True:
            found = store.load(first.now["id"])
            assert found is not None
            if found.events[-1] == events.Flagged("W"):
                break
            assert time.monotonic() < until, "nobody has to ask for it"
            time.sleep(0.05)
        store.close()


def test_programs_hear_of_games_and_tokens_of_the_other_process(fleet: Fleet) -> None:
    one, two = Player(fleet.node(0)), Player(fleet.node(1))
    mine = Program(fleet.node(1), one.token)
    with open_stream(mine, "/api/stream/events") as events:
        game = two.program.game(opponent="invite")
        assert two.program.post(f"/api/games/{game}/offer/{one.name}").status_code == 202
        assert events.next("challenge")["id"] == game
        # Requested at the process that does not own the game.
        assert one.program.post(f"/api/games/{game}/join").status_code == 200
        assert events.next("game_start")["game"]["you"] == ["B"]
        with open_stream(one.program, f"/api/games/{game}/stream") as states:
            states.next("game")
            two.act(game, "move", move="23-19")
            assert states.next("state")["moves"] == ["23-19"]
            assert one.act(game, "resign")["result"]["reason"] == "resignation"
        assert events.next("game_over")["game"]["result"]["winner"] == "W"
        (entry,) = token_ids(one.browser)
        one.browser.http.post("/account/tokens/revoke", data={"token": entry})
        assert events.ended(), "it was revoked at the other process"
    for player in (one, two):
        player.browser.__exit__(None, None, None)


def test_a_lobby_of_two_processes(fleet: Fleet) -> None:
    """Challenges are shared; pairings and ratings are consistent; accounts close."""
    with ExitStack() as stack:
        ana, petra = (stack.enter_context(fleet.browser(number)) for number in (0, 1))
        names = [register(each) for each in (ana, petra)]
        rated = {"rules": "dama64", "clock": SUDDEN, "rated": True}
        for path in ("/api/lobby/pool", "/api/lobby"):
            here, there = (stack.enter_context(lobby_of(each)) for each in (ana, petra))
            made = ana.post(path, rated).json()["id"]
            if path == "/api/lobby":
                while made not in str(there.recv(timeout=PATIENCE)):
                    pass
                game = petra.post(f"/api/lobby/{made}/accept").json()["id"]
            else:
                assert petra.post(path, rated).is_success
                game = led(there)
            assert led(here) == game
            first, second = ana.live(game), petra.live(game)
            for live in (first, second):
                live.state()
            play(first, second, "22-18 11-15")
            if path == "/api/lobby":
                break
            second.send("resign")
            for live in (first, second):
                live.state(lambda state: state["result"])
            sides = {each["name"]: each["diff"] for each in first.now["players"].values()}
            assert sides[names[0]] > 100
            assert sides[names[1]] < -100
        # Another process may own the game: it is still resigned and rated.
        closed = ana.http.post("/account/close", data={"name": names[0]})
        assert closed.status_code == 303
        second.state(lambda state: state["result"])
        assert second.now["result"]["reason"] == "resignation"
        assert second.now["players"][second.now["you"][0]]["diff"] > 0


def lobby_of(browser: Browser) -> ClientConnection:
    """Open a browser's live connection to the lobby."""
    cookies = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    return connect(
        f"{browser.url.replace('http', 'ws', 1)}/lobby/live",
        additional_headers={"Cookie": cookies, "Origin": browser.url},
        compression=None,
    )


def led(lobby: ClientConnection) -> str:
    """Return the game to which a page is redirected, and acknowledge the redirect."""
    while True:
        frame = json.loads(lobby.recv(timeout=PATIENCE))
        if frame["t"] == "game":
            lobby.send(json.dumps({"t": "went", "id": frame["id"]}))
            game: str = frame["url"].removeprefix("/game/")
            return game


def test_a_swiss_continues_when_a_process_is_killed(fleet: Fleet) -> None:
    first, second = fleet.nodes()
    with Browser(first.url) as arbiter:
        engine = create_engine(fleet.database)
        code = admin.new_code(engine)
        engine.dispose()
        answer = of_events.form(
            arbiter, "/events", name="Two", arbiter="Rossi", code=code, rules="dama64", rounds=2,
            pace="auto", **{"break": 0},
        )  # fmt: skip
        assert answer.status_code == 303, answer.text
        path = answer.headers["location"].removesuffix("/arbiter")
        with (
            of_events.bots(second, path, ("Ana", "Ben", "Cvetan", "Dina")),
            Browser(second.url) as watcher,
        ):
            # Spectators at one process see the moves made at the other.
            feed = watcher.live(path.replace("/events/", "event/"))
            feed.receive("event")
            of_events.act(arbiter, path, "start")
            started = time.monotonic()
            feed.receive("event")
            assert time.monotonic() - started < 1
            of_events.wait_for(lambda: of_events.event_data(watcher, path)["event"]["begun"], bool)
            first.end(signal.SIGKILL)
            data = of_events.wait_for(
                lambda: of_events.event_data(watcher, path),
                lambda data: data["event"]["status"] == "over",
                60,
            )
            assert data["event"]["round"] == 2
            assert sum(int(row["points"]) for row in data["standings"]) == 8


# A part is killed during many games: `python -m bench.faults` runs these with hundreds

Note = Callable[[str, object], None]
EARLIER = 0.1
"""Longest time in seconds between the last sign of life of a process and its kill."""


def test_the_broker_is_killed(fleet: Fleet, broker: Broker, record_property: Note) -> None:
    async def run() -> None:
        async with playing(record_property, *fleet.nodes()) as games:
            begin = time.time()
            broker.end(signal.SIGKILL)
            try:
                await games.all_move("without it")
            finally:
                broker.start()
            await games.all_move()
            gap = Gap(begin, time.time(), begin, begin)
            await games.stop()
        games.check(fleet.database, gap)

    asyncio.run(run())


def test_the_database_is_killed(
    fleet: Fleet, postgresql: PostgreSql, record_property: Note
) -> None:
    async def run() -> None:
        nodes = fleet.nodes()
        async with playing(record_property, *nodes) as games:
            owners = {pair.game: fleet.owner_of(pair.game) for pair in games.pairs if pair.game}
            begin = time.time()
            postgresql.end(signal.SIGKILL)
            try:
                await asyncio.sleep(DOWN_SECONDS)
                async with httpx.AsyncClient(base_url=nodes[1].url, trust_env=False) as http:
                    page = await http.get(f"/game/{next(iter(owners))}")
                    assert page.status_code == 503
                    assert page.json()["message"] == "The server is busy. Try again in a moment."
                    assert (await http.get("/readyz")).status_code == 503
            finally:
                await asyncio.to_thread(postgresql.start)
            works = time.time()
            took = await games.all_move()
            async with httpx.AsyncClient(base_url=nodes[1].url, trust_env=False) as http:
                assert (await http.get("/readyz")).status_code == 200
            await games.stop()
        refused = [frame for _, frame in games.refused_since(begin) if frame.code == "store_fails"]
        assert refused
        assert all(
            frame.message.startswith("The server can’t save moves right now.") for frame in refused
        )
        assert {game: fleet.owner_of(game) for game in owners} == owners, "nobody was thought dead"
        # By then each process has refused a move, and no clock runs.
        first = max(
            min((at for at, _ in pair.refused if at >= begin), default=works)
            for pair in games.pairs
        )
        games.check(fleet.database, Gap(begin, works + took, min(first, works), works))

    asyncio.run(run())


def test_one_of_two_processes_is_killed(fleet: Fleet, record_property: Note) -> None:
    async def run() -> None:
        async with playing(record_property, *fleet.nodes()) as games:
            killed = time.time()
            fleet.processes[0].end(signal.SIGKILL)
            await games.all_move()
            over = time.time()
            await games.stop()
        assert games.ledger.closed[1012], "the pages of the other process connect again"
        gap = Gap(killed - EARLIER, over, killed, killed)
        assert games.check(fleet.database, gap).resumed

    asyncio.run(run())
