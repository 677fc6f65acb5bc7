"""A Swiss tournament, a round robin and an arena, played by bots to the final standings."""

from __future__ import annotations

import pytest

from damka.pdn import read
from damka.server.events import conductor
from damka.tournament import parse, standings, trf
from tests.server.events.support import (
    NAMES,
    act,
    bots,
    create_event,
    event_data,
    form,
    join,
    wait_for,
)
from tests.server.support import Browser, Server


@pytest.fixture(autouse=True)
def fast_pairing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conductor, "WAVE_SECONDS", 0.2)


def test_an_automatic_swiss_tournament(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, name="Swiss", pace="auto", **{"break": 0})
    with bots(server, path) as players:
        act(browser, path, "start")
        wait_for(
            lambda: event_data(browser, path)["event"]["status"], lambda status: status == "over"
        )
    data = event_data(browser, path)
    assert data["event"]["round"] == 3
    assert [bot.played for bot in players] == [3] * 8
    assert sorted(row["name"] for row in data["standings"]) == sorted(NAMES)
    # Two points per game, twelve games.
    assert sum(float(row["points"]) for row in data["standings"]) == 24
    export = browser.http.get(f"{path}/export.json")
    tournament = parse(export.content)
    assert [row.player.name for row in standings(tournament)] == [
        row["name"] for row in data["standings"]
    ]
    # The files for other programs have the same results.
    report = browser.http.get(f"{path}/export.trf").text
    assert trf.read(report).rounds == tournament.rounds
    games = list(read(browser.http.get(f"{path}/export.pdn").text))
    assert len(games) == 12
    assert {game.headers["Event"] for game in games} == {"Swiss"}
    assert not [tag for game in games for tag in game.headers if tag.endswith("Id")]
    for game in games:
        assert game.headers["Site"].startswith(server.url + path)
        assert game.headers["TimeControl"] == "600"
        assert game.headers["Round"] in {"1", "2", "3"}
        assert game.headers["Termination"]
    # Internal numbers are not exported as federation ids, and there are no ratings.
    lines = report.splitlines()
    assert "072 0" in lines
    assert {line[57:68].strip() for line in lines if line.startswith("001")} == {""}
    assert {game.headers["Event"] for game in read(api_games(browser, path))} == {"Swiss"}


def test_an_arena_runs_until_it_is_ended(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, name="Arena", kind="arena", clock="3+2")
    with bots(server, path):
        act(browser, path, "start")
        # A player knows the result of a game before it is in the standings.
        wait_for(lambda: points(browser, path), lambda points: sum(points) >= 32)
        act(browser, path, "finish", sure=1)
    data = event_data(browser, path)
    assert data["event"]["status"] == "over"
    assert {row["name"] for row in data["standings"]} == set(NAMES)
    final = points(browser, path)
    assert final == sorted(final, reverse=True)
    assert sum(final) >= 2 * 16
    games = list(read(browser.http.get(f"{path}/export.pdn").text))
    assert {game.headers["Event"] for game in games} == {"Arena"}
    assert {game.headers["Round"] for game in games} == {"-"}
    assert {game.headers["TimeControl"] for game in games} == {"180+2"}
    assert not [tag for game in games for tag in game.headers if tag.endswith("Id")]


def points(browser: Browser, path: str) -> list[int]:
    return [int(row["points"]) for row in event_data(browser, path)["standings"]]


def api_games(browser: Browser, path: str) -> str:
    return browser.http.get(f"/api{path}/games?format=pdn").text


def test_federation_ids_are_exported_if_entered(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, play="hand", name="Open", place="Assen")
    for name in NAMES[:4]:
        act(browser, path, "add", name=name)
    act(browser, path, "identify", player="2", name="Ben", rating="1450", fmjd="10023")
    # An FMJD id equal to the number of a player.
    act(browser, path, "identify", player="3", name="Цветан", rating="", fmjd="1")
    for action in ("start", "pair", "begin"):
        act(browser, path, action)
    for board in (1, 2):
        act(browser, path, "settle", round=1, board=board, before="", after="1-0")
    text = browser.http.get(f"{path}/export.trf").text
    lines = {line[14:47].strip(): line for line in text.splitlines() if line.startswith("001")}
    assert {name: line[57:68].strip() for name, line in lines.items()} == {
        "Ana": "",
        "Ben": "10023",
        "Цветан": "1",
        "Dina": "",
    }
    assert "072 1" in text.splitlines()
    tournament = trf.read(text)
    assert {each.name: each.has_fmjd_id for each in tournament.players}["Ana"] is False
    assert [row.points for row in standings(tournament)] == [2, 2, 0, 0]
    assert parse(browser.http.get(f"{path}/export.json").content).rounds


def test_a_round_robin_with_an_odd_number_of_players(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, kind="round-robin", play="hand")
    for name in NAMES[:5]:
        act(browser, path, "add", name=name)
    act(browser, path, "start")
    for number in range(1, 6):
        wait_for(
            lambda: event_data(browser, path)["event"]["status"], lambda status: status == "running"
        )
        act(browser, path, "pair")
        act(browser, path, "begin")
        boards = event_data(browser, path)["round"]["boards"]
        assert len(boards) == 2
        for each in boards:
            act(browser, path, "settle", round=number, board=each["board"], before="", after="1-0")
    wait_for(lambda: event_data(browser, path)["event"]["status"], lambda status: status == "over")
    assert sum(int(row["points"]) for row in event_data(browser, path)["standings"]) == 20
    assert form(browser, f"{path}/join", name="Late").status_code == 409


def test_late_entries_byes_withdrawals_and_forfeits(server: Server, browser: Browser) -> None:
    path = create_event(browser, server, play="hand", rounds=4)
    for name in ("A", "B", "C", "D"):
        act(browser, path, "add", name=name)
    act(browser, path, "start")
    act(browser, path, "pair")
    act(browser, path, "begin")
    act(browser, path, "settle", round=1, board=1, before="", after="-:+", why="not there")
    act(browser, path, "settle", round=1, board=2, before="", after="=")
    with server.browser() as late_player:
        join(late_player, path, "Late")
        assert form(late_player, f"{path}/bye").status_code == 303
        assert "You will skip the next round" in late_player.http.get(path).text
    data = event_data(browser, path)
    ids = {row["name"]: row["id"] for row in data["standings"]}
    act(browser, path, "remove", player=ids["A"])
    act(browser, path, "bye", player=ids["B"], kind="F")
    act(browser, path, "pair")
    data = event_data(browser, path)
    assert {(bye["name"], bye["kind"]) for bye in data["round"]["byes"]} == {
        ("B", "bye, counts as a win"),
        ("Late", "bye, counts as a draw"),
    }
    assert [{each["white"], each["black"]} for each in data["round"]["boards"]] == [{"C", "D"}]
    assert next(row for row in data["standings"] if row["name"] == "A")["gone"]
    text = browser.http.get(f"{path}/arbiter").text
    assert "not there" in text
    assert "recorded for B: bye, counts as a win" in text
