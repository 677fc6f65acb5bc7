"""A game survives a reload, the back button, a killed server, and saving to a file."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

from playwright.sync_api import Browser, FilePayload

from tests.browser.support import Window, window
from tests.server.test_restart import process


def test_a_reload_in_mid_game(desk: Window) -> None:
    desk.new_game("dama64")
    for hub in ("22-18", "9-13", "18-15"):
        desk.play(hub)
    before = desk.pieces, desk.moves(), desk.status_text
    desk.page.reload()
    desk.ready()
    assert (desk.pieces, desk.moves(), desk.status_text) == before
    desk.play("11x18x15")


def test_the_back_button(desk: Window) -> None:
    desk.new_game("dama64")
    desk.play("22-18")
    desk.page.get_by_role("link", name="Rules").click()
    desk.page.wait_for_url("**/rules/**")
    desk.page.go_back()
    desk.ready()
    desk.play("9-13")
    assert desk.moves() == ["22-18", "9-13"]


def test_the_rules_lead_back_to_the_game(desk: Window) -> None:
    desk.new_game("dama64")
    game = desk.page.url
    desk.page.get_by_role("link", name="Rules").click()
    desk.page.get_by_role("link", name="Back to the game").click()
    desk.page.wait_for_url(game)
    desk.ready()


def test_a_running_game_is_offered_first(desk: Window) -> None:
    desk.new_game("dama100")
    game = desk.page.url
    desk.play("32-28")
    desk.open("/")
    first = desk.page.locator(".run").first
    assert "Italian box" in first.inner_text()
    first.click()
    desk.page.wait_for_url(game)
    desk.ready()
    assert desk.moves() == ["32-28"]


def test_a_server_killed_in_mid_game(browser: Browser, tmp_path: Path) -> None:
    database = tmp_path / "games.sqlite3"
    # The browser logs the broken connection to the console.
    with process(database) as first, window(browser, first.url, ignore_errors=True) as desk:
        desk.new_game("dama64")
        desk.play("22-18")
        first.end(signal.SIGKILL)
        desk.page.wait_for_selector("body.offline")
        desk.until(lambda: desk.page.locator(".lost").is_visible())
        # A move made meanwhile is sent after the reconnection.
        desk.click(9, 13)
        with process(database, first.port):
            desk.page.wait_for_selector("body:not(.offline)")
            desk.until_ply(2)
            assert desk.moves() == ["22-18", "9-13"]
            desk.play("18-15")
            assert not desk.page.locator(".lost").is_visible()


def test_save_and_load(desk: Window, tmp_path: Path) -> None:
    desk.new_game("american")
    for hub in ("11-15", "23-19"):
        desk.play(hub)
    desk.page.get_by_role("button", name="Settings").click()
    with desk.page.expect_download() as saving:
        desk.page.get_by_role("link", name="Save as a Damka game file").click()
    assert re.fullmatch(r"[\w.-]+\.json", saving.value.suggested_filename)
    saved = tmp_path / "game.json"
    saving.value.save_as(saved)
    assert json.loads(saved.read_text("utf-8"))["version"] == 1
    old = desk.page.url
    desk.open("/")
    desk.page.set_input_files("#load", saved)
    desk.page.wait_for_url("**/game/**")
    desk.ready()
    assert desk.page.url != old
    assert desk.moves() == ["11-15", "23-19"]
    desk.play("9-14")


def test_a_file_that_is_not_a_game_is_refused_with_a_reason(browser: Browser, desk: Window) -> None:
    with window(browser, desk.url, ignore_errors=True) as other:
        other.open("/")
        other.page.get_by_role("button", name="Load a game").click()
        nonsense = FilePayload(name="game.json", mimeType="application/json", buffer=b"{}")
        other.page.set_input_files("#load", nonsense)
        other.until(lambda: other.page.inner_text("#load-problem"))
        assert "file" in other.page.inner_text("#load-problem")
        assert other.page.url == f"{other.url}/"
