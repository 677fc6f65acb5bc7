"""All links of the pages work, and the addresses in scripts and help texts exist."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from starlette.routing import Match
from typer.main import get_command

from damka import rules
from damka.cli import app
from damka.server.live_route import LiveRoute
from tests.server.accounts.support import register
from tests.server.events.support import act, create_event, join
from tests.server.support import Browser, Server

STATIC = Path(__file__).parents[2] / "src" / "damka" / "web" / "static"

START = ("/", "/lobby", "/events", "/account", "/account/tokens", "/box", "/api", "/api/live")

MAX_PAGES = 400
"""Limit of the pages of a visitor, for endless chains of links."""


class Page(HTMLParser):
    """Links and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if attributes.get("id"):
            self.anchors.add(str(attributes["id"]))
        for name in ("href", "src"):
            if attributes.get(name):
                self.links.add(str(attributes[name]))


def broken_links(
    browser: Browser, paths: Iterable[str], *, unless: tuple[str, ...] = ()
) -> list[str]:
    """Follow the links from these pages; describe the broken ones, each with its page.

    Links that begin with one of `unless` are not followed.
    """
    pages: dict[str, Page | None] = {}
    queue = [(path, "") for path in paths]
    faults = []
    while queue:
        link, source = queue.pop()
        path, anchor = urldefrag(link)
        if path not in pages:
            assert len(pages) < MAX_PAGES, sorted(pages)
            response = browser.http.get(path, follow_redirects=True)
            # Guests see a link to log in.
            if response.status_code not in (200, 401):
                faults.append(f"{link} on {source}: {response.status_code}")
            is_page = response.headers.get("content-type", "").startswith("text/html")
            page = pages[path] = Page(response.text) if is_page else None
            if page is not None:
                url = str(response.url)
                joined = {urljoin(url, each) for each in page.links}
                internal = {each for each in joined if each.startswith(f"{browser.url}/")}
                assert all(urlsplit(each).scheme in ("https", "data") for each in joined - internal)
                targets = {each.removeprefix(browser.url) for each in internal}
                queue += [(each, path) for each in sorted(targets) if not each.startswith(unless)]
        page = pages[path]
        if page is not None and anchor and unquote(anchor) not in page.anchors:
            faults.append(f"{link} on {source}: no such anchor")
    return faults


def test_a_broken_link_is_reported(browser: Browser) -> None:
    assert broken_links(browser, ["/no-such-page"], unless=("/",)) == ["/no-such-page on : 404"]
    assert broken_links(browser, ["/api#nowhere"], unless=("/",)) == [
        "/api#nowhere on : no such anchor"
    ]


def test_the_links_of_a_guest_work(browser: Browser) -> None:
    at_one_screen = browser.new_game(rules="dama64")
    invited = browser.new_game(opponent="invite")
    # House rules and lessons have pages for every rule set, which takes a while.
    pages = [*START, "/box?base=russian", f"/game/{at_one_screen}", f"/game/{invited}"]
    assert not broken_links(browser, pages, unless=("/box?", "/learn/"))


def test_the_links_of_lessons_work(browser: Browser) -> None:
    others = tuple(f"/learn/{name}" for name in rules.names() if name != "dama64")
    pages = ["/learn", "/learn/dama64"]
    assert not broken_links(browser, pages, unless=("/account", "/box", "/rules/", *others))


def test_the_links_of_a_member_work(browser: Browser) -> None:
    name = register(browser)
    game = browser.new_game(rules="american")
    assert not broken_links(
        browser, [*START, f"/@/{name}", f"/game/{game}"], unless=("/rules/", "/learn/")
    )


def test_the_links_of_an_invitation_work(browser: Browser, stranger: Browser) -> None:
    response = browser.post("/api/games", {"rules": "dama64", "opponent": "invite"}).json()
    invitation = browser.http.get(f"/game/{response['id']}").text
    [path] = set(re.findall(r"/join/[\w-]+", invitation))
    assert not broken_links(stranger, [path], unless=("/rules/", "/learn/"))


def test_the_links_of_a_tournament_work(
    browser: Browser, stranger: Browser, server: Server
) -> None:
    event = create_event(browser, server)
    for name in ("Ana", "Ben"):
        act(browser, event, "add", name=name)
    join(stranger, event, "Cato")
    for action in ("start", "pair", "begin"):
        act(browser, event, action)
    assert not broken_links(browser, [event, f"{event}/arbiter"], unless=("/rules/", "/learn/"))
    assert not broken_links(stranger, [event], unless=("/rules/", "/learn/"))


# Scripts and help texts

SAMPLES = {
    "/api${path}": "/api/events/x",
    "/api/games/${game}/${act}": "/api/games/x/computer",
}
"""Addresses with a variable that is not an id."""

ADDRESSES = sorted(
    {
        (path.name, SAMPLES.get(start, re.sub(r"\$\{[^}]*\}", "x", start)))
        for path in STATIC.glob("*.js")
        for address in re.findall(r"[\"'`](/[a-z@][^\"'` ]*)[\"'`]", path.read_text("utf-8"))
        for start in [address.partition("?")[0]]
    }
)


@pytest.mark.parametrize(("script", "address"), ADDRESSES, ids=[": ".join(a) for a in ADDRESSES])
def test_the_addresses_of_a_script_exist(server: Server, script: str, address: str) -> None:
    if address == LiveRoute.path.format(game_id="x"):
        return
    # A string that ends in a slash is a prefix.
    path = f"{address}x" if address.endswith("/") else address
    scopes = [
        {"type": "http", "path": path, "root_path": "", "method": "GET"},
        {"type": "websocket", "path": path, "root_path": ""},
    ]
    matched = [route.matches(scope)[0] for route in server.app.routes for scope in scopes]
    assert any(match is not Match.NONE for match in matched), script


def test_an_address_that_does_not_exist_matches_no_route(server: Server) -> None:
    scope = {"type": "http", "path": "/no/such/address", "root_path": "", "method": "GET"}
    assert all(route.matches(scope)[0] is Match.NONE for route in server.app.routes)


def test_the_addresses_in_the_help_of_serve_exist(browser: Browser) -> None:
    help_text = str(get_command(app).commands["serve"].help)  # type: ignore[attr-defined]
    paths = set(re.findall(r"(?<![\w./:])/[a-z]+\b(?!/)", help_text))
    assert {"/api", "/metrics", "/readyz"} <= paths
    assert {browser.http.get(path).status_code for path in paths} == {200}
