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
from tests.static_site.support import ALL, DAMAGE, Window, context, no_storage, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

SPOIL = """async ([ending, how]) => {
  const [name] = await caches.keys();
  const cache = await caches.open(name);
  const asked = (await cache.keys()).find(({ url }) => url.endsWith(ending));
  const whole = await (await cache.match(asked)).arrayBuffer();
  if (how === "gone") return cache.delete(asked);
  const changed = () => new Uint8Array(whole).map((byte, i) => (i % 1000 ? byte : 65));
  const data = how === "cut" ? whole.slice(0, whole.byteLength / 2) : changed();
  const { headers } = await cache.match(asked);
  await cache.put(asked, new Response(data, { headers }));
}"""
"""Damage a file in the service worker's cache."""


@pytest.fixture(scope="module")
def opened(browser: Browser, host: Host) -> Iterator[BrowserContext]:
    """One browser for these tests, with the site cached."""
    with context(browser) as made:
        desk = window(made, host).open("en/index.html").kept()
        desk.page.close()
        yield made


def word(key: str) -> str:
    return translate("en", key)


SPOILED: Final = [
    ("/pyodide.asm.wasm", "cut"),
    ("/board.js", "changed"),
    ("/en/game.html", "cut"),
    ("/damka-simd.wasm", "changed"),
    ("/game.js", "cut"),
    ("/worker.js", "gone"),
]
OFFLINE: Final = [
    ("/pyodide.asm.wasm", "gone"),
    ("/game.js", "changed"),
    ("/damka-simd.wasm", "cut"),
    ("/worker.js", "gone"),
]


@pytest.mark.parametrize(("ending", "how"), SPOILED[: None if ALL else 3])
def test_a_damaged_file_is_fetched_again(
    opened: BrowserContext, host: Host, ending: str, how: str
) -> None:
    desk = window(opened, host).open("en/index.html")
    desk.page.evaluate(SPOIL, [ending, how])
    before = len(host.requests)
    desk.new_game("american")
    desk.play(desk.state["legal"][0])
    fetched = [path for path in host.requests[before:] if path.partition("?")[0].endswith(ending)]
    assert len(fetched) == 1
    assert desk.notice == ""
    desk.page.close()


@pytest.mark.parametrize(("ending", "how"), OFFLINE[: None if ALL else 2])
def test_without_a_network_a_damaged_file_is_reported(
    opened: BrowserContext, host: Host, ending: str, how: str
) -> None:
    desk = window(opened, host).open("en/index.html")
    desk.page.evaluate(SPOIL, [ending, how])
    opened.set_offline(True)
    try:
        desk.open("en/game.html?rules=american&opponent=person&colour=first")
        broken = desk.page.locator("#broken:not([hidden]), .site-notice p").first
        broken.wait_for()
        assert broken.inner_text() == word("site.damaged")
    finally:
        opened.set_offline(False)
    desk.page.reload()
    desk.ready()
    desk.up()
    desk.page.close()


REQUEST: Final = """async ([path, module, name]) => {
  const script = document.querySelector("script[type=module]").src;
  return (await import(new URL(module, script)))[name](path);
}"""
"""Call a function of a module of the page."""


def broken(desk: Window) -> str:
    """Return the error shown in place of the game after a reload."""
    desk.page.reload()
    desk.until(lambda: desk.trouble, "a word")
    return desk.trouble


def test_damaged_games_are_reported_and_not_deleted(opened: BrowserContext, host: Host) -> None:
    """Each kind of damage to a game in turn; another game stays intact."""
    desk = window(opened, host).new_game("dama64")
    desk.play(desk.state["legal"][0])
    whole = desk.page.url
    desk.new_game("american")
    for _ in range(3):
        desk.play(desk.state["legal"][0])
    game = desk.state["id"]
    stored = desk.page.evaluate(REQUEST, [game, "store.js", "load"])
    bad, newer = word("server.problem.bad_game"), word("server.problem.newer_game")
    for what, value, expected in [
        ("record", '{"id": "x", ', bad),
        ("record", {"rules": {"base": "no such rules"}}, bad),
        ("record", {"rules": {"base": "american", "no_such_rule": 3}}, bad),
        ("record", {"rules": [[[]]]}, bad),
        ("record", {"seats": []}, bad),
        ("record", {"seats": [{"side": "W", "kind": "person"}] * 2}, bad),
        ("record", {"base": '{"format": "something else"}'}, bad),
        ("record", {"version": 99, "rules": "otherwise"}, newer),
        (1, None, bad),  # missing entry of the log
        (2, '{"kind": "mov', bad),
        (2, '{"kind": "of a later version"}', bad),
        (2, '{"kind": "move", "side": "W", "move": "1x99", "crowns": false}', bad),
        (2, '{"kind": "undo", "side": "W", "steps": 999999999}', bad),
    ]:
        desk.page.evaluate(DAMAGE, [what, value])
        path = f"/api/games/{game}/shown"
        reply = desk.page.evaluate(REQUEST, [path, "transport.js", "request"])
        assert reply["data"]["message"] == expected, (what, value)
        before = stored["record"] if what == "record" else stored["events"][what]
        desk.page.evaluate(DAMAGE, [what, before])
    # The last displayed state is not essential.
    desk.page.evaluate(DAMAGE, ["shown", "{"])
    desk.page.reload()
    desk.ready()
    assert desk.up().state["ply"] == 3
    desk.page.wait_for_timeout(600)
    desk.page.evaluate(DAMAGE, [1, None])
    assert broken(desk) == bad
    with desk.page.expect_download() as saved:
        desk.page.get_by_role("button", name=word("site.keep_file")).click()
    kept = json.loads(Path(saved.value.path()).read_bytes())
    assert [entry["seq"] for entry in kept["log"]] == [0, 2]
    assert json.loads(kept["game"]["record"])["rules"]["name"] == "american"
    # It is still listed, beside the other game.
    desk.page.evaluate(DAMAGE, ["shown", "null"])
    desk.page.get_by_role("button", name=word("site.start_page")).click()
    desk.page.locator(".running .run").first.wait_for()
    assert word("site.a_game") in desk.page.locator(".running b").all_inner_texts()
    desk.page.goto(whole)
    desk.ready()
    assert desk.up().state["ply"] == 1
    desk.page.close()


def test_an_unknown_game_is_reported(opened: BrowserContext, host: Host) -> None:
    desk = window(opened, host).open("sk/game.html?game=nobody")
    desk.until(lambda: desk.trouble, "a word")
    assert desk.trouble == translate("sk", "server.problem.unknown_game")
    assert translate("sk", "site.no_game") in desk.page.inner_text("main.site-trouble")
    desk.page.close()


def test_a_store_of_a_newer_version_is_not_changed(browser: Browser, host: Host) -> None:
    with context(browser, service_workers="block") as made:
        desk = window(made, host).new_game("american")
        desk.play(desk.state["legal"][0])
        desk.page.evaluate(
            """new Promise((done, failed) => {
              const newer = indexedDB.open("damka", 2);
              newer.onsuccess = () => done(newer.result.close());
              newer.onblocked = () => failed(new Error("blocked"));
            })"""
        )
        assert broken(desk) == word("server.problem.newer_game")
        with desk.page.expect_download() as saved:
            desk.page.get_by_role("button", name=word("site.keep_file")).click()
        assert len(json.loads(Path(saved.value.path()).read_bytes())["log"]) == 1


def test_a_move_without_room_is_not_played(opened: BrowserContext, host: Host) -> None:
    desk = window(opened, host).new_game("american", opponent="computer", level="1")
    desk.play(desk.state["legal"][0])
    desk.until(lambda: desk.state["ply"] == 2, "the computer's move")
    desk.settled()
    shown, move = desk.drawn, desk.state["legal"][0]
    desk.no_room()
    desk.attempt(move["from"], move["to"])
    desk.until(lambda: desk.status_text == word("server.error.full"), "a word")
    desk.settled()
    desk.until(lambda: desk.drawn == shown, "the board as it was")
    assert desk.state["ply"] == 2
    desk.no_room(full=False)
    desk.play(move)
    desk.until(lambda: desk.state["ply"] == 4, "the computer's move")
    assert len(desk.game().history) == 4
    desk.page.close()


def test_without_storage_it_plays_and_says_so(browser: Browser, host: Host, folder: Path) -> None:
    host.replaced.update(no_storage(folder))
    try:
        with context(browser, service_workers="block") as made:
            desk = window(made, host).new_game("american", opponent="computer", level="1")
            assert desk.notice == word("site.not_kept")
            desk.play(desk.state["legal"][0])
            desk.until(lambda: desk.state["ply"] == 2, "the computer's move")
            assert len(desk.game().history) == 2
            # The rules open beside the game, which would end with its page.
            with desk.page.expect_popup() as rules:
                desk.page.click("a[data-rules]")
            assert "/rules/american.html" in rules.value.url
            desk.page.reload()
            desk.until(lambda: desk.trouble, "a word")
            # A game created by another page is passed along.
            desk.open("bg/box.html?base=american&title=Ours")
            desk.page.locator("[name=opponent][value=person] + span").click()
            desk.page.click("#play")
            desk.page.wait_for_url("**/game.html?game=*")
            desk.ready()
            desk.up().play(desk.state["legal"][0])
            assert desk.game().rules.title["en"] == "Ours"
            assert "carried" not in desk.page.url
    finally:
        host.replaced.clear()
