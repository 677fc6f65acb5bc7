"""The static site in Chromium after crashes of tabs, windows and workers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext

from damka.locales import translate
from tests.chromium import Host
from tests.static_site.support import Window, context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

FRAIL = """(deaths) => {
  self.searchers = [];
  self.deaths = deaths;
  const usual = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (data, ...more) {
    if (data.task && !searchers.includes(this)) searchers.push(this);
    if (!data.task || self.deaths-- <= 0) usual.call(this, data, ...more);
    // One that has not started is missed only after a while.
    else if (this.starts) this.dies = true;
    else this.terminate();
  };
  self.Worker = class extends Worker {
    starts = true;
    constructor(...all) {
      super(...all);
      this.addEventListener("message", ({ data }) => {
        if (!data.holds) return;
        this.starts = false;
        if (this.dies) this.terminate();
      });
    }
  };
}"""
"""In the game's worker: make the next `n` search workers crash."""


@pytest.fixture(scope="module")
def opened(browser: Browser) -> Iterator[BrowserContext]:
    """One browser for these tests, which share its storage."""
    with context(browser) as made:
        yield made


def open_tab(desk: Window, address: str) -> Window:
    """Open the game in another tab."""
    other = Window(desk.page.context.new_page(), desk.host)
    other.page.goto(address)
    other.ready()
    return other.up()


def test_a_tab_that_crashes_loses_nothing(opened: BrowserContext, host: Host) -> None:
    desk = window(opened, host).new_game("american")
    desk.play(desk.state["legal"][0])
    desk.settled()
    address, shown = desk.page.url, desk.pieces
    desk.crash()
    other = open_tab(desk, address)
    assert other.pieces == shown
    assert other.state["ply"] == 1
    other.play(other.state["legal"][0])
    assert len(other.game().history) == 2
    desk.page.close()
    other.page.close()


def test_a_worker_that_ends_is_replaced_and_loses_nothing(
    opened: BrowserContext, host: Host
) -> None:
    desk = window(opened, host).new_game("american")
    desk.play(desk.state["legal"][0])
    desk.settled()
    desk.worker.evaluate("setTimeout(() => self.close())")
    # A move made meanwhile is stored.
    starting = translate("en", "site.starting")
    desk.until(lambda: starting in desk.status_text, "the page notices")
    move = desk.state["legal"][0]
    desk.click(move["from"], move["to"])
    saved = translate("en", "site.move_saved")
    desk.until(lambda: desk.status_text.startswith(f"{saved} {starting}"), "a word of it")
    desk.until(lambda: desk.state["ply"] == 2, "the move")
    desk.until(lambda: starting not in desk.status_text, "no more than that")
    assert not desk.page.locator("body.offline").count()
    assert len(desk.game().history) == 2
    assert desk.notice == ""
    desk.page.close()


def test_a_worker_that_crashes_repeatedly_is_reported(opened: BrowserContext, host: Host) -> None:
    desk = window(opened, host).new_game("american")
    desk.play(desk.state["legal"][0])
    desk.page.evaluate(
        """() => {
          window.Worker = class extends Worker {
            constructor(...all) {
              super(...all);
              this.addEventListener("message", ({ data }) => data.holds && this.terminate());
            }
          };
        }"""
    )
    desk.worker.evaluate("setTimeout(() => self.close())")
    desk.until(lambda: desk.notice, "a word")
    assert desk.notice == translate("en", "site.failed")
    with desk.page.expect_navigation():
        desk.page.locator(".site-notice button").click()
    desk.ready()
    assert desk.up().state["ply"] == 1
    desk.page.close()


@pytest.fixture
def cut_off(host: Host) -> Iterator[list[str]]:
    """Suffixes of files whose first download the host cuts off half-way.

    As when the browser ends the service worker during an answer, or the network fails.
    """
    yield host.truncated
    host.truncated.clear()


@pytest.mark.parametrize("ending", ["/game.js", "/start/dama64.json", "/pyodide.asm.wasm"])
def test_a_file_that_is_cut_off_on_its_way_is_fetched_again(
    browser: Browser, host: Host, cut_off: list[str], ending: str
) -> None:
    with context(browser, service_workers="block") as made:
        desk = window(made, host)
        cut_off.append(ending)
        # The page may reload before it has loaded.
        desk.page.goto(f"{host.url}en/game.html?rules=dama64&opponent=person", wait_until="commit")
        desk.ready().up()
        assert cut_off == []
        desk.play(desk.state["legal"][0])
        assert desk.notice == ""
        assert desk.page.evaluate("sessionStorage.length") == 0, "the next time it is tried again"


@pytest.mark.parametrize(
    ("ending", "told"), [("/game.js", "site.damaged"), ("/pyodide.asm.wasm", "site.failed")]
)
def test_a_file_that_is_cut_off_twice_is_reported(
    browser: Browser, host: Host, cut_off: list[str], ending: str, told: str
) -> None:
    with context(browser, service_workers="block") as made:
        desk = window(made, host)
        cut_off += [ending] * 2
        desk.page.goto(f"{host.url}en/game.html?rules=dama64&opponent=person", wait_until="commit")
        word = desk.page.locator("#broken:not([hidden]), .site-notice p").first
        word.wait_for()
        assert word.inner_text() == translate("en", told)
        assert cut_off == []
        desk.page.reload()
        desk.ready().up()


def test_a_search_that_ends_is_made_again(opened: BrowserContext, host: Host) -> None:
    desk = window(opened, host).new_game("american", opponent="computer", level="2")
    desk.worker.evaluate(FRAIL, 1)
    desk.play(desk.state["legal"][0])
    desk.until(lambda: desk.state["ply"] == 2, "the computer's move")
    assert desk.worker.evaluate("searchers.length") == 2
    # … and one that ends while idle has no effect.
    desk.worker.evaluate("searchers.at(-1).terminate()")
    desk.play(desk.state["legal"][0])
    desk.until(lambda: desk.state["ply"] == 4, "the computer's move")
    assert desk.notice == ""
    # If searches keep failing, the page says so, and the game can continue later.
    desk.worker.evaluate("self.deaths = 2; searchers.at(-1).terminate()")
    desk.play(desk.state["legal"][0])
    failed = translate("en", "server.error.search_failed")
    desk.until(lambda: desk.status_text == failed, failed)
    assert desk.state["status"]["sentence"] == failed
    desk.page.reload()
    desk.ready()
    desk.until(lambda: desk.up().state["ply"] == 6, "the computer's move")
    desk.page.close()


def test_a_second_window_takes_the_game_and_gives_it_back(
    opened: BrowserContext, host: Host
) -> None:
    one = window(opened, host).new_game("american")
    one.play(one.state["legal"][0])
    two = Window(opened.new_page(), host)
    two.page.goto(one.page.url)
    text = translate("en", "site.other_window")
    two.until(lambda: two.notice == text, "a word")
    elsewhere = translate("en", "site.elsewhere")
    assert two.page.locator(".lost").inner_text() == elsewhere
    assert two.page.locator(".lost").is_visible()
    two.page.get_by_role("button", name=translate("en", "site.play_here")).click()
    one.until(lambda: one.notice == text, "a word in the first window")
    two.up().play(two.state["legal"][0])
    assert two.notice == ""
    two.page.close()
    one.until(lambda: one.state["ply"] == 2, "the move of the other window")
    assert one.notice == ""
    one.play(one.state["legal"][0])
    assert len(one.game().history) == 3
    one.page.close()


def test_a_new_version_comes_while_a_game_is_played(browser: Browser, host: Host) -> None:
    try:
        with context(browser) as made:
            desk = window(made, host).new_game("american", opponent="computer", level="1").kept()
            desk.play(desk.state["legal"][0])
            desk.newer()
            desk.page.evaluate("navigator.serviceWorker.getRegistration().then((r) => r.update())")
            desk.until(lambda: desk.notice, "the offer")
            assert desk.notice == translate("en", "site.update")
            desk.until(lambda: desk.state["ply"] == 2, "the computer's move")
            with desk.page.expect_navigation():
                desk.page.get_by_role("button", name=translate("en", "site.update_now")).click()
            desk.ready()
            assert desk.up().state["ply"] == 2
            desk.play(desk.state["legal"][0])
            assert desk.notice == ""
            assert desk.errors == []
    finally:
        host.replaced.clear()
