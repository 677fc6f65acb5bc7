"""Analysis and reviews on the server: shared, stopped, stored, limited and refused."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from damka import Game, rules
from damka.server.analysis.fair_play import _placement
from damka.tablebase import build
from tests.server.accounts.support import ROOMY, register
from tests.server.support import Browser, Json, Server, serving
from tests.server.test_engine_pool import wait_until

LONG = 2_000_000_000
QUICK = 20_000


class Stream:
    """An open stream of lines."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()

    def next(self) -> Json:
        """Return the next line that is not a heartbeat."""
        while True:
            if line := next(self._lines):
                read: Json = json.loads(line)
                return read

    def last(self) -> Json:
        """Return the last line."""
        lines: list[Json] = [json.loads(line) for line in self._lines if line]
        return lines[-1]


@contextmanager
def streaming(browser: Browser, path: str, body: Json) -> Iterator[Stream]:
    with browser.http.stream("POST", path, json=body) as response:
        if response.status_code != 200:
            response.read()
        yield Stream(response)


def analysis(browser: Browser, **body: Any) -> Any:
    body = {"stream": True, "rules": "dama64", **body}
    return streaming(browser, "/api/analysis", body)


def review(browser: Browser, game: Any, **body: Any) -> Any:
    return streaming(browser, "/api/review", {"game": game, "nodes": 1_000, **body})


def result(browser: Browser, **body: Any) -> Json:
    """Return the last line of an analysis."""
    with analysis(browser, **body) as stream:
        assert stream.response.status_code == 200, stream.response.text
        last: Json = stream.last()
    return last


def searches(server: Server) -> int:
    pool = server.app.state.damka.engine_pool._pool
    return sum(slot.job is not None for slot in pool._slots if slot.duty == "background")


def nodes(server: Server) -> float:
    """Return the nodes that were searched."""
    return metric(server, "damka_analysis_nodes_total")


def metric(server: Server, name: str, **labels: str) -> float:
    value = server.app.state.damka.metrics.registry.get_sample_value(name, labels)
    return value or 0.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("tables")
    build(rules.load("american"), 3, folder)
    limits = dataclasses.replace(
        ROOMY,
        analysis_nodes=LONG,
        analysis_address_nodes=1000 * LONG,
        analysis_account_nodes=1000 * LONG,
        analysis_burst=1000,
    )
    with serving(
        tmp_path_factory.mktemp("server"), limits=limits, tablebases=folder, engine_workers=1
    ) as server:
        yield server


def test_a_guest_watches_the_lines_deepen(browser: Browser) -> None:
    with analysis(browser, moves=["22-18"], lines=3, nodes=200_000) as stream:
        assert stream.response.headers["content-type"].startswith("application/x-ndjson")
        assert stream.next() == {"t": "start", "nodes": 200_000, "cached": False}
        first = stream.next()
        assert first["t"] == "lines"
        assert not first["final"]
        last = stream.last()
    assert last["final"]
    assert last["depth"] > first["depth"]
    assert len(last["lines"]) == 3
    game = Game("dama64")
    game.play("22-18")
    assert last["lines"][0]["moves"][0] in {move.hub() for move in game.legal_moves}


def test_two_viewers_share_one_search(server: Server, browser: Browser) -> None:
    with server.browser() as other:
        register(other)
        before = metric(server, "damka_analyses_total", source="searched")
        with analysis(browser, fen=Game("russian").board.fen, rules="russian") as one:
            one.next()
            one.next()
            # The same position by another way.
            with analysis(other, rules="russian", moves=[]) as two:
                two.next()
                assert two.next()["depth"] >= 1
                assert searches(server) == 1
                assert server.app.state.damka.analyses.running == 1
        assert metric(server, "damka_analyses_total", source="searched") == before + 1


def test_the_last_viewer_stops_the_search(server: Server, browser: Browser) -> None:
    with server.browser() as other:
        with analysis(browser, moves=["22-17"]) as one:
            one.next()
            one.next()
            with analysis(other, moves=["22-17"]) as two:
                two.next()
                two.next()
            assert one.next()["t"] == "lines"
            assert searches(server) == 1
        # Otherwise it would take minutes.
        wait_until(lambda: not searches(server) and not server.app.state.damka.analyses.running)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_analysis_survives_the_death_of_its_worker(server: Server, browser: Browser) -> None:
    with analysis(browser, moves=["23-18"], nodes=3_000_000) as stream:
        stream.next()
        kill_worker(server, set())
        assert stream.last()["final"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_analysis_that_failed_can_be_started_again(server: Server, browser: Browser) -> None:
    killed: set[int] = set()
    body = {"moves": ["24-20"], "nodes": LONG}
    with analysis(browser, **body) as stream:
        stream.next()
        stream.next()
        kill_worker(server, killed)
        kill_worker(server, killed)
        last = stream.last()
        assert (last["t"], last["error"]) == ("error", "busy")
        assert "Try again" in last["message"]
    with analysis(browser, **body) as again:
        assert again.next()["t"] == "start"
        assert again.next()["depth"] >= 1
    wait_until(lambda: not searches(server))


def kill_worker(server: Server, killed: set[int]) -> None:
    """Kill the process of the running analysis, once it is a new one."""

    def kill() -> bool:
        for slot in server.app.state.damka.engine_pool._pool._slots:
            pid: int = getattr(slot.worker, "pid", 0)
            if slot.duty == "background" and slot.job is not None and pid not in {0, *killed}:
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
                return True
        return False

    wait_until(kill)


def test_a_game_does_not_wait_for_analyses(server: Server, browser: Browser) -> None:
    with server.browser() as other, analysis(other, moves=["23-19"]) as running:
        running.next()
        running.next()
        # Without workers of its own, the analysis would take hours.
        live = browser.live(browser.new_game(opponent="computer", level=8))
        live.state()
        live.play("22-18")
        live.state(lambda state: state["ply"] == 2)
        assert searches(server) == 1


def test_a_result_is_stored(tmp_path: Path) -> None:
    position = {"moves": ["22-18", "11-15"], "lines": 2, "nodes": QUICK}
    with serving(tmp_path) as server, server.browser() as browser:
        result(browser, **position)
        wait_until_stored(server)
        searched = nodes(server)
        assert searched >= QUICK // 2
        first = result(browser, **position)
        assert nodes(server) == searched
    with serving(tmp_path) as server, server.browser() as browser:
        with analysis(browser, **position) as stream:
            assert stream.next()["cached"]
            assert stream.next() == first
        assert nodes(server) == 0
        # More nodes or lines need a search.
        assert not _stored(browser, {**position, "nodes": 2 * QUICK})
        assert not _stored(browser, {**position, "lines": 1})


def wait_until_stored(server: Server) -> None:
    """Wait until the results of all analyses are stored; a request before that would search."""
    wait_until(lambda: not server.app.state.damka.analyses._tasks)


def _stored(browser: Browser, position: Json) -> bool:
    with analysis(browser, **position) as stream:
        cached: bool = stream.next()["cached"]
        return cached


def test_stored_results_are_bounded(tmp_path: Path) -> None:
    limits = dataclasses.replace(ROOMY, analyses_stored=2)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        moves = [move.hub() for move in Game("dama64").legal_moves][:4]
        for move in moves:
            position = {"moves": [move], "nodes": QUICK}
            result(browser, **position)
            wait_until_stored(server)
        assert [_stored(browser, {"moves": [each], "nodes": QUICK}) for each in moves[2:]] == [
            True,
            True,
        ]
        assert not _stored(browser, {"moves": moves[:1], "nodes": QUICK})


def test_tables_give_the_truth(browser: Browser) -> None:
    last = result(browser, rules="american", fen="W:WK14,K15:BK1", lines=5)
    assert last["lines"][0]["table"]
    assert last["lines"][0]["mate"] > 0
    assert last["nodes"] == 0
    drawn = result(browser, rules="american", fen="W:WK32:BK1", lines=2)
    assert {(line["score"], line["mate"], line["table"]) for line in drawn["lines"]} == {
        (0, None, True)
    }


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"rules": "chess"}, 404, "unknown_rules"),
        ({"fen": "nonsense"}, 422, "bad_field"),
        ({"moves": ["1-2"]}, 422, "bad_line"),
        ({"lines": 6}, 422, "bad_field"),
        ({"rules": "american", "fen": "B:W22:B"}, 422, "game_is_over"),
        ({"unknown": 1}, 422, "bad_field"),
    ],
)
def test_invalid_requests_are_refused(
    browser: Browser, body: Json, status: int, error: str
) -> None:
    with analysis(browser, **body) as stream:
        response = stream.response
        assert (response.status_code, response.json()["error"]) == (status, error)


def test_a_budget_is_used_up_and_restored(tmp_path: Path) -> None:
    now = [datetime(2026, 5, 1, 12, tzinfo=UTC)]
    limits = dataclasses.replace(
        ROOMY, analysis_nodes=QUICK, analysis_address_nodes=3 * QUICK, analysis_workers=1
    )

    def begin(server: Server) -> None:
        server.app.state.damka.budgets.now = lambda: now[0]

    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        begin(server)
        moves = [move.hub() for move in Game("dama64").legal_moves]
        answers = []
        for move in moves[:4]:
            with analysis(browser, moves=[move]) as stream:
                answers.append(stream.response)
                if stream.response.status_code == 200:
                    stream.last()
            budgets = server.app.state.damka.budgets
            wait_until(lambda: not (budgets._reserved or budgets._unwritten))  # noqa: B023
        wait_until_stored(server)
        assert [each.status_code for each in answers] == [200, 200, 200, 429]
        refusal = answers[-1]
        assert refusal.json()["error"] == "analysis_used_up"
        again = datetime.fromisoformat(refusal.json()["again"])
        assert timedelta(hours=7) < again - now[0] < timedelta(hours=9)
        assert "hours" in refusal.json()["message"]
        assert 7 * 3600 < int(refusal.headers["retry-after"]) < 9 * 3600
        # A stored result costs nothing.
        assert result(browser, moves=moves[:1])["final"]
        wait_until(lambda: not server.app.state.damka.budgets._unwritten)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        begin(server)
        with analysis(browser, moves=moves[4:5]) as stream:
            assert stream.response.status_code == 429, "a restart does not restore it"
        now[0] = again
        assert result(browser, moves=moves[4:5])["final"]


def test_a_member_has_a_budget_at_any_address(tmp_path: Path) -> None:
    limits = dataclasses.replace(ROOMY, analysis_nodes=QUICK, analysis_account_nodes=QUICK)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        register(browser)
        assert result(browser, moves=["22-18"])["final"]
        wait_until(lambda: not server.app.state.damka.budgets._reserved)
        with analysis(browser, moves=["22-17"]) as stream:
            assert stream.response.json()["error"] == "analysis_used_up"
        with server.browser() as guest:
            assert result(guest, moves=["22-17"])["final"]


def test_a_flood_of_requests_is_refused(tmp_path: Path) -> None:
    limits = dataclasses.replace(ROOMY, waiting_searches=3, analysis_nodes=LONG)
    limits = dataclasses.replace(limits, analysis_address_nodes=1000 * LONG, streams_per_account=3)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        moves = [move.hub() for move in Game("dama64").legal_moves]
        streams = [analysis(browser, moves=[move]) for move in moves[:4]]
        opened = [stream.__enter__() for stream in streams]
        try:
            codes = [each.response.status_code for each in opened]
            assert codes == [200, 200, 200, 503]
            assert opened[-1].response.json()["error"] == "busy"
            assert server.app.state.damka.analyses.running == 3
            live = browser.live(browser.new_game(opponent="computer", level=1))
            live.state()
            assert live.request("hint")["t"] == "hint", "analyses leave room for hints"
            # A review whose viewer has too many streams ends at once.
            with review(browser, {"rules": "dama64", "moves": moves[:1]}) as stream:
                assert stream.response.json()["error"] == "too_many_streams"
            wait_until(lambda: not server.app.state.damka.reviews.running)
        finally:
            for stream in streams:
                stream.__exit__(None, None, None)
        wait_until(lambda: not server.app.state.damka.analyses.running)


def test_positions_of_running_rated_games_are_refused(server: Server, browser: Browser) -> None:
    register(browser)
    with server.browser() as opponent:
        register(opponent)
        clock = {"kind": "fischer", "seconds": 600, "increment": 5}
        options = {"opponent": "invite", "rated": True, "clock": clock, "colour": "lot"}
        game = browser.new_game(**options)
        assert result(browser, nodes=QUICK)["final"], "no opponent has joined yet"
        opponent.post(f"/api/games/{game}/join", {})
        live = browser.live(game)
        assert not live.state()["can"]["analyse"]
        start = {"rules": "dama64", "moves": []}
        for player in (browser, opponent):
            with analysis(player, nodes=QUICK) as stream:
                assert (stream.response.status_code, stream.response.json()["error"]) == (
                    403,
                    "no_help_now",
                )
            for reviewed in (game, start):
                with review(player, reviewed) as stream:
                    assert stream.response.json()["error"] == "no_help_now"
        # Also the position after a move, and the opponent's threats.
        with analysis(browser, moves=["22-18"], threat=True) as stream:
            assert stream.response.status_code == 403
        # House rules may be the game by another name.
        with analysis(browser, rules={"base": "dama64", "name": "mine"}) as stream:
            assert stream.response.status_code == 403, stream.response.text
        assert result(browser, rules="american", nodes=QUICK)["final"]
        with server.browser() as guest:
            assert result(guest, nodes=QUICK)["final"], "a common position of the opening"
            with review(guest, game) as stream:
                assert stream.response.json()["error"] == "no_help_now"
        live.send("resign")
        assert live.state(lambda state: state["result"])["can"]["analyse"]
        assert result(browser, nodes=QUICK)["final"]


@pytest.fixture(scope="module")
def finished_game() -> Json:
    """A short game with a mistake, as JSON values."""
    return {"rules": "american", "fen": "W:W22,29:B18,9,1", "moves": ["22x15x18", "9-14"]}


def test_a_review_is_streamed_shared_and_stored(tmp_path: Path, finished_game: Json) -> None:
    limits = dataclasses.replace(
        ROOMY, analysis_nodes=LONG, analysis_address_nodes=1000 * LONG, analysis_workers=1
    )
    with (
        serving(tmp_path, limits=limits) as server,
        server.browser() as browser,
        server.browser() as other,
    ):
        with analysis(browser) as running:
            running.next()
            running.next()
            # The review waits for the only worker, so that both viewers come before its end.
            streams = [review(each, finished_game, nodes=20_000) for each in (browser, other)]
            one, two = (stream.__enter__() for stream in streams)
            assert one.next() == two.next() == {"t": "start", "plies": 2, "stored": False}
        last = one.last()
        assert last["final"]
        assert two.last() == last
        for stream in streams:
            stream.__exit__(None, None, None)
        assert len(last["graph"]) == 3
        assert set(last["accuracy"]) == {"W", "B"}
        assert metric(server, "damka_reviews_total", source="searched") == 1
        wait_until(lambda: not server.app.state.damka.reviews._tasks)
    with serving(tmp_path) as server, server.browser() as browser:
        with review(browser, finished_game, nodes=20_000) as stream:
            assert stream.next() == {"t": "start", "plies": 2, "stored": True}
            assert stream.next() == last
        assert nodes(server) == 0


def test_a_finished_game_of_the_server_is_reviewed(server: Server, browser: Browser) -> None:
    game = browser.new_game(opponent="computer", level=1)
    live = browser.live(game)
    live.state()
    live.play("22-18")
    live.state(lambda state: state["ply"] == 2)
    with review(browser, game) as stream:
        assert stream.response.json()["error"] == "game_not_over"
    live.send("resign")
    live.state(lambda state: state["result"])
    with review(browser, game) as stream:
        assert not stream.next()["stored"]
        assert stream.last()["final"]
    wait_until(lambda: not server.app.state.damka.reviews._tasks)
    with (
        server.browser(**{"accept-language": "sk"}) as spectator,
        review(spectator, game) as stream,
    ):
        assert stream.next()["stored"]
        assert stream.next()["final"]
    with review(browser, "A" * 22) as stream:
        assert stream.response.status_code == 404


def test_a_review_stops_with_its_last_viewer(server: Server, browser: Browser) -> None:
    game = Game("dama64")
    moves = []
    for _ in range(30):
        move = game.legal_moves[0]
        moves.append(move.hub())
        game.play(move)
    body = {"rules": "dama64", "moves": moves}
    with review(browser, body, nodes=200_000) as stream:
        stream.next()
        wait_until(lambda: searches(server))
    reviews = server.app.state.damka.reviews
    wait_until(lambda: not reviews.running and not reviews._tasks and not searches(server))
    assert not server.app.state.damka.budgets._reserved
    with review(browser, body, nodes=200_000) as stream:
        assert not stream.next()["stored"], "it did not end by itself"


def test_analysis_can_be_switched_off(tmp_path: Path) -> None:
    limits = dataclasses.replace(ROOMY, analysis_nodes=0)
    with (
        serving(tmp_path, limits=limits) as server,
        server.browser() as browser,
        analysis(browser) as stream,
    ):
        assert stream.response.json()["error"] == "analysis_off"


def test_a_guest_does_not_take_all_places_for_reviews(tmp_path: Path) -> None:
    limits = dataclasses.replace(
        ROOMY, reviews_at_once=4, analysis_nodes=LONG, analysis_address_nodes=1000 * LONG
    )
    moves = [move.hub() for move in Game("dama64").legal_moves]
    games = [{"rules": "dama64", "moves": [move]} for move in moves[:2]]
    with (
        serving(tmp_path, limits=limits) as server,
        server.browser() as browser,
        server.browser() as other,
        # It takes the only worker, so that the first review lasts.
        analysis(other) as running,
        review(browser, games[0], nodes=200_000) as first,
    ):
        running.next()
        first.next()
        with review(browser, games[1], nodes=200_000) as second:
            assert second.response.json()["error"] == "too_many_analyses"


def test_a_placement_is_known_from_every_side() -> None:
    assert len({_placement(each, 2) for each in ("wb.W", "bwW.", "B.wb", ".Bbw")}) == 1
    assert _placement("wb.W", 2) != _placement("wW.b", 2)
