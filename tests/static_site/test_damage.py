"""The static site in Chromium with damaged, full or missing storage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext

from damka.locales import translate
from tests.chromium import Host
from tests.static_site.support import (
    ALL,
    DAMAGE,
    Window,
    files_without_storage,
    open_context,
    open_window,
)

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

DAMAGE_CACHE = """async ([ending, how]) => {
  const [name] = await caches.keys();
  const cache = await caches.open(name);
  const request = (await cache.keys()).find(({ url }) => url.endsWith(ending));
  const whole = await (await cache.match(request)).arrayBuffer();
  if (how === "gone") return cache.delete(request);
  const changed = () => new Uint8Array(whole).map((byte, i) => (i % 1000 ? byte : 65));
  const data = how === "cut" ? whole.slice(0, whole.byteLength / 2) : changed();
  const { headers } = await cache.match(request);
  await cache.put(request, new Response(data, { headers }));
}"""
"""Damage a file in the service worker's cache."""


@pytest.fixture(scope="module")
def context(browser: Browser, host: Host) -> Iterator[BrowserContext]:
    """A browser context for this module, with the site cached."""
    with open_context(browser) as context:
        window = open_window(context, host).open("en/index.html").wait_until_cached()
        window.page.close()
        yield context


def text_of(key: str) -> str:
    return translate("en", key)


DAMAGED_FILES: Final = [
    ("/pyodide.asm.wasm", "cut"),
    ("/board.js", "changed"),
    ("/en/game.html", "cut"),
    ("/damka-simd.wasm", "changed"),
    ("/game.js", "cut"),
    ("/worker.js", "gone"),
]
DAMAGED_OFFLINE: Final = [
    ("/pyodide.asm.wasm", "gone"),
    ("/game.js", "changed"),
    ("/damka-simd.wasm", "cut"),
    ("/worker.js", "gone"),
]


@pytest.mark.parametrize(("ending", "kind"), DAMAGED_FILES[: None if ALL else 3])
def test_a_damaged_file_is_fetched_again(
    context: BrowserContext, host: Host, ending: str, kind: str
) -> None:
    window = open_window(context, host).open("en/index.html")
    window.page.evaluate(DAMAGE_CACHE, [ending, kind])
    before = len(host.requests)
    window.new_game("american")
    window.play(window.state["legal"][0])
    fetched = [path for path in host.requests[before:] if path.partition("?")[0].endswith(ending)]
    assert len(fetched) == 1
    assert window.notice == ""
    window.page.close()


@pytest.mark.parametrize(("ending", "kind"), DAMAGED_OFFLINE[: None if ALL else 2])
def test_without_a_network_a_damaged_file_is_reported(
    context: BrowserContext, host: Host, ending: str, kind: str
) -> None:
    window = open_window(context, host).open("en/index.html")
    window.page.evaluate(DAMAGE_CACHE, [ending, kind])
    context.set_offline(True)
    try:
        window.open("en/game.html?rules=american&opponent=person&colour=first")
        error = window.page.locator("#broken:not([hidden]), .site-notice p").first
        error.wait_for()
        assert error.inner_text() == text_of("site.damaged")
    finally:
        context.set_offline(False)
    window.page.reload()
    window.ready()
    window.wait_until_joined()
    window.page.close()


REQUEST: Final = """async ([path, module, name]) => {
  const script = document.querySelector("script[type=module]").src;
  return (await import(new URL(module, script)))[name](path);
}"""
"""Call a function of a module of the page."""


def error_after_reload(window: Window) -> str:
    """Return the error shown instead of the game after a reload."""
    window.page.reload()
    window.until(lambda: window.error_text, "an error")
    return window.error_text


def test_damaged_games_are_reported_and_not_deleted(context: BrowserContext, host: Host) -> None:
    """Damage a game in every way in turn. Another game stays intact."""
    window = open_window(context, host).new_game("dama64")
    window.play(window.state["legal"][0])
    intact_url = window.page.url
    window.new_game("american")
    for _ in range(3):
        window.play(window.state["legal"][0])
    game = window.state["id"]
    stored = window.page.evaluate(REQUEST, [game, "store.js", "load"])
    damaged, newer = text_of("server.problem.bad_game"), text_of("server.problem.newer_game")
    for part, value, expected in [
        ("record", '{"id": "x", ', damaged),
        ("record", {"rules": {"base": "no such rules"}}, damaged),
        ("record", {"rules": {"base": "american", "no_such_rule": 3}}, damaged),
        ("record", {"rules": [[[]]]}, damaged),
        ("record", {"seats": []}, damaged),
        ("record", {"seats": [{"side": "W", "kind": "person"}] * 2}, damaged),
        ("record", {"base": '{"format": "something else"}'}, damaged),
        ("record", {"version": 99, "rules": "otherwise"}, newer),
        (1, None, damaged),  # missing entry of the log
        (2, '{"kind": "mov', damaged),
        (2, '{"kind": "of a later version"}', damaged),
        (2, '{"kind": "move", "side": "W", "move": "1x99", "crowns": false}', damaged),
        (2, '{"kind": "undo", "side": "W", "steps": 999999999}', damaged),
    ]:
        window.page.evaluate(DAMAGE, [part, value])
        path = f"/api/games/{game}/shown"
        reply = window.page.evaluate(REQUEST, [path, "transport.js", "request"])
        assert reply["data"]["message"] == expected, (part, value)
        before = stored["record"] if part == "record" else stored["events"][part]
        window.page.evaluate(DAMAGE, [part, before])
    # The last displayed state is not essential.
    window.page.evaluate(DAMAGE, ["shown", "{"])
    window.page.reload()
    window.ready()
    assert window.wait_until_joined().state["ply"] == 3
    window.page.wait_for_timeout(600)
    window.page.evaluate(DAMAGE, [1, None])
    assert error_after_reload(window) == damaged
    with window.page.expect_download() as saved:
        window.page.get_by_role("button", name=text_of("site.keep_file")).click()
    file = json.loads(Path(saved.value.path()).read_bytes())
    assert [entry["seq"] for entry in file["log"]] == [0, 2]
    assert json.loads(file["game"]["record"])["rules"]["name"] == "american"
    # The damaged game is still listed, beside the other one.
    window.page.evaluate(DAMAGE, ["shown", "null"])
    window.page.get_by_role("button", name=text_of("site.start_page")).click()
    window.page.locator(".running .run").first.wait_for()
    assert text_of("site.a_game") in window.page.locator(".running b").all_inner_texts()
    window.page.goto(intact_url)
    window.ready()
    assert window.wait_until_joined().state["ply"] == 1
    window.page.close()


def test_an_unknown_game_is_reported(context: BrowserContext, host: Host) -> None:
    window = open_window(context, host).open("sk/game.html?game=unknown")
    window.until(lambda: window.error_text, "an error")
    assert window.error_text == translate("sk", "server.problem.unknown_game")
    assert translate("sk", "site.no_game") in window.page.inner_text("main.site-error")
    window.page.close()


def test_a_store_of_a_newer_version_is_not_changed(browser: Browser, host: Host) -> None:
    with open_context(browser, service_workers="block") as context:
        window = open_window(context, host).new_game("american")
        window.play(window.state["legal"][0])
        window.page.evaluate(
            """new Promise((done, failed) => {
              const newer = indexedDB.open("damka", 2);
              newer.onsuccess = () => done(newer.result.close());
              newer.onerror = () => failed(newer.error);
            })"""
        )
        assert error_after_reload(window) == text_of("server.problem.newer_game")
        with window.page.expect_download() as saved:
            window.page.get_by_role("button", name=text_of("site.keep_file")).click()
        assert len(json.loads(Path(saved.value.path()).read_bytes())["log"]) == 1


def test_a_move_is_not_played_when_storage_is_full(context: BrowserContext, host: Host) -> None:
    window = open_window(context, host).new_game("american", opponent="computer", level="1")
    window.play(window.state["legal"][0])
    window.until(lambda: window.state["ply"] == 2, "the computer's move")
    window.settled()
    pieces, move = window.piece_positions, window.state["legal"][0]
    window.fill_storage()
    window.attempt(move["from"], move["to"])
    window.until(lambda: window.status_text == text_of("server.error.full"), "an error")
    window.settled()
    window.until(lambda: window.piece_positions == pieces, "the unchanged board")
    assert window.state["ply"] == 2
    window.fill_storage(full=False)
    window.play(move)
    window.until(lambda: window.state["ply"] == 4, "the computer's move")
    assert len(window.game().history) == 4
    window.page.close()


def test_games_without_storage_show_a_warning(browser: Browser, host: Host, folder: Path) -> None:
    host.replaced.update(files_without_storage(folder))
    try:
        with open_context(browser, service_workers="block") as context:
            window = open_window(context, host).new_game("american", opponent="computer", level="1")
            window.until(lambda: window.notice == text_of("site.not_kept"), "the warning")
            window.play(window.state["legal"][0])
            window.until(lambda: window.state["ply"] == 2, "the computer's move")
            assert len(window.game().history) == 2
            # The rules open in a new tab: the game would end with its page.
            with window.page.expect_popup() as rules:
                window.page.click("a[data-rules]")
            rules.value.wait_for_url("**/rules/american.html*")
            window.page.reload()
            window.until(lambda: window.error_text, "an error")
            # A game created on another page is passed to the game's page.
            window.open("bg/box.html?base=american&title=Ours")
            window.page.locator("[name=opponent][value=person] + span").click()
            window.page.click("#play")
            window.page.wait_for_url("**/game.html?game=*")
            window.ready()
            window.wait_until_joined().play(window.state["legal"][0])
            assert window.game().rules.title["en"] == "Ours"
            assert "carried" not in window.page.url
    finally:
        host.replaced.clear()
