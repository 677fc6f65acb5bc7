"""Saving and loading games in Portable Draughts Notation on the page."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from damka import pdn
from tests.browser.support import FITTED, Window, locale, open_window, played
from tests.chromium import PHONE

GAMES = (
    '[White "Ana"]\n[Black "Bo"]\n[Date "2024.05.12"]\n[GameType "20"]\n[Result "1-1"]\n\n'
    "1. 32-28 19-23 2. 28x19 14x23 {quiet} (2... 13x24 3. 33-28) 1-1\n\n"
    '[White "Чижов Алексей"]\n[Black "?"]\n[GameType "25"]\n\n1. c3-d4 d6-c5 2. b2-c3 *\n\n'
    '[White "Ci"]\n[Black "Di"]\n[GameType "25"]\n\n1. c3-e5 *\n'
)


def open_dialog(window: Window, rules: str = "dama64") -> None:
    """Open the dialog with a game chosen on the start page."""
    window.open(f"/?rules={rules}")
    window.page.locator("#open-load").click()


def choose(
    window: Window,
    text: str,
    name: str = "games.pdn",
    encoding: str = "utf-8",
    rules: str = "dama64",
) -> None:
    """Open the dialog and choose a file."""
    if not window.page.locator("#loading").is_visible():
        open_dialog(window, rules)
    file = FilePayload(name=name, mimeType="", buffer=text.encode(encoding))
    window.page.set_input_files("#load", file)


def test_save_and_load(desktop: Window, tmp_path: Path) -> None:
    desktop.new_game("american", names=["Ana", "Bo"])
    for hub in ("11-15", "23-19"):
        desktop.play(hub)
    with desktop.page.expect_download() as download:
        desktop.page.get_by_role("link", name="Save as PDN").first.click()
    assert download.value.suggested_filename.startswith("damka-american-")
    assert download.value.suggested_filename.endswith(".pdn")
    file = tmp_path / "game.pdn"
    download.value.save_as(file)
    [game] = pdn.read(file)
    # Black begins.
    assert (game.headers["Black"], game.headers["White"]) == ("Ana", "Bo")
    choose(desktop, file.read_text("utf-8"), rules="american")
    desktop.page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.moves() == ["11-15", "23-19"]
    desktop.play("9-14")


def test_a_game_of_a_file_is_chosen_with_the_keyboard(desktop: Window) -> None:
    choose(desktop, GAMES, encoding="cp1251", rules="russian")
    games = desktop.page.locator("#load-games")
    games.wait_for()
    assert desktop.page.inner_text("#load-which") == "Choose one of 3 games"
    buttons = games.get_by_role("button")
    assert [text.split("\n") for text in buttons.all_inner_texts()] == [
        ["Ana – Bo", "2024.05.12 · 1-1 · International draughts · moves:\u00a02"],
        ["Чижов Алексей – unnamed", "* · Russian draughts · moves:\u00a02"],
        ["Ci – Di", "* · Russian draughts · moves:\u00a00", games.locator(".wrong").inner_text()],
    ]
    assert desktop.page.locator("#load-find").is_hidden(), "three games need no search"
    assert "Game 3, line 19, column 4" in games.locator(".wrong").inner_text()
    desktop.press("Tab", "Tab", "Enter")
    desktop.page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.moves() == ["c3-d4", "d6-c5", "b2-c3"]


def test_a_game_of_a_file_is_chosen_by_touch(phone: Window) -> None:
    choose(phone, GAMES)
    phone.page.get_by_role("button", name="Ana – Bo").tap()
    problem = phone.page.locator("#load-problem")
    phone.until(problem.inner_text)
    assert problem.inner_text().startswith(
        "This is a game of “International draughts”, but you chose “Bulgarian box”. Bulgarian box: "
    )
    phone.page.get_by_role("button", name="Read as “International draughts”").tap()
    phone.page.wait_for_url("**/game/**")
    phone.ready()
    assert phone.moves() == ["32-28", "19-23", "28x19", "14x23"]
    assert phone.page.locator("#end").is_visible()


@pytest.mark.parametrize(
    ("text", "rules", "title", "moves"),
    [
        (
            *("1. 32-28 19-23 2. 28x19 14x23 *", "international", "International draughts"),
            ["32-28", "19-23", "28x19", "14x23"],
        ),
        ("W:Wc3:Bf6", "brazilian", "Brazilian draughts", []),
        ("W:W22:B9", "american", "American checkers", []),
    ],
)
def test_a_pasted_text_without_a_tag_is_read_by_the_chosen_rules(
    desktop: Window, text: str, rules: str, title: str, moves: list[str]
) -> None:
    open_dialog(desktop, rules)
    assert f"read as “{title}”, the game you chose" in desktop.page.inner_text("#loading .means")
    button = desktop.page.locator("#load-pasted")
    assert button.is_disabled()
    desktop.page.get_by_label("Or paste the text here").fill(text)
    button.click()
    desktop.page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.moves() == moves
    assert desktop.page.title().startswith(title)


@pytest.mark.parametrize("title", ["Russian draughts", "Brazilian draughts"])
def test_a_file_of_another_game_offers_both_readings(desktop: Window, title: str) -> None:
    choose(desktop, '[GameType "25"]\n\n1. c3-d4 d6-c5 *', rules="brazilian")
    buttons = desktop.page.locator("#load-ways button")
    desktop.until(lambda: buttons.count() == 2)
    assert desktop.page.inner_text("#load-problem") == (
        "This is a game of “Russian draughts”, but you chose “Brazilian draughts”."
    )
    assert buttons.all_inner_texts() == [
        "Read as “Russian draughts”",
        "Read as “Brazilian draughts”",
    ]
    desktop.page.get_by_role("button", name=f"Read as “{title}”").click()
    desktop.page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.page.title().startswith(title)
    assert desktop.moves() == ["c3-d4", "d6-c5"]


def test_a_loaded_game_ignores_a_chosen_invitation(desktop: Window) -> None:
    """With an invitation chosen, a loaded game is for two people."""
    open_dialog(desktop, "american")
    desktop.page.evaluate("document.querySelector('input[name=opponent][value=invite]').click()")
    choose(desktop, '[GameType "21"]\n\n1. 11-15 *')
    desktop.page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.moves() == ["11-15"]


def test_a_game_is_loaded_up_to_an_error(browser: Browser, desktop: Window) -> None:
    with open_window(browser, desktop.url, ignore_errors=True) as other:
        choose(other, '[GameType "21"]\n\n1. 11-15 23-19 2. 8-12 *', rules="american")
        other.page.get_by_role("button", name="Load only the valid part (moves: 1)").click()
        other.page.wait_for_url("**/game/**")
        other.ready()
        assert other.moves() == ["11-15", "23-19"]


MANY_GAMES = "".join(
    f'[White "Player {n}"]\n[Black "Other"]\n[GameType "21"]\n\n1. 11-15 *\n\n'
    for n in range(1, 452)
)


def test_every_game_of_a_long_file_can_be_reached(desktop: Window) -> None:
    open_dialog(desktop, "american")
    desktop.page.evaluate("document.querySelector('input[name=opponent][value=person]').click()")
    choose(desktop, MANY_GAMES)
    games, more = desktop.page.locator("#load-games li"), desktop.page.locator("#load-more")
    heading = desktop.page.locator("#load-which")

    def shows(count: int) -> bool:
        return games.count() == count

    for count, text in ((200, "200+"), (400, "400+"), (451, "451")):
        desktop.until(partial(shows, count))
        assert heading.inner_text() == f"Choose one of {text} games"
        if count < 451:
            more.click()
            if count == 200:
                # The keyboard focus continues after the list.
                desktop.until(
                    lambda: desktop.page.evaluate("document.activeElement.textContent").startswith(
                        "Player 201"
                    )
                )
    assert more.is_hidden()
    search = desktop.page.locator("#load-find")
    search.fill("player 44")
    desktop.until(lambda: games.count() == 11)
    assert heading.inner_text() == "Games found: 11"
    search.fill("no such player")
    desktop.until(lambda: games.count() == 0)
    assert heading.inner_text() == "Games found: 0"
    search.fill("")
    desktop.until(lambda: games.count() == 200)
    search.fill("player 451")
    desktop.until(lambda: games.count() == 1)
    search.press("Enter")
    games.get_by_role("button").click()
    desktop.page.wait_for_url("**/game/**")
    desktop.ready()
    assert "Player 451" in desktop.page.inner_text("aside")


def test_a_game_file_with_a_byte_order_mark(desktop: Window) -> None:
    choose(desktop, played("american", "11-15 23-19"), "game.json", "utf-8-sig")
    desktop.page.wait_for_url("**/game/**")
    desktop.ready()
    assert desktop.moves() == ["11-15", "23-19"]


def test_errors_are_in_the_readers_language(browser: Browser, desktop: Window) -> None:
    with open_window(browser, desktop.url, ignore_errors=True, **locale("bg")) as other:
        choose(other, '[GameType "20"]\n\n1. 32-28 19-23 2. 33-29 *', rules="international")
        problem = other.page.locator("#load-problem")
        other.until(problem.inner_text)
        assert problem.inner_text().startswith("Партия 1, ред 3, знак 19: 33-29: ")
        # Another file can be chosen at once.
        choose(other, '{"format": "x"}', "game.json")
        other.until(lambda: "ред" not in problem.inner_text() and problem.inner_text())
        large = FilePayload(name="a.pdn", mimeType="", buffer=b" " * (2 * 1024 * 1024 + 1))
        other.page.set_input_files("#load", large)
        other.until(lambda: "най-много 2 MB" in problem.inner_text())
        other.press("Escape")
        expect(other.page.locator("#loading")).to_be_hidden()


@pytest.mark.parametrize("language", FITTED)
def test_the_dialog_fits_a_phone(browser: Browser, desktop: Window, language: str) -> None:
    with open_window(browser, desktop.url, viewport=PHONE, **locale(language)) as phone:
        page = phone.page

        def fits() -> bool:
            wide = "document.documentElement.scrollWidth > innerWidth"
            inner = "(d => d.scrollWidth > d.clientWidth)(document.querySelector('dialog[open]'))"
            overflows = []
            for width in (320, 390):
                page.set_viewport_size({"width": width, "height": 844})
                overflows.append(page.evaluate(f"{wide} || {inner}"))
            return not any(overflows)

        phone.open("/")
        page.locator("#open-load").click()
        choose(phone, GAMES.replace("Ana", "Aleksandrina-Anastázia " * 2))
        page.locator("#load-games").wait_for()
        assert fits()
        heights = page.locator("#loading :is(button, .file):not([hidden])").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().height)"
        )
        assert min(heights) >= 44
        phone.new_game("dama100")
        page.locator("#open-settings").click()
        page.locator("#settings[open]").wait_for()
        assert page.locator("#settings footer a[download]").count() == 2
        assert fits()
