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
BEGIN = datetime(2026, 3, 1, tzinfo=UTC)


def account_of(server: Server, name: str) -> Account:
    with store_of(server).transaction() as connection:
        account = members.find(connection, name)
    assert account is not None
    return account


def lost_game(browser: Browser, rules: str = "dama64") -> str:
    """A resigned game against the computer."""
    game = browser.new_game(rules=rules, opponent="computer", level=2)
    live = browser.live(game)
    live.state()
    live.send("resign")
    live.state(lambda state: state["result"])
    live.close()
    return game


def gain(
    first: Strength, second: Strength, score: float, days: tuple[float, float]
) -> tuple[Strength, Strength]:
    """Rating arithmetic whose results show its inputs."""
    change = 20 * (2 * score - 1)
    return (
        Strength(first.rating + change, first.deviation - 10, days[0]),
        Strength(second.rating - change, second.deviation - 10, days[1]),
    )


def test_a_profile_shows_games_to_everybody_and_running_ones_to_oneself(
    browser: Browser, other: Browser
) -> None:
    name = register(browser)
    lost = lost_game(browser)
    running = browser.new_game()
    live = browser.live(running)
    live.state()
    live.play(live.now["legal"][0]["hub"])
    mine = browser.http.get(f"/@/{name}").text
    assert lost in mine
    assert running in mine
    assert "in progress" in mine
    shown = other.http.get(f"/@/{name}").text
    assert lost in shown
    assert "lost" in shown
    assert "Computer, level 2" in shown
    assert running not in shown
    assert "Member since <time" in shown


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
    monkeypatch.setattr(profile, "GAMES", 2)
    name = register(browser)
    games = [lost_game(browser) for _ in range(5)]
    address: str | None = f"/@/{name}"
    found = []
    while address is not None:
        page = browser.http.get(address).text
        found += re.findall(r'<a href="/game/([^"]+)">', page)
        older = re.search(r'href="(/@/[^"]+before=[^"]+)"', page)
        address = None if older is None else older[1]
    assert found == games[::-1]


def test_a_child_s_profile_is_private(server: Server, browser: Browser, other: Browser) -> None:
    name = register(browser)
    form(browser, "/account/preferences", kid="on")
    assert browser.http.get(f"/@/{name}").status_code == 200
    assert other.http.get(f"/@/{name}").status_code == 404
    judge = register(other)
    assert other.http.get(f"/@/{name}").status_code == 404
    with store_of(server).transaction() as connection:
        members.set_right(connection, account_of(server, judge).id, "arbiter")
    assert other.http.get(f"/@/{name}").status_code == 200


@pytest.mark.parametrize("name", ["nobody-here", "%3Cscript%3E", "x%2F..", "a" * 500, "%00", "%ff"])
def test_a_profile_of_an_unknown_name(browser: Browser, name: str) -> None:
    answer = browser.http.get(f"/@/{name}", headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert "<script>" not in answer.text


def test_ratings_are_recorded_by_rule_set_and_drawn(
    server: Server, browser: Browser, other: Browser
) -> None:
    one, two = register(browser), register(other)
    players = (account_of(server, one).id, account_of(server, two).id)
    for day in range(6):
        game = (f"{one}-{day}", "dama64", BEGIN + timedelta(days=day))
        with store_of(server).transaction() as connection:
            record(connection, gain, game, players, 1.0)
    with store_of(server).transaction() as connection:
        record(connection, gain, (f"{one}-a", "american", BEGIN), players, 0.5)
        first, second = (history.ratings(connection, each) for each in players)
    assert [(each.rules, each.games) for each in first] == [("dama64", 6), ("american", 1)]
    # The last number is the days since the previous game.
    assert first[0].strength == Strength(1620, 290, 1.0)
    assert first[1].strength == Strength(1500, 340, 0.0)
    assert second[0].strength.rating == 1380
    page = browser.http.get(f"/@/{one}").text
    assert "<b>1620?</b>" in page
    assert page.count('<svg class="chart"') == 1
    assert "Rating since 2026-03-01: from 1520 to 1620, highest 1620" in page
    assert len(page) < 60_000


def test_a_game_is_rated_once(server: Server, browser: Browser, other: Browser) -> None:
    players = tuple(account_of(server, register(each)).id for each in (browser, other))
    game = (f"once-{players[0]}"[:32], "dama64", BEGIN)
    with store_of(server).transaction() as connection:
        record(connection, gain, game, (players[0], players[1]), 1.0)
    with pytest.raises(ConflictError), store_of(server).transaction() as connection:
        record(connection, gain, game, (players[0], players[1]), 1.0)
    with store_of(server).transaction() as connection:
        assert history.ratings(connection, players[0])[0].games == 1


@pytest.mark.parametrize(
    "values",
    [(1500, 1500), (1500, 1500.4, 1499.8), (600, 2900), (1499.9, 1500.1), tuple(range(1400, 1600))],
)
def test_a_chart_stays_inside(values: tuple[float, ...]) -> None:
    drawn = rating_chart.svg([(BEGIN, value) for value in values], "en")
    drawn += rating_chart.svg(
        [(BEGIN + timedelta(days=n), value) for n, value in enumerate(values)], "en"
    )
    for points in re.findall(r'points="([^"]+)"', drawn):
        numbers = [float(number) for number in points.split()]
        assert all(rating_chart.LEFT <= x <= rating_chart.WIDTH for x in numbers[::2])
        assert all(0 <= y <= rating_chart.HEIGHT - rating_chart.BOTTOM for y in numbers[1::2])
    lines = drawn.count('class="grid"') / 2
    assert 2 <= lines <= 6


# Preferences


def test_the_page_and_the_server_know_the_same_switches() -> None:
    script = (STATIC / "prefs.js").read_text("utf-8")
    defaults = re.search(r"DEFAULTS = \{(.*?)\}", script, re.DOTALL)
    assert defaults is not None
    found = {name: value == "true" for name, value in re.findall(r"(\w+): (\w+),", defaults[1])}
    assert found == preferences.BOARD


def test_preferences_apply_on_every_device(browser: Browser, other: Browser) -> None:
    name = register(browser)
    form(browser, "/account/preferences", language="sk", theme="dark", sound="on", crown="on")
    log_in(other, name)
    other.http.headers["accept-language"] = "it"
    page = other.http.get("/").text
    assert '<html lang="sk" data-theme="dark"' in page
    board = re.search(r'data-board="([^"]+)"', page)
    assert board is not None
    kept = json.loads(board[1].replace("&#34;", '"'))
    assert {each for each, on in kept.items() if on} == {"sound", "crown"}
    # The language menu changes it everywhere too.
    form(other, "/lang", lang="bg")
    assert '<html lang="bg"' in browser.http.get("/").text


def test_a_page_s_switch_is_kept(browser: Browser) -> None:
    register(browser)
    answer = browser.post("/account/settings", {"board": {"quick": True}, "theme": "light"})
    assert answer.status_code == 204
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
def test_other_switches_are_refused(browser: Browser, body: object) -> None:
    register(browser)
    assert browser.post("/account/settings", body).status_code == 422


def test_guests_have_no_preferences_here(browser: Browser) -> None:
    assert browser.post("/account/settings", {"theme": "dark"}).status_code == 401
    assert "settings_sync.js" not in browser.http.get("/").text
    for path in ("preferences", "security", "close", "export"):
        answer = form(browser, f"/account/{path}")
        assert answer.status_code in {401, 405}, path


# Export, closing


def test_the_export_has_everything(server: Server, browser: Browser, other: Browser) -> None:
    name, friend = register(browser), register(other)
    games = [lost_game(browser), lost_game(browser, "american")]
    form(browser, f"/@/{friend}/block")
    form(browser, "/account/preferences", language="it")
    with store_of(server).transaction() as connection:
        players = (account_of(server, name).id, account_of(server, friend).id)
        record(connection, gain, (games[0], "dama64", BEGIN), players, 1.0)
    answer = form(browser, "/account/export")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert sorted(archive.namelist()) == ["account.json", "games.pdn"]
        about = json.loads(archive.read("account.json"))
        text = archive.read("games.pdn").decode()
    assert about["name"] == name
    assert about["preferences"]["language"] == "it"
    assert about["blocked"] == [friend]
    assert about["ratings"][0]["history"][0]["game"] == games[0]
    assert [each["id"] for each in about["games"]] == games[::-1]
    assert all(each["in_pdn"] for each in about["games"])
    assert [game.rules.name for game in pdn.read(text)] == ["american", "dama64"]
    for secret in (PASSWORD, "argon2", "token"):
        assert secret not in json.dumps(about)


def test_the_export_is_for_members(browser: Browser) -> None:
    assert form(browser, "/account/export").status_code == 401


def test_closing_deletes_the_account_and_keeps_the_games(
    server: Server, browser: Browser, other: Browser
) -> None:
    name = register(browser)
    game = lost_game(browser)
    assert log_in(other, name).status_code == 303
    wrong = form(browser, "/account/close", name="Somebody", old=PASSWORD)
    assert "Type your name exactly as shown." in wrong.text
    wrong = form(browser, "/account/close", name=name, old="not the password")
    assert "Wrong password." in wrong.text
    assert is_member(browser)
    assert form(browser, "/account/close", name=name, old=PASSWORD).status_code == 303
    assert not is_member(browser)
    assert not is_member(other)
    assert log_in(other, name).status_code == 403
    assert other.http.get(f"/@/{name}").status_code == 404
    assert other.http.get(f"/game/{game}").status_code == 200
    # The name stays reserved, in any spelling.
    for again in (name, name.upper()):
        taken = form(other, "/account/register", name=again, password=PASSWORD)
        assert taken.status_code == 409
    with store_of(server).transaction() as connection:
        dump = "\n".join(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
    assert name.casefold() not in dump.casefold()
