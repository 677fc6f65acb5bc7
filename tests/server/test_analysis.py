"""Analysis, endgame tables and files of games through the API."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from damka import Game, pdn, rules
from damka.tablebase import build
from tests.server.accounts.support import ROOMY, register
from tests.server.events.support import act, bots, create_event, wait_for
from tests.server.programs import Program, become_bot, new_token
from tests.server.support import Browser, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("tables")
    build(rules.load("american"), 2, folder)
    limits = dataclasses.replace(ROOMY, analysis_burst=8, analysis_rate=0.001)
    with serving(
        tmp_path_factory.mktemp("server"), limits=limits, tablebases=folder, engine_workers=2
    ) as server:
        yield server


@pytest.fixture
def program(server: Server, browser: Browser) -> Program:
    register(browser)
    return Program(server, new_token(browser))


def test_a_position_is_analysed(program: Program) -> None:
    position = {"rules": "american", "fen": "W:W22:B3,18", "depth": 4, "lines": 2}
    data = program.post("/api/analysis", position).json()
    assert data["lines"][0]["pv"][0] == "22x15x18"
    assert data["depth"] >= 1
    data = program.post("/api/analysis", {"rules": "dama64", "moves": ["23-19"], "depth": 3})
    assert data.json()["fen"].startswith("B:")


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        ({"rules": "chess"}, 404, "rules"),
        ({"rules": "dama64", "fen": "nonsense"}, 422, "fen"),
        ({"rules": "dama64", "moves": ["1-2"]}, 422, "moves"),
        ({"rules": "dama64", "seconds": 60}, 422, "seconds"),
        ({"rules": "dama64", "lines": 0}, 422, "lines"),
        ({"rules": "american", "fen": "B:W22:B"}, 422, "fen"),
        ({"rules": {"name": "x", "width": 9999}}, 422, "rules"),
    ],
)
def test_invalid_analysis_requests_are_refused(
    program: Program, body: dict[str, object], status: int, where: str
) -> None:
    response = program.post("/api/analysis", body)
    assert (response.status_code, response.json().get("where")) == (status, where), response.text


def test_analysis_is_rate_limited(program: Program) -> None:
    position = {"rules": "american", "fen": "W:W22:B3,18", "depth": 2}
    statuses = [program.post("/api/analysis", position).status_code for _ in range(9)]
    assert statuses == [200] * 8 + [429]


def test_endgame_tables_can_be_queried(program: Program) -> None:
    fen = "W:WK32:BK1"
    data = program.get("/api/tablebase", rules="american", fen=fen).json()
    assert data["wdl"] in {-1, 0, 1}
    assert len(data["moves"]) == len(Game("american", fen).legal_moves)
    for missing in ({"rules": "american"}, {"rules": "dama64"}):
        start = Game(missing["rules"]).board.fen
        response = program.get("/api/tablebase", **missing, fen=start)
        assert (response.status_code, response.json()["error"]) == (404, "no_table")


def test_analysis_is_refused_during_games_between_people(server: Server, browser: Browser) -> None:
    register(browser)
    player, start = Program(server, new_token(browser)), {"rules": "dama64", "depth": 2}
    with server.browser() as friend, server.browser() as opponent:
        register(friend)
        helper = Program(server, new_token(friend))
        game = player.game(opponent="invite")
        assert player.post("/api/analysis", start).status_code == 200, "no opponent has joined yet"
        opponent.post(f"/api/games/{game}/join", {})
        live = opponent.live(game)
        live.state()
        for program in (player, helper):
            response = program.post("/api/analysis", start)
            assert (response.status_code, response.json()["error"]) == (403, "no_help_now")
            query = {"rules": "dama64", "fen": Game("dama64").board.fen}
            assert program.get("/api/tablebase", **query).json()["error"] == "no_help_now"
        after_one_move = {**start, "moves": ["23-19"]}
        assert player.post("/api/analysis", after_one_move).status_code == 403, (
            "the position could occur in the game"
        )
        assert player.post("/api/analysis", {**start, "rules": "american"}).status_code == 200
        assert helper.post("/api/analysis", after_one_move).status_code == 200
        with player.live(game) as player_live:
            player_live.state()
            assert player_live.request("hint")["code"] == "no_help"
        player.post(f"/api/games/{game}/resign")
        assert player.post("/api/analysis", start).status_code == 200
        become_bot(browser)
        rematch = player.post(f"/api/games/{game}/rematch")
        assert rematch.status_code == 202
        rematch = opponent.post(f"/api/games/{game}/rematch")
        rematch_id = rematch.json()["id"]
        live = opponent.live(rematch_id)
        live.state()
        assert player.post("/api/analysis", start).status_code == 200, "bots may use the analysis"
        assert helper.post("/api/analysis", start).status_code == 403
        player.post(f"/api/games/{rematch_id}/resign")


def test_the_games_of_a_member_are_exported(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    name = register(browser)
    member = Program(server, new_token(browser))
    with server.browser() as opponent:
        games = []
        for number in range(3):
            rule_set = ("dama64", "american")[number == 2]
            game = member.game(opponent="invite", rules=rule_set)
            opponent.post(f"/api/games/{game}/join", {})
            legal = member.get(f"/api/games/{game}").json()["state"]["legal"]
            mover = member if rule_set == "dama64" else None
            if mover is not None:
                mover.post(f"/api/games/{game}/move", {"move": legal[0]})
            member.post(f"/api/games/{game}/resign")
            games.append(game)
        member.game(opponent="person")
        running = member.game(opponent="invite")
        public = Program(server, None)
        path = f"/api/members/{name}/games"
        response = public.get(path, format="jsonl")
        assert response.headers["content-type"] == "application/x-ndjson"
        data = [json.loads(line) for line in response.text.splitlines()]
        assert [each["game"]["id"] for each in data] == games[::-1], "the latest first"
        assert all(each["game"]["result"]["reason"] == "resignation" for each in data)
        assert Game.from_json(json.dumps(data[0]["file"])).result is not None
        file = tmp_path / "games.pdn"
        for _ in range(10):  # Each export frees its slot for the next one.
            response = public.get(path)
            assert response.status_code == 200, response.text
        file.write_bytes(response.content)
        assert len(list(pdn.read(file))) == 3
        one_game = public.get(path, format="jsonl", rules="dama64", most=1).text.splitlines()
        assert [json.loads(line)["game"]["id"] for line in one_game] == [games[1]]
        assert public.get(path, until="2020-01-01").text == ""
        assert public.get(path, since="2020-01-01", format="jsonl").text.count("\n") == 3
        assert public.get(path, since="soon").status_code == 422
        assert running not in member.get(path, format="jsonl").text
        assert public.get("/api/members/Unknown/games").status_code == 404
    browser.http.post("/account/preferences", data={"kid": "on"})
    assert public.get(path).status_code == 404, "a child's games are private"
    assert member.get(path).status_code == 200


def test_the_games_of_an_event_are_exported(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    path = create_event(browser, server, rounds=1, pace="auto", **{"break": 0})
    with bots(server, path, ("Ana", "Ben")) as players:
        act(browser, path, "start")
        wait_for(lambda: [each.played for each in players], all)
    program, event = Program(server, None), path.rpartition("/")[2]
    file = tmp_path / "event.pdn"
    file.write_bytes(program.get(f"/api/events/{event}/games").content)
    (game,) = pdn.read(file)
    assert {game.headers["White"], game.headers["Black"]} == {"Ana", "Ben"}
    (line,) = program.get(f"/api/events/{event}/games", format="jsonl").text.splitlines()
    assert json.loads(line)["game"]["result"]["reason"] == "resignation"
    assert program.get("/api/events/aaaaaaaa/games").status_code == 404
