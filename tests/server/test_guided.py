"""Guided games on the server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from damka import rules
from tests.server.support import Browser, Server, serving

HOUSE = rules.load("dama64").replace(name="house", man_capture="all").to_dict()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("guided")) as server:
        yield server


@pytest.fixture
def player(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


def start(browser: Browser, rules: Any = "dama64") -> tuple[int, str]:
    response = browser.post("/api/games", {"rules": rules, "opponent": "guide"})
    return response.status_code, response.json()["id"]


def test_the_guide_replies_and_explains(player: Browser) -> None:
    _, game = start(player)
    with closing(player.live(game)) as live:
        state = live.state()
        assert [notice["ply"] for notice in state["guide"]["notices"]] == [0]
        state = live.play(state["legal"][0]["hub"])
        state = live.state(lambda state: state["ply"] == 2)
        assert state["guide"]["notices"][0]["sentence"].startswith("This board is smaller")
        live.send("undo")
        assert live.state(lambda state: state["ply"] == 0)["guide"]["notices"]


def test_a_running_guided_game_is_continued(player: Browser, server: Server) -> None:
    first = start(player)
    assert first[0] == 201
    assert start(player) == (200, first[1])
    status, other = start(player, "american")
    assert (status, start(player, "american")) == (201, (200, other))
    with server.browser() as stranger:
        assert start(stranger)[0] == 201
    with closing(player.live(first[1])) as live:
        live.state()
        live.send("resign")
        live.state(lambda state: state["result"])
    assert start(player)[0] == 201


@pytest.mark.parametrize(
    "option", [{"names": ["Ana", "Bea"]}, {"fen": "W:W31:B1"}, {"engine": "scan"}]
)
def test_options_of_other_games_are_refused_also_while_one_runs(
    player: Browser, option: dict[str, Any]
) -> None:
    start(player, "russian")
    body = {"rules": "russian", "opponent": "guide", **option}
    refused = player.post("/api/games", body)
    assert refused.status_code == 422
    [name] = option
    assert refused.json()["where"] == name


def test_house_rules_are_taught_too(player: Browser) -> None:
    status, game = start(player, HOUSE)
    assert (status, start(player, HOUSE)) == (201, (200, game))
    with closing(player.live(game)) as live:
        (notice,) = live.state()["guide"]["notices"]
        assert notice["url"].startswith("/learn/-/")


def test_it_is_listed_as_a_guided_game_and_counts_for_no_level(player: Browser) -> None:
    _, game = start(player)
    with closing(player.live(game)) as live:
        live.play(live.state()["legal"][0]["hub"])
        live.state(lambda state: state["ply"] == 2)
        live.send("resign")
        live.state(lambda state: state["result"])
    page = player.http.get("/games?lang=en", headers={"accept": "text/html"}).text
    assert f'data-game="{game}"' in page
    assert "Guided game" in page
    assert not re.search(r"[Ll]evel 1\b", page)


def test_a_refusal_leads_to_its_lesson(player: Browser) -> None:
    _, game = start(player)
    with closing(player.live(game)) as live:
        state = live.state()
        own = next(i for i, piece in enumerate(state["pieces"], 1) if piece == "w")
        refusal = live.request("why", clicks=[own, own])
        assert refusal["lesson"] == "" or refusal["lesson"].startswith("/learn/dama64?about=")
