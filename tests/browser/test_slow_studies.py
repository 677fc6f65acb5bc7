"""Studies over a slow connection: what was clicked last is shown, and each click counts once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.slow import Slow
from tests.browser.support import Window
from tests.browser.test_studies import open_chapters
from tests.server.accounts.support import ROOMY, register
from tests.server.support import Browser as Client
from tests.server.support import Server, serving

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180), pytest.mark.own_page]

MOVES = ["11-15", "11-16", "12-16"]
"""The first move of each chapter."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("slow-studies"), limits=ROOMY) as server:
        yield server


Hold = Callable[[str | re.Pattern[str]], Slow]


@pytest.fixture
def slow(desktop: Window) -> Iterator[Hold]:
    """Hold the requests of a path."""
    yield lambda path: Slow(desktop.page, path)
    desktop.page.unroute_all()


@pytest.fixture
def study(desktop: Window, server: Server) -> Iterator[Client]:
    """A study of three chapters, open in the window of its account."""
    chapters = [{"title": move, "pdn": f'[GameType "21"]\n1. {move} *'} for move in MOVES]
    with server.browser() as client:
        register(client)
        desktop.become(client)
        answer = client.http.post("/api/studies", json={"title": "Three", "chapters": chapters})
        desktop.open(f"/study/{answer.json()['id']}")
        expect(desktop.page.locator("#saving")).to_have_text("Saved")
        open_chapters(desktop.page)
        yield client


def chapters(page: Page) -> Locator:
    return page.locator("#chapter-list a span")


def moves(page: Page) -> Locator:
    return page.locator("#tree .move")


def studies(client: Client) -> list[str]:
    return [each["id"] for each in client.http.get("/api/studies").json()]


def stored_moves(client: Client, study: str) -> list[list[str]]:
    """Return the moves of each chapter that the server has stored."""
    answer = client.http.get(f"/api/studies/{study}").json()
    return [re.findall(r"\d+-\d+", each["pdn"]) for each in answer["chapters"]]


def test_the_chapter_that_was_clicked_last_is_shown(
    desktop: Window, study: Client, slow: Hold
) -> None:
    page = desktop.page
    texts = slow("**/api/tree?*")
    for chapter in (1, 2):
        chapters(page).nth(chapter).click()
        desktop.until(lambda: len(texts.held) == chapter, "the request")  # noqa: B023
    # The answers arrive in the other order.
    late, last = texts.held
    last.continue_()
    expect(moves(page)).to_have_text([MOVES[2]])
    with page.expect_response("**/api/tree?*"):
        late.continue_()
    # The late text is not shown, and an edit is saved in the right chapter.
    moves(page).first.click()
    desktop.click(22, 18)
    expect(moves(page)).to_have_text([MOVES[2], "22-18"])
    expect(page.locator("#saving")).to_have_text("Saved")
    [stored] = [stored_moves(study, each) for each in studies(study)]
    assert stored == [[MOVES[0]], [MOVES[1]], [MOVES[2], "22-18"]]


def test_a_move_played_before_the_next_chapter_is_shown_is_kept(
    desktop: Window, study: Client, slow: Hold
) -> None:
    page = desktop.page
    moves(page).first.click()
    expect(page.locator("#say")).to_contain_text("White to move")
    texts = slow("**/api/tree?*")
    chapters(page).nth(1).click()
    desktop.until(lambda: texts.held, "the request")
    desktop.click(22, 18)
    expect(page.locator("#saving")).to_have_text("Saving…")
    texts.let_go()
    expect(moves(page)).to_have_text([MOVES[1]])
    chapters(page).first.click()
    expect(moves(page)).to_have_text([MOVES[0], "22-18"])


def test_two_clicks_move_a_chapter_two_places(desktop: Window, study: Client, slow: Hold) -> None:
    page = desktop.page
    chapters(page).nth(2).click()
    expect(moves(page)).to_have_text([MOVES[2]])
    changes = slow(re.compile(r"/api/studies/[^/?]+\?"))
    up = page.get_by_role("button", name="Move up")
    for _ in range(2):
        up.click()
    desktop.until(lambda: changes.held, "the request")
    changes.let_go()
    expect(chapters(page)).to_have_text([MOVES[2], MOVES[0], MOVES[1]])


def test_a_deletion_is_asked_for_and_undone_once(
    desktop: Window, study: Client, slow: Hold
) -> None:
    page = desktop.page
    changes = slow("**/api/studies/*/chapters/*")
    remove = page.get_by_role("button", name="Delete chapter")
    for _ in range(2):
        remove.click()
    desktop.until(lambda: changes.held, "the request")
    changes.let_go()
    page.locator("#chapter-list").get_by_role("button", name="Undo").click()
    expect(chapters(page)).to_have_text(MOVES)
    # … also in the list of studies.
    desktop.open("/studies")
    changes = slow(re.compile(r"/api/studies/[^/?]+\?"))
    row = page.locator("#list > li")
    remove = row.get_by_role("button", name="Delete study")
    for _ in range(2):
        remove.click()
    desktop.until(lambda: changes.held, "the request")
    changes.let_go()
    row.get_by_role("button", name="Undo").click()
    expect(row.get_by_role("button", name="Rename")).to_be_visible()


def test_a_study_is_created_once(desktop: Window, study: Client, slow: Hold) -> None:
    page = desktop.open("/studies").page
    changes = slow(re.compile(r"/api/studies\?"))
    page.get_by_role("button", name="New study").click()
    for _ in range(2):
        page.get_by_role("button", name="Create", exact=True).click()
    desktop.until(lambda: changes.held, "the request")
    changes.let_go()
    page.wait_for_url("**/study/**")
    assert len(studies(study)) == 2
