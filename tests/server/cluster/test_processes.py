"""Two processes on one database; no move is lost if one is killed, paused or stopped."""

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
import psycopg
from sqlalchemy import create_engine
from websockets.sync.client import ClientConnection, connect

from damka.live import events
from damka.server.events import admin
from tests.server.accounts.support import PASSWORD, form, register
from tests.server.cluster.fleet import TAKEOVER, Fleet, at_node, reconnect
from tests.server.events import support as event_support
from tests.server.faults import DOWN_SECONDS, Gap, playing
from tests.server.online import create_invitation, join, play, ply_reached
from tests.server.programs import Player, Program, open_stream, token_ids
from tests.server.support import PATIENCE, Browser, Live
from tests.server.test_clocks import DIRECT, delayed_connection
from tests.services import Broker, PostgreSql
from tests.slowness import slowness

ONE_MINUTE = {"kind": "sudden", "seconds": 60}


def start_game_across(ana: Browser, petra: Browser, **options: Any) -> tuple[Live, Live]:
    """Start a game of two browsers, possibly at two processes; Ana's process owns it."""
    game = create_invitation(ana, **options)
    first = ana.live(game)
    first.state()
    join(petra, game)
    second = petra.live(game)
    second.state()
    first.state(lambda state: not state.get("invitation"))
    return first, second


def test_a_game_across_two_processes(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        first, second = start_game_across(ana, petra, clock=ONE_MINUTE)
        play(first, second, "22-18 11-15 18x11x15")
        assert second.current["presence"]["W"]["here"]
        assert first.request("move", ply=0, move="22-18")["code"] == "stale"
        assert second.request("why", clicks=[22, 21])["t"] == "refusal"
        game = first.current["id"]
        for browser in (ana, petra):
            page = browser.http.get(f"/game/{game}", headers={"accept": "text/html"})
            assert page.status_code == 200
            assert "content-security-policy" in page.headers
            assert browser.http.get(f"/api/games/{game}/pdn").text.count("22-18") == 1
        second.send("resign")
        first.state(lambda state: state["result"])
        assert petra.post(f"/api/games/{game}/rematch").status_code == 202
        rematch = ana.post(f"/api/games/{game}/rematch").json()["id"]
        assert petra.live(rematch).state()["you"], "Petra has a side in the rematch"
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
        too_large = eve.http.post(f"/api/games/{game}/join", content=b"x" * 300_000)
        assert too_large.status_code == 413
        chunks = (b"x" * 100_000 for _ in range(3))
        assert eve.http.post(f"/api/games/{game}/join", content=chunks).status_code == 413
        cross_origin = eve.http.post(
            f"/api/games/{game}/join", headers={"origin": "http://evil.example"}
        )
        assert cross_origin.json()["error"] == "cross_origin"
        spectator = eve.live(game)
        spectator.state()
        spectator.connection.send("x" * 5000)
        assert spectator.closed_with() == 1009


def overcharges_across(
    fleet: Fleet, seconds: float, hold_pongs: float = 0.0, **options: str
) -> list[float]:
    """Return the milliseconds charged for each of Petra's moves beyond her thinking time.

    Her connection, to a process that does not own the game, has real or simulated latency.
    """
    costs = []
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        node = SimpleNamespace(host=fleet.node(1).url.partition("//")[2])
        with delayed_connection(petra, node, seconds, **options) as delay:  # type: ignore[arg-type]
            delay.hold_pongs = hold_pongs
            first, second = start_game_across(ana, petra, clock={"kind": "sudden", "seconds": 600})
            play(first, second, "22-18 11-15 18x11x15")
            time.sleep(1.0)
            left = second.current["clock"]["left"]["B"]
            for _ in range(3):
                think_seconds, ply = 0.3 + hold_pongs, second.current["ply"]
                time.sleep(think_seconds)
                second.send("move", ply=ply, move=second.current["legal"][0]["hub"])
                second.state(ply_reached(ply + 1))
                costs.append(left - second.current["clock"]["left"]["B"] - 1000 * think_seconds)
                left = second.current["clock"]["left"]["B"]
                first.state(ply_reached(ply + 1))
                first.send("move", ply=ply + 1, move=first.current["legal"][0]["hub"])
                first.state(ply_reached(ply + 2))
                second.state(ply_reached(ply + 2))
    return costs[1:]  # the first turn started earlier


def test_lag_is_compensated_across_processes(fleet: Fleet) -> None:
    costs = overcharges_across(fleet, 0.15)
    # A busy machine delays some moves; latency that is not compensated affects all.
    assert min(costs) <= 60, f"{costs} ms a move at 300 ms of latency"


def test_delayed_pongs_gain_no_time_across_processes(fleet: Fleet) -> None:
    costs = overcharges_across(fleet, 0.0, hold_pongs=0.3, source=DIRECT)
    assert statistics.median(costs) >= -30, f"{costs} ms a move with all pongs delayed"


def test_closing_an_account_ends_games_at_every_process(fleet: Fleet, broker: Broker) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        register(petra, "Petra")
        games = [start_game_across(ana, petra, clock=ONE_MINUTE) for _ in range(2)]
        start = time.monotonic()
        for first, second in games:
            play(first, second, "22-18 11-15")
        owners = [fleet.owner_of(first.current["id"]) for first, _ in games]
        # Closing an account resigns its games: each process ends its own.
        broker.end(signal.SIGKILL)
        try:
            # The owner is unreachable: the process of the request takes the games over.
            closed = form(petra, "/account/close", name="Petra", old=PASSWORD)
        finally:
            broker.start()
        assert closed.status_code == 303, closed.text
        for (first, _), owner in zip(games, owners, strict=True):
            left = first.current["clock"]["left"]["W"]
            assert first.closed_with() == 1012
            state = ana.live(first.current["id"]).state(lambda state: state["result"])
            assert (state["result"]["winner"], state["result"]["reason"]) == ("W", "resignation")
            assert fleet.owner_of(first.current["id"]) != owner
            elapsed_ms = (time.monotonic() - start) * 1000
            assert left - elapsed_ms - 1 <= state["clock"]["left"]["W"] <= left


def test_a_paused_process_loses_its_games(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        first, second = start_game_across(ana, petra)
        play(first, second, "22-18 11-15")
        game = first.current["id"]
        owner = fleet.owner_of(game)
        node = fleet.node(0)
        node.process.send_signal(signal.SIGSTOP)
        paused_at = time.monotonic()
        # The move waits in the paused process, and arrives after the takeover.
        first.send("move", ply=2, move="18x11x15")
        try:
            with suppress(Exception):
                second.connection.recv(timeout=0.1)
            while fleet.owner_of(game) == owner:
                assert time.monotonic() < paused_at + TAKEOVER
                with at_node(ana, fleet.node(1)) as moved_ana, suppress(Exception):
                    moved_ana.http.get(f"/api/games/{game}/pdn", timeout=2)
            with at_node(ana, fleet.node(1)) as moved_ana:
                assert moved_ana.live(game).state()["ply"] == 2
        finally:
            node.process.send_signal(signal.SIGCONT)
        assert first.closed_with() == 1012
        store = fleet.store()
        stored_game = store.load(game)
        store.close()
        assert stored_game is not None
        assert len([e for e in stored_game.events if isinstance(e, events.Moved)]) == 2
        # The process continues, under another id.
        assert ana.live(game).state()["ply"] == 2


def test_a_stopping_process_hands_over_its_games(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        first, second = start_game_across(ana, petra, clock=ONE_MINUTE)
        play(first, second, "22-18 11-15")
        # Earlier tests may have removed the database.
        before = len(fleet.node(0).errors())
        code, errors = fleet.node(0).end(signal.SIGTERM)
        errors = errors[before:]
        assert code in {0, -signal.SIGTERM}, errors
        assert "Traceback" not in errors, errors
        ended_at = time.monotonic()
        assert first.closed_with() == 1012
        assert second.closed_with() == 1012
        _, state = reconnect(petra, first.current["id"], ended_at + TAKEOVER)
        assert state["ply"] == 2
        assert state["clock"]["left"]["W"] > 50_000


def test_a_flag_falls_after_the_process_of_the_game_ended(fleet: Fleet) -> None:
    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        first, second = start_game_across(ana, petra, clock={"kind": "sudden", "seconds": 1})
        play(first, second, "22-18 11-15")
        fleet.node(0).end(signal.SIGKILL)
        store = fleet.store()
        deadline = time.monotonic() + TAKEOVER
        while True:
            stored_game = store.load(first.current["id"])
            assert stored_game is not None
            if stored_game.events[-1] == events.Flagged("W"):
                break
            assert time.monotonic() < deadline, "the flag falls without a request"
            time.sleep(0.05)
        store.close()


def test_streams_report_games_and_revocations_of_other_processes(fleet: Fleet) -> None:
    first, second = Player(fleet.node(0)), Player(fleet.node(1))
    remote_program = Program(fleet.node(1), first.token)
    with open_stream(remote_program, "/api/stream/events") as events:
        game = second.program.game(opponent="invite")
        assert second.program.post(f"/api/games/{game}/offer/{first.name}").status_code == 202
        assert events.next("challenge")["id"] == game
        # Requested at the process that does not own the game.
        assert first.program.post(f"/api/games/{game}/join").status_code == 200
        assert events.next("game_start")["game"]["you"] == ["B"]
        with open_stream(first.program, f"/api/games/{game}/stream") as states:
            states.next("game")
            second.act(game, "move", move="23-19")
            assert states.next("state")["moves"] == ["23-19"]
            assert first.act(game, "resign")["result"]["reason"] == "resignation"
        assert events.next("game_over")["game"]["result"]["winner"] == "W"
        (entry,) = token_ids(first.browser)
        first.browser.http.post("/account/tokens/revoke", data={"token": entry})
        assert events.ended(), "the token was revoked at the other process"
    for player in (first, second):
        player.browser.__exit__(None, None, None)


def test_analyses_of_two_processes(fleet: Fleet) -> None:
    """Results and budgets are shared, and a player of a running game is refused everywhere."""

    def analyse(browser: Browser) -> Any:
        """Return the status and the lines of an analysis."""
        body = {"stream": True, "rules": "american", "moves": ["11-15"], "nodes": 20_000}
        answer = browser.http.post("/api/analysis", json=body)
        return answer.status_code, [json.loads(line) for line in answer.text.split("\n") if line]

    with fleet.browser(0) as ana, fleet.browser(1) as petra:
        register(ana)
        register(petra)
        status, lines = analyse(ana)
        assert status == 200
        assert not lines[0]["cached"]
        deadline = time.monotonic() + PATIENCE
        while True:  # it is stored after its last line
            start, *stored = analyse(petra)[1]
            if start["cached"]:
                break
            assert time.monotonic() < deadline, "the result of the other process is not stored"
        # Petra's process may have searched as well, at another speed.
        (last,) = stored
        assert {**last, "ms": 0} == {**lines[-1], "ms": 0}
        with psycopg.connect(fleet.database) as connection:
            rows = connection.execute("SELECT used FROM analysis_budgets").fetchall()
        assert rows, "the nodes are counted in the database"
        options = {"rules": "american", "rated": True, "clock": ONE_MINUTE}
        first, second = start_game_across(ana, petra, **options)
        with at_node(ana, fleet.node(1)) as elsewhere:
            for player in (ana, petra, elsewhere):
                status, [refusal] = analyse(player)
                assert (status, refusal["error"]) == (403, "no_help_now")
            second.send("resign")
            first.state(lambda state: bool(state["result"]))
            assert analyse(elsewhere)[1][0]["cached"]


def test_the_lobby_is_shared_by_processes(fleet: Fleet) -> None:
    """Challenges are shared; pairings and ratings are consistent; accounts close."""
    with ExitStack() as stack:
        ana, petra = (stack.enter_context(fleet.browser(number)) for number in (0, 1))
        names = [register(each) for each in (ana, petra)]
        rated = {"rules": "dama64", "clock": ONE_MINUTE, "rated": True}
        for path in ("/api/lobby/pool", "/api/lobby"):
            ana_lobby, petra_lobby = (
                stack.enter_context(open_lobby(each)) for each in (ana, petra)
            )
            challenge_id = ana.post(path, rated).json()["id"]
            if path == "/api/lobby":
                while challenge_id not in str(petra_lobby.recv(timeout=PATIENCE)):
                    pass
                game = petra.post(f"/api/lobby/{challenge_id}/accept").json()["id"]
            else:
                assert petra.post(path, rated).is_success
                game = next_game(petra_lobby)
            assert next_game(ana_lobby) == game
            first, second = ana.live(game), petra.live(game)
            for live in (first, second):
                live.state()
            play(first, second, "22-18 11-15")
            if path == "/api/lobby":
                break
            second.send("resign")
            for live in (first, second):
                live.state(lambda state: state["result"])
            sides = {each["name"]: each["diff"] for each in first.current["players"].values()}
            assert sides[names[0]] > 100
            assert sides[names[1]] < -100
        # Another process may own the game: it is still resigned and rated.
        closed = ana.http.post("/account/close", data={"name": names[0]})
        assert closed.status_code == 303
        second.state(lambda state: state["result"])
        assert second.current["result"]["reason"] == "resignation"
        assert second.current["players"][second.current["you"][0]]["diff"] > 0


def open_lobby(browser: Browser) -> ClientConnection:
    """Open a browser's live connection to the lobby."""
    cookies = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    return connect(
        f"{browser.url.replace('http', 'ws', 1)}/lobby/live",
        additional_headers={"Cookie": cookies, "Origin": browser.url},
        compression=None,
    )


def next_game(lobby: ClientConnection) -> str:
    """Wait for a redirect to a game, and acknowledge it; return the id."""
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
        response = event_support.form(
            arbiter, "/events", name="Two", arbiter="Rossi", code=code, rules="dama64", rounds=2,
            pace="auto", **{"break": 0},
        )  # fmt: skip
        assert response.status_code == 303, response.text
        path = response.headers["location"].removesuffix("/arbiter")
        with (
            event_support.bots(second, path, ("Ana", "Ben", "Cvetan", "Dina")),
            Browser(second.url) as spectator,
        ):
            # Spectators at one process receive updates from the other.
            feed = spectator.live(path.replace("/events/", "event/"))
            feed.receive("event")
            event_support.act(arbiter, path, "start")
            start = time.monotonic()
            feed.receive("event")
            assert (time.monotonic() - start) / slowness() < 1
            event_support.wait_for(
                lambda: event_support.event_data(spectator, path)["event"]["begun"], bool
            )
            first.end(signal.SIGKILL)
            data = event_support.wait_for(
                lambda: event_support.event_data(spectator, path),
                lambda data: data["event"]["status"] == "over",
                60,
            )
            assert data["event"]["round"] == 2
            assert sum(int(row["points"]) for row in data["standings"]) == 8


# Kills during many games: `python -m bench.faults` runs these with hundreds

Note = Callable[[str, object], None]
HEARTBEAT_SECONDS = 0.1
"""Maximum time in seconds between the last heartbeat of a process and its kill."""


def test_the_broker_is_killed(fleet: Fleet, broker: Broker, record_property: Note) -> None:
    async def run() -> None:
        async with playing(record_property, *fleet.nodes()) as games:
            begin = time.time()
            broker.end(signal.SIGKILL)
            try:
                await games.all_move("without the broker")
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
            restarted = time.time()
            recovery = await games.all_move()
            async with httpx.AsyncClient(base_url=nodes[1].url, trust_env=False) as http:
                assert (await http.get("/readyz")).status_code == 200
            await games.stop()
        refused = [frame for _, frame in games.refused_since(begin) if frame.code == "store_fails"]
        assert refused
        assert all(
            frame.message.startswith("The server can’t save moves right now.") for frame in refused
        )
        assert {game: fleet.owner_of(game) for game in owners} == owners, (
            "no process was declared dead"
        )
        # Clocks stop when each process has refused a move.
        first = max(
            min((at for at, _ in pair.refused if at >= begin), default=restarted)
            for pair in games.pairs
        )
        games.check(
            fleet.database, Gap(begin, restarted + recovery, min(first, restarted), restarted)
        )

    asyncio.run(run())


def test_one_of_two_processes_is_killed(fleet: Fleet, record_property: Note) -> None:
    async def run() -> None:
        async with playing(record_property, *fleet.nodes()) as games:
            killed = time.time()
            fleet.processes[0].end(signal.SIGKILL)
            await games.all_move()
            recovered = time.time()
            await games.stop()
        assert games.ledger.closed[1012], "pages of the killed process reconnect"
        gap = Gap(killed - HEARTBEAT_SECONDS, recovered, killed, killed)
        assert games.check(fleet.database, gap).resumed

    asyncio.run(run())
