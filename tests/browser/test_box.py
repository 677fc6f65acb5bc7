"""House rules on the page: form, rules, play, sharing; and the search for games by name."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.slow import Slow
from tests.browser.support import FITTED, Window, locale, open_window
from tests.chromium import PHONE
from tests.server.support import Server


def create_rule_set(window: Window) -> str:
    """Create a rule set with the form; return its link."""
    page = window.page
    window.open("/box")
    page.get_by_label("Based on").select_option("russian")
    page.wait_for_url("**/box?base=russian")
    page.get_by_label("Name of your rule set").fill("Kitchen table")
    page.get_by_label("How far does a king move?").select_option("one square")
    page.get_by_label("How many rows of men does each side have?").fill("2")
    expect(page.locator("#preview")).to_contain_text("8 men, on all dark squares of the 2 rows")
    expect(page.locator("#preview")).to_contain_text("A king moves one square diagonally")
    expect(page.locator("#heading")).to_have_text("Kitchen table")
    page.wait_for_url("**/box?r=*")
    return page.url


def test_a_rule_set_is_created_played_and_shared(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url) as window:
        link = create_rule_set(window)
        expect(window.page.locator(".differs")).to_contain_text("one square")
        window.page.get_by_text("Same screen", exact=True).click()
        window.page.get_by_role("button", name="Play").click()
        window.page.wait_for_url("**/game/**")
        window.ready()
        assert window.page.inner_text("h1") == "Kitchen table"
        assert window.pieces.count("w") == window.pieces.count("b") == 8
        window.play(window.state["legal"][0]["hub"])
        window.open("/")
        expect(window.page.locator("#recent b")).to_have_text("Kitchen table 8×8")
    # Another browser opens the link.
    with open_window(browser, server.url, **locale("sk")) as window:
        window.page.goto(link)
        expect(window.page.locator("#heading")).to_have_text("Kitchen table")
        expect(window.page.locator("#preview")).to_contain_text("Dáma sa posúva o jedno pole šikmo")
        window.page.get_by_text("Jedna obrazovka").click()
        window.page.get_by_role("button", name="Hrať").click()
        window.page.wait_for_url("**/game/**")
        window.ready()
        assert window.pieces.count("w") == 8


def test_another_base_keeps_the_answers(desktop: Window) -> None:
    desktop.open("/box")
    page = desktop.page
    page.get_by_label("Name of your rule set").fill("Ours")
    page.get_by_label("How many rows of men does each side have?").fill("2")
    expect(page.locator("#heading")).to_have_text("Ours")
    page.get_by_label("Based on").select_option("american")
    page.wait_for_url("**/box?r=*")
    for _ in range(2):
        expect(page.get_by_label("Based on")).to_have_value("american")
        expect(page.locator("#heading")).to_have_text("Ours")
        rows = page.get_by_label("How many rows of men does each side have?")
        expect(rows).to_have_value("2")
        expect(page.get_by_label("How far does a king move?")).to_have_value("short")
        page.reload()


def test_a_conflict_is_reported_next_to_its_question(desktop: Window) -> None:
    desktop.open("/box")
    rows = desktop.page.get_by_label("How many rows of men does each side have?")
    rows.fill("5")
    expect(desktop.page.locator("#wrong-rows")).to_contain_text("too many rows of men")
    expect(rows).to_have_attribute("aria-invalid", "true")
    expect(desktop.page.get_by_role("button", name="Play")).to_be_disabled()
    rows.fill("3")
    expect(desktop.page.locator("#wrong-rows")).to_be_empty()
    expect(desktop.page.get_by_role("button", name="Play")).to_be_enabled()


def test_the_lines_follow_the_board_and_irrelevant_questions_are_hidden(desktop: Window) -> None:
    desktop.open("/box")
    page = desktop.page
    page.get_by_label("Which board?").select_option("8 × 8, every square")
    expect(page.get_by_label("How do pieces move?")).to_have_value("orthogonal")
    expect(page.get_by_label("How do they capture?")).to_have_value("orthogonal")
    expect(page.locator("#field-dark_corner")).to_be_hidden()
    expect(page.locator("#preview")).to_contain_text("all of them are used")
    page.get_by_label("How far does a king move?").select_option("one square")
    expect(page.locator("#field-king_landing")).to_be_hidden()


def test_the_precedence_of_captures_is_chosen_key_by_key(desktop: Window) -> None:
    desktop.open("/box?base=russian")
    selects = desktop.page.locator("select[name=precedence]:visible")
    expect(selects).to_have_count(1)
    selects.nth(0).select_option("the most pieces")
    expect(selects).to_have_count(2)
    selects.nth(1).select_option("with a king, if possible")
    preview = desktop.page.locator("#preview")
    expect(preview).to_contain_text("If that leaves a choice, capture with")
    selects.nth(0).select_option("any capture")
    expect(selects).to_have_count(1)
    expect(preview).not_to_contain_text("If that leaves a choice")
    selects.nth(0).select_option("the most pieces")
    expect(selects.nth(1)).to_have_value("with_king")


def test_changing_an_early_answer_keeps_the_later_ones(desktop: Window) -> None:
    desktop.open("/box?base=turkish")
    page = desktop.page
    lines = page.get_by_label("How do pieces move?")
    lines.select_option("straight, sideways and diagonally")
    page.get_by_label("Which board?").select_option("8 × 8, dark squares")
    expect(lines).to_have_value("diagonal")
    page.get_by_label("Which board?").select_option("8 × 8, every square")
    expect(lines).to_have_value("diagonal+orthogonal")


def test_without_kings_their_questions_are_hidden(desktop: Window) -> None:
    desktop.open("/box?base=american")
    expect(desktop.page.locator("#group-kings")).to_be_visible()
    desktop.page.get_by_label("What is the goal?").select_option("be the first to get a king")
    expect(desktop.page.locator("#group-kings")).to_be_hidden()
    expect(desktop.page.get_by_label("May men take kings?")).to_be_hidden()
    # Kings capture only if a man crowned in mid-capture continues as a king.
    desktop.page.locator("#q-promotion").select_option("it continues to capture as a king")
    expect(desktop.page.get_by_label("How far does a king move?")).to_be_visible()
    expect(desktop.page.locator("#field-king_streak")).to_be_hidden()


def test_the_draws_of_a_sheet_are_read_literally(desktop: Window) -> None:
    desktop.open("/box?base=dama100")
    page = desktop.page
    page.locator("#group-end summary").click()
    preview = page.locator("#preview")
    # Questions about a rule are shown while the rule is on.
    turn = page.get_by_label("Must it be the same side’s turn each time?")
    expect(turn).to_be_hidden()
    page.get_by_label("How many times must a position occur for a draw?").fill("3")
    turn.select_option("no, only the pieces count")
    page.get_by_label("Where must the same move be played?").select_option("anywhere in the game")
    page.get_by_label("After how many moves with kings only").fill("0")
    expect(page.get_by_label("Whose moves are counted?")).to_be_hidden()
    page.get_by_label("After how many moves is the game drawn").fill("20")
    page.get_by_label("Whose moves are counted?").select_option("both sides’ moves together")
    expect(preview).to_contain_text("3 times in the game, even in different positions")
    expect(preview).to_contain_text("3 times, with either side to move")
    expect(preview).to_contain_text("after 20 moves, whatever happened")
    page.reload()
    expect(preview).to_contain_text("after 20 moves, whatever happened")
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/**")
    link = page.locator("a[href*='/rules']").first
    expect(link).to_be_attached()


def test_a_conflict_in_a_link_is_reported_next_to_its_question(desktop: Window) -> None:
    desktop.open("/box?base=dama64&rows=5")
    expect(desktop.page.locator("#wrong-rows")).to_contain_text("too many rows of men")


def test_the_link_can_be_copied(browser: Browser, server: Server) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with open_window(browser, server.url, permissions=permissions) as window:
        link = create_rule_set(window)
        window.page.get_by_role("button", name="Copy link").click()
        expect(window.page.get_by_role("button", name="Copied")).to_be_visible()
        assert window.page.evaluate("navigator.clipboard.readText()") == link


def test_the_copied_link_has_the_latest_answer(browser: Browser, server: Server) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with open_window(browser, server.url, own=True, permissions=permissions) as window:
        page = window.page
        before = create_rule_set(window)
        slow = Slow(page, "**/api/box?*")
        page.get_by_label("How many rows of men does each side have?").fill("1")
        copy = page.locator("#copy")
        copy.click()
        window.until(lambda: slow.held, "the request")
        slow.let_go()
        expect(copy).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == page.url != before
        # Pressed twice, the button has its name again.
        page.reload()
        page.clock.install()
        for _ in range(2):
            copy.click()
            expect(copy).to_have_text("Copied")
        page.clock.run_for(5000)
        expect(copy).to_have_text("Copy link")


@pytest.mark.parametrize("language", FITTED)
def test_the_form_fits_a_phone_in_every_language(
    browser: Browser, server: Server, language: str
) -> None:
    options = {"viewport": PHONE, **locale(language)}
    with open_window(browser, server.url, **options) as phone:
        phone.open("/box")
        page = phone.page
        page.locator("#q-board").select_option("dark-6-6")
        page.locator("#q-rows").fill("2")
        expect(page.locator("#preview")).to_contain_text("6 × 6")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.locator("#play").is_visible()


def test_a_recent_rule_set_is_listed_with_its_board(desktop: Window) -> None:
    create_rule_set(desktop)
    desktop.page.get_by_role("link", name="Download as a file").evaluate(
        "link => link.dispatchEvent(new Event('click'))"
    )
    desktop.open("/")
    desktop.page.locator("#open-more").click()
    item = desktop.page.locator("#recent li")
    expect(item).to_have_text("Kitchen table 8×8")
    item.scroll_into_view_if_needed()  # Pictures outside the window load lazily.
    assert item.locator("img").evaluate("img => img.decode().then(() => img.naturalWidth)")
    desktop.page.get_by_role("button", name="10×10", exact=True).click()
    expect(item).to_be_hidden()
