"""The path of a course: stones, stars, the next level, the reset, and house rules."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, expect

from damka import box, rules
from damka.locales import LANGUAGES
from damka.study import lessons
from tests.browser.support import Window, locale, open_window
from tests.server.accounts.support import register
from tests.server.support import Server

DAMA = rules.load("dama64")
LEVELS = lessons.course(DAMA).levels


def keep(window: Window, stars: dict[str, int]) -> None:
    """Store the stars of the Bulgarian box in the browser."""
    stored = json.dumps({lessons.fingerprint(DAMA): stars})
    window.page.evaluate("text => localStorage['damka.lessons'] = text", stored)


@pytest.fixture
def path(desktop: Window) -> Window:
    """The page of a course, without progress."""
    desktop.open("/learn")
    desktop.page.get_by_role("link", name="Bulgarian box").click()
    desktop.page.wait_for_url("**/learn/dama64")
    return desktop


def test_a_new_course_begins_with_its_first_level(path: Window) -> None:
    page = path.page
    expect(page.locator("#done")).to_have_text(f"0 of {len(LEVELS) + 1} levels")
    start = page.get_by_role("link", name="Start", exact=True)
    expect(start).to_have_attribute("href", f"/learn/dama64/{LEVELS[0].id}")
    stones = page.locator(".stage .to")
    assert stones.all_inner_texts()[0] == "Men"
    assert stones.all_inner_texts()[-1] == "Guided game"
    expect(page.locator("[aria-current=step]")).to_have_text("Men")
    expect(page.get_by_role("button", name="Reset progress")).to_be_hidden()


def test_stars_are_shown_and_the_course_goes_on(path: Window) -> None:
    keep(path, {LEVELS[0].id: 3, LEVELS[1].id: 2, LEVELS[2].id: 0})
    page = path.page
    page.reload()
    expect(page.locator("#done")).to_have_text(f"3 of {len(LEVELS) + 1} levels")
    expect(page.locator("#stars")).to_have_text(f"5 of {(len(LEVELS) + 1) * 3} stars")
    go_on = page.get_by_role("link", name="Continue", exact=True)
    expect(go_on).to_have_attribute("href", f"/learn/dama64/{LEVELS[3].id}")
    expect(page.locator("[aria-current=step]")).to_have_text("Capturing")
    second = page.get_by_role("link", name=f"2 2 of 3 stars {LEVELS[1].rule('en')}")
    expect(second).to_have_count(1)
    page.get_by_role("link", name="All games").click()
    expect(page.locator(".box").first).to_contain_text(f"3 of {len(LEVELS) + 1} levels")


def test_a_finished_course_is_praised(path: Window) -> None:
    keep(path, {**{level.id: 3 for level in LEVELS}, "game": 3, "nonsense": 3})
    path.page.reload()
    expect(path.page.locator("#done")).to_have_text("All done. Well played!")
    expect(path.page.locator("#next")).to_have_text("Repeat")
    expect(path.page.locator(".stage:not(.done)")).to_have_count(0)


def test_progress_is_reset_after_a_question(path: Window) -> None:
    keep(path, {LEVELS[0].id: 3})
    page = path.page
    page.reload()
    reset = page.get_by_role("button", name="Reset progress")
    reset.click()
    page.get_by_role("button", name="Cancel").click()
    expect(reset).to_be_focused()
    expect(page.locator("#done")).to_contain_text("1 of")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#done")).to_contain_text("0 of")
    expect(page.locator("#said")).to_have_text("Stars deleted.")
    assert page.evaluate("localStorage['damka.lessons']") == "{}"


def test_the_reset_question_has_a_safe_default(path: Window) -> None:
    keep(path, {LEVELS[0].id: 3})
    page = path.page
    page.reload()
    page.get_by_role("button", name="Reset progress").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    assert page.locator("#sure button").all_inner_texts() == ["Cancel", "Delete"]
    colours = [
        page.locator(each).evaluate("button => getComputedStyle(button).backgroundColor")
        for each in ("#reset-no", "#reset-yes", "#next")
    ]
    assert colours[0] == colours[2] != colours[1]


def test_levels_are_counted_in_one_way(path: Window) -> None:
    """The choice of a game, the path and a level count the guided game, and no unknown level."""
    junk = {"nonsense": 3, "no.such.level": 3, "repetition.99": 0}
    keep(path, {LEVELS[0].id: 3, "game": 3, **junk})
    page = path.page
    page.reload()
    total = len(LEVELS) + 1
    expect(page.locator("#done")).to_have_text(f"2 of {total} levels")
    path.open("/learn")
    expect(page.locator(".box").first).to_contain_text(f"2 of {total} levels")
    path.open(f"/learn/dama64/{LEVELS[0].id}")
    expect(page.locator("#place")).to_have_text(f"1/{total}")


def test_an_open_path_follows_another_tab(path: Window) -> None:
    with path.page.context.expect_page() as opened:
        path.page.evaluate("window.open('/learn/dama64')")
    other = opened.value
    expect(other.locator("#done")).to_contain_text("0 of")
    keep(path, {LEVELS[0].id: 3})
    expect(other.locator("#done")).to_contain_text("1 of")
    other.close()


def test_home_names_the_lessons_of_the_chosen_game(desktop: Window) -> None:
    desktop.open("/")
    link = desktop.page.locator("#learn-rules")
    expect(link).to_have_text("New to this game? Learn it in six minutes.")
    keep(desktop, {LEVELS[0].id: 3})
    desktop.page.reload()
    expect(link).to_have_text("Continue learning")
    desktop.page.locator("label.card", has_text="American checkers").click()
    expect(link).to_have_text("New to this game? Learn it in six minutes.")
    keep(desktop, {**{level.id: 0 for level in LEVELS}, "game": 3})
    desktop.page.reload()
    desktop.page.locator("label.card", has_text="Bulgarian box").click()
    expect(link).to_have_text("All lessons done")


def test_unreadable_progress_is_dropped(path: Window) -> None:
    stored = {"nonsense": 3, lessons.fingerprint(DAMA): {LEVELS[0].id: 9, LEVELS[1].id: 1}}
    for text in ("[", "null", "[1]", json.dumps(stored)):
        path.page.evaluate("text => localStorage['damka.lessons'] = text", text)
        path.page.reload()
        done = int("{" in text)
        expect(path.page.locator("#done")).to_contain_text(f"{done} of")


def test_house_rules_of_this_browser_are_listed(desktop: Window) -> None:
    house = DAMA.replace(name="ours", title={"en": "Ours"}, king_range="short")
    link = f"/box?r={box.encode(house)}"
    desktop.open("/learn")
    boxes = json.dumps({"boxes": [{"title": "Ours", "link": link, "size": "8×8"}]})
    desktop.page.evaluate("text => localStorage['damka.boxes'] = text", boxes)
    desktop.page.reload()
    desktop.page.get_by_role("link", name="Ours 8×8").click()
    expect(desktop.page.locator("h1")).to_have_text("Ours 8×8")
    expect(desktop.page.locator("[data-level='king_range.short']")).to_have_count(1)


def test_a_members_stars_are_merged(browser: Browser, server: Server) -> None:
    """The better stars of this browser and of the account are kept in both."""
    first, second = LEVELS[:2]
    with server.browser() as client:
        register(client, "Lessonlearner")
        body = {"courses": {lessons.fingerprint(DAMA): {first.id: 1, second.id: 3}}}
        assert client.post("/account/lessons", body).is_success
        with open_window(browser, server.url) as window:
            window.open("/learn")
            keep(window, {first.id: 2})
            window.become(client)
            window.open("/learn/dama64")
            expect(window.page.locator("#stars")).to_contain_text("5 of")
            window.page.get_by_role("button", name="Reset progress").click()
            with window.page.expect_response("**/account/lessons"):
                window.page.get_by_role("button", name="Delete").click()
            window.page.reload()
            expect(window.page.locator("#stars")).to_contain_text("0 of")
        assert client.post("/account/lessons", {}).json()["courses"] == {}


def test_a_reset_reaches_the_account_and_other_devices(browser: Browser, server: Server) -> None:
    def stars(window: Window) -> None:
        with window.page.expect_response("**/account/lessons"):
            window.open("/learn/dama64")

    with server.browser() as client:
        register(client, "Lessonresetter")
        with (
            open_window(browser, server.url) as one,
            open_window(browser, server.url) as two,
        ):
            for window in (one, two):
                window.open("/learn")
                keep(window, {LEVELS[0].id: 3})
                window.become(client)
                stars(window)
                expect(window.page.locator("#stars")).to_contain_text("3 of")
            # Without a connection it waits.
            one.page.route("**/account/lessons", lambda route: route.abort())
            one.page.get_by_role("button", name="Reset progress").click()
            one.page.get_by_role("button", name="Delete").click()
            expect(one.page.locator("#stars")).to_contain_text("0 of")
            one.until(lambda: one.errors, "the failure in the console")
            one.page.unroute("**/account/lessons")
            one.errors.clear()
            stars(one)
            expect(one.page.locator("#stars")).to_contain_text("0 of")
            stars(two)
            expect(two.page.locator("#stars")).to_contain_text("0 of")
            stars(one)
            expect(one.page.locator("#stars")).to_contain_text("0 of")
        assert client.post("/account/lessons", {}).json()["courses"] == {}


HOUSE = DAMA.replace(
    name="ours", title={"en": "Ours"}, king_range="short", capture_lines="diagonal"
)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        *(("/learn/dama64/print", language) for language in LANGUAGES),
        ("/learn/american/print", "en"),
        ("/learn/dama100/print", "bg"),
        ("/learn/malaysian/print", "sk"),
        ("/learn/turkish/print", "it"),
        (f"/learn/-/print?r={box.encode(HOUSE)}", "en"),
    ],
)
def test_a_course_prints_on_two_sheets(
    browser: Browser, server: Server, path: str, language: str
) -> None:
    with open_window(browser, server.url, **locale(language)) as window:
        window.open(path)
        document = window.page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", document)) == 2
        exercises = window.page.locator(".exercises li")
        assert exercises.count() >= 12
        answers = window.page.locator(".answers li").all_inner_texts()
        assert len(answers) == exercises.count()
        assert all(re.search(r"^\d+ +\S", answer) for answer in answers)


def test_other_pages_lead_to_the_lessons(desktop: Window) -> None:
    page = desktop.page
    desktop.open("/")
    page.locator("label.card", has_text="American checkers").click()
    page.get_by_role("link", name="New to this game? Learn it in six minutes.").click()
    page.wait_for_url("**/learn/american")
    desktop.open("/rules/dama64")
    page.locator(".brief").get_by_role("link", name="Show me").first.click()
    page.wait_for_url("**/learn/dama64/*")
    keep(desktop, {LEVELS[0].id: 3})
    desktop.open("/")
    expect(page.locator("#learn-rules")).to_have_text("Continue learning")
    desktop.open(f"/box?r={box.encode(HOUSE)}")
    page.get_by_role("link", name="Learn these rules").click()
    page.wait_for_url("**/learn/-?r=*")
    expect(page.locator("h1")).to_have_text("Ours 8×8")
