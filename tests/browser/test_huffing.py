"""Huffing from both sides: a man that did not capture is huffed, and offences cause a warning."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from tests.browser.support import Window, game_file, locale, window
from tests.server.support import Server

# Blue's man on 32 can take 28; the men on 36 and 46 can move instead. The one on 37 prevents a
# capture by Green first.
DUE = "W:W32,36,37,46:B3,4,28"


def offend(window: Window) -> None:
    """Play 36-31 instead of the capture."""
    window.click(36, 31)
    window.answer("Play anyway")
    window.until_ply(1)


def test_the_offender_is_warned_and_may_take_it_back(desk: Window) -> None:
    desk.load_game(game_file("dama100", DUE))
    assert desk.marked("must") == {32}
    desk.click(36, 31)
    desk.until(lambda: "may huff" in desk.status_text)
    assert "32" in desk.status_text
    assert desk.sent == []
    desk.answer("Choose another move")
    desk.settled()
    assert desk.state["ply"] == 0
    desk.play("32x23x28")


def test_the_opponent_huffs_with_a_button(desk: Window) -> None:
    desk.load_game(game_file("dama100", DUE))
    offend(desk)
    assert "Chi non mangia è fuori" in desk.status_text
    assert desk.marked("huffable") == {32}
    desk.answer("Huff 32")
    desk.until(lambda: desk.state["pieces"][31] == ".")
    desk.settled()
    assert desk.page.locator("#answers button").count() == 0
    desk.play("3-9")
    assert desk.moves()[-1].startswith("(32)")


def test_the_opponent_huffs_by_a_tap_on_the_man(desk: Window) -> None:
    desk.load_game(game_file("dama100", DUE))
    offend(desk)
    desk.click(32)
    desk.until(lambda: desk.state["pieces"][31] == ".")
    desk.settled()


def test_the_opponent_plays_on_instead(desk: Window) -> None:
    desk.load_game(game_file("dama100", DUE))
    offend(desk)
    desk.answer("Don’t huff")
    assert desk.page.locator("#answers button").count() == 0
    assert desk.status_text == "Green to move.", "the question is gone with its answer"
    desk.play("3-9")
    assert desk.state["pieces"][31] == "w"
    assert desk.marked("huffable") == set(), "the right is gone with the move"


def test_the_warning_can_be_turned_off(desk: Window) -> None:
    desk.load_game(game_file("dama100", DUE))
    desk.page.click("#open-settings")
    desk.page.get_by_label("Warn me before").click()
    desk.press("Escape")
    desk.drag(36, 31)
    desk.until_ply(1)
    assert desk.state["huffable"] == [32]


def test_huffing_the_computer_and_offending_against_it(desk: Window) -> None:
    desk.load_game(game_file("dama100", DUE), "?opponent=computer&level=5&side=W")
    offend(desk)
    # It removes the man on 32 before its own move.
    desk.until_ply(2)
    assert desk.state["history"][1]["huff"] == 32
    assert desk.moves()[1].startswith("(32)")
    assert desk.pieces[31] == "."


def test_being_huffed_is_shown_and_explained(desk: Window) -> None:
    """The man is ringed, the status line says why, and it fades before the reply is shown."""
    desk.load_game(game_file("dama100", DUE), "?opponent=computer&level=5&side=W")
    desk.page.evaluate(
        """() => {
          window.seen = [];
          const look = () => {
            const ring = document.querySelector(".huffed:not(.edge)");
            const said = document.querySelector("#say").textContent;
            const pieces = document.querySelector("damka-board").pieces;
            const tray = document.querySelectorAll("#top i circle").length;
            const now = { ring: ring?.dataset.to ?? "", said, stands: pieces[31], pieces, tray };
            if (JSON.stringify(now) !== JSON.stringify(seen.at(-1))) seen.push(now);
          };
          new MutationObserver(look).observe(document.body, {
            childList: true, subtree: true, attributes: true, characterData: true,
          });
        }"""
    )
    before = desk.page.locator("#top i circle").count()
    offend(desk)
    desk.until_ply(2)
    why = "Green huffs your man on 32: it could have captured."
    seen = desk.page.evaluate("window.seen")
    ringed = [now for now in seen if now["ring"]]
    assert ringed[0]["ring"] == "32"
    assert ringed[0]["said"] == why
    assert ringed[0]["stands"] == "w"
    assert ringed[0]["tray"] == before, "it is still on the board"
    assert ringed[-1]["tray"] == before + 1, "it fades into the tray"
    gone = next(now for now in seen if now["stands"] == ".")
    assert gone["said"] == why
    assert gone["pieces"].count("b") == 3
    assert gone["pieces"][2:4] == "bb", "the reply comes after it"
    desk.until(lambda: desk.status_text.startswith(f"{why} Your turn"))


def test_looking_back_while_a_man_is_ringed(browser: Browser, server: Server) -> None:
    with window(browser, server.url, paced=True) as desk:
        desk.load_game(game_file("dama100", DUE), "?opponent=computer&level=5&side=W")
        desk.click(36, 31)
        desk.answer("Play anyway")
        desk.until(lambda: desk.page.locator(".huffed").count(), "the ring")
        desk.press("Home")
        desk.page.wait_for_timeout(300)
        assert desk.pieces == desk.state["start"]
        assert desk.page.locator(".huffed").count() == 0
        assert desk.page.locator(".men .piece").count() == 7, "with the man on 32"


def test_with_forced_capture_no_offence_can_be_played(desk: Window) -> None:
    desk.load_game(game_file("dama100", DUE, "forced"))
    desk.click(36)
    desk.until_refused()
    assert "capture" in desk.status_text
    assert desk.marked("target") == set()


@pytest.mark.parametrize(
    ("language", "phrase"),
    [("it", "Chi non mangia è fuori"), ("bg", "32"), ("sk", "32")],
)
def test_the_announcement_of_a_huff_in_every_language(
    browser: Browser, server: Server, language: str, phrase: str
) -> None:
    with window(browser, server.url, **locale(language)) as desk:
        desk.load_game(game_file("dama100", DUE))
        desk.click(36, 31)
        desk.until(lambda: desk.page.locator("#answers button").count() == 2)
        desk.page.locator("#answers button").first.click()
        desk.until_ply(1)
        assert phrase in desk.status_text
        take = desk.page.locator("#answers button").first
        assert re.search(r"\b32\b", take.inner_text())
        take.click()
        desk.until(lambda: desk.state["pieces"][31] == ".")
