"""Pages and the HTTP API: answers, refusals and headers."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import pytest

from damka import rules
from damka.draw import raster
from damka.errors import PictureError
from damka.game import Game
from damka.locales import LANGUAGES
from damka.server.security import SEAT_COOKIE
from tests.server.support import Browser, Server


def data(page: str, name: str) -> dict[str, object]:
    """Return the JSON in the script element `name` of a page."""
    match = re.search(rf'<script type="application/json" id="{name}">(.*?)</script>', page, re.S)
    assert match is not None
    value: dict[str, object] = json.loads(match[1])
    return value


# New games


@pytest.mark.parametrize("name", rules.names())
def test_every_rule_set_can_be_played(browser: Browser, name: str) -> None:
    live = browser.live(browser.new_game(rules=name))
    assert live.state()["legal"]


def test_first_and_second_colour_follow_the_rules(browser: Browser) -> None:
    for name, colour, side in (
        ("dama64", "first", "W"),
        ("dama64", "second", "B"),
        ("american", "first", "B"),
        ("american", "second", "W"),
    ):
        response = browser.post("/api/games", {"rules": name, "colour": colour})
        assert response.json()["lot"] == {"drawn": False, "you": side}


def test_drawing_colours_gives_either_side(browser: Browser) -> None:
    sides = set()
    for _ in range(40):
        lot = browser.post("/api/games", {"rules": "dama64", "colour": "lot"}).json()["lot"]
        assert lot["drawn"]
        sides.add(lot["you"])
        if sides == {"W", "B"}:
            return
    raise AssertionError("the same side forty times")


def test_drawn_colours_are_in_the_state(browser: Browser) -> None:
    response = browser.post(
        "/api/games", {"rules": "dama64", "opponent": "person", "colour": "lot"}
    )
    live = browser.live(response.json()["id"])
    assert live.state()["lot"] == response.json()["lot"]


@pytest.mark.parametrize(
    ("body", "status", "code", "where"),
    [
        ({}, 422, "bad_field", None),
        ({"rules": "chess"}, 404, "unknown_rules", "rules"),
        ({"rules": "../dama64"}, 404, "unknown_rules", "rules"),
        ({"rules": 7}, 422, "bad_field", "rules"),
        ({"rules": "dama64", "level": 0}, 422, "bad_field", "level"),
        ({"rules": "dama64", "level": 11}, 422, "bad_field", "level"),
        ({"rules": "dama64", "level": "4"}, 422, "bad_field", "level"),
        ({"rules": "dama64", "opponent": "x"}, 422, "bad_field", "opponent"),
        ({"rules": "dama64", "colour": "W"}, 422, "bad_field", "colour"),
        ({"rules": "dama64", "obligation": "free"}, 422, "bad_field", "obligation"),
        ({"rules": "dama64", "obligation": "huff"}, 422, "no_huffing", "obligation"),
        ({"rules": "dama64", "cheat": True}, 422, "bad_field", None),
        ([], 422, "bad_field", "body"),
        (None, 400, "bad_json", "body"),
    ],
)
def test_an_error_names_the_invalid_field(
    browser: Browser, body: object, status: int, code: str, where: str | None
) -> None:
    response = browser.post("/api/games", body)
    assert (response.status_code, response.json()["error"]) == (status, code)
    assert response.json()["message"]
    assert where is None or response.json()["where"] == where


@pytest.mark.parametrize("lang", LANGUAGES)
def test_refusals_are_in_the_browsers_language(browser: Browser, lang: str) -> None:
    responses = {
        browser.post("/api/games", {}, headers={"accept-language": lang}).json()["message"],
        browser.post("/api/games", {}, headers={"cookie": f"damka_lang={lang}"}).json()["message"],
    }
    assert len(responses) == 1
    if lang != "en":
        assert responses != {browser.post("/api/games", {}).json()["message"]}


def test_only_the_hash_of_a_seat_is_stored(server: Server, browser: Browser) -> None:
    browser.new_game()
    seat = browser.http.cookies[SEAT_COOKIE]
    path = Path(server.settings.database_url.removeprefix("sqlite:///"))
    for file in path.parent.iterdir():
        assert seat.encode() not in file.read_bytes()


def test_the_seat_cookie_is_hidden_from_scripts_and_other_sites(browser: Browser) -> None:
    response = browser.post("/api/games", {"rules": "dama64"})
    cookie = response.headers["set-cookie"].lower()
    assert cookie.startswith(SEAT_COOKIE)
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    second = browser.post("/api/games", {"rules": "dama64"})
    assert "set-cookie" not in second.headers, "one seat cookie per browser"


def test_an_invalid_seat_cookie_is_replaced(browser: Browser) -> None:
    response = browser.post(
        "/api/games", {"rules": "dama64"}, headers={"cookie": "damka_seat=admin"}
    )
    assert SEAT_COOKIE in response.headers["set-cookie"]


# Cross-site requests


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://evil.example", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "cross-site", "origin": "https://evil.example"},
    ],
)
@pytest.mark.parametrize(
    "path", ["/api/games", "/api/games/load", "/api/games/AAAAAAAAAAAAAAAAAAAAAA/rematch", "/lang"]
)
def test_cross_origin_posts_are_refused(
    server: Server, browser: Browser, path: str, headers: dict[str, str]
) -> None:
    before = server.app.state.damka.store.count()
    response = browser.post(path, {"rules": "dama64"}, headers=headers)
    assert response.status_code == 403
    assert response.json()["error"] == "cross_origin"
    assert "set-cookie" not in response.headers
    assert server.app.state.damka.store.count() == before


def test_get_requests_have_no_side_effects(server: Server, browser: Browser) -> None:
    game = browser.new_game()
    before = server.app.state.damka.store.count()
    for path in ("/", f"/game/{game}", "/rules/dama64", f"/api/games/{game}/file", "/api/rules"):
        response = browser.http.get(path)
        assert response.status_code == 200
        assert "set-cookie" not in response.headers
    for path in ("/api/games", f"/api/games/{game}/rematch", "/api/games/load", "/lang"):
        assert browser.http.get(path).status_code in {404, 405}
    assert server.app.state.damka.store.count() == before


# Rematch


def create_finished_game(browser: Browser, **options: object) -> str:
    game = browser.new_game(**options)
    live = browser.live(game)
    live.state()
    live.send("resign")
    live.state(lambda state: state["result"])
    return game


def test_a_rematch_swaps_colours_if_the_rules_do(browser: Browser) -> None:
    game = create_finished_game(
        browser, rules="american", colour="first", opponent="computer", level=3
    )
    response = browser.post(f"/api/games/{game}/rematch").json()
    assert response["lot"] == {"drawn": False, "you": "W"}
    live = browser.live(response["id"])
    players = live.state()["players"]
    assert (players["W"]["kind"], players["B"]["kind"]) == ("person", "computer")
    assert players["B"]["level"] == 3


def test_a_rematch_draws_colours_if_the_rules_do(browser: Browser) -> None:
    sides = set()
    for _ in range(30):
        response = browser.post(f"/api/games/{create_finished_game(browser)}/rematch").json()
        assert response["lot"]["drawn"]
        sides.add(response["lot"]["you"])
        if sides == {"W", "B"}:
            return
    raise AssertionError("the same side thirty times")


def test_a_rematch_requested_twice_creates_one_game(browser: Browser) -> None:
    game = create_finished_game(browser)
    live = browser.live(game)
    assert live.state()["next"] is None
    rematch = browser.post(f"/api/games/{game}/rematch").json()
    assert live.state()["next"] == {"url": rematch["url"]}
    assert browser.post(f"/api/games/{game}/rematch").json() == rematch
    assert browser.live(game).state()["next"] == {"url": rematch["url"]}


def test_a_game_at_another_level_follows_with_the_same_rules(browser: Browser) -> None:
    game = create_finished_game(
        browser, rules="american", colour="first", opponent="computer", level=3
    )
    first, second = [
        browser.post(f"/api/games/{game}/rematch", {"level": 4}).json() for _ in range(2)
    ]
    assert first["id"] != second["id"]
    assert first["lot"] == {"drawn": False, "you": "W"}, "the colours alternate"
    state = browser.live(first["id"]).state()
    assert state["players"]["B"]["level"] == 4
    assert browser.live(game).state()["next"] is None, "it is no rematch"
    assert browser.post(f"/api/games/{game}/rematch").status_code == 201
    people = create_finished_game(browser)
    for path, body in (
        (game, {"level": 0}),
        (game, {"level": 11}),
        (game, {"level": "4"}),
        (people, {"level": 4}),
    ):
        assert browser.post(f"/api/games/{path}/rematch", body).status_code == 422


def test_only_players_of_a_finished_game_get_a_rematch(browser: Browser, stranger: Browser) -> None:
    game = create_finished_game(browser)
    assert stranger.post(f"/api/games/{game}/rematch").json()["error"] == "not_yours"
    running = browser.new_game()
    response = browser.post(f"/api/games/{running}/rematch")
    assert (response.status_code, response.json()["error"]) == (409, "not_over")
    for unknown in ("A" * 22, "x"):
        assert browser.post(f"/api/games/{unknown}/rematch").status_code == 404


# Files


def test_a_game_is_drawn(browser: Browser) -> None:
    game = browser.new_game()
    live = browser.live(game)
    live.state()
    live.play("22-18")
    picture = browser.http.get(f"/api/games/{game}/picture.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert re.search(r'"damka-dama64-[\d-]+\.svg"', picture.headers["content-disposition"])
    flipped = browser.http.get(f"/api/games/{game}/picture.svg?flip=true")
    assert flipped.text != picture.text
    replay = browser.http.get(f"/api/games/{game}/replay.svg")
    assert "<animateTransform" in replay.text
    assert "-replay.svg" in replay.headers["content-disposition"]
    png = browser.http.get(f"/api/games/{game}/picture.png")
    assert png.content.startswith(b"\x89PNG")
    with mock.patch.object(raster, "_libraries", side_effect=PictureError("no libraries")):
        assert browser.http.get(f"/api/games/{game}/picture.png").status_code == 404
    assert browser.http.get(f"/api/games/{game}/picture.svg?flip=up").status_code == 422
    assert browser.http.get(f"/api/games/{'A' * 22}/replay.svg").status_code == 404


def test_a_game_can_be_saved_and_loaded(browser: Browser) -> None:
    live = browser.live(browser.new_game())
    live.state()
    live.play("22-18")
    live.play("11-15")
    response = browser.http.get(f"/api/games/{live.current['id']}/file")
    assert response.headers["content-type"] == "application/json"
    assert re.fullmatch(
        r'attachment; filename="damka-dama64-\d{4}-\d\d-\d\d\.json"',
        response.headers["content-disposition"],
    )
    assert [move.hub() for move in Game.from_json(response.text).moves] == ["22-18", "11-15"]

    loaded = browser.live(browser.load_game(response.text))
    state = loaded.state()
    assert state["pieces"] == live.current["pieces"]
    assert [entry["text"] for entry in state["history"]] == ["22-18", "11-15"]
    assert loaded.play("18x11x15")["ply"] == 3


def test_a_saved_game_continues_with_the_same_level_and_side(browser: Browser) -> None:
    game = browser.new_game(rules="american", opponent="computer", level=2, colour="second")
    live = browser.live(game)
    live.state(lambda state: state["ply"] == 1)
    file = browser.http.get(f"/api/games/{game}/file").text
    assert Game.from_json(file).players == {"B": "Damka, level 2"}
    # The form's level and colour apply only to files without them.
    loaded = browser.load_game(file, opponent="person", level=9)
    assert browser.live(loaded).state()["you"] == ["W"]
    assert Game.from_json(browser.http.get(f"/api/games/{loaded}/file").text).players == {
        "B": "Damka, level 2"
    }
    with_side = browser.load_game(file, opponent="person", side="B")
    assert Game.from_json(browser.http.get(f"/api/games/{with_side}/file").text).players == {}


def test_a_rematch_repeats_the_drawn_opening(
    browser: Browser,
) -> None:
    live = browser.live(browser.new_game(rules="american-3move"))
    first = live.state()
    assert first["ply"] == 3
    assert first["can"]["undo"] is False
    live.send("resign", side=first["turn"])
    live.state(lambda state: state["result"])
    rematch = browser.post(f"/api/games/{first['id']}/rematch", {}).json()["id"]
    rematch_state = browser.live(rematch).state()
    assert rematch_state["pieces"] == first["pieces"]
    assert rematch_state["you"] != first["you"] or len(first["you"]) == 2


def test_an_opening_may_begin_with_fewer_men(browser: Browser) -> None:
    state = browser.live(browser.new_game(rules="american-11man")).state()
    assert state["ply"] == 2
    assert (state["pieces"].count("w"), state["pieces"].count("b")) == (11, 11)


def test_a_loaded_game_continues_against_the_computer(browser: Browser) -> None:
    text = Game("dama64").to_json()
    live = browser.live(browser.load_game(text, opponent="computer", level=1, side="B"))
    state = live.current if live.current else live.state()
    assert state["you"] == ["B"]
    live.state(lambda state: state["ply"] == 1)


def test_custom_rules_have_their_own_rules_page(browser: Browser) -> None:
    custom = rules.load("dama64").replace(
        name="mine", king_landing="any", title={"en": "<b>Mine</b>"}
    )
    game = browser.load_game(Game(custom).to_json())
    page = browser.http.get(f"/game/{game}")
    assert "<b>Mine" not in page.text, "a title from a file is escaped"
    assert f"/game/{game}/rules" in page.text
    assert browser.http.get(f"/game/{game}/rules").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"{" * 1000,
        b"[" * 100_000,
        b'{"format":"damka-game"}',
    ],
)
def test_a_file_that_is_not_a_game_is_refused(browser: Browser, body: bytes) -> None:
    response = browser.http.post("/api/games/load", content=body)
    assert (response.status_code, response.json()["error"]) == (422, "bad_file")
    assert response.json()["message"]


@pytest.mark.parametrize("query", ["level=99", "level=x", "opponent=dog", "side=X"])
def test_wrong_options_are_refused(browser: Browser, query: str) -> None:
    response = browser.http.post(f"/api/games/load?{query}", content=Game("dama64").to_json())
    assert (response.status_code, response.json()["error"]) == (422, "bad_field")
    assert response.json()["where"] == query.partition("=")[0]


# Pages


class PageParser(HTMLParser):
    """Collects the links of a page, and elements that the security policy would block."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.blocked: list[str] = []
        self.lang: str | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "html":
            self.lang = attributes.get("lang")
        for name in ("src", "href", "action"):
            value = attributes.get(name)
            if value and value.startswith("/"):
                self.addresses.add(value.partition("#")[0])
        inline_script = tag == "script" and "src" not in attributes
        if inline_script and attributes.get("type") != "application/json":
            self.blocked.append("script")
        if tag == "style":
            self.blocked.append("style")
        self.blocked += [name for name in attributes if name == "style" or name.startswith("on")]


@pytest.fixture
def pages(browser: Browser) -> dict[str, str]:
    game = browser.new_game(rules="dama100")
    live = browser.live(game)
    live.state()
    live.play(live.current["legal"][0]["hub"])
    paths = ["/", f"/game/{game}", "/rules/dama64", "/rules/dama100", "/rules/italian"]
    return {path: browser.http.get(path).text for path in paths}


def test_pages_are_in_the_readers_language_without_inline_code(
    browser: Browser, pages: dict[str, str]
) -> None:
    for lang in LANGUAGES:
        for path in pages:
            response = browser.http.get(path, headers={"accept-language": lang})
            assert response.status_code == 200
            parser = PageParser(response.text)
            assert parser.lang == lang
            assert parser.blocked == []


def test_every_link_in_a_page_exists(browser: Browser, pages: dict[str, str]) -> None:
    addresses = set().union(*(PageParser(page).addresses for page in pages.values()))
    assert any(address.startswith("/static/") for address in addresses)
    for address in addresses - {"/lang"}:
        response = browser.http.get(address)
        assert response.status_code == 200, address


def test_a_page_has_its_security_headers(browser: Browser, pages: dict[str, str]) -> None:
    for path in (*pages, "/nothing", "/healthz"):
        headers = browser.http.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_the_game_page_embeds_the_state(browser: Browser, stranger: Browser) -> None:
    game = browser.new_game()
    state = browser.live(game).state()
    assert data(browser.http.get(f"/game/{game}").text, "state") == state
    assert data(stranger.http.get(f"/game/{game}").text, "state")["you"] == []
    page = data(browser.http.get(f"/game/{game}").text, "page")
    assert isinstance(page["rules"], dict)
    assert page["rules"]["cells"][:2] == [[0, 1], [0, 3]]
    assert isinstance(page["strings"], dict)
    assert page["strings"]["watching"] == "You’re watching."


def test_running_games_are_listed_for_their_players(browser: Browser, stranger: Browser) -> None:
    live = browser.live(browser.new_game())
    live.state()
    link = f"/game/{live.current['id']}"
    assert link not in browser.http.get("/").text, "no moves yet"
    live.play("22-18")
    assert link in browser.http.get("/").text
    assert link not in stranger.http.get("/").text
    live.send("resign")
    live.state(lambda state: state["result"])
    assert link not in browser.http.get("/").text


def test_the_rules_page_has_an_anchor_for_every_paragraph(browser: Browser) -> None:
    page = browser.http.get("/rules/dama64").text
    for anchor in ("p-obligation", "p-king_landing", "p-no_progress", "p1"):
        assert f'id="{anchor}"' in page


def test_a_missing_page_is_a_404_in_html_and_json(browser: Browser) -> None:
    for path in ("/nothing", "/rules/chess", "/game/" + "A" * 22, "/game/x", "/static/none.js"):
        html_response = browser.http.get(
            path, headers={"accept": "text/html", "accept-language": "sk"}
        )
        assert html_response.status_code == 404
        assert 'lang="sk"' in html_response.text
        json_response = browser.http.get(path)
        assert json_response.status_code == 404
        assert json_response.json()["message"]
    assert browser.http.delete("/").status_code == 405


def test_the_language_is_chosen_by_post_and_remembered(browser: Browser) -> None:
    response = browser.http.post("/lang", data={"lang": "bg", "next": "/rules/dama64?x=1"})
    assert response.status_code == 303
    assert response.headers["location"] == "/rules/dama64?x=1"
    assert PageParser(browser.http.get("/").text).lang == "bg"
    assert browser.http.post("/lang", data={"lang": "xx"}).status_code == 422


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "/a\r\nset-cookie: a=b",
        "",
        "evil",
    ],
)
def test_choosing_a_language_redirects_to_no_other_site(browser: Browser, target: str) -> None:
    response = browser.http.post("/lang", data={"lang": "it", "next": target})
    assert response.headers["location"] == "/"


# Static files


def test_static_files_have_types_and_are_cached(server: Server, browser: Browser) -> None:
    url = server.app.state.static.url("game.js")
    response = browser.http.get(url)
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    plain = browser.http.get("/static/game.js")
    assert plain.text == response.text
    assert plain.headers["cache-control"] == "no-cache"
    conditional = {"if-none-match": plain.headers["etag"]}
    assert browser.http.get("/static/game.js", headers=conditional).status_code == 304
    assert browser.http.head(url).status_code == 200
    old = url.replace(url.split("/")[2], "0" * 16)
    assert browser.http.get(old).headers["cache-control"] == "no-cache"


def test_pages_and_static_files_are_compressed(server: Server, browser: Browser) -> None:
    for path in ("/", "/rules/dama64", server.app.state.static.url("game.js"), "/static/base.css"):
        plain = browser.http.get(path, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.headers["vary"] == "accept-encoding"
        sizes = [int(plain.headers["content-length"]) / 2]
        tags = {plain.headers.get("etag")}
        for encoding, accepted in (("gzip", "deflate, gzip"), ("br", "gzip, br")):
            compressed = browser.http.get(path, headers={"accept-encoding": accepted})
            assert compressed.headers["content-encoding"] == encoding
            assert compressed.text == plain.text
            assert compressed.headers["vary"] == "accept-encoding"
            sizes.append(int(compressed.headers["content-length"]))
            tags.add(compressed.headers.get("etag"))
        assert sizes == sorted(sizes, reverse=True)
        assert tags == {None} or len(tags) == 3
    etag = {"accept-encoding": "br", "if-none-match": compressed.headers["etag"]}
    assert browser.http.get("/static/base.css", headers=etag).status_code == 304


@pytest.mark.parametrize(
    "path", ["/static/", "/static/../app.py", "/static/%2e%2e/templates/base.html", "/static/%00"]
)
def test_no_path_leads_outside_the_static_files(browser: Browser, path: str) -> None:
    assert browser.http.get(path).status_code == 404
