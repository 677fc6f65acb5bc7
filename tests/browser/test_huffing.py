"""Huffing on the page: warnings before an offence, huffs by a player and by the computer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.support import Window, game_file, locale, open_window
from tests.browser.test_actions import SLOW
from tests.server.support import Server

# Blue's man on 32 can take 28; the men on 36 and 46 can move instead. The man on 37 prevents a
# capture by Green.
CAPTURE_DUE = "W:W32,36,37,46:B3,4,28"


def offend(window: Window) -> None:
    """Play 36-31 instead of the capture."""
    window.click(36, 31)
    window.answer("Play anyway")
    window.until_ply(1)


def test_an_offence_causes_a_warning_and_can_be_cancelled(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", CAPTURE_DUE))
    assert desktop.marked("must") == {32}
    desktop.click(36, 31)
    desktop.until(lambda: "may huff" in desktop.status_text)
    assert "32" in desktop.status_text
    assert desktop.sent == []
    desktop.answer("Choose another move")
    desktop.settled()
    assert desktop.state["ply"] == 0
    desktop.play("32x23x28")


def test_the_opponent_huffs_with_a_button(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", CAPTURE_DUE))
    offend(desktop)
    assert "Chi non mangia è fuori" in desktop.status_text
    assert desktop.marked("huffable") == {32}
    desktop.answer("Huff 32")
    desktop.until(lambda: desktop.state["pieces"][31] == ".")
    desktop.settled()
    assert desktop.page.locator("#answers button").count() == 0
    desktop.play("3-9")
    assert desktop.moves()[-1].startswith("(32)")


def test_the_opponent_huffs_by_clicking_on_the_man(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", CAPTURE_DUE))
    offend(desktop)
    desktop.click(32)
    desktop.until(lambda: desktop.state["pieces"][31] == ".")
    desktop.settled()


def test_the_opponent_can_move_instead_of_huffing(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", CAPTURE_DUE))
    offend(desktop)
    desktop.answer("Don’t huff")
    assert desktop.page.locator("#answers button").count() == 0
    assert desktop.status_text == "Green to move.", "the question disappears with its answer"
    desktop.play("3-9")
    assert desktop.state["pieces"][31] == "w"
    assert desktop.marked("huffable") == set(), "a move ends the right to huff"


def test_the_warning_can_be_turned_off(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", CAPTURE_DUE))
    desktop.page.click("#open-settings")
    desktop.page.get_by_label("Warn me before").click()
    desktop.press("Escape")
    desktop.drag(36, 31)
    desktop.until_ply(1)
    assert desktop.state["huffable"] == [32]


def test_the_computer_huffs_a_missed_capture(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", CAPTURE_DUE), "?opponent=computer&level=5&side=W")
    offend(desktop)
    # The computer removes the man on 32 before its own move.
    desktop.until_ply(2)
    assert desktop.state["history"][1]["huff"] == 32
    assert desktop.moves()[1].startswith("(32)")
    assert desktop.pieces[31] == "."


def test_a_huff_by_the_computer_is_shown_and_explained(desktop: Window) -> None:
    """The man is ringed, the status line says why, and it fades before the reply is shown."""
    desktop.load_game(game_file("dama100", CAPTURE_DUE), "?opponent=computer&level=5&side=W")
    desktop.page.evaluate(
        """() => {
          window.samples = [];
          const look = () => {
            const ring = document.querySelector(".huffed:not(.edge)");
            const text = document.querySelector("#say").textContent;
            const pieces = document.querySelector("damka-board").pieces;
            const tray = document.querySelectorAll("#top i circle").length;
            const now = { ring: ring?.dataset.to ?? "", text, man: pieces[31], pieces, tray };
            if (JSON.stringify(now) !== JSON.stringify(samples.at(-1))) samples.push(now);
          };
          new MutationObserver(look).observe(document.body, {
            childList: true, subtree: true, attributes: true, characterData: true,
          });
        }"""
    )
    before = desktop.page.locator("#top i circle").count()
    offend(desktop)
    desktop.until_ply(2)
    why = "Green huffs your man on 32: it could have captured."
    samples = desktop.page.evaluate("window.samples")
    ringed = [sample for sample in samples if sample["ring"]]
    assert ringed[0]["ring"] == "32"
    assert ringed[0]["text"] == why
    assert ringed[0]["man"] == "w"
    assert ringed[0]["tray"] == before, "the man is still on the board"
    assert ringed[-1]["tray"] == before + 1, "the man fades into the tray"
    removed = next(sample for sample in samples if sample["man"] == ".")
    assert removed["text"] == why
    assert removed["pieces"].count("b") == 3
    assert removed["pieces"][2:4] == "bb", "the reply follows later"
    desktop.until(lambda: desktop.status_text.startswith(f"{why} Your turn"))


def test_browsing_moves_while_a_man_is_ringed(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url, paced=True) as window:
        window.load_game(game_file("dama100", CAPTURE_DUE), "?opponent=computer&level=5&side=W")
        window.click(36, 31)
        window.until(lambda: "may huff" in window.status_text, "the warning")
        window.page.evaluate(f"() => {{ window.usual = Element.prototype.animate; {SLOW} }}")
        window.answer("Play anyway")
        window.until(lambda: window.page.locator(".huffed").count(), "the ring")
        window.page.evaluate("() => { Element.prototype.animate = usual; }")
        window.press("Home")
        assert window.pieces == window.state["start"]
        assert window.page.locator(".huffed").count() == 0
        # With the man on 32.
        expect(window.page.locator(".men .piece")).to_have_count(7)


def test_offences_are_refused_with_forced_captures(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", CAPTURE_DUE, "forced"))
    desktop.click(36)
    desktop.until_refused()
    assert "capture" in desktop.status_text
    assert desktop.marked("target") == set()


@pytest.mark.parametrize(
    ("language", "phrase"),
    [("it", "Chi non mangia è fuori"), ("bg", "32"), ("sk", "32")],
)
def test_the_announcement_of_a_huff_in_every_language(
    browser: Browser, server: Server, language: str, phrase: str
) -> None:
    with open_window(browser, server.url, **locale(language)) as window:
        window.load_game(game_file("dama100", CAPTURE_DUE))
        window.click(36, 31)
        window.until(lambda: window.page.locator("#answers button").count() == 2)
        window.page.locator("#answers button").first.click()
        window.until_ply(1)
        assert phrase in window.status_text
        button = window.page.locator("#answers button").first
        assert re.search(r"\b32\b", button.inner_text())
        button.click()
        window.until(lambda: window.state["pieces"][31] == ".")


def test_a_huff_is_explained_on_request(desktop: Window) -> None:
    desktop.load_game(game_file("dama100", CAPTURE_DUE), "?opponent=computer&level=5&side=W")
    offend(desktop)
    desktop.until_ply(2)
    desktop.settled()
    desktop.page.get_by_role("button", name="Why is this move allowed?").click()
    because = "The piece on 32 could have taken 28 but didn’t, so it could be huffed."
    desktop.until(lambda: desktop.status_text.startswith(because))
    assert "#p-huffing" in (desktop.page.locator("#rule").get_attribute("href") or "")
