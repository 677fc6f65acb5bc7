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
from tests.static_site.support import Window, open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

SCRIPT = "<img src=x onerror='harmed=1'><script>harmed=1</script>"


def link(box: object) -> str:
    """Encode a rule set with arbitrary content for a link."""
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
def window(browser: Browser, host: Host) -> Iterator[Window]:
    with open_context(browser) as context:
        window = open_window(context, host)
        window.page.on("dialog", lambda dialog: window.errors.append(dialog.message))
        yield window
        assert window.errors == []


def script_ran(window: Window) -> bool:
    ran: bool = window.page.evaluate("'harmed' in window")
    return ran


def test_hostile_rule_sets_are_refused_with_a_message(window: Window) -> None:
    """All are read by one worker; none crashes or blocks it."""
    window.open("en/box.html?r=hostile")
    window.until(lambda: window.error_text, "an error")
    assert window.error_text == translate("en", "server.problem.bad_link")
    window.open("en/box.html")
    request = """async (path) => {
      const script = document.querySelector("script[type=module]").src;
      const { request } = await import(new URL("transport.js", script));
      return request(path);
    }"""
    assert window.page.evaluate(request, "/api/box?base=american")["ok"], "the worker has started"
    for name, text in LINKS.items():
        start = time.monotonic()
        reply = window.page.evaluate(request, f"/api/box?r={text}")
        assert not reply["ok"], name
        assert reply["data"]["message"] == translate("en", "server.problem.bad_link"), name
        assert time.monotonic() - start < 10, name
    answers = (
        f"/api/box?base=american&title={quote(SCRIPT)}&rows=999999999&man_capture={quote(SCRIPT)}"
    )
    reply = window.page.evaluate(request, answers)
    assert reply["ok"]
    assert reply["data"]["problems"]
    assert "<img" not in json.dumps(reply["data"].get("html") or "")
    assert not script_ran(window)


def test_scripts_in_names_are_shown_as_text(window: Window) -> None:
    box = {"base": "american", "name": "x", "title": {"en": SCRIPT}, "man_capture": "all"}
    window.open(f"en/box.html?r={link(box)}")
    window.until(lambda: "onerror" in window.page.inner_text("h1"), "the box")
    assert window.page.inner_text("h1") == SCRIPT
    window.page.locator("[name=opponent][value=person] + span").click()
    for n, name in enumerate(("<b>One</b>", "<script>2</script>"), 1):
        window.page.fill(f"[name=name{n}]", name)
    window.page.click("#play")
    window.page.wait_for_url("**/game.html?game=*")
    window.ready()
    window.wait_until_joined()
    assert window.page.inner_text("h1") == SCRIPT
    names = window.page.locator(".strip b").all_inner_texts()
    assert sorted(names) == ["<b>One</b>", "<script>2</script>"]
    assert not script_ran(window)
    # The Content Security Policy blocks the rest.
    window.page.evaluate(
        """text => new Promise((done) => {
          const place = document.createElement("div");
          place.innerHTML = text;
          place.firstChild.addEventListener("error", () => done());
          document.body.append(place);
        })""",
        "<img src=x onerror='harmed=1'>",
    )
    assert not script_ran(window)
    for part in ("Content Security Policy", "404"):
        window.until(lambda: any(part in text for text in window.errors), part)  # noqa: B023
    window.errors.clear()
    window.open("en/index.html").page.locator(".running b").first.wait_for()
    assert window.page.locator(".running b").first.inner_text() == SCRIPT
    assert not script_ran(window)


def test_hostile_game_addresses_lead_to_an_error_or_the_start_page(window: Window) -> None:
    window.open(f"en/game.html?game={quote(SCRIPT)}")
    window.until(lambda: window.error_text, "an error")
    window.open("en/game.html?rules=../../x&opponent=person")
    window.page.wait_for_url("**/en/index.html")
    window.open(f"en/game.html?rules=american&opponent={quote(SCRIPT)}&level=99&colour=x")
    window.until(lambda: window.error_text, "an error")
    assert window.error_text == translate("en", "server.problem.bad_field")
    assert not script_ran(window)
