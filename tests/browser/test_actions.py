"""Buttons: undo, draw, resign, rematch, flip, hint, settings, move navigation."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.support import Window, game_file, open_window
from tests.server.support import Server


def press_action(window: Window, name: str) -> None:
    window.page.locator(".actions").get_by_text(name, exact=True).click()


def enable_setting(window: Window, label: str) -> None:
    window.page.click("#open-settings")
    window.page.get_by_label(label).click()
    window.press("Escape")


# Choice of a game


def test_the_choices_of_a_new_game_are_remembered(desktop: Window) -> None:
    desktop.open("/")
    page = desktop.page
    page.locator(".card", has_text="Italian box").click()
    page.get_by_text("Same screen", exact=True).click()
    page.get_by_text("Not allowed").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.state["you"] == ["W", "B"]
    assert desktop.state["pieces"].count("w") == 20
    desktop.open("/")
    choices = page.evaluate("Object.fromEntries(new FormData(document.querySelector('#new')))")
    assert (choices["rules"], choices["opponent"], choices["obligation"]) == (
        "dama100",
        "person",
        "forced",
    )


def test_the_chosen_level_is_described(desktop: Window) -> None:
    desktop.open("/")
    descriptions = set()
    desktop.page.focus("#level")
    desktop.press("Home")
    for _ in range(10):
        descriptions.add(desktop.page.inner_text("#level-words"))
        desktop.press("ArrowRight")
    assert len(descriptions) == 10
    assert "" not in descriptions


def test_huffing_can_be_chosen_only_if_the_rules_have_it(desktop: Window) -> None:
    desktop.open("/")
    huffing = desktop.page.locator("input[value=huff]")
    row = desktop.page.locator("#huff-row")
    assert row.is_hidden()
    assert huffing.is_disabled()
    desktop.page.locator(".card", has_text="Italian box").click()
    assert row.is_visible()
    assert huffing.is_enabled()
    assert huffing.is_checked()


def test_the_choice_of_huffing_is_explained(desktop: Window) -> None:
    desktop.open("/")
    explanation = desktop.page.locator("#obligation-words")
    desktop.page.locator(".card", has_text="Italian box").click()
    assert "your opponent may then remove the piece" in explanation.inner_text()


@pytest.mark.parametrize("colour", ["First", "Second"])
def test_the_first_and_the_second_side_can_be_chosen(desktop: Window, colour: str) -> None:
    desktop.open("/")
    page = desktop.page
    page.locator(".card", has_text="American").click()
    page.get_by_text(f"{colour} (").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.state["you"] == (["B"] if colour == "First" else ["W"])
    assert "You play" not in desktop.status_text, "nothing is drawn"


# The drawing of colours is short, so a script records it, and that the board stays uncovered.
RECORD_DRAWING = """
window.drawing = { texts: [], early: false, covered: false };
addEventListener("DOMContentLoaded", () => {
  const look = () => {
    const text = document.getElementById("say").textContent;
    if (text && text !== window.drawing.texts.at(-1)) window.drawing.texts.push(text);
    if (!document.body.matches(".drawing")) return;
    const hidden = { visibilityProperty: true };
    const parts = [...document.querySelectorAll(".strip small")];
    window.drawing.early ||= parts.some((part) => part.checkVisibility(hidden));
    const { left, top, width, height } = document.getElementById("board").getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    window.drawing.covered ||= !at?.closest("#board");
  };
  const all = { childList: true, subtree: true, attributes: true };
  new MutationObserver(look).observe(document.body, all);
});
"""
"""Records the sentences, and whether the colours are announced early or the board is covered."""


RECORD_MOTION = """
window.moved = false;
new MutationObserver(() => window.moved ||= Boolean(document.querySelector(".moving")))
  .observe(document, { childList: true, subtree: true, attributes: true });
"""
# Animations of a minute
SLOW = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames) { return animate.call(this, frames, 60_000); };
"""


@pytest.mark.own_page
def test_lots_are_drawn_in_the_strips_beside_a_free_board(desktop: Window) -> None:
    """Afterwards the computer's first move is played on the board."""
    desktop.page.add_init_script(RECORD_DRAWING)
    request = {"rules": "dama64", "opponent": "computer", "level": 1}
    lots = (desktop.post("/api/games", request) for _ in itertools.count())
    game = next(each for each in lots if each["lot"]["you"] == "B")
    desktop.open(f"{game['url']}#lot")
    desktop.until_ply(1)
    drawing = desktop.page.evaluate("drawing")
    assert drawing["texts"][0] == "Drawing colours…"
    assert drawing["texts"][1].startswith("You play Black and move second. ")
    assert not drawing["early"], "the strips do not show the colours early"
    assert not drawing["covered"]
    desktop.until(
        lambda: desktop.status_text == "You play Black and move second. Your turn.", "the result"
    )
    assert desktop.page.locator("#bottom .token .b").count() == 1
    assert not desktop.page.url.endswith("#lot"), "a reload does not repeat the drawing"


@pytest.mark.own_page
def test_a_tap_ends_the_drawing_of_lots_and_counts(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url, paced=True, own=True) as window:
        window.page.add_init_script(SLOW)
        game = window.post("/api/games", {"rules": "dama64", "opponent": "person"})
        window.page.goto(f"{window.url}{game['url']}#lot")
        window.page.wait_for_selector("body.ready.drawing")
        # The drawing listens to taps from here on.
        expect(window.page.locator(".covered")).to_have_count(0)
        window.click(22)
        window.page.wait_for_selector(".chosen")
        assert "White and moves first. " in window.status_text


@pytest.mark.own_page
def test_the_first_move_of_the_computer_is_seen(browser: Browser, server: Server) -> None:
    """It is played on the board when the page opens, even if it was made before."""
    with open_window(browser, server.url, own=True) as window:
        window.new_game("dama64", opponent="computer", level=1, colour="second").until_ply(1)
        window.page.add_init_script(RECORD_MOTION)
        window.page.reload()
        window.ready()
        window.until(lambda: window.page.evaluate("moved"), "the piece moves")
        assert window.moves() == [window.state["history"][0]["text"]]


def test_the_names_of_two_players_are_remembered(desktop: Window) -> None:
    desktop.open("/")
    page = desktop.page
    page.get_by_text("Same screen", exact=True).click()
    page.get_by_label("Player 1").fill("Ana")
    page.get_by_label("Player 2").fill("Борис")
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/**")
    desktop.ready()
    assert page.locator("#bottom b").inner_text() == "Ana"
    assert page.locator("#top b").inner_text() == "Борис"
    desktop.play("22-18")
    press_action(desktop, "Resign")
    assert desktop.status_text == "Black: resign this game?"
    desktop.answer("Resign")
    old = page.url
    page.click("#rematch")
    page.wait_for_url(lambda url: url != old)
    desktop.ready()
    strips = [page.locator(f"{strip} b") for strip in ("#top", "#bottom")]
    names = {"Ana", "Борис"}
    desktop.until(lambda: {strip.text_content() for strip in strips} == names, "both names")
    desktop.open("/")
    page.get_by_text("Same screen", exact=True).click()
    assert page.get_by_label("Player 1").input_value() == "Ana", "remembered"


def test_running_games_name_the_opponent_and_can_be_dismissed(desktop: Window) -> None:
    desktop.new_game("dama64", opponent="computer", level=2)
    desktop.play("22-18")
    desktop.new_game("american", names=["Ana", "Boris"])
    desktop.play("11-15")
    desktop.open("/")
    runs = desktop.page.locator(".run")
    assert runs.count() == 2
    assert "Ana – Boris" in runs.nth(0).inner_text()
    assert "Computer, level 2" in runs.nth(1).inner_text()
    runs.nth(0).get_by_role("button", name="Remove from this list").click()
    desktop.until(lambda: runs.count() == 1)
    desktop.page.reload()
    assert runs.count() == 1
    assert "Computer" in runs.inner_text()
    runs.get_by_role("button", name="Remove from this list").click()
    desktop.until(lambda: desktop.page.locator(".running").is_hidden())


# Undo, draw, resign, rematch


def test_undo_against_the_computer(desktop: Window) -> None:
    desktop.new_game("dama64", opponent="computer", level=1)
    desktop.play("22-18")
    desktop.until_ply(2)
    press_action(desktop, "Take back")
    desktop.until(lambda: desktop.state["ply"] == 0)
    desktop.settled()
    assert desktop.moves() == []


def test_takebacks_at_one_screen_need_no_consent(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.play("22-18")
    desktop.play("9-13")
    press_action(desktop, "Take back")
    desktop.until(lambda: desktop.state["ply"] == 1)
    desktop.settled()
    assert desktop.moves() == ["22-18"]
    assert desktop.page.locator("#answers button").count() == 0
    press_action(desktop, "Take back")
    desktop.until(lambda: desktop.state["ply"] == 0)
    assert desktop.page.locator("#answers button").count() == 0


def test_a_draw_at_one_screen_is_confirmed_once(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.play("22-18")
    press_action(desktop, "Offer draw")
    desktop.until(lambda: "both" in desktop.status_text)
    desktop.answer("Keep playing")
    assert desktop.page.locator("#answers button").count() == 0
    assert "draw" not in {each["t"] for each in desktop.sent}
    press_action(desktop, "Offer draw")
    desktop.answer("Agree")
    desktop.until(lambda: desktop.state["result"])
    assert desktop.state["result"]["reason"] == "agreement"
    desktop.until(lambda: desktop.page.locator("#end").is_visible())
    assert "draw" in desktop.page.inner_text("#end-result").lower()


def test_the_computer_answers_a_draw_offer(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:WK1:BK32"), "?opponent=computer&level=6&side=W")
    press_action(desktop, "Offer draw")
    desktop.answer("Offer a draw")
    desktop.until(lambda: desktop.state["result"])
    assert desktop.state["result"]["reason"] == "agreement"


def test_resigning_needs_confirmation(desktop: Window) -> None:
    desktop.new_game("dama64", opponent="computer", level=1)
    press_action(desktop, "Resign")
    assert "Resign" in desktop.status_text
    desktop.answer("Keep playing")
    assert desktop.page.locator("#answers button").count() == 0
    press_action(desktop, "Resign")
    desktop.answer("Resign")
    desktop.until(lambda: desktop.state["result"])
    assert desktop.state["result"] | {"rule": None} == {
        "winner": "B",
        "reason": "resignation",
        "sentence": "You lost: you resigned.",
        "rule": None,
    }
    desktop.until(lambda: desktop.page.inner_text("#end-result") == "You lost: you resigned.")


def test_a_rematch_swaps_colours_if_the_rules_do(desktop: Window) -> None:
    desktop.new_game("american", opponent="computer", level=1, colour="second")
    desktop.until_ply(1)
    press_action(desktop, "Resign")
    desktop.answer("Resign")
    old = desktop.page.url
    desktop.page.click("#rematch")
    desktop.page.wait_for_url(lambda url: url != old)
    desktop.ready()
    assert desktop.state["you"] == ["B"], "American colours alternate"
    desktop.play("11-15")


def test_the_result_dialog_is_beside_the_board(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:W14:B10"))
    desktop.play("14x7x10")
    desktop.until(lambda: desktop.page.locator("#end").is_visible())
    sheet = desktop.page.locator("#end").bounding_box()
    board = desktop.page.locator("damka-board").bounding_box()
    assert sheet is not None
    assert board is not None
    assert sheet["x"] >= board["x"] + board["width"]
    desktop.press("Escape")
    bar = desktop.page.locator(".actions")
    assert bar.get_by_text("New game").get_attribute("href") == "/"
    assert bar.locator("#undo, #hint, #draw, #resign").locator("visible=true").count() == 0
    old = desktop.page.url
    bar.get_by_text("Rematch").click()
    desktop.page.wait_for_url(lambda url: url != old)


# Views


def test_the_board_can_be_flipped(desktop: Window) -> None:
    desktop.new_game("dama64")
    _, low = desktop.at(32)
    press_action(desktop, "Flip")
    _, high = desktop.at(32)
    assert high < low
    desktop.play("22-18")
    assert desktop.page.locator("#bottom").inner_text() != ""


def test_browsing_the_moves_with_keys(desktop: Window) -> None:
    desktop.new_game("dama64")
    for hub in ("22-18", "9-13", "18-15"):
        desktop.play(hub)
    current = desktop.pieces
    desktop.press("ArrowLeft")
    assert desktop.pieces == desktop.state["history"][1]["pieces"]
    assert "Move 1 of" in desktop.status_text
    desktop.press("Home")
    assert desktop.pieces == desktop.state["start"]
    desktop.press("ArrowRight")
    assert desktop.pieces == desktop.state["history"][0]["pieces"]
    desktop.press("End")
    assert desktop.pieces == current
    desktop.page.get_by_role("button", name="9-13").click()
    assert desktop.pieces == desktop.state["history"][1]["pieces"]
    desktop.answer("Back to the game")
    assert desktop.pieces == current
    desktop.play("11x18x15")


def test_browsing_the_moves_with_buttons(phone: Window) -> None:
    phone.new_game("dama64")
    buttons = {
        name: phone.page.get_by_role("button", name=name, exact=True)
        for name in ("Start position", "Previous move", "Next move", "Last move")
    }
    assert all(button.is_disabled() for button in buttons.values())
    for hub in ("22-18", "9-13", "18-15"):
        phone.play(hub)
    history = phone.state["history"]
    for name, pieces in (
        ("Previous move", history[1]["pieces"]),
        ("Start position", phone.state["start"]),
        ("Next move", history[0]["pieces"]),
        ("Last move", phone.state["pieces"]),
    ):
        buttons[name].tap()
        phone.until(lambda: phone.pieces == pieces, name)  # noqa: B023  called in this turn
    expect(buttons["Next move"]).to_be_disabled()


def test_captured_men_are_shown_in_a_tray(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:W14,30:B10,1"))
    tray = desktop.page.locator("#bottom i")
    assert tray.locator("circle").count() == 0
    desktop.play("14x7x10")
    assert tray.locator("svg.b circle").count() == 1
    assert tray.get_attribute("aria-label") == "captured: 1"
    desktop.press("ArrowLeft")
    assert tray.locator("circle").count() == 0, "the tray belongs to the displayed position"


def test_a_hint_while_browsing_moves_is_for_the_current_position(desktop: Window) -> None:
    desktop.new_game("dama64")
    for hub in ("22-18", "9-13"):
        desktop.play(hub)
    desktop.press("Home")
    press_action(desktop, "Hint")
    desktop.until(lambda: desktop.page.locator(".arrow").count() > 0)
    assert desktop.pieces == desktop.state["pieces"]
    desktop.press("ArrowLeft")
    assert desktop.page.locator(".arrow").count() == 0


def test_the_computer_pauses_while_its_turn_is_shown(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url, paced=True) as window:
        window.new_game("dama64", opponent="computer", level=1)
        window.page.evaluate(
            """() => {
              window.samples = [];
              window.timers = [];
              const { setTimeout } = window;
              window.setTimeout = (act, delay) => {
                timers.push(delay);
                return setTimeout(act, delay);
              };
              const line = document.querySelector("#say");
              const look = () => {
                const { pieces } = document.querySelector("damka-board");
                const [on] = document.querySelectorAll(".strip.on");
                const opaque = [...document.querySelectorAll(".actions > *")]
                  .every((each) => getComputedStyle(each).opacity === "1");
                const text = line.textContent;
                samples.push({ at: performance.now(), pieces, text, on: on?.id, opaque });
                requestAnimationFrame(look);
              };
              look();
            }"""
        )
        start = window.pieces
        window.click(22, 18)
        window.until_ply(2)
        samples = window.page.evaluate("window.samples")
        after_own_move = window.state["history"][0]["pieces"]
        landed = [sample for sample in samples if sample["pieces"] == after_own_move]
        assert landed[-1]["at"] - landed[0]["at"] >= 300
        assert {(sample["text"], sample["on"]) for sample in landed} == {
            ("Computer to move.", "top")
        }
        first = next(i for i, sample in enumerate(samples) if sample["pieces"] != start)
        assert len({sample["opaque"] for sample in samples[first:]}) == 1, (
            "the actions do not flash"
        )
        pauses = "timers.filter((delay) => delay <= 450).length"
        assert window.page.evaluate(pauses) == 1
        enable_setting(window, "Pause briefly")
        legal = window.state["legal"]
        window.click(legal[0]["from"], legal[0]["to"])
        window.until_ply(4)
        assert window.page.evaluate(pauses) == 1, "no other pause"


def test_a_hint_announces_a_winning_move(desktop: Window) -> None:
    desktop.load_game(game_file("american", "W:WK19:B15,6"))
    desktop.page.get_by_role("button", name="Hint").click()
    desktop.until(lambda: "it wins" in desktop.status_text)


def test_a_hint_draws_an_arrow(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:W14,30:B10,1"))
    press_action(desktop, "Hint")
    desktop.until(lambda: "14x7" in desktop.status_text)
    assert desktop.page.locator(".arrow").count() > 0


def test_counters_are_shown_above_zero(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:WK1:BK32"))
    assert desktop.page.locator("#counters div").count() == 0
    for _ in range(2):
        desktop.play(desktop.state["legal"][0]["hub"])
    desktop.until(lambda: desktop.page.locator("#counters meter").count() > 0)
    assert "Draw in 14 moves" in desktop.page.inner_text("#counters")


# Settings


def test_moves_can_require_confirmation(desktop: Window) -> None:
    desktop.new_game("dama64")
    enable_setting(desktop, "Confirm every move")
    desktop.click(22, 18)
    desktop.until(lambda: "22-18" in desktop.status_text)
    desktop.answer("Choose another move")
    desktop.settled()
    assert desktop.sent == []
    desktop.click(22, 18)
    desktop.answer("Play")
    desktop.until_ply(1)


def test_enter_confirms_and_escape_cancels(desktop: Window) -> None:
    desktop.new_game("dama64")
    enable_setting(desktop, "Confirm every move")
    desktop.click(22, 18)
    desktop.until(lambda: "22-18" in desktop.status_text)
    desktop.press("Escape")
    desktop.settled()
    assert desktop.sent == []
    desktop.click(22, 18)
    desktop.until(lambda: "22-18" in desktop.status_text)
    desktop.press("Enter")
    desktop.until_ply(1)
    press_action(desktop, "Resign")
    desktop.press("Escape")
    assert desktop.page.locator("#answers button").count() == 0
    press_action(desktop, "Offer draw")
    desktop.until(
        lambda: desktop.page.evaluate("document.activeElement.closest('#answers') !== null")
    )
    desktop.page.locator("#answers button").last.evaluate("button => button.blur()")
    desktop.press("Enter")
    desktop.until(lambda: desktop.state["result"])


def test_the_board_can_turn_after_each_move(desktop: Window) -> None:
    desktop.new_game("dama64")
    enable_setting(desktop, "Two players: turn")
    _, low = desktop.at(32)
    desktop.play("22-18")
    desktop.until(lambda: desktop.at(32)[1] < low)
    desktop.play("9-13")
    desktop.until(lambda: desktop.at(32)[1] == low)


def test_board_settings_are_remembered(desktop: Window) -> None:
    desktop.load_game(game_file("dama64", "W:WK32:BK1"))
    numbers, crown = desktop.page.locator(".figures"), desktop.page.locator(".crown").first
    square_colour = "getComputedStyle(document.querySelector('.play')).fill"
    plain = desktop.page.evaluate(square_colour)
    assert numbers.is_visible()
    assert crown.is_hidden()
    enable_setting(desktop, "Square numbers")
    enable_setting(desktop, "Crowns")
    enable_setting(desktop, "Green and buff")
    for _ in range(2):
        assert numbers.is_hidden()
        assert crown.is_visible()
        assert desktop.page.evaluate(square_colour) == "rgb(61, 117, 87)" != plain
        desktop.page.reload()
        desktop.ready()
    green = desktop.page.evaluate(square_colour)
    enable_setting(desktop, "Pieces on light squares")
    assert desktop.page.evaluate(square_colour) not in (green, plain)


def test_the_theme_is_remembered(desktop: Window) -> None:
    desktop.new_game("dama64")
    background = "getComputedStyle(document.body).backgroundColor"
    light = desktop.page.evaluate(background)
    desktop.page.get_by_role("button", name="Switch between light and dark").click()
    dark = desktop.page.evaluate(background)
    assert dark != light
    desktop.page.reload()
    assert desktop.page.evaluate(background) == dark
    assert desktop.page.get_attribute("html", "data-theme") == "dark"


def test_the_language_can_be_changed_during_a_game(desktop: Window) -> None:
    desktop.new_game("dama64")
    desktop.play("22-18")
    desktop.page.get_by_label("Language").select_option("sk")
    desktop.page.wait_for_selector("html[lang=sk]")
    desktop.ready()
    assert desktop.moves() == ["22-18"]
    assert "ťahu" in desktop.status_text


def test_a_spectator_cannot_play(browser: Browser, server: Server, desktop: Window) -> None:
    desktop.new_game("dama64")
    with open_window(browser, server.url) as spectator:
        spectator.open(desktop.page.url.removeprefix(desktop.url))
        desktop.play("22-18")
        spectator.until_ply(1)
        assert spectator.moves() == ["22-18"]
        spectator.click(9)
        assert spectator.marked("target") == set()
        assert spectator.status_text == "You’re watching. Black to move."
        assert spectator.page.locator("#resign").is_hidden()
        assert spectator.page.locator("#typed").is_hidden()
