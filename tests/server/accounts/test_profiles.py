"""Profiles, ratings, preferences, export and closing of accounts."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from damka import pdn
from damka.pages import rating_chart
from damka.server import preferences
from damka.server.accounts import Account, Strength, history, members, record
from damka.server.accounts.http import profile
from damka.server.store import ConflictError
from tests.server.accounts.support import PASSWORD, form, is_member, log_in, register, store_of
from tests.server.support import Browser, Server

STATIC = Path(preferences.__file__).parents[1] / "web" / "static"
START = datetime(2026, 3, 1, tzinfo=UTC)


def account_of(server: Server, name: str) -> Account:
    with store_of(server).transaction() as connection:
        account = members.find(connection, name)
    assert account is not None
    return account


def create_lost_game(browser: Browser, rules: str = "dama64") -> str:
    """Play and resign a game against the computer; return its id."""
    game = browser.new_game(rules=rules, opponent="computer", level=2)
    live = browser.live(game)
    live.state()
    live.send("resign")
    live.state(lambda state: state["result"])
    live.close()
    return game


def fake_rating_change(
    first: Strength, second: Strength, score: float, days: tuple[float, float]
) -> tuple[Strength, Strength]:
    """Rating change whose results show the inputs."""
    change = 20 * (2 * score - 1)
    return (
        Strength(first.rating + change, first.deviation - 10, days[0]),
        Strength(second.rating - change, second.deviation - 10, days[1]),
    )


def test_running_games_are_shown_only_on_the_own_profile(browser: Browser, other: Browser) -> None:
    name = register(browser)
    lost = create_lost_game(browser)
    running = browser.new_game()
    live = browser.live(running)
    live.state()
    live.play(live.current["legal"][0]["hub"])
    own_page = browser.http.get(f"/@/{name}").text
    assert lost in own_page
    assert running in own_page
    assert "in progress" in own_page
    public_page = other.http.get(f"/@/{name}").text
    assert lost in public_page
    assert "lost" in public_page
    assert "Computer, level 2" in public_page
    assert running not in public_page
    assert "Member since <time" in public_page


def test_games_at_one_screen_are_private(browser: Browser, other: Browser) -> None:
    name = register(browser)
    game = browser.new_game()
    live = browser.live(game)
    live.state()
    live.send("resign", side="W")
    live.state(lambda state: state["result"])
    assert browser.http.get(f"/@/{name}").text.count(f'href="/game/{game}"') == 1
    assert "Two players, one screen" in browser.http.get(f"/@/{name}").text
    assert game not in other.http.get(f"/@/{name}").text


def test_a_long_list_of_games_has_pages(
    server: Server, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profile, "GAMES_PER_PAGE", 2)
    name = register(browser)
    games = [create_lost_game(browser) for _ in range(5)]
    address: str | None = f"/@/{name}"
    games_listed = []
    while address is not None:
        page = browser.http.get(address).text
        games_listed += re.findall(r'<a href="/game/([^"]+)">', page)
        older = re.search(r'href="(/@/[^"]+before=[^"]+)"', page)
        address = None if older is None else older[1]
    assert games_listed == games[::-1]


def test_the_profile_of_a_child_is_private(
    server: Server, browser: Browser, other: Browser
) -> None:
    name = register(browser)
    form(browser, "/account/preferences", kid="on")
    assert browser.http.get(f"/@/{name}").status_code == 200
    assert other.http.get(f"/@/{name}").status_code == 404
    judge = register(other)
    assert other.http.get(f"/@/{name}").status_code == 404
    with store_of(server).transaction() as connection:
        members.set_right(connection, account_of(server, judge).id, "arbiter")
    assert other.http.get(f"/@/{name}").status_code == 200


@pytest.mark.parametrize(
    "name", ["unknown-name", "%3Cscript%3E", "x%2F..", "a" * 500, "%00", "%ff"]
)
def test_the_profile_of_an_unknown_name_is_not_found(browser: Browser, name: str) -> None:
    response = browser.http.get(f"/@/{name}", headers={"accept": "text/html"})
    assert response.status_code == 404
    assert "<script>" not in response.text


def test_ratings_are_recorded_and_charted_by_rule_set(
    server: Server, browser: Browser, other: Browser
) -> None:
    ana, petra = register(browser), register(other)
    players = (account_of(server, ana).id, account_of(server, petra).id)
    for day in range(6):
        game = (f"{ana}-{day}", "dama64", START + timedelta(days=day))
        with store_of(server).transaction() as connection:
            record(connection, fake_rating_change, game, players, 1.0)
    with store_of(server).transaction() as connection:
        record(connection, fake_rating_change, (f"{ana}-a", "american", START), players, 0.5)
        first, second = (history.ratings(connection, each) for each in players)
    assert [(each.rules, each.games) for each in first] == [("dama64", 6), ("american", 1)]
    # The last number is the days since the previous game.
    assert first[0].strength == Strength(1620, 290, 1.0)
    assert first[1].strength == Strength(1500, 340, 0.0)
    assert second[0].strength.rating == 1380
    page = browser.http.get(f"/@/{ana}").text
    assert "<b>1620?</b>" in page
    assert page.count('<svg class="chart"') == 1
    assert "Rating since 2026-03-01: from 1520 to 1620, highest 1620" in page
    assert len(page) < 60_000


def test_a_game_is_rated_once(server: Server, browser: Browser, other: Browser) -> None:
    players = tuple(account_of(server, register(each)).id for each in (browser, other))
    game = (f"once-{players[0]}"[:32], "dama64", START)
    with store_of(server).transaction() as connection:
        record(connection, fake_rating_change, game, (players[0], players[1]), 1.0)
    with pytest.raises(ConflictError), store_of(server).transaction() as connection:
        record(connection, fake_rating_change, game, (players[0], players[1]), 1.0)
    with store_of(server).transaction() as connection:
        assert history.ratings(connection, players[0])[0].games == 1


@pytest.mark.parametrize(
    "values",
    [(1500, 1500), (1500, 1500.4, 1499.8), (600, 2900), (1499.9, 1500.1), tuple(range(1400, 1600))],
)
def test_a_chart_stays_inside_its_bounds(values: tuple[float, ...]) -> None:
    charts = rating_chart.svg([(START, value) for value in values], "en")
    charts += rating_chart.svg(
        [(START + timedelta(days=n), value) for n, value in enumerate(values)], "en"
    )
    for points in re.findall(r'points="([^"]+)"', charts):
        numbers = [float(number) for number in points.split()]
        assert all(rating_chart.LEFT <= x <= rating_chart.WIDTH for x in numbers[::2])
        assert all(0 <= y <= rating_chart.HEIGHT - rating_chart.BOTTOM for y in numbers[1::2])
    lines = charts.count('class="grid"') / 2
    assert 2 <= lines <= 6


# Preferences


def test_page_and_server_have_the_same_preferences() -> None:
    script = (STATIC / "prefs.js").read_text("utf-8")
    defaults = re.search(r"DEFAULTS = \{(.*?)\}", script, re.DOTALL)
    assert defaults is not None
    in_script = {name: value == "true" for name, value in re.findall(r"(\w+): (\w+),", defaults[1])}
    assert in_script == preferences.BOARD


def test_preferences_apply_on_every_device(browser: Browser, other: Browser) -> None:
    name = register(browser)
    form(browser, "/account/preferences", language="sk", theme="dark", sound="on", crown="on")
    log_in(other, name)
    other.http.headers["accept-language"] = "it"
    page = other.http.get("/").text
    assert '<html lang="sk" data-theme="dark"' in page
    board = re.search(r'data-board="([^"]+)"', page)
    assert board is not None
    stored = json.loads(board[1].replace("&#34;", '"'))
    assert {each for each, on in stored.items() if on} == {"sound", "crown"}
    # The language menu also applies on every device.
    form(other, "/lang", lang="bg")
    assert '<html lang="bg"' in browser.http.get("/").text


def test_a_setting_changed_on_a_page_is_stored(browser: Browser) -> None:
    register(browser)
    response = browser.post("/account/settings", {"board": {"quick": True}, "theme": "light"})
    assert response.status_code == 204
    page = browser.http.get("/account/preferences").text
    assert 'name="quick" checked' in page
    assert 'name="sound" checked' in page
    assert 'name="crown" checked' not in page
    assert 'data-theme="light"' in page


@pytest.mark.parametrize(
    "body",
    [
        {"board": {"evil": True}},
        {"board": {"sound": "x"}},
        {"theme": "pink"},
        {"other": 1},
        [],
        {"board": {"sound" * 100: True}},
    ],
)
def test_invalid_settings_are_refused(browser: Browser, body: object) -> None:
    register(browser)
    assert browser.post("/account/settings", body).status_code == 422


def test_guests_have_no_stored_preferences(browser: Browser) -> None:
    assert browser.post("/account/settings", {"theme": "dark"}).status_code == 401
    assert "settings_sync.js" not in browser.http.get("/").text
    for path in ("preferences", "security", "close", "export"):
        response = form(browser, f"/account/{path}")
        assert response.status_code in {401, 405}, path


# Export, closing


def test_the_export_is_complete(server: Server, browser: Browser, other: Browser) -> None:
    name, friend = register(browser), register(other)
    games = [create_lost_game(browser), create_lost_game(browser, "american")]
    form(browser, f"/@/{friend}/block")
    form(browser, "/account/preferences", language="it")
    with store_of(server).transaction() as connection:
        players = (account_of(server, name).id, account_of(server, friend).id)
        record(connection, fake_rating_change, (games[0], "dama64", START), players, 1.0)
    response = form(browser, "/account/export")
    assert response.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(response.content)) as archive:
        assert sorted(archive.namelist()) == ["account.json", "games.pdn"]
        data = json.loads(archive.read("account.json"))
        text = archive.read("games.pdn").decode()
    assert data["name"] == name
    assert data["preferences"]["language"] == "it"
    assert data["blocked"] == [friend]
    assert data["ratings"][0]["history"][0]["game"] == games[0]
    assert [each["id"] for each in data["games"]] == games[::-1]
    assert all(each["in_pdn"] for each in data["games"])
    assert [game.rules.name for game in pdn.read(text)] == ["american", "dama64"]
    for secret in (PASSWORD, "argon2", "token"):
        assert secret not in json.dumps(data)


def test_the_export_needs_an_account(browser: Browser) -> None:
    assert form(browser, "/account/export").status_code == 401


def test_closing_deletes_the_account_and_keeps_the_games(
    server: Server, browser: Browser, other: Browser
) -> None:
    name = register(browser)
    game = create_lost_game(browser)
    assert log_in(other, name).status_code == 303
    refused = form(browser, "/account/close", name="Another", old=PASSWORD)
    assert "Type your name exactly as shown." in refused.text
    refused = form(browser, "/account/close", name=name, old="not the password")
    assert "Wrong password." in refused.text
    assert is_member(browser)
    assert form(browser, "/account/close", name=name, old=PASSWORD).status_code == 303
    assert not is_member(browser)
    assert not is_member(other)
    assert log_in(other, name).status_code == 403
    assert other.http.get(f"/@/{name}").status_code == 404
    assert other.http.get(f"/game/{game}").status_code == 200
    # The name stays reserved, in any spelling.
    for spelling in (name, name.upper()):
        taken = form(other, "/account/register", name=spelling, password=PASSWORD)
        assert taken.status_code == 409
    with store_of(server).transaction() as connection:
        dump = "\n".join(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
    assert name.casefold() not in dump.casefold()
