"""Courses on the static site: offline, with the progress of this browser, and by house rules."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, expect

from damka import box, rules
from damka.study import lessons
from tests.chromium import Host
from tests.static_site.support import open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def test_courses_are_offline_in_the_browser(browser: Browser, host: Host) -> None:
    dama = rules.load("dama64")
    first, second = lessons.course(dama).levels[:2]
    stars = json.dumps({lessons.fingerprint(dama): {first.id: 3}})
    house = dama.replace(name="ours", title={"en": "Ours"}, king_range="short")
    with open_context(browser) as context:
        window = open_window(context, host)
        page = window.open("en/learn.html").page
        window.wait_until_cached()
        context.set_offline(True)
        page.evaluate("text => localStorage['damka.lessons'] = text", stars)
        page.reload()
        page.get_by_role("link", name="Bulgarian box").click()
        page.wait_for_url("**/en/learn/dama64.html")
        expect(page.locator("#done")).to_contain_text("1 of")
        now = page.locator(".now .levels a:not(.done)").first
        expect(now).to_have_attribute("data-level", second.id)
        page.get_by_role("link", name="All games").click()
        page.wait_for_url("**/en/learn.html")
        # The worker makes the course of house rules.
        window.open(f"en/course.html?r={box.encode(house)}")
        expect(page.locator("h1")).to_have_text("Ours 8×8", timeout=60_000)
        expect(page.locator("[data-level='king_range.short']")).to_have_count(1)
        expect(page.locator("#done")).to_contain_text("0 of")


def test_a_level_is_answered_without_a_network(browser: Browser, host: Host) -> None:
    dama = rules.load("dama64")
    house = dama.replace(name="ours", title={"en": "Ours"}, man_capture="all")
    with open_context(browser) as context:
        window = open_window(context, host)
        page = window.open("en/learn/dama64.html").page
        window.wait_until_cached()
        context.set_offline(True)
        window.open("en/lesson.html?rules=dama64&level=obligation.forced")
        page.locator("body[data-asks]").wait_for()
        assert page.title() == "Must you capture? · Bulgarian box · Damka"
        window.click(16, 12)
        expect(page.locator("#task")).to_have_text("You must capture: the man on 16 can take 11.")
        page.get_by_role("button", name="Try again").click()
        page.locator("body[data-asks]").wait_for()
        window.click(16, 7)
        page.get_by_role("link", name="Next").click()
        page.wait_for_url("**/en/lesson.html?rules=dama64&level=obligation.forced.2")
        page.get_by_role("link", name="Back to the lessons").click()
        page.wait_for_url("**/en/learn/dama64.html")
        expect(page.locator("#done")).to_contain_text("1 of")
        window.open("en/lesson.html?rules=dama64&level=nonsense")
        page.wait_for_url("**/en/learn/dama64.html?missing=1")
        level = lessons.course(house).levels[0]
        window.open(f"en/lesson.html?r={box.encode(house)}&level={level.id}")
        expect(page.locator("#task")).to_have_text(level.task("en"), timeout=60_000)
        page.locator("#rule-link").click()
        page.wait_for_url("**/en/box.html?r=*#p-*")
        expect(page.locator(f"#p-{level.topic}")).to_be_in_viewport(timeout=60_000)
        last = lessons.course(dama).levels[-1]
        window.open(f"en/lesson.html?rules=dama64&level={last.id}")
        page.locator("body[data-asks]").wait_for()
        page.locator("#hint").click()
        expect(page.locator("#note")).to_have_text(last.hints("en")[0])
        expect(page.locator("#rule-text")).to_have_text(last.rule("en"))
