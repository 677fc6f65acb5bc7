"""Games saved and loaded in Portable Draughts Notation, as a person does it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload

from damka import pdn
from damka.locales import LANGUAGES
from tests.browser.support import Window, locale, played, window
from tests.chromium import PHONE

GAMES = (
    '[White "Ana"]\n[Black "Bo"]\n[Date "2024.05.12"]\n[GameType "20"]\n[Result "1-1"]\n\n'
    "1. 32-28 19-23 2. 28x19 14x23 {quiet} (2... 13x24 3. 33-28) 1-1\n\n"
    '[White "Чижов Алексей"]\n[Black "?"]\n[GameType "25"]\n\n1. c3-d4 d6-c5 2. b2-c3 *\n\n'
    '[White "Ci"]\n[Black "Di"]\n[GameType "25"]\n\n1. c3-e5 *\n'
)


def choose(desk: Window, text: str, name: str = "games.pdn", encoding: str = "utf-8") -> None:
    """Open the dialog and choose a file."""
    if not desk.page.locator("#loading").is_visible():
        desk.open("/")
        desk.page.get_by_role("button", name="Load a game").click()
    file = FilePayload(name=name, mimeType="", buffer=text.encode(encoding))
    desk.page.set_input_files("#load", file)


def test_save_and_load(desk: Window, tmp_path: Path) -> None:
    desk.new_game("american", names=["Ana", "Bo"])
    for hub in ("11-15", "23-19"):
        desk.play(hub)
    with desk.page.expect_download() as saving:
        desk.page.get_by_role("link", name="Save as PDN").first.click()
    assert saving.value.suggested_filename.startswith("damka-american-")
    assert saving.value.suggested_filename.endswith(".pdn")
    file = tmp_path / "game.pdn"
    saving.value.save_as(file)
    [game] = pdn.read(file)
    # Black begins.
    assert (game.headers["Black"], game.headers["White"]) == ("Ana", "Bo")
    choose(desk, file.read_text("utf-8"))
    desk.page.wait_for_url("**/game/**")
    desk.ready()
    assert desk.moves() == ["11-15", "23-19"]
    desk.play("9-14")


def test_a_choice_of_games_with_the_keyboard(desk: Window) -> None:
    choose(desk, GAMES, encoding="cp1251")
    games = desk.page.locator("#load-games")
    games.wait_for()
    assert desk.page.inner_text("#load-which") == "Which of the 3 games?"
    buttons = games.get_by_role("button")
    assert [text.split("\n") for text in buttons.all_inner_texts()] == [
        ["Ana – Bo", "2024.05.12 · 1-1 · International · moves:\u00a04"],
        ["Чижов Алексей – unnamed", "* · Russian · moves:\u00a03"],
    ]
    assert "Game 3, line 19, column 4" in games.locator(".wrong").inner_text()
    desk.press("Tab", "Tab", "Enter")
    desk.page.wait_for_url("**/game/**")
    desk.ready()
    assert desk.moves() == ["c3-d4", "d6-c5", "b2-c3"]


def test_a_choice_of_games_by_touch(phone: Window) -> None:
    choose(phone, GAMES)
    phone.page.get_by_role("button", name="Ana – Bo").tap()
    phone.page.wait_for_url("**/game/**")
    phone.ready()
    assert phone.moves() == ["32-28", "19-23", "28x19", "14x23"]
    assert phone.page.locator("#end").is_visible()


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. 32-28 19-23 2. 28x19 14x23 *", ["32-28", "19-23", "28x19", "14x23"]),
        ("W:Wc3:Bf6", []),
    ],
)
def test_pasted(desk: Window, text: str, moves: list[str]) -> None:
    desk.open("/")
    desk.page.get_by_role("button", name="Load a game").click()
    go = desk.page.locator("#load-pasted")
    assert go.is_disabled()
    desk.page.get_by_label("Or paste the text here").fill(text)
    go.click()
    desk.page.wait_for_url("**/game/**")
    desk.ready()
    assert desk.moves() == moves


def test_a_game_file_with_a_byte_order_mark(desk: Window) -> None:
    choose(desk, played("american", "11-15 23-19"), "game.json", "utf-8-sig")
    desk.page.wait_for_url("**/game/**")
    desk.ready()
    assert desk.moves() == ["11-15", "23-19"]


def test_what_is_wrong_is_said_in_the_persons_language(browser: Browser, desk: Window) -> None:
    with window(browser, desk.url, ignore_errors=True, **locale("bg")) as other:
        other.open("/")
        other.page.locator("#open-load").click()
        choose(other, '[GameType "20"]\n\n1. 32-28 19-23 2. 33-29 *')
        problem = other.page.locator("#load-problem")
        other.until(problem.inner_text)
        assert problem.inner_text().startswith("Игра 1, ред 3, знак 19: 33-29: ")
        # A file of another kind is tried at once.
        choose(other, '{"format": "x"}', "game.json")
        other.until(lambda: "ред" not in problem.inner_text() and problem.inner_text())
        large = FilePayload(name="a.pdn", mimeType="", buffer=b" " * (2 * 1024 * 1024 + 1))
        other.page.set_input_files("#load", large)
        other.until(lambda: "най-много 2 MB" in problem.inner_text())
        other.press("Escape")
        assert not other.page.locator("#loading").is_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_a_phone(browser: Browser, desk: Window, language: str) -> None:
    with window(browser, desk.url, viewport=PHONE, **locale(language)) as phone:
        page = phone.page

        def fits() -> bool:
            wide = "document.documentElement.scrollWidth > innerWidth"
            inner = "(d => d.scrollWidth > d.clientWidth)(document.querySelector('dialog[open]'))"
            found = []
            for width in (320, 390):
                page.set_viewport_size({"width": width, "height": 844})
                found.append(page.evaluate(f"{wide} || {inner}"))
            return not any(found)

        phone.open("/")
        page.locator("#open-load").click()
        choose(phone, GAMES.replace("Ana", "Aleksandrina-Anastázia " * 2))
        page.locator("#load-games").wait_for()
        assert fits()
        heights = page.locator("#loading :is(button, .file)").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().height)"
        )
        assert min(heights) >= 44
        phone.new_game("dama100")
        page.locator("#open-settings").click()
        page.locator("#settings[open]").wait_for()
        assert page.locator("#settings footer a[download]").count() == 2
        assert fits()
