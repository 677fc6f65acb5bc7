"""The static site in Chromium with malicious links."""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser

from damka.locales import translate
from tests.chromium import Host
from tests.static_site.support import Window, context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

SCRIPT = "<img src=x onerror='harmed=1'><script>harmed=1</script>"


def link(box: object) -> str:
    """Return the link of a box with arbitrary content."""
    text = box if isinstance(box, str) else json.dumps(box)
    packed = zlib.compress(text.encode(), 9, wbits=-15)
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


LINKS = {
    "nonsense": "hostile",
    "very long": "A" * 100_000,
    "deep": link("[" * 30_000),
    "large when unpacked": link('{"base": "american", "name": "' + "a" * 5_000_000 + '"}'),
    "wrong types": link({"base": ["american"], "name": 3, "title": [{}], "as": 7}),
    "unknown base": link({"base": "../../etc/passwd", "name": "x"}),
    "script for a base": link({"base": SCRIPT, "name": "x"}),
    "enormous board": link({"base": "american", "name": "x", "board": [10**9, 10**9]}),
    "enormous width": link({"base": "american", "name": "x", "width": 10**9, "height": 10**9}),
    "wrong value": link({"base": "american", "name": "x", "man_capture": SCRIPT}),
}


@pytest.fixture(scope="module")
def desk(browser: Browser, host: Host) -> Iterator[Window]:
    with context(browser) as made:
        desk = window(made, host)
        desk.page.on("dialog", lambda dialog: desk.errors.append(dialog.message))
        yield desk
        assert desk.errors == []


def harmed(desk: Window) -> bool:
    done: bool = desk.page.evaluate("'harmed' in window")
    return done


def test_hostile_boxes_are_refused_with_a_sentence(desk: Window) -> None:
    """All with one worker, which none of them crashes or blocks."""
    desk.open("en/box.html?r=hostile")
    desk.until(lambda: desk.trouble, "a word")
    assert desk.trouble == translate("en", "server.problem.bad_link")
    desk.open("en/box.html")
    ask = """async (path) => {
      const script = document.querySelector("script[type=module]").src;
      const { request } = await import(new URL("transport.js", script));
      return request(path);
    }"""
    assert desk.page.evaluate(ask, "/api/box?base=american")["ok"], "once it has started"
    for name, text in LINKS.items():
        begun = time.monotonic()
        reply = desk.page.evaluate(ask, f"/api/box?r={text}")
        assert not reply["ok"], name
        assert reply["data"]["message"] == translate("en", "server.problem.bad_link"), name
        assert time.monotonic() - begun < 10, name
    answers = (
        f"/api/box?base=american&title={quote(SCRIPT)}&rows=999999999&man_capture={quote(SCRIPT)}"
    )
    reply = desk.page.evaluate(ask, answers)
    assert reply["ok"]
    assert reply["data"]["problems"]
    assert "<img" not in json.dumps(reply["data"].get("html") or "")
    assert not harmed(desk)


def test_script_in_names_is_text(desk: Window) -> None:
    box = {"base": "american", "name": "x", "title": {"en": SCRIPT}, "man_capture": "all"}
    desk.open(f"en/box.html?r={link(box)}")
    desk.until(lambda: "onerror" in desk.page.inner_text("h1"), "the box")
    assert desk.page.inner_text("h1") == SCRIPT
    desk.page.locator("[name=opponent][value=person] + span").click()
    for n, name in enumerate(("<b>One</b>", "<script>2</script>"), 1):
        desk.page.fill(f"[name=name{n}]", name)
    desk.page.click("#play")
    desk.page.wait_for_url("**/game.html?game=*")
    desk.ready()
    desk.up()
    assert desk.page.inner_text("h1") == SCRIPT
    names = desk.page.locator(".strip b").all_inner_texts()
    assert sorted(names) == ["<b>One</b>", "<script>2</script>"]
    assert not harmed(desk)
    # The Content Security Policy blocks the rest.
    desk.page.evaluate(
        """text => {
          const place = document.createElement("div");
          place.innerHTML = text;
          document.body.append(place);
        }""",
        "<img src=x onerror='harmed=1'>",
    )
    desk.page.wait_for_timeout(100)
    assert not harmed(desk)
    assert any("Content Security Policy" in text for text in desk.errors)
    desk.errors.clear()
    desk.open("en/index.html").page.locator(".running b").first.wait_for()
    assert desk.page.locator(".running b").first.inner_text() == SCRIPT
    assert not harmed(desk)


def test_hostile_addresses_of_games_end_at_a_page(desk: Window) -> None:
    desk.open(f"en/game.html?game={quote(SCRIPT)}")
    desk.until(lambda: desk.trouble, "a word")
    desk.open("en/game.html?rules=../../x&opponent=person")
    desk.page.wait_for_url("**/en/index.html")
    desk.open(f"en/game.html?rules=american&opponent={quote(SCRIPT)}&level=99&colour=x")
    desk.until(lambda: desk.trouble, "a word")
    assert desk.trouble == translate("en", "server.problem.bad_field")
    assert not harmed(desk)
