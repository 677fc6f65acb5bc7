"""Chat of a game: visibility, limits, hostile texts, children, bans and blocks."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import create_engine, update

from damka.server.accounts import members, moderation
from damka.server.chat import PRESETS, rows
from damka.server.chat.texts import BadTextError, clean
from damka.server.store import prune
from damka.server.store.chat_models import ChatRow
from tests.server.accounts.support import ROOMY, form, register, store_of
from tests.server.online import create_invitation, join, play, start_online_game
from tests.server.support import Browser, Json, Live, Server, serving

GENEROUS_LIMITS = dataclasses.replace(ROOMY, chat_burst=100_000, chat_room_burst=100_000)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("chat"), limits=GENEROUS_LIMITS) as server:
        yield server


@pytest.fixture
def ana(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


@pytest.fixture
def petra(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


@pytest.fixture
def spectator(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


def say(browser: Browser, game: str, room: str = "players", **content: str) -> httpx.Response:
    return browser.post(f"/api/games/{game}/chat", {"room": room, **content})


def chat_of(browser: Browser, game: str, **headers: str) -> Json:
    response = browser.http.get(f"/api/games/{game}/chat", headers=headers)
    assert response.status_code == 200, response.text
    data: Json = response.json()
    return data


def texts(browser: Browser, game: str) -> list[str]:
    return [line["text"] for line in chat_of(browser, game)["messages"]]


def received_lines(live: Live) -> list[Json]:
    """Return the messages received over a live connection so far."""
    live.send("ping")
    lines = []
    while (frame := live.receive("chat", "pong"))["t"] == "chat":
        lines.append(frame)
    return lines


# Visibility


def test_a_preset_is_translated_for_each_reader(
    server: Server, ana: Browser, petra: Browser
) -> None:
    game = create_invitation(ana, names=["Ana", ""])
    join(petra, game, "Петра")
    ana_live, petra_live = ana.live(game), petra.live(game, lang="bg")
    for live in (ana_live, petra_live):
        live.state()
    assert say(ana, game, preset="good_game").status_code == 201
    [sent], [received] = received_lines(ana_live), received_lines(petra_live)
    assert (sent["text"], sent["mine"], sent["preset"]) == ("Good game!", True, True)
    assert (received["text"], received["mine"], received["name"]) == (
        "Хубава партия!",
        False,
        "Ana",
    )
    assert received["who"] == sent["who"]
    assert received["side"] == "W"
    # Later visitors get presets in their current language.
    [line] = chat_of(petra, game, **{"accept-language": "sk"})["messages"]
    assert line["text"] == "Pekná partia!"
    assert server.app.state.damka.store.load(game).events[-1].kind == "join", (
        "chat is not in the game log"
    )


def test_presets_exist_in_every_language(ana: Browser, petra: Browser) -> None:
    game = start_online_game(ana, petra)[0].current["id"]
    presets = {}
    for language in ("bg", "en", "it", "sk"):
        chat = chat_of(ana, game, **{"accept-language": language})
        assert [each["code"] for each in chat["presets"]] == list(PRESETS)
        presets[language] = [each["text"] for each in chat["presets"]]
    assert len(set(map(tuple, presets.values()))) == 4


def test_players_and_spectators_have_separate_rooms(
    ana: Browser, petra: Browser, spectator: Browser
) -> None:
    ana_live, petra_live = start_online_game(ana, petra)
    game = ana_live.current["id"]
    spectator_live = spectator.live(game)
    spectator_live.state()
    assert say(ana, game, text="between us").status_code == 201
    assert say(spectator, game, "watchers", text="a blunder!").status_code == 201
    assert [line["text"] for line in received_lines(petra_live)] == ["between us"]
    assert [line["text"] for line in received_lines(spectator_live)] == ["a blunder!"]
    assert texts(spectator, game) == ["a blunder!"]
    assert texts(petra, game) == ["between us"]
    # Forged fields do not let a spectator into the players' room.
    refused = say(spectator, game, text="play 22-18")
    assert (refused.status_code, refused.json()["error"]) == (403, "chat_players")
    for forged in ({"side": "W"}, {"holder": "x"}, {"name": "Ana"}, {"mine": "1"}):
        assert say(spectator, game, text="it is me", **forged).status_code == 422
    assert say(ana, game, "watchers", text="hello out there").status_code == 409
    assert texts(petra, game) == ["between us"]


def test_both_rooms_are_readable_after_the_game(
    ana: Browser, petra: Browser, spectator: Browser
) -> None:
    ana_live, petra_live = start_online_game(ana, petra)
    game = ana_live.current["id"]
    spectator_live = spectator.live(game)
    spectator_live.state()
    say(ana, game, text="secret")
    say(spectator, game, "watchers", text="she is lost")
    play(ana_live, petra_live, "22-18 11-15")
    petra_live.send("resign")
    ana_live.state(lambda state: state["result"])
    # Messages for the opponent are not broadcast.
    refused = say(ana, game, text="still a secret?")
    assert (refused.status_code, refused.json()["error"]) == (409, "chat_room")
    assert chat_of(ana, game)["room"] == "watchers"
    assert say(ana, game, "watchers", preset="thanks").status_code == 201
    assert texts(ana, game) == ["secret", "she is lost", "Thank you!"]
    assert texts(spectator, game) == ["she is lost", "Thank you!"]
    assert received_lines(spectator_live)[-1]["text"] == "Thank you!"


def test_games_without_chat(ana: Browser, spectator: Browser) -> None:
    for game in (
        ana.new_game(),
        ana.new_game(opponent="computer", level=1),
        create_invitation(ana),
    ):
        response = say(ana, game, preset="hello")
        assert (response.status_code, response.json()["error"]) == (409, "chat_none"), game
        assert ana.http.get(f"/api/games/{game}/chat").status_code == 409
    assert say(spectator, "A" * 22, preset="hello").status_code == 404
    assert say(spectator, "../..", preset="hello").status_code == 404


def test_the_page_has_the_number_of_the_last_message(ana: Browser, petra: Browser) -> None:
    game = start_online_game(ana, petra)[0].current["id"]
    assert 'data-latest="0"' in petra.http.get(f"/game/{game}").text
    number = say(ana, game, preset="hello").json()["id"]
    assert f'data-latest="{number}"' in petra.http.get(f"/game/{game}").text
    assert 'data-latest="0"' in ana.http.get(f"/game/{game}").text, (
        "the sender's own messages do not count"
    )


# Hostile texts, limits


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  two   spaces\nand\r\nlines\t", "two spaces and lines"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("evil\u202etxt.exe\u2066\u200f", "eviltxt.exe"),
        ("bell\x07 nul\x00 escape\x1b[31m", "bell nul escape [31m"),
        ("za\u0300\u0301\u0302\u0303\u0304lgo", "z\u00e0\u0301\u0302lgo"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("line\u2028paragraph\u2029", "line paragraph"),
        ("שלום мир", "שלום мир"),
        ("👨\u200d👩\u200d👧 👍🏽", "👨\u200d👩\u200d👧 👍🏽"),
        ("private\ue000\U000f0000", "private"),
        ("http://x.example/a?b=c", "http://x.example/a?b=c"),
    ],
)
def test_texts_are_cleaned(text: str, cleaned: str) -> None:
    assert clean(text, 140) == cleaned


@pytest.mark.parametrize(
    "text", ["", " \n ", "\u200b\u202e", "\u200d", "\u3164\u2800", "\u0301\u0302", "\x00"]
)
def test_empty_texts_are_refused(text: str) -> None:
    with pytest.raises(BadTextError, match="empty"):
        clean(text, 140)


@pytest.mark.parametrize("text", ["x" * 141, "x" * 10_000, "e\u0301" * 141, " " * 2000])
def test_long_texts_are_refused(text: str) -> None:
    with pytest.raises(BadTextError, match="long"):
        clean(text, 140)


def test_hostile_requests_are_refused(ana: Browser, petra: Browser) -> None:
    game = start_online_game(ana, petra)[0].current["id"]
    for text, code in (("x" * 10_000, "chat_long"), ("\u202e", "chat_empty")):
        response = say(ana, game, text=text)
        assert (response.status_code, response.json()["error"]) == (422, code)
    for body in (
        {"room": "players"},
        {"room": "players", "text": "a", "preset": "hello"},
        {"room": "players", "preset": "insult"},
        {"room": "players", "preset": "../hello"},
        {"room": "players", "text": 5},
        {"room": "everybody", "text": "a"},
        {"text": "a"},
        ["hello"],
    ):
        assert ana.post(f"/api/games/{game}/chat", body).status_code in {400, 422}, body
    surrogate = b'{"room":"players","text":"\\ud800 half a letter"}'
    ana.http.post(f"/api/games/{game}/chat", content=surrogate)
    cross_origin = ana.http.post(
        f"/api/games/{game}/chat",
        json={"room": "players", "preset": "hello"},
        headers={"origin": "https://evil.example"},
    )
    assert cross_origin.status_code == 403
    assert all("\ud800" not in text for text in texts(petra, game))
    say(ana, game, text="</script><img src=x onerror=alert(1)>")
    response = petra.http.get(f"/api/games/{game}/chat")
    assert response.headers["content-type"] == "application/json"


def test_floods_are_stopped_without_affecting_others(tmp_path: Path) -> None:
    limits = dataclasses.replace(ROOMY, chat_burst=3, chat_rate=0.001, chat_per_room=4)
    with (
        serving(tmp_path, limits=limits) as server,
        server.browser() as ana,
        server.browser() as petra,
    ):
        game = start_online_game(ana, petra)[0].current["id"]
        statuses_of_ana = [say(ana, game, preset="hello").status_code for _ in range(5)]
        assert statuses_of_ana == [201, 201, 201, 429, 429]
        # A guest spectator may change cookies: the limit is per address.
        statuses = []
        for _ in range(5):
            with server.browser() as stranger:
                statuses.append(say(stranger, game, "watchers", text="hi").status_code)
        assert statuses == [201, 201, 201, 429, 429]
        assert say(petra, game, preset="hello").status_code == 201, "other players are not affected"
        full = say(petra, game, preset="hello")
        assert (full.status_code, full.json()["error"]) == (409, "chat_full")


def test_a_room_has_a_rate_limit(tmp_path: Path) -> None:
    limits = dataclasses.replace(ROOMY, chat_room_burst=2, chat_room_rate=0.001)
    with (
        serving(tmp_path, limits=limits) as server,
        server.browser() as ana,
        server.browser() as petra,
        server.browser() as third,
    ):
        game = start_online_game(ana, petra)[0].current["id"]
        assert say(third, game, "watchers", text="1").status_code == 201
        assert say(third, game, "watchers", text="2").status_code == 201
        assert say(third, game, "watchers", text="3").status_code == 429
        assert say(ana, game, text="to Petra").status_code == 201


# Children, bans, blocks


def register_child(server: Server, browser: Browser) -> str:
    name = register(browser)
    form(browser, "/account/preferences", kid="on", chat="on")
    account = store_account(server, name)
    assert account.kid
    return name


def store_account(server: Server, name: str) -> Any:
    with store_of(server).transaction() as connection:
        return members.find(connection, name)


def test_a_child_reads_and_sends_only_presets(
    server: Server, ana: Browser, petra: Browser, spectator: Browser
) -> None:
    register_child(server, ana)
    ana_live, petra_live = start_online_game(ana, petra)
    game = ana_live.current["id"]
    chat = chat_of(ana, game)
    assert (chat["free"], chat["room"]) == (False, "players")
    refused = say(ana, game, text="hello")
    assert (refused.status_code, refused.json()["error"]) == (403, "chat_presets")
    # The opponent does not notice it: the response is the usual one.
    assert say(petra, game, text="where do you live?").status_code == 201
    assert say(petra, game, preset="luck").status_code == 201
    assert say(ana, game, preset="hello").status_code == 201
    assert [line["text"] for line in received_lines(ana_live)] == ["Good luck!", "Hello!"]
    assert [line["text"] for line in received_lines(petra_live)] == [
        "where do you live?",
        "Good luck!",
        "Hello!",
    ]
    assert texts(ana, game) == ["Good luck!", "Hello!"]
    assert "child" not in petra.http.get(f"/api/games/{game}/chat").text
    # Children receive no messages of strangers, not even after the game.
    say(spectator, game, "watchers", preset="hello")
    play(ana_live, petra_live, "22-18 11-15")
    petra_live.send("resign")
    ana_live.state(lambda state: state["result"])
    say(spectator, game, "watchers", preset="nice")
    assert say(petra, game, "watchers", preset="bye").status_code == 201
    assert texts(ana, game) == ["Good luck!", "Hello!", "Goodbye!"]


def test_a_child_has_no_chat_as_a_spectator(
    server: Server, ana: Browser, petra: Browser, spectator: Browser
) -> None:
    register_child(server, spectator)
    game = start_online_game(ana, petra)[0].current["id"]
    spectator_live = spectator.live(game)
    spectator_live.state()
    with server.browser() as other:
        say(other, game, "watchers", preset="hello")
    assert say(spectator, game, "watchers", preset="hello").status_code == 409
    assert spectator.http.get(f"/api/games/{game}/chat").status_code == 409
    assert received_lines(spectator_live) == []
    assert 'id="chat"' not in spectator.http.get(f"/game/{game}").text
    spectator_live.send("watchers", on=True)
    spectator_list = spectator_live.receive("watchers")
    assert (spectator_list["names"], spectator_list["words"]) == ([], "One guest"), (
        "and the child is not named"
    )


def test_the_child_setting_takes_effect_immediately(ana: Browser, petra: Browser) -> None:
    register(ana)
    ana_live, _ = start_online_game(ana, petra)
    game = ana_live.current["id"]
    say(petra, game, text="one")
    form(ana, "/account/preferences", kid="on")
    say(petra, game, text="two")
    assert [line["text"] for line in received_lines(ana_live)] == ["one"]


def test_a_banned_player_sends_only_presets(server: Server, ana: Browser, petra: Browser) -> None:
    name = register(ana)
    game = start_online_game(ana, petra)[0].current["id"]
    account = store_account(server, name)
    with store_of(server).transaction() as connection:
        moderation.ban(connection, account_id=account.id, note="insults")
    refused = say(ana, game, text="you…")
    assert (refused.status_code, refused.json()["error"]) == (403, "chat_banned")
    assert not chat_of(ana, game)["free"]
    assert say(ana, game, preset="sorry").status_code == 201


def test_blocked_players_do_not_receive_messages(ana: Browser, petra: Browser) -> None:
    names = register(ana), register(petra)
    ana_live, petra_live = start_online_game(ana, petra)
    game = ana_live.current["id"]
    say(petra, game, text="before")
    assert ana.post(f"/api/games/{game}/person/block", {"on": True}).json() == {"blocked": True}
    assert say(petra, game, text="after").status_code == 201, "the sender does not notice it"
    say(ana, game, text="and back")
    assert [line["text"] for line in received_lines(ana_live)] == ["before", "and back"]
    assert [line["text"] for line in received_lines(petra_live)] == ["before", "after"]
    assert texts(ana, game) == ["and back"]
    assert texts(petra, game) == ["before", "after"]
    data = ana.http.get(f"/api/games/{game}/person").json()
    assert (data["blocked"], data["member"], data["profile"]) == (True, True, f"/@/{names[1]}")
    assert ana.post(f"/api/games/{game}/person/block", {"on": False}).status_code == 200
    assert texts(ana, game) == ["before", "after", "and back"]


# Reports


def test_reporting_the_opponent_and_a_spectator(
    server: Server, ana: Browser, petra: Browser, spectator: Browser
) -> None:
    register(ana)
    accused = register(spectator)
    ana_live, _ = start_online_game(ana, petra)
    game = ana_live.current["id"]
    say(spectator, game, "watchers", text="stupid move")
    number = chat_of(spectator, game)["messages"][0]["id"]
    path = f"/api/games/{game}/person"
    # A player cannot read the spectators' room during the game.
    assert ana.http.get(f"{path}?message={number}").status_code == 403
    assert spectator.http.get(path).status_code == 403, "a spectator has no opponent"
    assert petra.post(f"{path}/report", {"reason": "insult"}).status_code == 401
    with server.browser() as third:
        reporter = register(third)
        data = third.http.get(f"{path}?message={number}").json()
        assert (data["name"], data["reported"]) == (accused, False)
        body = {"reason": "insult", "message": number, "text": "said\x07 so\u202e"}
        assert third.post(f"{path}/report", body).status_code == 201
        assert third.post(f"{path}/report", body).status_code == 409
        assert third.post(f"{path}/report", {"reason": "boredom"}).status_code == 422
        assert third.post(f"{path}/report", {**body, "text": "x" * 501}).status_code == 422
        assert third.http.get(f"{path}?message={number}").json()["reported"]
    judge = register(petra)
    with store_of(server).transaction() as connection:
        [report] = [each for each in moderation.reports(connection, 9) if each.game_id == game]
        assert (report.reporter, report.accused, report.text) == (reporter, accused, "said so")
        members.set_right(connection, store_account(server, judge).id, "arbiter")
    page = petra.http.get("/reports").text
    assert "stupid move" in page
    assert "Chat messages" in page


# Retention


def test_old_messages_are_pruned_unless_reported(tmp_path: Path) -> None:
    with serving(tmp_path, limits=GENEROUS_LIMITS) as server:
        with server.browser() as ana, server.browser() as petra:
            register(ana)
            games = [start_online_game(ana, petra)[0].current["id"] for _ in range(2)]
            for game in games:
                say(ana, game, text="old")
                say(ana, game, text="new")
            ana.post(f"/api/games/{games[0]}/person/report", {"reason": "insult"})
            url = server.settings.database_url
        engine = create_engine(url)
        with engine.begin() as connection:
            old = datetime.now(UTC) - timedelta(days=31)
            connection.execute(update(ChatRow).where(ChatRow.text == "old").values(at=old))
        assert prune(engine, timedelta(days=30), lambda *_: None).messages == 1
        with engine.begin() as connection:
            remaining = [
                [each.text for each in rows.game_log(connection, game, 9)] for game in games
            ]
        engine.dispose()
    assert remaining == [["old", "new"], ["new"]]


def test_closing_an_account_deletes_its_messages(
    server: Server, ana: Browser, petra: Browser
) -> None:
    name = register(ana)
    game = start_online_game(ana, petra)[0].current["id"]
    say(ana, game, text="forget me")
    say(petra, game, text="I stay")
    account = store_account(server, name)
    with store_of(server).transaction() as connection:
        assert [row[2] for row in rows.written_by(connection, account.holder)] == ["forget me"]
        members.close(connection, account.id)
    assert texts(petra, game) == ["I stay"]


# Spectators


def test_the_list_of_spectators_is_sent_on_demand(
    server: Server, ana: Browser, petra: Browser, spectator: Browser
) -> None:
    ana_live, _ = start_online_game(ana, petra)
    game = ana_live.current["id"]
    name = register(spectator)
    spectator.live(game).state()
    ana_live.state(lambda state: state["watching"] == 1)
    ana_live.send("watchers", on=True)
    assert ana_live.receive("watchers")["names"] == [name]
    with server.browser() as guest, server.browser() as other:
        guest.live(game).state()
        other.live(game).state()
        while (spectator_list := ana_live.receive("watchers"))["guests"] < 2:
            pass
        assert (spectator_list["names"], spectator_list["words"]) == ([name], "and 2 guests")
    ana_live.send("watchers", on=False)
    ana_live.request("ping")
    ana_live.play("22-18")
    assert ana_live.request("watchers", on="yes")["code"] == "bad_message"
