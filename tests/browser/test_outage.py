"""A page reports that its server cannot store moves, or has lost its database."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.support import window
from tests.server.support import serving
from tests.server.test_store_failures import failing


def test_the_page_says_what_has_happened_to_the_database(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        serving(tmp_path) as server,
        window(browser, server.url, ignore_errors=True) as desk,
    ):
        desk.new_game("dama64")
        repair = failing(server.app.state.damka.store, monkeypatch, "append", "check")
        desk.click(22, 18)
        desk.until(lambda: "can’t save moves" in desk.page.inner_text("body"), "it is said")
        repair()
        desk.page.reload()
        desk.ready()
        desk.play("22-18")
        (tmp_path / "games.sqlite3").unlink()
        desk.until(lambda: "has lost its database" in desk.page.inner_text("body"), "it is said")
