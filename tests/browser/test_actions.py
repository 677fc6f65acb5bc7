"""Buttons: undo, draw, resign, rematch, flip, hint, settings, move navigation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.support import Window, game_file, window
from tests.server.support import Server


def push(window: Window, name: str) -> None:
    window.page.locator(".actions").get_by_text(name, exact=True).click()


def turn_on(window: Window, label: str) -> None:
    window.page.click("#open-settings")
    window.page.get_by_label(label).click()
    window.press("Escape")


# Choice of a game


def test_the_choices_of_a_new_game_are_remembered(desk: Window) -> None:
    desk.open("/")
    page = desk.page
    page.locator(".card", has_text="Italian box").click()
    page.get_by_text("Two players", exact=True).click()
    page.get_by_text("Not allowed").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/**")
    desk.ready()
    assert desk.state["you"] == ["W", "B"]
    assert desk.state["pieces"].count("w") == 20
    desk.open("/")
    chosen = page.evaluate("Object.fromEntries(new FormData(document.querySelector('#new')))")
    assert (chosen["rules"], chosen["opponent"], chosen["obligation"]) == (
        "dama100",
        "person",
        "forced",
    )


def test_the_chosen_level_is_described(desk: Window) -> None:
    desk.open("/")
    seen = set()
    desk.page.focus("#level")
    desk.press("Home")
    for _ in range(10):
        seen.add(desk.page.inner_text("#level-words"))
        desk.press("ArrowRight")
    assert len(seen) == 10
    assert "" not in seen


def test_huffing_is_a_choice_only_where_the_box_has_it(desk: Window) -> None:
    desk.open("/")
    huffing = desk.page.locator("input[value=huff]")
    assert huffing.is_disabled()
    desk.page.locator(".card", has_text="Italian box").click()
    assert huffing.is_enabled()
    assert huffing.is_checked()


def find_games(window: Window, query: str) -> set[str]:
    """Return the rule sets found by a search."""
    window.page.get_by_label("Find a game").fill(query)
    chips = window.page.locator(".chip").locator("visible=true")
    return set(chips.evaluate_all("chips => chips.map(chip => chip.control.value)"))


def test_games_are_found_by_aliases_in_any_language_without_accents_in_any_order(
    desk: Window,
) -> None:
    desk.open("/")
    for query, expected in {
        "bulgarian": {"dama64"},
        "polish": {"international"},
        "шашки": {"russian", "brazilian", "american", "international", "frisian", "turkish"},
        "Česká": {"czech"},
        "ceska dama": {"czech"},
        "dama ceska": {"czech"},
        "10x10": {"dama100", "international", "frisian"},
        "10 х 10": {"dama100", "international"},
        "checkers": {"dama64", "american", "dama100", "pool"},
        "dama": {"dama64", "dama100", "turkish", "italian"},
        "scatola italiana": {"dama100"},
    }.items():
        shown = find_games(desk, query)
        assert expected <= shown, (query, shown)
        if len(expected) == 1:
            assert shown - {"dama64"} <= expected, (query, shown)
    assert "dama64" not in find_games(desk, ""), "the boxes are cards already"
    find_games(desk, "italian box")
    desk.press("Enter")
    assert desk.page.locator("input[value=dama100]").is_checked()
    desk.page.locator(".chip").locator("visible=true").first.click()
    assert desk.page.locator("input[value=dama100]").is_checked()


def test_the_choice_of_huffing_is_explained(desk: Window) -> None:
    desk.open("/")
    words = desk.page.locator("#obligation-words")
    assert words.inner_text() == "If you can capture, you must."
    desk.page.locator(".card", has_text="Italian box").click()
    assert "your opponent may then remove the piece" in words.inner_text()


@pytest.mark.parametrize("colour", ["First", "Second"])
def test_first_and_second(desk: Window, colour: str) -> None:
    desk.open("/")
    page = desk.page
    page.locator(".card", has_text="American").click()
    page.get_by_text(f"{colour} (").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/**")
    desk.ready()
    assert desk.state["you"] == (["B"] if colour == "First" else ["W"])
    assert desk.page.locator(".lot").count() == 0


# The drawing of lots is short, so a script records it.
RECORD_THE_LOT = """
window.lotSaid = [];
addEventListener("DOMContentLoaded", () => {
  const look = () => {
    const said = document.querySelector(".lot p")?.textContent;
    if (!said || said === window.lotSaid.at(-1)?.said) return;
    const behind = [...document.querySelectorAll("#say, .strip *")];
    const announced = behind.some((part) => part.checkVisibility({ visibilityProperty: true }));
    window.lotSaid.push({ said, announced });
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
});
"""


@pytest.mark.own_page
def test_the_drawing_of_lots_is_shown(desk: Window) -> None:
    desk.page.add_init_script(RECORD_THE_LOT)
    desk.open("/")
    desk.page.get_by_role("button", name="Play").click()
    desk.page.wait_for_url("**/game/**")
    desk.ready()
    desk.until(lambda: len(desk.page.evaluate("lotSaid")) == 2, "the lot's two sentences")
    drawing, drawn = desk.page.evaluate("lotSaid")
    assert "Drawing colours" in drawing["said"]
    assert not drawing["announced"], "nothing behind the drawing gives the colour away"
    colour = "White" if desk.state["you"] == ["W"] else "Black"
    assert drawn["said"].startswith(f"You play {colour} and move ")
    desk.until(lambda: desk.page.locator(".lot").count() == 0)
    assert not desk.page.url.endswith("#lot"), "a reload does not draw again"


def test_two_people_have_names(desk: Window) -> None:
    desk.open("/")
    page = desk.page
    page.get_by_text("Two players", exact=True).click()
    page.get_by_label("Player 1").fill("Ana")
    page.get_by_label("Player 2").fill("Борис")
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game/**")
    desk.ready()
    assert page.locator("#bottom b").inner_text() == "Ana"
    assert page.locator("#top b").inner_text() == "Борис"
    desk.play("22-18")
    push(desk, "Resign")
    assert desk.status_text == "Black: resign this game?"
    desk.answer("Resign")
    old = page.url
    page.click("#rematch")
    page.wait_for_url(lambda url: url != old)
    desk.ready()
    names = {page.locator(f"{strip} b").text_content() for strip in ("#top", "#bottom")}
    assert names == {"Ana", "Борис"}
    desk.open("/")
    page.get_by_text("Two players", exact=True).click()
    assert page.get_by_label("Player 1").input_value() == "Ana", "remembered"


def test_running_games_name_the_opponent_and_can_be_dismissed(desk: Window) -> None:
    desk.new_game("dama64", opponent="computer", level=2)
    desk.play("22-18")
    desk.new_game("american", names=["Ana", "Boris"])
    desk.play("11-15")
    desk.open("/")
    runs = desk.page.locator(".run")
    assert runs.count() == 2
    assert "Ana – Boris" in runs.nth(0).inner_text()
    assert "Computer, level 2" in runs.nth(1).inner_text()
    runs.nth(0).get_by_role("button", name="Remove from this list").click()
    desk.until(lambda: runs.count() == 1)
    desk.page.reload()
    assert runs.count() == 1
    assert "Computer" in runs.inner_text()
    runs.get_by_role("button", name="Remove from this list").click()
    desk.until(lambda: desk.page.locator(".running").is_hidden())


# Undo, draw, resign, rematch


def test_undo_against_the_computer(desk: Window) -> None:
    desk.new_game("dama64", opponent="computer", level=1)
    desk.play("22-18")
    desk.until_ply(2)
    push(desk, "Take back")
    desk.until(lambda: desk.state["ply"] == 0)
    desk.settled()
    assert desk.moves() == []


def test_two_people_at_one_screen_take_back_without_asking(desk: Window) -> None:
    desk.new_game("dama64")
    desk.play("22-18")
    desk.play("9-13")
    push(desk, "Take back")
    desk.until(lambda: desk.state["ply"] == 1)
    desk.settled()
    assert desk.moves() == ["22-18"]
    assert desk.page.locator("#answers button").count() == 0
    push(desk, "Take back")
    desk.until(lambda: desk.state["ply"] == 0)
    assert desk.page.locator("#answers button").count() == 0


def test_two_people_at_one_screen_are_asked_once_about_a_draw(desk: Window) -> None:
    desk.new_game("dama64")
    desk.play("22-18")
    push(desk, "Offer draw")
    desk.until(lambda: "both" in desk.status_text)
    desk.answer("Keep playing")
    assert desk.page.locator("#answers button").count() == 0
    assert desk.sent[-1]["t"] == "move"
    push(desk, "Offer draw")
    desk.answer("Agree")
    desk.until(lambda: desk.state["result"])
    assert desk.state["result"]["reason"] == "agreement"
    desk.until(lambda: desk.page.locator("#end").is_visible())
    assert "draw" in desk.page.inner_text("#end-result").lower()


def test_the_computer_answers_a_draw_offer(desk: Window) -> None:
    desk.load_game(game_file("dama64", "W:WK1:BK32"), "?opponent=computer&level=6&side=W")
    push(desk, "Offer draw")
    desk.answer("Offer a draw")
    desk.until(lambda: desk.state["result"])
    assert desk.state["result"]["reason"] == "agreement"


def test_resigning_needs_confirmation(desk: Window) -> None:
    desk.new_game("dama64", opponent="computer", level=1)
    push(desk, "Resign")
    assert "Resign" in desk.status_text
    desk.answer("Keep playing")
    assert desk.page.locator("#answers button").count() == 0
    push(desk, "Resign")
    desk.answer("Resign")
    desk.until(lambda: desk.state["result"])
    assert desk.state["result"] | {"rule": None} == {
        "winner": "B",
        "reason": "resignation",
        "sentence": desk.state["result"]["sentence"],
        "outcome": "You lose.",
        "cause": desk.state["result"]["cause"],
        "rule": None,
    }
    desk.until(lambda: desk.page.inner_text("#end-result") == "You lose.")


def test_a_rematch_changes_colours_as_the_rules_say(desk: Window) -> None:
    desk.new_game("american", opponent="computer", level=1, colour="second")
    desk.until_ply(1)
    push(desk, "Resign")
    desk.answer("Resign")
    old = desk.page.url
    desk.page.click("#rematch")
    desk.page.wait_for_url(lambda url: url != old)
    desk.ready()
    assert desk.state["you"] == ["B"], "American colours alternate"
    desk.play("11-15")


def test_the_result_dialog_is_beside_the_board(desk: Window) -> None:
    desk.load_game(game_file("dama64", "W:W14:B10"))
    desk.play("14x7x10")
    desk.until(lambda: desk.page.locator("#end").is_visible())
    sheet = desk.page.locator("#end").bounding_box()
    board = desk.page.locator("damka-board").bounding_box()
    assert sheet is not None
    assert board is not None
    assert sheet["x"] >= board["x"] + board["width"]
    desk.page.get_by_role("button", name="Review the game").click()
    assert desk.page.locator("#end").is_hidden()
    assert desk.page.locator("#moves").is_visible()
    focused = "document.activeElement.hasAttribute('aria-current')"
    desk.until(lambda: desk.page.evaluate(focused), "the last move has the focus")
    bar = desk.page.locator(".actions")
    assert bar.get_by_text("New game").get_attribute("href") == "/"
    assert bar.locator("#undo, #hint, #draw, #resign").locator("visible=true").count() == 0
    old = desk.page.url
    bar.get_by_text("Rematch").click()
    desk.page.wait_for_url(lambda url: url != old)


# Views


def test_flip_turns_the_board(desk: Window) -> None:
    desk.new_game("dama64")
    _, low = desk.at(32)
    push(desk, "Flip")
    _, high = desk.at(32)
    assert high < low
    desk.play("22-18")
    assert desk.page.locator("#bottom").inner_text() != ""


def test_going_back_through_the_moves(desk: Window) -> None:
    desk.new_game("dama64")
    for hub in ("22-18", "9-13", "18-15"):
        desk.play(hub)
    now = desk.pieces
    desk.press("ArrowLeft")
    assert desk.pieces == desk.state["history"][1]["pieces"]
    assert "Viewing" in desk.status_text
    desk.press("Home")
    assert desk.pieces == desk.state["start"]
    desk.press("ArrowRight")
    assert desk.pieces == desk.state["history"][0]["pieces"]
    desk.press("End")
    assert desk.pieces == now
    desk.page.get_by_role("button", name="9-13").click()
    assert desk.pieces == desk.state["history"][1]["pieces"]
    desk.answer("Back to the game")
    assert desk.pieces == now
    desk.play("11x18x15")


def test_buttons_step_through_the_moves(phone: Window) -> None:
    phone.new_game("dama64")
    step = {
        name: phone.page.get_by_role("button", name=name, exact=True)
        for name in ("Start position", "Previous move", "Next move", "Last move")
    }
    assert all(button.is_disabled() for button in step.values())
    for hub in ("22-18", "9-13", "18-15"):
        phone.play(hub)
    history = phone.state["history"]
    for name, shown in (
        ("Previous move", history[1]["pieces"]),
        ("Start position", phone.state["start"]),
        ("Next move", history[0]["pieces"]),
        ("Last move", phone.state["pieces"]),
    ):
        step[name].tap()
        assert phone.pieces == shown
    assert step["Next move"].is_disabled()


def test_captured_men_lie_in_a_tray(desk: Window) -> None:
    desk.load_game(game_file("dama64", "W:W14,30:B10,1"))
    tray = desk.page.locator("#bottom i")
    assert tray.locator("circle").count() == 0
    desk.play("14x7x10")
    assert tray.locator("svg.b circle").count() == 1
    assert tray.get_attribute("aria-label") == "captured: 1"
    desk.press("ArrowLeft")
    assert tray.locator("circle").count() == 0, "as far as the board shows it"


def test_a_hint_while_browsing_moves_is_for_the_current_position(desk: Window) -> None:
    desk.new_game("dama64")
    for hub in ("22-18", "9-13"):
        desk.play(hub)
    desk.press("Home")
    push(desk, "Hint")
    desk.until(lambda: desk.page.locator(".arrow").count() > 0)
    assert desk.pieces == desk.state["pieces"]
    desk.press("ArrowLeft")
    assert desk.page.locator(".arrow").count() == 0


def test_the_computer_pauses_and_the_page_shows_its_turn(browser: Browser, server: Server) -> None:
    with window(browser, server.url, paced=True) as desk:
        desk.new_game("dama64", opponent="computer", level=1)
        desk.page.evaluate(
            """() => {
              window.seen = [];
              const line = document.querySelector("#say");
              const look = () => {
                const { pieces } = document.querySelector("damka-board");
                const [on] = document.querySelectorAll(".strip.on");
                const opaque = [...document.querySelectorAll(".actions > *")]
                  .every((each) => getComputedStyle(each).opacity === "1");
                seen.push({ at: performance.now(), pieces, said: line.textContent, on: on?.id });
                seen.at(-1).opaque = opaque;
                requestAnimationFrame(look);
              };
              look();
            }"""
        )
        start = desk.pieces
        desk.click(22, 18)
        desk.until_ply(2)
        seen = desk.page.evaluate("window.seen")
        mine = desk.state["history"][0]["pieces"]
        landed = [now for now in seen if now["pieces"] == mine]
        assert landed[-1]["at"] - landed[0]["at"] >= 300
        assert {(now["said"], now["on"]) for now in landed} == {("Computer to move.", "top")}
        first = next(i for i, now in enumerate(seen) if now["pieces"] != start)
        assert len({now["opaque"] for now in seen[first:]}) == 1, "the actions do not flash"
        turn_on(desk, "Pause briefly")
        legal = desk.state["legal"]
        desk.page.evaluate("window.seen.length = 0")
        desk.click(legal[0]["from"], legal[0]["to"])
        desk.until_ply(4)
        mine = desk.state["history"][2]["pieces"]
        landed = [now for now in desk.page.evaluate("window.seen") if now["pieces"] == mine]
        assert landed[-1]["at"] - landed[0]["at"] < 450


def test_a_hint_says_that_a_move_wins(desk: Window) -> None:
    desk.load_game(game_file("american", "W:WK19:B15,6"))
    desk.page.get_by_role("button", name="Hint").click()
    desk.until(lambda: "it wins" in desk.status_text)


def test_a_hint_points_at_a_move(desk: Window) -> None:
    desk.load_game(game_file("dama64", "W:W14,30:B10,1"))
    push(desk, "Hint")
    desk.until(lambda: "14x7" in desk.status_text)
    assert desk.page.locator(".arrow").count() > 0


def test_counters_show_when_above_zero(desk: Window) -> None:
    desk.load_game(game_file("dama64", "W:WK1:BK32"))
    assert desk.page.locator("#counters div").count() == 0
    for _ in range(2):
        desk.play(desk.state["legal"][0]["hub"])
    desk.until(lambda: desk.page.locator("#counters meter").count() > 0)
    assert "15" in desk.page.inner_text("#counters")


# Settings


def test_a_move_can_be_confirmed_first(desk: Window) -> None:
    desk.new_game("dama64")
    turn_on(desk, "Confirm every move")
    desk.click(22, 18)
    desk.until(lambda: "22-18" in desk.status_text)
    desk.answer("Choose another move")
    desk.settled()
    assert desk.sent == []
    desk.click(22, 18)
    desk.answer("Play")
    desk.until_ply(1)


def test_enter_confirms_and_escape_cancels(desk: Window) -> None:
    desk.new_game("dama64")
    turn_on(desk, "Confirm every move")
    desk.click(22, 18)
    desk.until(lambda: "22-18" in desk.status_text)
    desk.press("Escape")
    desk.settled()
    assert desk.sent == []
    desk.click(22, 18)
    desk.until(lambda: "22-18" in desk.status_text)
    desk.press("Enter")
    desk.until_ply(1)
    push(desk, "Resign")
    desk.press("Escape")
    assert desk.page.locator("#answers button").count() == 0
    push(desk, "Offer draw")
    desk.until(lambda: desk.page.evaluate("document.activeElement.closest('#answers') !== null"))
    desk.page.locator("#answers button").last.evaluate("button => button.blur()")
    desk.press("Enter")
    desk.until(lambda: desk.state["result"])


def test_the_board_can_turn_between_two_people(desk: Window) -> None:
    desk.new_game("dama64")
    turn_on(desk, "Two players: turn")
    _, low = desk.at(32)
    desk.play("22-18")
    desk.until(lambda: desk.at(32)[1] < low)
    desk.play("9-13")
    desk.until(lambda: desk.at(32)[1] == low)


def test_the_settings_change_the_board_and_are_remembered(desk: Window) -> None:
    desk.load_game(game_file("dama64", "W:WK32:BK1"))
    numbers, crown = desk.page.locator(".figures"), desk.page.locator(".crown").first
    ground = "getComputedStyle(document.querySelector('.play')).fill"
    plain = desk.page.evaluate(ground)
    assert numbers.is_visible()
    assert crown.is_hidden()
    turn_on(desk, "Square numbers")
    turn_on(desk, "Crowns")
    turn_on(desk, "Green and buff")
    for _ in range(2):
        assert numbers.is_hidden()
        assert crown.is_visible()
        assert desk.page.evaluate(ground) == "rgb(61, 117, 87)" != plain
        desk.page.reload()
        desk.ready()
    green = desk.page.evaluate(ground)
    turn_on(desk, "Pieces on light squares")
    assert desk.page.evaluate(ground) not in (green, plain)


def test_the_theme_is_remembered(desk: Window) -> None:
    desk.new_game("dama64")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = desk.page.evaluate(paper)
    desk.page.get_by_role("button", name="Switch between light and dark").click()
    dark = desk.page.evaluate(paper)
    assert dark != light
    desk.page.reload()
    assert desk.page.evaluate(paper) == dark
    assert desk.page.get_attribute("html", "data-theme") == "dark"


def test_the_language_can_be_changed_in_mid_game(desk: Window) -> None:
    desk.new_game("dama64")
    desk.play("22-18")
    desk.page.get_by_label("Language").select_option("sk")
    desk.page.wait_for_selector("html[lang=sk]")
    desk.ready()
    assert desk.moves() == ["22-18"]
    assert "ťahu" in desk.status_text


def test_a_spectator_cannot_play(browser: Browser, server: Server, desk: Window) -> None:
    desk.new_game("dama64")
    with window(browser, server.url) as viewer:
        viewer.open(desk.page.url.removeprefix(desk.url))
        desk.play("22-18")
        viewer.until_ply(1)
        assert viewer.moves() == ["22-18"]
        viewer.click(9)
        assert viewer.marked("target") == set()
        assert viewer.status_text == "You’re watching. Black to move."
        assert viewer.page.locator("#resign").is_hidden()
        assert viewer.page.locator("#typed").is_hidden()
