"""A player's list of games: titles, removal, files, and results against the computer."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from damka.rules import Side
from damka.server.settings import Limits
from damka.server.store.models import SeatRow
from tests.server.accounts.support import (
    PASSWORD,
    ROOMY,
    fast_password_hashes,
    form,
    register,
)
from tests.server.finished import Past, resigned_game
from tests.server.online import create_invitation, join
from tests.server.support import Browser, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("own-games")) as server:
        yield server


@pytest.fixture
def fast_hashes() -> Iterator[None]:
    with fast_password_hashes():
        yield


@pytest.fixture
def player(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


@pytest.fixture
def stranger(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        browser.new_game()
        yield browser


def page(browser: Browser, query: str = "", lang: str = "en") -> str:
    response = browser.http.get(f"/games?lang={lang}&{query}", headers={"accept": "text/html"})
    assert response.status_code == 200, response.text
    return response.text


def listed(browser: Browser, query: str = "") -> list[str]:
    return re.findall(r'data-game="([^"]+)"', page(browser, query))


def change(browser: Browser, game: str, **changes: object) -> Any:
    return browser.post(f"/api/games/{game}/listing", changes)


def test_a_guest_sees_running_games_before_finished_ones(
    player: Browser, stranger: Browser
) -> None:
    running = player.new_game()
    live = player.live(running)
    live.play(live.state()["legal"][0]["hub"])
    live.close()
    finished = resigned_game(player)
    unplayed = player.new_game(opponent="computer", level=1)
    assert listed(player) == [running, finished]
    assert unplayed not in page(player)
    assert listed(player, "result=running") == [running]
    text = page(player)
    assert "Black wins" in text
    assert "1 move ·" in text
    assert running not in page(stranger)


def test_visitors_without_games_get_one_next_step(server: Server) -> None:
    with server.browser() as browser:
        text = page(browser)
    assert "No games yet" in text
    assert text.count('class="button big"') == 1
    assert 'class="filters"' not in text


def test_a_title_is_shown_and_belongs_to_its_player(player: Browser, stranger: Browser) -> None:
    game = resigned_game(player)
    answer = change(player, game, title="  My <first>\u202e   win ")
    assert answer.json() == {"title": "My <first> win", "removed": False}
    assert '<span class="name">My &lt;first&gt; win</span>' in page(player)
    assert listed(player, "find=FIRST") == [game]
    assert listed(player, "find=second") == []
    assert "No games match." in page(player, "find=second")
    refused = change(stranger, game, title="Mine")
    assert (refused.status_code, refused.json()["error"]) == (403, "not_yours")
    assert change(stranger, game, removed=True).status_code == 403
    assert change(player, game, title="").json()["title"] == ""
    assert '<span class="name">Bulgarian box</span>' in page(player)


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"title": "x" * 61}, 422, "title_long"),
        ({"title": "x" * 300}, 422, "bad_field"),
        ({"title": 3}, 422, "bad_field"),
        ({"removed": "yes"}, 422, "bad_field"),
        ({"side": "W"}, 422, "bad_field"),
    ],
)
def test_bad_changes_are_refused(
    player: Browser, body: dict[str, Any], status: int, error: str
) -> None:
    game = resigned_game(player)
    answer = change(player, game, **body)
    assert (answer.status_code, answer.json()["error"]) == (status, error)


def test_a_change_needs_a_game_and_the_own_origin(player: Browser) -> None:
    game = resigned_game(player)
    assert change(player, "A" * 22, removed=True).status_code == 404
    assert change(player, "nonsense", removed=True).status_code == 404
    foreign = player.post(
        f"/api/games/{game}/listing", {"removed": True}, headers={"origin": "http://evil.example"}
    )
    assert foreign.status_code == 403
    assert listed(player) == [game]


def test_a_removed_game_can_be_restored(player: Browser) -> None:
    game = resigned_game(player)
    running = player.new_game()
    live = player.live(running)
    live.play(live.state()["legal"][0]["hub"])
    live.close()
    change(player, game, title="Kept")
    assert change(player, game, removed=True).json() == {"title": "Kept", "removed": True}
    assert change(player, running, removed=True).status_code == 200
    assert listed(player) == []
    assert running not in player.http.get("/").text
    assert change(player, game, removed=False).json() == {"title": "Kept", "removed": False}
    assert listed(player) == [game]
    assert player.http.get(f"/game/{running}").status_code == 200


def test_a_game_of_two_players_stays_for_the_other(player: Browser, stranger: Browser) -> None:
    waiting = player.live(create_invitation(player))
    waiting.state()
    game = waiting.current["id"]
    assert change(player, game, removed=True).json()["error"] == "game_awaited"
    join(stranger, game, name="Kati")
    live = waiting
    live.state(lambda state: state["invitation"] is None)
    live.play(live.current["legal"][0]["hub"])
    assert change(stranger, game, removed=True).status_code == 409
    assert 'data-do="remove"' not in page(player)
    assert "Kati" in page(player)
    live.send("resign")
    live.state(lambda state: state["result"])
    live.close()
    assert change(player, game, removed=True).status_code == 200
    assert listed(player) == []
    assert game in listed(stranger)
    assert "You won" in page(stranger)


def test_all_games_are_one_pdn_file(player: Browser, server: Server) -> None:
    resigned_game(player)
    resigned_game(player, "B")
    running = player.new_game()
    live = player.live(running)
    live.play(live.state()["legal"][0]["hub"])
    live.close()
    removed = resigned_game(player)
    change(player, removed, removed=True)
    answer = player.http.get("/games.pdn")
    assert answer.headers["content-type"].startswith("application/x-draughts-pdn")
    assert answer.headers["content-disposition"].endswith('.pdn"')
    assert answer.text.count("[GameType ") == 3
    with server.browser() as nobody:
        assert nobody.http.get("/games.pdn").status_code == 403


def test_results_by_level_suggest_the_next_level(server: Server, player: Browser) -> None:
    past = Past(server, player)
    assert "You beat" not in page(player)
    results: list[tuple[int, Side | None]] = [(3, "W"), (3, "B"), (3, None), (2, "W")]
    for minute, (level, winner) in enumerate(results):
        past.add(level, winner, minute=minute)
    past.add(5, "B", "american", minute=9)
    text = page(player)
    assert "You beat level 3. Try 4?" in text
    assert "1 won · 1 lost · 1 drawn" in text
    match = re.search(r'data-request="([^"]+)"', text)
    assert match is not None
    request = json.loads(match[1].replace("&#34;", '"'))
    assert request["rules"] == "dama64"
    started = player.post("/api/games", request)
    assert started.status_code == 201
    seats = player.live(started.json()["id"]).state()["players"]
    assert {each.get("level") for each in seats.values()} >= {4}
    # The results are those of the chosen game.
    assert "Level 5" in page(player, "rules=american")
    assert "Level 3" not in page(player, "rules=american")
    assert len(listed(player, "result=won")) == 2
    past.add(10, "W", minute=20)
    assert "You beat" not in page(player), "there is no level 11"


def test_a_long_list_comes_in_parts(server: Server, player: Browser) -> None:
    past = Past(server, player)
    games = [past.add(1, "B", minute=minute) for minute in range(30)][::-1]
    text = page(player)
    shown = re.findall(r'data-game="([^"]+)"', text)
    assert shown == games[:12]
    path = re.search(r'data-path="([^"]+)"', text)
    while path is not None:
        answer = player.http.get(path[1].replace("&amp;", "&")).text
        shown += re.findall(r'data-game="([^"]+)"', answer)
        path = re.search(r'data-path="([^"]+)"', answer)
    assert shown == games


def test_an_account_exports_its_titles_and_deletes_them(tmp_path: Path, fast_hashes: None) -> None:
    with serving(tmp_path, limits=ROOMY) as server, server.browser() as browser:
        game = resigned_game(browser)
        change(browser, game, title="Before the account")
        name = register(browser)
        assert "Before the account" in page(browser)
        exported = form(browser, "/account/export").content
        with zipfile.ZipFile(io.BytesIO(exported)) as archive:
            (entry,) = json.loads(archive.read("account.json"))["games"]
        assert (entry["title"], entry["removed"]) == ("Before the account", False)
        assert form(browser, "/account/close", name=name, old=PASSWORD).status_code == 303
        with server.app.state.damka.store.transaction() as connection:
            titles = connection.execute(select(SeatRow.title).where(SeatRow.game_id == game))
            assert set(titles.scalars()) == {None}


def test_a_title_does_not_pass_to_the_next_player_of_a_seat(
    player: Browser, stranger: Browser
) -> None:
    game = player.new_game()
    live = player.live(game)
    live.play(live.state()["legal"][0]["hub"])
    change(player, game, title="Secret")
    invited = player.post(f"/api/games/{game}/invite", {"side": "B"})
    assert invited.status_code == 200, invited.text
    join(stranger, game)
    assert game in listed(stranger)
    assert "Secret" not in page(stranger)
    assert "Secret" in page(player)


def test_an_invitation_keeps_the_game_in_its_players_lists(
    player: Browser, stranger: Browser
) -> None:
    """The player had both seats, so both have the title and the removal."""
    game = player.new_game()
    live = player.live(game)
    live.play(live.state()["legal"][0]["hub"])
    change(player, game, title="Mine")
    change(player, game, removed=True)
    # White's seat is player 1's.
    assert player.post(f"/api/games/{game}/invite", {"side": "W"}).status_code == 200
    assert listed(player) == [game], "an opponent is awaited"
    assert game in player.http.get("/").text
    assert player.post(f"/api/games/{game}/cancel", {}).status_code == 200
    assert "Mine" in page(player)
    assert change(player, game, removed=False).json()["title"] == "Mine"
    live.close()


def test_home_suggests_the_next_level_and_is_limited(tmp_path: Path) -> None:
    limits = Limits(page_burst=3, page_rate=0.001)
    with serving(tmp_path, limits=limits) as server, server.browser() as browser:
        past = Past(server, browser)
        past.add(3, "W")
        past.add(7, "B", minute=1)
        home = browser.http.get("/?lang=en", headers={"accept": "text/html"})
        assert "You beat level 3. Try 4?" in home.text
        game = browser.new_game()
        pages = [f"/game/{game}/rules", "/rules/dama64", "/rules/dama64", "/"]
        answers = [browser.http.get(path).status_code for path in pages]
        assert answers == [200, 200, 429, 429]
        with server.browser() as visitor:
            assert visitor.http.get("/").status_code == 200, "nothing is drawn for a new visitor"
