"""The static site in Chromium without a network: games, refusals, boxes, reloads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from damka import Game, rules
from damka.locales import LANGUAGES
from damka.notation import labels
from damka.refusal import labelled
from tests.static_site.support import Host, Window, context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


@pytest.fixture(scope="module")
def offline(chrome: Browser, host: Host) -> Iterator[Window]:
    """A window that has seen the start page, and has no network since."""
    with context(chrome) as made:
        desk = window(made, host)
        desk.open("").page.wait_for_url("**/en/index.html")
        desk.kept()
        made.set_offline(True)
        before = len(host.asked)
        yield desk
        # A browser looks for a newer worker by itself, whatever the network is said to be.
        assert [path for path in host.asked[before:] if path != "/sub/sw.js"] == []
        assert desk.complaints == []


@pytest.mark.parametrize("name", rules.names()[:3])
def test_a_whole_game_of_each_box_without_a_network(offline: Window, name: str) -> None:
    offline.new_game(name).play_on(7, 400)
    game = offline.game()
    assert game.result is not None
    assert game.result.reason == offline.state["result"]["reason"]
    assert game.board.pieces == offline.pieces


def test_the_computer_plays_and_answers_without_a_network(offline: Window) -> None:
    offline.new_game("dama100", opponent="computer", level="3").play_on(3, 6, "W")
    game = offline.game()
    assert game.players["B"] == "Damka, level 3"
    assert len(game.history) == 12
    offline.page.click("#hint")
    offline.until(lambda: "Try" in offline.said, "a hint")


@pytest.mark.parametrize("name", ["turkish", "frisian"])
def test_other_rules_without_a_network(offline: Window, name: str) -> None:
    offline.new_game(name).play_on(5, 12)
    assert len(offline.game().history) == 12


def test_a_refusal_is_explained_in_every_language(offline: Window) -> None:
    game = Game("american", "W:W22,32:B3,18")
    why = game.why_not([32, 28])
    assert why is not None
    told = labelled(why, game.rules, "32-28")
    offline.open("en/index.html").load(game.to_json())
    address = offline.page.url
    for language in LANGUAGES:
        offline.page.goto(address.replace("/en/", f"/{language}/"))
        offline.page.wait_for_selector("body.ready")
        offline.up()
        offline.type("32-28")
        expected = told.sentence(language, labels(game.rules).name)
        offline.until(lambda: offline.said == expected, expected)  # noqa: B023


def test_a_piece_that_did_not_capture_is_huffed(offline: Window) -> None:
    game = Game("dama100", "W:W28,38:B23,5")
    offline.open("en/index.html").load(game.to_json())
    [offence, *_] = offline.state["offences"]
    offline.play(offence)
    huffable = offline.state["huffable"]
    assert huffable
    offline.settled()
    offline.page.evaluate(
        """square => document.querySelector("damka-board")
          .dispatchEvent(new CustomEvent("huff", { detail: { square } }))""",
        huffable[0],
    )
    offline.until(lambda: offline.state["pieces"][huffable[0] - 1] == ".", "the huff")
    assert offline.game().board.pieces == offline.pieces


def test_a_house_box_of_a_link_without_a_network(offline: Window) -> None:
    offline.open("en/box.html?base=american&man_capture=all&title=Ours")
    offline.until(lambda: offline.page.inner_text("h1") == "Ours", "the box")
    offline.page.get_by_text("Two people").click()
    offline.page.get_by_role("button", name="Play").click()
    offline.page.wait_for_url("**/game.html?game=*")
    offline.page.wait_for_selector("body.ready")
    offline.up().play(offline.state["legal"][0])
    link = offline.page.locator("a[data-rules]").get_attribute("href") or ""
    offline.open(f"en/{link}")
    offline.until(lambda: "Ours" in offline.page.inner_text("h1"), "its rules")


def test_a_game_survives_a_reload_and_is_offered_again(offline: Window) -> None:
    offline.new_game("dama64")
    offline.play(offline.state["legal"][0])
    offline.settled()
    shown = offline.pieces
    offline.page.reload()
    offline.page.wait_for_selector("body.ready")
    assert offline.pieces == shown, "at once, before the worker has started"
    offline.up()
    assert offline.state["ply"] == 1
    address = offline.page.url
    offline.open("en/index.html").page.locator(".running a").first.click()
    offline.page.wait_for_url(address)
