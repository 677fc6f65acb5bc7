"""House boxes on the page: creation, rules, play, sharing; and the search of games by name."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from damka.locales import LANGUAGES
from tests.browser.support import Window, locale, window
from tests.chromium import PHONE
from tests.server.support import Server


def make(desk: Window) -> str:
    """Create a kitchen-table box with the form; return its link."""
    page = desk.page
    desk.open("/box")
    page.get_by_label("Based on").select_option("russian")
    page.wait_for_url("**/box?base=russian")
    page.get_by_label("Name of your rule set").fill("Kitchen table")
    page.get_by_label("How far does a king move?").select_option("one square")
    page.get_by_label("How many rows of men does each side have?").fill("2")
    expect(page.locator("#says")).to_contain_text("8 men, on all dark squares of the 2 rows")
    expect(page.locator("#says")).to_contain_text("A king moves one square diagonally")
    expect(page.locator("#heading")).to_have_text("Kitchen table")
    page.wait_for_url("**/box?r=*")
    return page.url


def test_a_box_is_made_read_played_and_shared(browser: Browser, server: Server) -> None:
    with window(browser, server.url) as desk:
        link = make(desk)
        expect(desk.page.locator(".differs")).to_contain_text("one square")
        desk.page.get_by_text("Two players", exact=True).click()
        desk.page.get_by_role("button", name="Play").click()
        desk.page.wait_for_url("**/game/**")
        desk.ready()
        assert desk.page.inner_text("h1") == "Kitchen table"
        assert desk.pieces.count("w") == desk.pieces.count("b") == 8
        desk.play(desk.state["legal"][0]["hub"])
        desk.open("/")
        expect(desk.page.locator("#recent b")).to_have_text("Kitchen table 8×8")
    # Another browser opens the link, reads the rules and plays.
    with window(browser, server.url, **locale("sk")) as desk:
        desk.page.goto(link)
        expect(desk.page.locator("#heading")).to_have_text("Kitchen table")
        expect(desk.page.locator("#says")).to_contain_text("Dáma sa posúva o jedno pole šikmo")
        desk.page.get_by_text("Dvaja pri jednej obrazovke").click()
        desk.page.get_by_role("button", name="Hrať").click()
        desk.page.wait_for_url("**/game/**")
        desk.ready()
        assert desk.pieces.count("w") == 8


def test_another_base_keeps_the_answers(desk: Window) -> None:
    desk.open("/box")
    page = desk.page
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


def test_a_conflict_is_reported_at_its_question(desk: Window) -> None:
    desk.open("/box")
    rows = desk.page.get_by_label("How many rows of men does each side have?")
    rows.fill("5")
    expect(desk.page.locator("#wrong-rows")).to_contain_text("too many rows of men")
    expect(rows).to_have_attribute("aria-invalid", "true")
    expect(desk.page.get_by_role("button", name="Play")).to_be_disabled()
    rows.fill("3")
    expect(desk.page.locator("#wrong-rows")).to_be_empty()
    expect(desk.page.get_by_role("button", name="Play")).to_be_enabled()


def test_the_lines_follow_the_board_and_irrelevant_questions_are_hidden(desk: Window) -> None:
    desk.open("/box")
    page = desk.page
    page.get_by_label("Which board?").select_option("8 × 8, every square")
    expect(page.get_by_label("How do pieces move?")).to_have_value("orthogonal")
    expect(page.get_by_label("How do they capture?")).to_have_value("orthogonal")
    expect(page.locator("#field-dark_corner")).to_be_hidden()
    expect(page.locator("#says")).to_contain_text("all of them are used")
    page.get_by_label("How far does a king move?").select_option("one square")
    expect(page.locator("#field-king_landing")).to_be_hidden()


def test_the_precedence_of_captures_is_chosen_key_by_key(desk: Window) -> None:
    desk.open("/box?base=russian")
    places = desk.page.locator("select[name=precedence]:visible")
    expect(places).to_have_count(1)
    places.nth(0).select_option("the most pieces")
    expect(places).to_have_count(2)
    places.nth(1).select_option("with a king, if possible")
    expect(desk.page.locator("#says")).to_contain_text("If that leaves a choice, capture with")
    places.nth(0).select_option("any capture")
    expect(places).to_have_count(1)
    expect(desk.page.locator("#says")).not_to_contain_text("If that leaves a choice")
    places.nth(0).select_option("the most pieces")
    expect(places.nth(1)).to_have_value("with_king")


def test_changing_an_early_answer_keeps_the_later_ones(desk: Window) -> None:
    desk.open("/box?base=turkish")
    page = desk.page
    lines = page.get_by_label("How do pieces move?")
    lines.select_option("straight, sideways and diagonally")
    page.get_by_label("Which board?").select_option("8 × 8, dark squares")
    expect(lines).to_have_value("diagonal")
    page.get_by_label("Which board?").select_option("8 × 8, every square")
    expect(lines).to_have_value("diagonal+orthogonal")


def test_without_kings_their_questions_are_hidden(desk: Window) -> None:
    desk.open("/box?base=american")
    expect(desk.page.locator("#group-kings")).to_be_visible()
    desk.page.get_by_label("What is the goal?").select_option("be the first to get a king")
    expect(desk.page.locator("#group-kings")).to_be_hidden()
    expect(desk.page.get_by_label("May men take kings?")).to_be_hidden()
    # Kings capture only if a man crowned in mid-capture continues as a king.
    desk.page.locator("#q-promotion").select_option("it continues to capture as a king")
    expect(desk.page.get_by_label("How far does a king move?")).to_be_visible()
    expect(desk.page.locator("#field-king_streak")).to_be_hidden()


def test_a_conflict_in_a_link_is_reported_at_its_question(desk: Window) -> None:
    desk.open("/box?base=dama64&rows=5")
    expect(desk.page.locator("#wrong-rows")).to_contain_text("too many rows of men")


def test_the_link_is_copied_or_shown(browser: Browser, server: Server) -> None:
    grants = ["clipboard-read", "clipboard-write"]
    with window(browser, server.url, permissions=grants) as desk:
        link = make(desk)
        desk.page.get_by_role("button", name="Copy link").click()
        expect(desk.page.get_by_role("button", name="Copied")).to_be_visible()
        assert desk.page.evaluate("navigator.clipboard.readText()") == link


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_fits_a_phone_in_every_language(
    browser: Browser, server: Server, language: str
) -> None:
    options = {"viewport": PHONE, **locale(language)}
    with window(browser, server.url, **options) as phone:
        phone.open("/box")
        page = phone.page
        page.locator("#q-board").select_option("dark-6-6")
        page.locator("#q-rows").fill("2")
        expect(page.locator("#says")).to_contain_text("6 × 6")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert page.locator("#play").is_visible()


def test_a_game_is_found_by_its_name(desk: Window) -> None:
    desk.open("/")
    chips = desk.page.locator(".chip:visible")
    everything = chips.count()
    assert everything > 20
    desk.page.get_by_label("Find a game").fill("turk")
    assert 1 <= chips.count() < 4
    desk.press("Enter")
    assert desk.page.locator("#chosen b").inner_text() == "Turkish draughts"
    desk.page.get_by_label("Find a game").fill("no such game")
    expect(desk.page.get_by_text("No games found.")).to_be_visible()
    desk.page.get_by_label("Find a game").fill("")
    assert chips.count() == everything


def test_the_games_of_one_board_are_found_by_its_size(desk: Window) -> None:
    desk.open("/")
    tiles = desk.page.locator(".chip:visible")
    sizes = desk.page.get_by_role("group", name="Board size")
    everything = tiles.count()
    sizes.get_by_role("button", name="12×12").click()
    assert [text.split(" ")[0] for text in tiles.all_inner_texts()] == [
        "Canadian",
        "Malaysian",
        "Sri",
    ]
    assert tiles.first.locator("img").evaluate("img => img.decode().then(() => img.naturalWidth)")
    desk.page.get_by_label("Find a game").fill("turk")
    expect(desk.page.get_by_text("No games found.")).to_be_visible()
    sizes.get_by_role("button", name="All").click()
    assert tiles.count() == 2, "the Turkish game, and the Armenian, which is described by it"
    desk.page.get_by_label("Find a game").fill("")
    assert tiles.count() == everything


def test_a_recent_box_is_listed_with_its_board(desk: Window) -> None:
    make(desk)
    desk.page.get_by_role("link", name="Download as a file").evaluate(
        "link => link.dispatchEvent(new Event('click'))"
    )
    desk.open("/")
    mine = desk.page.locator("#recent li")
    expect(mine).to_have_text("Kitchen table 8×8")
    mine.scroll_into_view_if_needed()  # Pictures outside the window load lazily.
    assert mine.locator("img").evaluate("img => img.decode().then(() => img.naturalWidth)")
    desk.page.get_by_role("button", name="10×10").click()
    expect(mine).to_be_hidden()
