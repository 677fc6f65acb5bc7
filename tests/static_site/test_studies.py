"""Studies of the static site, which the browser stores: offline, as files and in links."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.chromium import Host
from tests.static_site.support import open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

GAMES = """[White "Ana"][Black "Bea"][GameType "21"]
1. 11-15 23-19 {quiet} (1... 22-18) 2. 8-11 *

[Event "Cup"][GameType "20"]
1. 32-28 19-23 *
"""


def test_studies_are_kept_offline_in_the_browser(browser: Browser, host: Host) -> None:
    patience = 60_000
    with open_context(browser) as context:
        window = open_window(context, host)
        page = window.open("en/index.html").page
        window.wait_until_cached()
        context.set_offline(True)
        window.open("en/games.html")
        page.get_by_role("link", name="Studies").click()
        expect(page.get_by_text("No studies yet.")).to_be_visible()
        page.get_by_role("button", name="New study").click()
        sheet = page.locator("#creating")
        sheet.get_by_label("Title").fill("Shots")
        sheet.get_by_label("PDN or FEN").fill(GAMES)
        sheet.get_by_role("button", name="Create").click()
        page.wait_for_url("**/en/study.html?rules=american&study=*", timeout=patience)
        saving, moves = page.locator("#saving"), page.locator("#tree .move")
        expect(saving).to_have_text("Saved", timeout=patience)
        expect(moves).to_have_text(["11-15", "23-19", "22-18", "8-11"])
        page.locator("#steps [data-go=last]").click()
        expect(page.locator("#say")).to_contain_text("White to move", timeout=patience)
        window.click(22, 17)
        expect(moves).to_have_count(5)
        expect(saving).to_have_text("Saved", timeout=patience)
        page.get_by_text("Chapters", exact=True).click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download as PDN").click()
        text = Path(download.value.path()).read_text("utf-8")
        assert text.startswith('[StudyName "Shots"]\n[ChapterName "Ana – Bea"]\n')
        page.locator("#chapter-list a").nth(1).click()
        page.wait_for_url("**/en/study.html?rules=international&study=*", timeout=patience)
        expect(moves).to_have_text(["32-28", "19-23"], timeout=patience)

        page.get_by_role("button", name="Share").click()
        expect(page.locator("#sharing-link")).to_be_visible()
        link = page.locator("#sharing-link input").input_value()
        page.goto(link)
        expect(saving).to_contain_text("This study is stored in its link", timeout=patience)
        expect(moves).to_have_count(5)

        window.open("en/studies.html")
        page.get_by_role("button", name="New study").click()
        file = {"name": "shots.pdn", "mimeType": "text/plain", "buffer": text.encode()}
        page.locator("#creating input[type=file]").set_input_files(file)  # type: ignore[arg-type]
        page.get_by_role("button", name="Create", exact=True).click()
        page.wait_for_url("**/en/study.html?rules=american&study=*", timeout=patience)
        expect(saving).to_have_text("Saved", timeout=patience)
        page.get_by_text("Chapters", exact=True).click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Download as PDN").click()
        assert Path(download.value.path()).read_text("utf-8") == text
        window.open("en/studies.html")
        expect(page.locator("#list > li")).to_have_count(2)
        assert window.errors == []
