"""The static site in Chromium after crashes of tabs, windows and workers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext

from damka.locales import translate
from tests.chromium import Host
from tests.static_site.support import Window, open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

CRASH_SEARCHERS = """(deaths) => {
  self.searchers = [];
  self.deaths = deaths;
  const usual = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (data, ...more) {
    if (data.task && !searchers.includes(this)) searchers.push(this);
    if (!data.task || self.deaths-- <= 0) usual.call(this, data, ...more);
    // A worker that has not started is missed only after a timeout.
    else if (this.starts) this.dies = true;
    else this.terminate();
  };
  self.Worker = class extends Worker {
    starts = true;
    constructor(...all) {
      super(...all);
      this.addEventListener("message", ({ data }) => {
        if (!data.lock) return;
        this.starts = false;
        if (this.dies) this.terminate();
      });
    }
  };
}"""
"""In the game's worker: make the next `n` search workers crash."""

HOLD_WORKERS: Final = """() => {
  const held = [];
  let isFree = false;
  window.Worker = class extends Worker {
    postMessage(...all) {
      if (isFree) super.postMessage(...all);
      else held.push(() => super.postMessage(...all));
    }
  };
  window.release = () => {
    isFree = true;
    for (const send of held) send();
  };
}"""
"""Hold the messages to later workers, which start with the first one, until `release`."""


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser context for this module; the tests share its storage."""
    with open_context(browser) as context:
        yield context


def open_tab(window: Window, address: str) -> Window:
    """Open the game in another tab."""
    other = Window(window.page.context.new_page(), window.host)
    other.page.goto(address)
    other.ready()
    other.wait_until_joined().settled()
    return other


def test_a_crashed_tab_loses_no_moves(context: BrowserContext, host: Host) -> None:
    window = open_window(context, host).new_game("american")
    window.play(window.state["legal"][0])
    window.settled()
    address, pieces = window.page.url, window.pieces
    window.crash()
    other = open_tab(window, address)
    assert other.pieces == pieces
    assert other.state["ply"] == 1
    other.play(other.state["legal"][0])
    assert len(other.game().history) == 2
    window.page.close()
    other.page.close()


def test_a_terminated_worker_is_replaced_without_losing_moves(
    context: BrowserContext, host: Host
) -> None:
    window = open_window(context, host).new_game("american")
    window.play(window.state["legal"][0])
    window.settled()
    window.page.evaluate(HOLD_WORKERS)
    window.worker.evaluate("setTimeout(() => self.close())")
    # A move made meanwhile is stored.
    starting = translate("en", "site.starting")
    window.until(lambda: starting in window.status_text, "the page detects it")
    move = window.state["legal"][0]
    window.click(move["from"], move["to"])
    saved = translate("en", "site.move_saved")
    window.until(
        lambda: window.status_text.startswith(f"{saved} {starting}"), "a notice of the saved move"
    )
    window.page.evaluate("release()")
    window.until(lambda: window.state["ply"] == 2, "the move")
    window.until(lambda: starting not in window.status_text, "the notice disappears")
    assert not window.page.locator("body.offline").count()
    assert len(window.game().history) == 2
    assert window.notice == ""
    window.page.close()


def test_a_worker_that_crashes_repeatedly_is_reported(context: BrowserContext, host: Host) -> None:
    window = open_window(context, host).new_game("american")
    window.play(window.state["legal"][0])
    window.page.evaluate(
        """() => {
          window.Worker = class extends Worker {
            constructor(...all) {
              super(...all);
              this.addEventListener("message", ({ data }) => data.lock && this.terminate());
            }
          };
        }"""
    )
    window.worker.evaluate("setTimeout(() => self.close())")
    window.until(lambda: window.notice, "a notice")
    assert window.notice == translate("en", "site.failed")
    with window.page.expect_navigation():
        window.page.locator(".site-notice button").click()
    window.ready()
    assert window.wait_until_joined().state["ply"] == 1
    window.page.close()


@pytest.fixture
def truncated(host: Host) -> Iterator[list[str]]:
    """Suffixes of files whose first download the host truncates.

    This happens if the browser stops the service worker during a response, or the network fails.
    """
    yield host.truncated
    host.truncated.clear()


@pytest.mark.parametrize("ending", ["/game.js", "/start/dama64.json", "/pyodide.asm.wasm"])
def test_a_truncated_download_is_repeated(
    browser: Browser, host: Host, truncated: list[str], ending: str
) -> None:
    with open_context(browser, service_workers="block") as context:
        window = open_window(context, host)
        truncated.append(ending)
        # The page may reload before it has loaded.
        window.page.goto(
            f"{host.url}en/game.html?rules=dama64&opponent=person", wait_until="commit"
        )
        window.ready().wait_until_joined()
        assert truncated == []
        window.play(window.state["legal"][0])
        assert window.notice == ""
        assert window.page.evaluate("sessionStorage.length") == 0, "a later failure can be retried"


@pytest.mark.parametrize(
    ("ending", "key"), [("/game.js", "site.damaged"), ("/pyodide.asm.wasm", "site.failed")]
)
def test_a_download_truncated_twice_is_reported(
    browser: Browser, host: Host, truncated: list[str], ending: str, key: str
) -> None:
    with open_context(browser, service_workers="block") as context:
        window = open_window(context, host)
        truncated += [ending] * 2
        window.page.goto(
            f"{host.url}en/game.html?rules=dama64&opponent=person", wait_until="commit"
        )
        error = window.page.locator("#broken:not([hidden]), .site-notice p").first
        error.wait_for()
        assert error.inner_text() == translate("en", key)
        assert truncated == []
        window.page.reload()
        window.ready().wait_until_joined()


def test_a_crashed_search_is_repeated(context: BrowserContext, host: Host) -> None:
    window = open_window(context, host).new_game("american", opponent="computer", level="2")
    window.worker.evaluate(CRASH_SEARCHERS, 1)
    window.play(window.state["legal"][0])
    window.until(lambda: window.state["ply"] == 2, "the computer's move")
    assert window.worker.evaluate("searchers.length") == 2
    # A search worker that crashes while idle has no effect.
    window.worker.evaluate("searchers.at(-1).terminate()")
    window.play(window.state["legal"][0])
    window.until(lambda: window.state["ply"] == 4, "the computer's move")
    assert window.notice == ""
    # If searches keep failing, the page says so, and the game can continue later.
    window.worker.evaluate("self.deaths = 2; searchers.at(-1).terminate()")
    window.play(window.state["legal"][0])
    failed = translate("en", "server.error.search_failed")
    window.until(lambda: window.state["status"]["sentence"] == failed, failed)
    window.until(lambda: window.status_text == failed, failed)
    window.page.reload()
    window.ready()
    window.until(lambda: window.wait_until_joined().state["ply"] == 6, "the computer's move")
    window.page.close()


def test_a_game_moves_to_a_second_window_and_back(context: BrowserContext, host: Host) -> None:
    first = open_window(context, host).new_game("american")
    first.play(first.state["legal"][0])
    second = Window(context.new_page(), host)
    second.page.goto(first.page.url)
    text = translate("en", "site.other_window")
    second.until(lambda: second.notice == text, "a notice")
    elsewhere = translate("en", "site.elsewhere")
    assert second.page.locator(".lost").inner_text() == elsewhere
    assert second.page.locator(".lost").is_visible()
    second.page.get_by_role("button", name=translate("en", "site.play_here")).click()
    first.until(lambda: first.notice == text, "a notice in the first window")
    second.wait_until_joined().play(second.state["legal"][0])
    assert second.notice == ""
    second.page.close()
    first.until(lambda: first.state["ply"] == 2, "the move of the other window")
    assert first.notice == ""
    first.play(first.state["legal"][0])
    assert len(first.game().history) == 3
    first.page.close()


def test_an_update_during_a_game(browser: Browser, host: Host) -> None:
    try:
        with open_context(browser) as context:
            window = (
                open_window(context, host)
                .new_game("american", opponent="computer", level="1")
                .wait_until_cached()
            )
            window.play(window.state["legal"][0])
            window.publish_newer_version()
            window.page.evaluate(
                "navigator.serviceWorker.getRegistration().then((r) => r.update())"
            )
            window.until(lambda: window.notice, "the offer")
            assert window.notice == translate("en", "site.update")
            window.until(lambda: window.state["ply"] == 2, "the computer's move")
            with window.page.expect_navigation():
                window.page.get_by_role("button", name=translate("en", "site.update_now")).click()
            window.ready()
            assert window.wait_until_joined().state["ply"] == 2
            window.play(window.state["legal"][0])
            assert window.notice == ""
            assert window.errors == []
    finally:
        host.replaced.clear()
