"""A page reports that its server cannot store moves, or has lost its database."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.support import open_window
from tests.server.support import serving
from tests.server.test_store_failures import break_store


def test_database_failures_are_shown_on_the_page(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        serving(tmp_path) as server,
        open_window(browser, server.url, ignore_errors=True) as window,
    ):
        window.new_game("dama64")
        repair = break_store(server.app.state.damka.store, monkeypatch, "append", "check")
        window.click(22, 18)
        window.until(
            lambda: "can’t save moves" in window.page.inner_text("body"), "the error is shown"
        )
        repair()
        window.page.reload()
        window.ready()
        window.play("22-18")
        (tmp_path / "games.sqlite3").unlink()
        window.until(
            lambda: "has lost its database" in window.page.inner_text("body"), "the error is shown"
        )
