"""Every link that a page shows leads somewhere, and every address that a script requests exists."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from starlette.routing import Match

from tests.server.accounts.support import register
from tests.server.events.support import act, join, make
from tests.server.support import Browser, Server

STATIC = Path(__file__).parents[2] / "src" / "damka" / "web" / "static"

START = ("/", "/lobby", "/events", "/account", "/account/tokens", "/box", "/api", "/api/live")

MOST = 400
"""Pages of a visitor, so that a chain of links without end fails."""


class Page(HTMLParser):
    """The addresses and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.anchors.add(str(found["id"]))
        for name in ("href", "src", "action" if found.get("method") != "post" else ""):
            if found.get(name):
                self.links.add(str(found[name]))


def missing(browser: Browser, paths: Iterable[str]) -> list[str]:
    """Follow the links from these pages; return those that lead nowhere, each with its page."""
    pages: dict[str, Page | None] = {}
    wanted = [(path, "") for path in paths]
    faults = []
    while wanted:
        link, source = wanted.pop()
        path, anchor = urldefrag(link)
        if path not in pages:
            assert len(pages) < MOST, sorted(pages)
            answer = browser.http.get(path, follow_redirects=True)
            if answer.status_code != 200:
                faults.append(f"{link} on {source}: {answer.status_code}")
            is_page = answer.headers.get("content-type", "").startswith("text/html")
            page = pages[path] = Page(answer.text) if is_page else None
            if page is not None:
                here = str(answer.url)
                joined = {urljoin(here, each) for each in page.links}
                inside = {each for each in joined if each.startswith(f"{browser.url}/")}
                assert all(urlsplit(each).scheme in ("https", "data") for each in joined - inside)
                wanted += [(each.removeprefix(browser.url), path) for each in sorted(inside)]
        page = pages[path]
        if page is not None and anchor and unquote(anchor) not in page.anchors:
            faults.append(f"{link} on {source}: no such anchor")
    return faults


def test_a_link_that_leads_nowhere_is_found(browser: Browser) -> None:
    assert missing(browser, ["/no-such-page"]) == ["/no-such-page on : 404"]
    assert missing(browser, ["/lobby#nowhere"]) == ["/lobby#nowhere on : no such anchor"]


def test_the_links_of_a_guest_lead_somewhere(browser: Browser) -> None:
    alone = browser.new_game(rules="dama64")
    invited = browser.new_game(opponent="invite")
    assert not missing(browser, [*START, f"/game/{alone}", f"/game/{invited}"])


def test_the_links_of_a_member_lead_somewhere(browser: Browser) -> None:
    name = register(browser)
    game = browser.new_game(rules="american")
    assert not missing(browser, [*START, f"/@/{name}", f"/game/{game}"])


def test_the_links_of_an_invitation_lead_somewhere(browser: Browser, stranger: Browser) -> None:
    answer = browser.post("/api/games", {"rules": "dama64", "opponent": "invite"}).json()
    invitation = browser.http.get(f"/game/{answer['id']}").text
    [path] = set(re.findall(r"/join/[\w-]+", invitation))
    assert not missing(stranger, [path])


def test_the_links_of_a_tournament_lead_somewhere(
    browser: Browser, stranger: Browser, server: Server
) -> None:
    event = make(browser, server)
    for name in ("Ana", "Ben"):
        act(browser, event, "add", name=name)
    join(stranger, event, "Cato")
    act(browser, event, "pair")
    assert not missing(browser, [event, f"{event}/arbiter"])
    assert not missing(stranger, [event])


ADDRESSES = sorted(
    {
        (path.name, re.sub(r"\$\{[^}]*\}", "x", address).partition("?")[0])
        for path in STATIC.glob("*.js")
        for address in re.findall(r"[\"'`](/[a-z@][^\"'` ]*)[\"'`]", path.read_text("utf-8"))
    }
)


@pytest.mark.parametrize(("script", "address"), ADDRESSES, ids=[": ".join(a) for a in ADDRESSES])
def test_the_addresses_of_a_script_exist(server: Server, script: str, address: str) -> None:
    # "/api${path}" has the path of a tournament.
    address = address.replace("/apix", "/api/events/x")
    scopes = [
        {"type": "http", "path": address, "root_path": "", "method": "GET"},
        {"type": "websocket", "path": address, "root_path": ""},
    ]
    routes = [route for route in server.app.routes if getattr(route, "path", "") != "/{path:path}"]
    # An address that ends in a slash is the beginning of one.
    scopes += [{**scope, "path": f"{address}x"} for scope in scopes if address.endswith("/")]
    matched = [route.matches(scope)[0] for route in routes for scope in scopes]
    assert any(match is not Match.NONE for match in matched), script
