"""Choice of a configured external engine as the opponent."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from damka.server.external_engines import ConfiguredEngine
from tests.browser.support import open_window
from tests.server.support import serving
from tests.server.test_external_engines import command


def test_an_engine_is_chosen_beside_the_levels(browser: Browser, tmp_path: Path) -> None:
    configured = ConfiguredEngine("Scripted", command("none", "9-13 10-14"), "hub", ("dama64",))
    with (
        serving(tmp_path, engines=(configured,)) as server,
        open_window(browser, server.url) as window,
    ):
        window.open("/")
        page = window.page
        engine, level = page.get_by_label("Engine"), page.get_by_label("Level")
        expect(level).to_be_enabled()
        engine.select_option("Scripted")
        expect(level).to_be_disabled()
        # The engine does not support these rules; the choice is not restored afterwards.
        cards = page.locator("label.card")
        cards.nth(1).click()
        expect(engine).to_be_disabled()
        expect(level).to_be_enabled()
        cards.nth(0).click()
        expect(engine).to_be_enabled()
        expect(engine).to_have_value("")
        engine.select_option("Scripted")
        page.get_by_text("First (").click()
        page.get_by_role("button", name="Play").click()
        page.wait_for_selector("body.ready")
        expect(page.get_by_text("Scripted")).to_be_visible()
        window.click(22)
        window.click(18)
        expect(page.get_by_text("9-13")).to_be_visible()
