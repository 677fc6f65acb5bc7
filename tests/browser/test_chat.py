"""Chat, spectators and the dialogs to block or report, in windows of different languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Route, expect

from damka.locales import LANGUAGES
from damka.server.accounts import members
from tests.browser.slow import Slow
from tests.browser.support import Window, locale, open_window
from tests.browser.two_devices import pair, play, windows
from tests.chromium import PHONE
from tests.server.accounts.support import PASSWORD, ROOMY, new_name, store_of
from tests.server.support import Server, serving


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with quotas for many accounts."""
    with serving(tmp_path_factory.mktemp("chat"), limits=ROOMY) as server:
        yield server


@pytest.fixture
def players(browser: Browser, club: Server) -> Iterator[tuple[Window, Window]]:
    """Ana in English, and Petra on a phone in Slovak."""
    phone = {**locale("sk"), "viewport": PHONE}
    with windows(browser, club, {}, phone) as (ana, petra):
        yield ana, petra


def meet(ana: Window, petra: Window, **options: object) -> None:
    """Start a game between two windows. The second may be in any language."""
    request = {"rules": "dama64", "opponent": "invite", "colour": "first", "names": ["Ana", ""]}
    url = ana.post("/api/games", {**request, **options})["url"]
    petra.post(f"/api/games/{url.rpartition('/')[2]}/join", {"name": "Petra"})
    for each in (ana, petra):
        each.open(url)


def register(window: Window, *, child: bool = False) -> str:
    name = new_name()
    form(window, "/account/register", name=name, password=PASSWORD)
    if child:
        form(window, "/account/preferences", kid="on", chat="on")
    return name


def form(window: Window, path: str, **fields: str | float | bool) -> None:
    headers = {"origin": window.url}
    answer = window.page.request.post(window.url + path, form=fields, headers=headers)
    assert answer.ok, answer.text()


def open_chat(window: Window) -> None:
    window.page.locator("#chat").click()
    window.page.wait_for_selector("#talk[open]")


def chat_lines(window: Window) -> list[str]:
    return window.page.locator("#lines li").all_inner_texts()


RECEIVED = "text => [...handled].some((each) => each.includes(text))"
CHAT = """() => {
  const { src } = document.querySelector("script[src$='game.js']");
  return import(src.replace("game.js", "chat.js"));
}"""


def until_received(window: Window, text: str) -> None:
    """Wait until the page has handled a message, whether or not it shows it."""
    window.until(lambda: window.page.evaluate(RECEIVED, text), f"{text} arrives")
    # The page passes messages on once this module is loaded.
    window.page.evaluate(CHAT)


def has_unread(window: Window) -> bool:
    return bool(window.page.evaluate("document.getElementById('chat').classList.contains('new')"))


def test_a_preset_is_shown_in_the_language_of_each_reader(players: tuple[Window, Window]) -> None:
    ana, petra = players
    meet(ana, petra)
    loaded = "performance.getEntriesByType('resource').some(e => e.name.endsWith('chat.js'))"
    assert not ana.page.evaluate(loaded), "the script is loaded on demand"
    open_chat(ana)
    assert ana.page.evaluate("document.activeElement.dataset.code") == "hello", (
        "the focus is on the presets"
    )
    ana.page.get_by_role("button", name="Good luck!").click()
    ana.until(lambda: chat_lines(ana) == ["You Good luck!"], "the message is listed")
    # The other page announces the message, and marks the button until it is read.
    petra.until(lambda: has_unread(petra), "the button is marked")
    assert petra.page.inner_text("#spoken") == "Ana: Veľa šťastia!"
    assert petra.page.get_attribute("#spoken", "aria-live") == "polite"
    assert petra.page.get_attribute("#chat", "aria-label") == "Chat: nové správy"
    open_chat(petra)
    assert chat_lines(petra) == ["Ana Veľa šťastia!"]
    assert petra.page.get_attribute("#lines", "role") == "log"
    assert not has_unread(petra)
    petra.page.reload()
    petra.ready()
    assert not has_unread(petra), "the message was read"
    # Messages that arrive while the page is closed are marked when it opens.
    petra.open("/rules/dama64")
    with ana.page.expect_response("**/chat"):
        ana.page.get_by_role("button", name="Nice move!").click()
    petra.page.go_back()
    petra.ready()
    petra.until(lambda: has_unread(petra), "the button is marked")


def test_a_slow_answer_neither_repeats_nor_loses_a_message(
    players: tuple[Window, Window],
) -> None:
    ana, petra = players
    meet(ana, petra)
    # A message arrives before the list that does not have it.
    answers: list[tuple[Route, APIResponse]] = []
    ana.page.route("**/api/games/*/chat", lambda route: answers.append((route, route.fetch())))
    ana.page.locator("#chat").click()
    ana.until(lambda: answers, "the list")
    open_chat(petra)
    petra.page.get_by_role("button", name="Ahoj!").click()
    ana.until(lambda: has_unread(ana), "a new message")
    for route, response in answers:
        route.fulfill(response=response)
    ana.page.wait_for_selector("#talk[open]")
    assert chat_lines(ana) == ["Petra Hello!"]
    ana.page.unroute_all()
    # A message that is sent twice by impatience, and the next one.
    slow = Slow(ana.page, "**/api/games/*/chat")
    ana.page.fill("#talk-text", "Good evening")
    ana.press("Enter", "Enter")
    ana.page.keyboard.type("And")
    ana.until(lambda: slow.held, "the request")
    slow.let_go()
    said = ["Petra Hello!", "You Good evening"]
    ana.until(lambda: chat_lines(ana) == said, "the message is listed")
    assert ana.page.input_value("#talk-text") == "And"
    petra.until(lambda: chat_lines(petra)[-1] == "Ana Good evening", "the message arrives")
    assert chat_lines(ana) == said


def test_hostile_texts_are_shown_as_text(players: tuple[Window, Window]) -> None:
    ana, petra = players
    meet(ana, petra)
    open_chat(ana)
    open_chat(petra)
    hostile = ["<img src=x onerror=document.title='hacked'>", "https://evil.example", "ab\u202edc"]
    for n, text in enumerate(hostile, start=1):
        ana.page.fill("#talk-text", text)
        ana.page.keyboard.press("Enter")
        expect(petra.page.locator("#lines li[data-id]")).to_have_count(n)
    assert chat_lines(petra) == [f"Ana {text}" for text in (*hostile[:2], "abdc")]
    assert not petra.page.locator("#lines :is(img, a)").count()
    assert "hacked" not in petra.page.title()
    ana.page.evaluate("document.getElementById('talk-text').maxLength = 9999")
    ana.page.fill("#talk-text", "x" * 5000)
    with ana.page.expect_response(lambda answer: answer.status == 422):
        ana.page.keyboard.press("Enter")
    ana.until(lambda: "too long" in ana.page.inner_text("#talk .problem"), "the error is shown")
    ana.errors.clear()  # Chromium logs the refused request
    # Escape returns to the board.
    ana.page.keyboard.press("Escape")
    assert ana.page.evaluate("document.activeElement.id") == "chat"
    play(ana, petra, ana.state["legal"][0]["hub"])


def test_muting_one_player_and_turning_chat_off(players: tuple[Window, Window]) -> None:
    ana, petra = players
    meet(ana, petra)
    open_chat(petra)
    petra.page.get_by_role("button", name="Ahoj!").click()
    ana.until(lambda: has_unread(ana), "a new message")
    open_chat(ana)
    ana.page.get_by_role("button", name="Petra").click()
    ana.page.get_by_role("button", name="Mute Petra").click()
    ana.until(
        lambda: not any("Hello!" in line for line in chat_lines(ana)), "the message is hidden"
    )
    ana.page.keyboard.press("Escape")
    petra.page.get_by_role("button", name="Hopla!").click()
    until_received(ana, "Oops!")
    assert not has_unread(ana)
    assert "Oops" not in ana.page.inner_text("#spoken")
    open_chat(ana)
    ana.page.get_by_role("button", name="Unmute Petra").click()
    ana.until(
        lambda: chat_lines(ana) == ["Petra Hello!", "Petra Oops!"], "all messages are shown again"
    )
    # The switch applies to other games too.
    ana.page.get_by_label("Show messages from others").click()
    ana.until(lambda: chat_lines(ana) == ["You have turned chat off."], "chat is off")
    ana.page.keyboard.press("Escape")
    petra.page.get_by_role("button", name="Veľa šťastia!").click()
    until_received(ana, "Good luck!")
    assert not has_unread(ana)
    ana.page.reload()
    ana.ready()
    assert not has_unread(ana)
    open_chat(ana)
    assert chat_lines(ana) == ["You have turned chat off."]


def test_a_child_sees_only_presets_without_the_opponent_noticing(
    players: tuple[Window, Window],
) -> None:
    ana, petra = players
    name = register(ana, child=True)
    meet(ana, petra)
    open_chat(ana)
    open_chat(petra)
    assert ana.page.locator("#talk-form").is_hidden()
    petra.page.fill("#talk-text", "Kde bývaš?")
    petra.page.keyboard.press("Enter")
    petra.page.get_by_role("button", name="Ahoj!").click()
    ana.until(lambda: chat_lines(ana) == ["Petra Hello!"], "only the preset")
    petra.until(lambda: chat_lines(petra) == ["Ty Kde bývaš?", "Ty Ahoj!"], "in their order")
    assert "Kde" not in ana.page.inner_text("#spoken")
    ana.page.get_by_role("button", name="Thank you!").click()
    petra.until(lambda: chat_lines(petra)[-1] == f"{name} Ďakujem!", "the answer")


def test_spectators_are_listed_and_have_their_own_chat(
    browser: Browser, club: Server, players: tuple[Window, Window]
) -> None:
    ana, petra = players
    meet(ana, petra, no_draw_before=20)
    assert "No draw before move 20" in ana.page.inner_text("#beside")
    with open_window(browser, club.url) as third, open_window(browser, club.url) as fourth:
        name = register(third)
        third.open(f"/game/{ana.state['id']}")
        number = ana.page.get_by_role("button", name="spectators: 1")
        number.click()
        dialog = ana.page.get_by_role("dialog", name="spectators: 1")
        expect(dialog.get_by_role("link", name=name)).to_be_visible()
        fourth.open(f"/game/{ana.state['id']}")
        ana.until(
            lambda: ana.page.locator("#watchers li").all_inner_texts() == [name, "and one guest"],
            "the list is updated",
        )
        ana.page.keyboard.press("Escape")
        open_chat(fourth)
        fourth.page.fill("#talk-text", "What a game")
        fourth.page.keyboard.press("Enter")
        third.until(lambda: has_unread(third), "spectators receive it")
        open_chat(third)
        third.page.get_by_role("button", name="Guest").click()
        third.page.get_by_role("button", name="Report Guest").click()
        report = third.page.get_by_role("dialog", name="Guest")
        assert report.get_by_label("Reason").input_value() == "insult"
        report.get_by_role("button", name="Send report").click()
        expect(report.get_by_role("status")).to_have_text("You have reported this game.")
        play(ana, petra, "22-18", "11-15")
        assert not has_unread(ana)
        assert not has_unread(petra)
        petra.page.locator("#resign").click()
        petra.page.locator("#answers button").first.click()
        ana.until(lambda: ana.state["result"], "the game is over")
        open_chat(ana)
        ana.until(lambda: chat_lines(ana) == ["Guest What a game"], "the players can read it now")
        assert "spectators can read this" in ana.page.inner_text("#talk-room")


def test_blocking_and_reporting_without_leaving_the_game(
    browser: Browser, club: Server, players: tuple[Window, Window]
) -> None:
    ana, petra = players
    register(ana)
    name = register(petra)
    meet(ana, petra)
    ana.page.locator("#open-settings").click()
    ana.page.get_by_role("button", name="Opponent: block or report").click()
    dialog = ana.page.get_by_role("dialog", name=name)
    assert dialog.get_by_role("link", name="Profile").get_attribute("href") == f"/@/{name}"
    dialog.get_by_role("button", name="Block", exact=True).click()
    expect(dialog.get_by_role("button", name="Unblock")).to_be_visible()
    dialog.get_by_label("Reason").select_option("stalling")
    dialog.get_by_label("What happened?").fill("Waits and waits")
    dialog.get_by_role("button", name="Send report").click()
    dialog.get_by_role("button", name="Back to the game").click()
    assert not ana.page.locator("dialog[open]").count()
    play(ana, petra, ana.state["legal"][0]["hub"])
    assert ana.page.get_by_role("link", name="Log in").count() == 0, "the player is logged in"
    with store_of(club).transaction() as connection:
        account = members.find(connection, name)
        assert account is not None
    open_chat(petra)
    with petra.page.expect_response("**/chat"):
        petra.page.get_by_role("button", name="Ahoj!").click()
    petra.page.keyboard.press("Escape")
    play(ana, petra, petra.state["legal"][0]["hub"])
    ana.page.evaluate(CHAT)
    assert not has_unread(ana), "messages of blocked players are hidden"


def test_the_title_shows_whose_turn_it_is(browser: Browser, club: Server) -> None:
    with windows(browser, club, {}, {}) as (ana, petra):
        pair(ana, petra, clock={"kind": "days", "seconds": 86_400})
        ana.until(lambda: ana.page.title().startswith("● Your turn · "), "Ana's turn")
        assert not petra.page.title().startswith("●")
        play(ana, petra, "22-18")
        petra.until(lambda: petra.page.title().startswith("● Your turn · "), "Petra's turn")
        ana.until(lambda: not ana.page.title().startswith("●"), "Ana's turn is over")
        ana.open("/")
        assert ana.page.locator(".running mark").count() == 0
        petra.open("/")
        expect(petra.page.locator(".running mark").first).to_have_text("Your turn")


OUTSIDE = """where => [...document.querySelectorAll(`${where}, ${where} *`)].filter(node => {
  const { left, right, width } = node.getBoundingClientRect();
  return width && (left < -1 || right > innerWidth + 1) && !node.closest(".presets");
}).map(node => node.id || node.className || node.nodeName)"""


def test_the_chat_fits_a_narrow_screen_in_every_language(
    browser: Browser, club: Server, players: tuple[Window, Window]
) -> None:
    ana, petra = players
    register(ana)
    meet(ana, petra, names=["Anastazija Konstantinova", ""])
    ana.page.set_viewport_size({"width": 320, "height": 568})
    for language in LANGUAGES:
        ana.open(f"/game/{ana.state['id']}?lang={language}")
        open_chat(ana)
        ana.until(
            lambda: ana.page.evaluate(OUTSIDE, "#talk") == [], f"the chat is open, {language}"
        )
        sizes = ana.page.locator("#talk :is(button, input)").evaluate_all(
            "nodes => nodes.map(node => node.getBoundingClientRect()).map(box => box.height)"
        )
        assert min(size for size in sizes if size) >= 24, language
        ana.page.keyboard.press("Escape")
        ana.page.locator("#open-settings").click()
        ana.page.wait_for_selector("#settings[open]")
        assert ana.page.evaluate(OUTSIDE, "#settings") == [], language
        ana.page.locator("#about").click()
        ana.page.wait_for_selector("#person[open]")
        assert ana.page.evaluate(OUTSIDE, "#person") == [], language
        assert not ana.page.evaluate("document.documentElement.scrollWidth > innerWidth")
