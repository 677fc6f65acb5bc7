"""A game survives a reload, the back button, a killed server, and a round trip to a file."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

from playwright.sync_api import Browser, FilePayload

from tests.browser.support import Window, open_window
from tests.server.test_restart import process


def test_a_reload_in_mid_game(desktop: Window) -> None:
    desktop.new_game("dama64")
    for hub in ("22-18", "9-13", "18-15"):
        desktop.play(hub)
    before = desktop.pieces, desktop.moves(), desktop.status_text
    desktop.page.reload()
    desktop.ready()
    assert (desktop.pieces, desktop.moves(), desktop.status_text) == before
    desktop.play("11x18x15")


def test_the_back_button(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.play("22-18")
    desktop.page.get_by_role("link", name="Rules").click()
    desktop.page.wait_for_url("**/rules/**")
    desktop.page.go_back()
    desktop.ready()
    desktop.play("9-13")
    assert desktop.moves() == ["22-18", "9-13"]


def test_the_rules_page_links_back_to_the_game(desktop: Window) -> None:
    desktop.new_game("dama64")
    game = desktop.page.url
    desktop.page.get_by_role("link", name="Rules").click()
    desktop.page.get_by_role("link", name="Back to the game").click()
    desktop.page.wait_for_url(game)
    desktop.ready()


def test_a_running_game_is_listed_on_the_start_page(desktop: Window) -> None:
    desktop.new_game("dama100")
    game = desktop.page.url
    desktop.play("32-28")
    desktop.open("/")
    first = desktop.page.locator(".run").first
    assert "Italian box" in first.inner_text()
    first.click()
    desktop.page.wait_for_url(game)
    desktop.ready()
    assert desktop.moves() == ["32-28"]


def test_a_server_killed_in_mid_game(browser: Browser, tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    # The browser logs the broken connection to the console.
    with process(database) as first, open_window(browser, first.url, ignore_errors=True) as window:
        window.new_game("dama64")
        window.play("22-18")
        first.end(signal.SIGKILL)
        window.page.wait_for_selector("body.offline")
        window.until(lambda: window.page.locator(".lost").is_visible())
        # A move made meanwhile is sent after the reconnection.
        window.click(9, 13)
        with process(database, first.port):
            window.page.wait_for_selector("body:not(.offline)")
            window.until_ply(2)
            assert window.moves() == ["22-18", "9-13"]
            window.play("18-15")
            window.until(lambda: not window.page.locator(".lost").is_visible())


def test_save_and_load(desktop: Window, tmp_path: Path) -> None:
    desktop.new_game("american")
    for hub in ("11-15", "23-19"):
        desktop.play(hub)
    desktop.page.get_by_role("button", name="Settings").click()
    with desktop.page.expect_download() as download:
        desktop.page.get_by_role("link", name="Save as a Damka game file").click()
    assert re.fullmatch(r"[\w.-]+\.json", download.value.suggested_filename)
    saved = tmp_path / "game.json"
    download.value.save_as(saved)
    assert json.loads(saved.read_text("utf-8"))["version"] == 1
    old = desktop.page.url
    desktop.open("/")
    desktop.page.set_input_files("#load", saved)
    desktop.page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.page.url != old
    assert desktop.moves() == ["11-15", "23-19"]
    desktop.play("9-14")


def test_an_invalid_file_is_refused_with_a_reason(browser: Browser, desktop: Window) -> None:
    with open_window(browser, desktop.url, ignore_errors=True) as other:
        other.open("/")
        other.page.get_by_role("button", name="Load a game").click()
        invalid = FilePayload(name="game.json", mimeType="application/json", buffer=b"{}")
        other.page.set_input_files("#load", invalid)
        other.until(lambda: other.page.inner_text("#load-problem"))
        assert "file" in other.page.inner_text("#load-problem")
        assert other.page.url == f"{other.url}/"
