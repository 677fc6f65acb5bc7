"""Studies in Chromium: chapters, sharing, files; windows in conflict; a guest who logs in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.browser.support import Window, open_window
from tests.server.accounts.support import ROOMY, register
from tests.server.support import Browser as Client
from tests.server.support import Server, serving

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

GAMES: Final = """[White "Ana"][Black "Bea"][GameType "21"]
1. 11-15 23-19 {A quiet start. [%csl G15]} 2. 8-11 $1 22-17 (2... 22-18 {sharp}) 1-0

[Event "Cup"][GameType "20"]
1. 32-28 19-23 *
"""

LONG: Final = """[White "Ana"][Black "Bea"][GameType "21"]
1. 11-15 23-19 2. 8-11 22-17 3. 4-8 25-22 4. 9-13 27-23 5. 6-9 23-18 6. 9-14 18x9 7. 5x14 30-25
8. 14-18 31-27 9. 18-23 27x18 10. 11-16 18x4 *

"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("studies"), limits=ROOMY) as server:
        yield server


@pytest.fixture
def member(desktop: Window, server: Server) -> Iterator[Client]:
    """An account, in which the desktop window is logged in."""
    with server.browser() as client:
        register(client)
        desktop.become(client)
        yield client


def saved(page: Page) -> None:
    expect(page.locator("#saving")).to_have_text("Saved", timeout=20_000)


def moves(page: Page) -> Locator:
    return page.locator("#tree .move")


def play(window: Window, *squares: int) -> None:
    """Play a move on the analysis board."""
    count = moves(window.page).count()
    expect(window.page.locator("#say")).to_contain_text("to move")
    window.click(*squares)
    expect(moves(window.page)).to_have_count(count + 1)


def save_as_study(window: Window, title: str) -> None:
    """Save the moves of the page Analyse as a new study, and open it."""
    page = window.page
    page.get_by_role("button", name="Save as study").click()
    sheet = page.locator("#saving-study")
    sheet.get_by_label("Title", exact=True).fill(title)
    sheet.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/study/**")
    saved(page)


def open_analysis(window: Window, rules: str) -> None:
    window.open(f"/analyse/{rules}").page.wait_for_selector("body.ready")


def chapters(page: Page) -> Locator:
    return page.locator("#chapter-list a")


def open_chapters(page: Page) -> None:
    """Open the box of chapters, which is closed in a low window."""
    page.locator("body.ready").wait_for()
    if not page.locator("#chapters[open]").count():
        page.locator("#chapters summary").click()


def downloaded(page: Page, button: Locator) -> str:
    with page.expect_download() as file:
        button.click()
    return Path(file.value.path()).read_text("utf-8")


def test_a_study_is_saved_shared_exported_and_imported(
    desktop: Window, member: Client, browser: Browser, server: Server
) -> None:
    page = desktop.page
    open_analysis(desktop, "american")
    play(desktop, 11, 15)
    save_as_study(desktop, "Shots")
    expect(moves(page)).to_have_text(["11-15"])
    expect(page.locator(".engine-lines .line").first).to_have_css("display", "grid")
    own = page.url

    # Chapters: pasted, renamed, moved, deleted and restored.
    open_chapters(page)
    page.get_by_role("button", name="Add chapter").click()
    page.locator("#adding").get_by_label("PDN or FEN").fill(GAMES)
    page.locator("#adding").get_by_role("button", name="Add", exact=True).click()
    expect(chapters(page)).to_have_count(3)
    expect(moves(page)).to_have_count(5)
    expect(page.locator("#tree")).to_contain_text("A quiet start.")
    page.locator("#chapter-list").get_by_role("button", name="Rename").click()
    expect(page.locator("#chapter-list .rename input")).to_be_focused()
    page.keyboard.type("The quiet one")
    page.keyboard.press("Enter")
    expect(chapters(page).nth(1)).to_contain_text("The quiet one")
    page.get_by_role("button", name="Move up").click()
    expect(chapters(page).first).to_contain_text("The quiet one")
    page.get_by_role("button", name="Delete chapter").click()
    expect(chapters(page)).to_have_count(2)
    page.locator("#chapter-list").get_by_role("button", name="Undo").click()
    expect(chapters(page)).to_have_count(3)
    expect(chapters(page).first).to_contain_text("The quiet one")
    saved(page)

    # An edit is saved, and there after a reload.
    moves(page).nth(4).click()
    play(desktop, 15, 22)
    saved(page)
    page.reload()
    saved(page)
    expect(moves(page)).to_have_count(6)

    # A chapter by other rules has another board.
    open_chapters(page)
    chapters(page).nth(2).click()
    expect(page.locator("damka-board .play")).to_have_count(50)
    saved(page)
    expect(moves(page)).to_have_text(["32-28", "19-23"])

    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Create link").click()
    expect(page.locator("#sharing-link")).to_be_visible()
    link = page.locator("#sharing-link input").input_value()
    page.locator("#sharing [data-close]").click()
    assert own.rpartition("/")[2].partition("?")[0] not in link
    with open_window(browser, server.url, own=True, ignore_errors=True) as reader:
        other = reader.open(link.removeprefix(server.url)).page
        expect(other.locator("#saving")).to_contain_text("Your moves here are not saved")
        expect(other.locator("#study-title")).to_have_text("Shots")
        expect(moves(other)).to_have_count(6)
        expect(other.get_by_role("button", name="Add chapter")).to_be_hidden()
        expect(other.get_by_role("button", name="Rename")).to_have_count(0)
        play(reader, 12, 16)
        open_chapters(other)
        assert downloaded(other, other.locator("#download-study")).count("[GameType ") == 3
        other.get_by_role("button", name="Save a copy").click()
        other.wait_for_url("**/study/-?**")
        saved(other)
        expect(moves(other)).to_have_count(6)

        page.get_by_role("button", name="Share").click()
        page.get_by_role("button", name="Stop sharing").click()
        expect(page.get_by_role("button", name="Create link")).to_be_visible()
        page.locator("#sharing [data-close]").click()
        other.goto(link)
        expect(other.locator("body")).to_contain_text("There is no such study")

    # The file is that of the server, and reading it gives the same study.
    open_chapters(page)
    text = downloaded(page, page.locator("#download-study"))
    study = own.rpartition("/")[2].partition("?")[0]
    assert text == member.http.get(f"/api/studies/{study}/pdn").text
    desktop.open("/games").page.get_by_role("link", name="Studies").click()
    page.get_by_role("button", name="New study").click()
    file = {"name": "shots.pdn", "mimeType": "text/plain", "buffer": text.encode()}
    page.locator("#creating input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.get_by_role("button", name="Create", exact=True).click()
    page.wait_for_url("**/study/**")
    saved(page)
    open_chapters(page)
    assert downloaded(page, page.locator("#download-study")) == text

    # The list: search, deletion and its undo.
    desktop.open("/studies")
    rows = page.locator("#list > li")
    expect(rows).to_have_count(2)
    page.get_by_label("Search studies").fill("nothing")
    expect(page.get_by_text("No studies match.")).to_be_visible()
    page.get_by_label("Search studies").fill("international")
    expect(rows).to_have_count(2)
    rows.first.get_by_role("button", name="Delete study").click()
    rows.first.get_by_role("button", name="Undo").click()
    expect(rows.first.get_by_role("button", name="Rename")).to_be_visible()
    rows.first.get_by_role("button", name="Delete study").click()
    expect(rows.first.locator(".removed")).to_be_visible()
    page.reload()
    expect(rows).to_have_count(1)


def test_the_moves_of_a_study_have_room(desktop: Window, member: Client) -> None:
    page = desktop.page
    open_analysis(desktop, "american")
    save_as_study(desktop, "Six chapters")
    open_chapters(page)
    page.get_by_role("button", name="Add chapter").click()
    page.locator("#adding").get_by_label("PDN or FEN").fill(LONG * 5)
    page.locator("#adding").get_by_role("button", name="Add", exact=True).click()
    expect(chapters(page)).to_have_count(6)
    rows = page.locator("#tree .row")
    expect(rows).to_have_count(10)
    saved(page)
    page.reload()
    saved(page)
    expect(rows).to_have_count(10)
    expect(rows.nth(7)).to_be_in_viewport(ratio=1)
    expect(chapters(page).first).to_be_hidden()
    page.get_by_text("Chapters", exact=True).click()
    chapters(page).last.click()
    expect(page.locator("#chapter-now")).to_contain_text("6 of 6")


def test_a_lost_answer_is_no_conflict(browser: Browser, server: Server, member: Client) -> None:
    lost: list[int] = []

    def lose(route: Route) -> None:
        """Let the server store the first change, but not answer."""
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)
        return route.abort()

    with open_window(browser, server.url, own=True, ignore_errors=True) as window:
        window.become(member)
        page = window.page
        open_analysis(window, "american")
        play(window, 11, 15)
        save_as_study(window, "A bad connection")
        page.route("**/api/studies/*/chapters/*", lose)
        moves(page).first.click()
        play(window, 23, 19)
        expect(page.locator("#saving")).to_contain_text("Not saved: you’re offline")
        assert lost == [200]
        page.get_by_role("button", name="Try again").click()
        saved(page)
        page.reload()
        saved(page)
        expect(moves(page)).to_have_text(["11-15", "23-19"])


def test_no_edit_is_lost_offline_or_between_two_windows(
    desktop: Window, member: Client, browser: Browser, server: Server
) -> None:
    page = desktop.page
    open_analysis(desktop, "american")
    play(desktop, 11, 15)
    save_as_study(desktop, "Two windows")
    with open_window(browser, server.url, own=True, ignore_errors=True) as second:
        second.become(member)
        other = second.open(page.url.removeprefix(server.url)).page
        saved(other)
        # Both have the possible moves of the position after 11-15.
        for each in (page, other):
            moves(each).first.click()
            expect(each.locator("#say")).to_contain_text("White to move")
        other.context.set_offline(True)
        second.click(23, 19)
        expect(moves(other)).to_have_count(2)
        expect(other.locator("#saving")).to_contain_text("Not saved: you’re offline")
        play(desktop, 22, 17)
        saved(page)
        other.context.set_offline(False)
        expect(other.locator("#saving")).to_contain_text("changed in another window")
        other.get_by_role("button", name="Keep both versions").click()
        saved(other)
        expect(chapters(other)).to_have_count(2)
        expect(chapters(other).nth(1)).to_contain_text("your version")
        expect(moves(other)).to_have_text(["11-15", "23-19"])
        open_chapters(other)
        chapters(other).first.click()
        expect(moves(other)).to_have_text(["11-15", "22-17"])
        saved(other)
        # An offline edit survives the window.
        for i, side in enumerate(("White", "Red")):
            moves(other).nth(i).click()
            expect(other.locator("#say")).to_contain_text(f"{side} to move")
        other.context.set_offline(True)
        second.click(15, 19)
        expect(other.locator("#saving")).to_contain_text("Not saved: you’re offline")
        other.goto("about:blank")
        other.context.set_offline(False)
        second.open(page.url.removeprefix(server.url))
        saved(other)
        expect(moves(other)).to_have_text(["11-15", "22-17", "15-19"])
    page.reload()
    saved(page)
    expect(moves(page)).to_have_text(["11-15", "22-17", "15-19"])


def test_a_guest_takes_studies_into_an_account(phone: Window, server: Server) -> None:
    page = phone.page
    open_analysis(phone, "dama64")
    save_as_study(phone, "Guest")
    assert "/study/-?base=dama64&study=" in page.url
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#sharing-link")).to_be_visible()
    link = page.locator("#sharing-link input").input_value()
    phone.open(link.removeprefix(server.url))
    expect(page.locator("#saving")).to_contain_text("This study is stored in its link")
    expect(page.locator("#study-title")).to_have_text("Guest")
    phone.open("/study/-?base=dama64#s=damaged")
    expect(page.locator("#saving")).to_contain_text("incomplete or damaged")
    with server.browser() as client:
        register(client)
        phone.become(client)
        phone.open("/studies")
        expect(page.locator("#moving")).to_contain_text("1 study is stored only in this browser.")
        page.get_by_role("button", name="Move to account").click()
        expect(page.locator("#moving")).to_be_hidden()
        page.locator("#list .open").click()
        page.wait_for_url(re.compile(r"/study/[A-Za-z0-9_-]{22}$"))
        saved(page)
        assert [each["title"] for each in client.http.get("/api/studies").json()] == ["Guest"]
