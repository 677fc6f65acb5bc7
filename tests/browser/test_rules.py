"""Rules pages: five pictures first, the paragraphs in groups, and all details on demand."""

from __future__ import annotations

import gzip
import re
from typing import Final

import pytest
from playwright.sync_api import Browser, Response, ViewportSize, expect

from damka import box, rules
from damka.locales import LANGUAGES
from tests.browser.support import Window, locale, open_window
from tests.chromium import TOUCH
from tests.server.support import Server

DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}
NARROW: Final[ViewportSize] = {"width": 320, "height": 568}
SCREENS: Final = 3
BUDGET: Final = 60_000
LONGEST: Final = ("frisian", "dama100", "armenian", "malaysian", "breakthrough")
"""Rule sets with many or long paragraphs, and those of another kind."""

TOP: Final = "selector => document.querySelector(selector).getBoundingClientRect().top"
OVERFLOWING: Final = """() => [...document.querySelectorAll(".rules, .rules *")]
  .filter((e) => e.checkVisibility() && !e.closest("svg"))
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5)
  .map((e) => e.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_short_before_all_details(
    browser: Browser, server: Server, language: str
) -> None:
    with open_window(browser, server.url, viewport=DESKTOP, **locale(language)) as window:
        for name in LONGEST:
            window.page.set_viewport_size(DESKTOP)
            window.open(f"/rules/{name}")
            pictures = window.page.locator(".steps li svg")
            expect(pictures).to_have_count(5)
            assert window.page.evaluate(TOP, ".steps li:last-child") < DESKTOP["height"] / 2
            assert window.page.evaluate(TOP, "#details") <= SCREENS * DESKTOP["height"], name
            assert not window.page.locator(".paragraphs").is_visible()
            window.page.set_viewport_size(NARROW)
            assert window.page.evaluate(OVERFLOWING) == [], name
            # First how to move, then the contents.
            order = [window.page.evaluate(TOP, each) for each in (".tap", ".steps ol", ".contents")]
            assert order == sorted(order), name
            assert order[0] < NARROW["height"] * 2 / 3, name


def test_a_link_to_a_paragraph_opens_the_details(desktop: Window) -> None:
    page = desktop.page
    for anchor in ("p-obligation", "p15"):
        desktop.open(f"/rules/dama64#{anchor}")
        expect(page.locator(f"#{anchor}")).to_be_in_viewport()
        desktop.open("/")
    desktop.open("/rules/dama64")
    assert not page.locator("#p12").is_visible()
    page.get_by_role("link", name="rule 12", exact=True).click()
    expect(page.locator("#p12")).to_be_in_viewport()
    assert "lands on the square right behind it" in page.inner_text("li:has(> #p12)")
    page.locator("summary").click()
    page.get_by_role("link", name="Kings", exact=True).click()
    expect(page.locator("#kings h2")).to_be_in_viewport()


def test_a_game_starts_from_its_rules(desktop: Window, server: Server) -> None:
    page = desktop.page
    desktop.open("/rules/brazilian")
    page.locator(".do .button").click()
    page.wait_for_url("**/?rules=brazilian")
    expect(page.locator("input[name=rules]:checked")).to_have_value("brazilian")
    # House rules have a form of their own.
    mine = rules.load("american").replace(name="mine", title={"en": "Mine"}, man_capture="all")
    game = desktop.post(
        "/api/games", {"rules": mine.to_dict(), "opponent": "person", "colour": "first"}
    )
    page.goto(f"{server.url}{game['url']}/rules")
    expect(page.get_by_role("link", name="Back to the game")).to_be_visible()
    page.locator(".do .button").click()
    page.wait_for_url(f"**/box?r={box.encode(mine)}**")
    expect(page.locator("#play")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Back to the game")).to_have_count(0)


def test_every_rules_page_prints_on_three_sheets_with_all_details(desktop: Window) -> None:
    for name in rules.names():
        desktop.open(f"/rules/{name}")
        document = desktop.page.pdf(format="A4")
        assert len(re.findall(rb"/Type\s*/Page\b", document)) <= 3, name
    desktop.page.emulate_media(media="print")
    assert desktop.page.locator("#p-how_to_move").is_visible()
    assert not desktop.page.locator(".brief").is_visible()
    desktop.page.emulate_media()


def test_a_rules_page_is_small(browser: Browser, server: Server) -> None:
    sizes: dict[str, int] = {}

    def record(response: Response) -> None:
        sizes[response.url.partition("?")[0]] = len(gzip.compress(response.body()))

    with open_window(browser, server.url, own=True, **locale("bg")) as window:
        window.page.on("response", record)
        window.open("/rules/malaysian")
        window.page.wait_for_load_state("networkidle")
    assert any(address.endswith("rules.css") for address in sizes)
    assert sum(sizes.values()) <= BUDGET, sizes


def test_the_pictures_are_large_enough_on_a_phone(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url, **TOUCH) as phone:
        phone.open("/rules/dama100")
        for picture in phone.page.locator(".steps svg").all():
            bounds = picture.bounding_box()
            assert bounds is not None
            assert bounds["width"] >= 112
            assert bounds["width"] == pytest.approx(bounds["height"], abs=1)
        expect(phone.page.locator(".steps li").first).to_be_in_viewport()
