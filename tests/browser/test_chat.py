"""Chat, spectators and the dialogs to block or report, in windows of different languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from damka.locales import LANGUAGES
from damka.server.accounts import members
from tests.browser.support import Window, locale, window
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
    with windows(browser, club, {}, phone) as (one, two):
        yield one, two


def meet(one: Window, two: Window, **options: object) -> None:
    """Let two join a game; the second one's page may have any language."""
    asked = {"rules": "dama64", "opponent": "invite", "colour": "first", "names": ["Ana", ""]}
    url = one.post("/api/games", {**asked, **options})["url"]
    two.post(f"/api/games/{url.rpartition('/')[2]}/join", {"name": "Petra"})
    for each in (one, two):
        each.open(url)


def register(one: Window, *, kid: bool = False) -> str:
    name = new_name()
    form(one, "/account/register", name=name, password=PASSWORD)
    if kid:
        form(one, "/account/preferences", kid="on", chat="on")
    return name


def form(one: Window, path: str, **fields: str | float | bool) -> None:
    headers = {"origin": one.url}
    answer = one.page.request.post(one.url + path, form=fields, headers=headers)
    assert answer.ok, answer.text()


def chat(one: Window) -> None:
    one.page.locator("#chat").click()
    one.page.wait_for_selector("#talk[open]")


def lines(one: Window) -> list[str]:
    return one.page.locator("#lines li").all_inner_texts()


def unread(one: Window) -> bool:
    return bool(one.page.evaluate("document.getElementById('chat').classList.contains('new')"))


def test_a_preset_is_read_in_the_language_of_each(players: tuple[Window, Window]) -> None:
    one, two = players
    meet(one, two)
    loaded = "performance.getEntriesByType('resource').some(e => e.name.endsWith('chat.js'))"
    assert not one.page.evaluate(loaded), "it is loaded when it is opened"
    chat(one)
    assert one.page.evaluate("document.activeElement.dataset.code") == "hello", "presets first"
    one.page.get_by_role("button", name="Good luck!").click()
    one.until(lambda: lines(one) == ["You Good luck!"], "it stands there")
    # The other page announces it politely, and marks the button until it is read.
    two.until(lambda: unread(two), "it is marked")
    assert two.page.inner_text("#spoken") == "Ana: Veľa šťastia!"
    assert two.page.get_attribute("#spoken", "aria-live") == "polite"
    assert two.page.get_attribute("#chat", "aria-label") == "Chat: nové správy"
    chat(two)
    assert lines(two) == ["Ana Veľa šťastia!"]
    assert two.page.get_attribute("#lines", "role") == "log"
    assert not unread(two)
    two.page.reload()
    two.ready()
    assert not unread(two), "it was read"
    # Messages arrive while the page is closed; it shows them when it opens.
    two.open("/rules/dama64")
    with one.page.expect_response("**/chat"):
        one.page.get_by_role("button", name="Nice move!").click()
    two.page.go_back()
    two.ready()
    two.until(lambda: unread(two), "there is something new")


def test_hostile_texts_are_only_texts(players: tuple[Window, Window]) -> None:
    one, two = players
    meet(one, two)
    chat(one)
    chat(two)
    hostile = ["<img src=x onerror=document.title='hacked'>", "https://evil.example", "ab\u202edc"]
    for n, text in enumerate(hostile, start=1):
        one.page.fill("#talk-text", text)
        one.page.keyboard.press("Enter")
        expect(two.page.locator("#lines li[data-id]")).to_have_count(n)
    assert lines(two) == [f"Ana {text}" for text in (*hostile[:2], "abdc")]
    assert not two.page.locator("#lines :is(img, a)").count()
    assert "hacked" not in two.page.title()
    one.page.evaluate("document.getElementById('talk-text').maxLength = 9999")
    one.page.fill("#talk-text", "x" * 5000)
    with one.page.expect_response(lambda answer: answer.status == 422):
        one.page.keyboard.press("Enter")
    one.until(lambda: "too long" in one.page.inner_text("#talk .problem"), "it is said")
    one.errors.clear()  # Chromium logs the refused request
    # Escape returns to the board.
    one.page.keyboard.press("Escape")
    assert one.page.evaluate("document.activeElement.id") == "chat"
    play(one, two, one.state["legal"][0]["hub"])


def test_one_person_is_muted_and_all_are(players: tuple[Window, Window]) -> None:
    one, two = players
    meet(one, two)
    chat(two)
    two.page.get_by_role("button", name="Ahoj!").click()
    one.until(lambda: unread(one), "heard")
    chat(one)
    one.page.get_by_role("button", name="Petra").click()
    one.page.get_by_role("button", name="Mute Petra").click()
    one.until(lambda: not any("Hello!" in line for line in lines(one)), "not shown any more")
    one.page.keyboard.press("Escape")
    two.page.get_by_role("button", name="Hopla!").click()
    one.page.wait_for_timeout(300)
    assert not unread(one)
    assert "Oops" not in one.page.inner_text("#spoken")
    chat(one)
    one.page.get_by_role("button", name="Unmute Petra").click()
    one.until(lambda: lines(one) == ["Petra Hello!", "Petra Oops!"], "all is there")
    # The switch applies to other games too.
    one.page.get_by_label("Show messages from others").click()
    one.until(lambda: lines(one) == ["You have turned chat off."], "off")
    one.page.keyboard.press("Escape")
    two.page.get_by_role("button", name="Ahoj!").click()
    one.page.wait_for_timeout(300)
    assert not unread(one)
    one.page.reload()
    one.ready()
    assert not unread(one)
    chat(one)
    assert lines(one) == ["You have turned chat off."]


def test_a_child_has_presets_and_the_opponent_sees_no_difference(
    players: tuple[Window, Window],
) -> None:
    one, two = players
    name = register(one, kid=True)
    meet(one, two)
    chat(one)
    chat(two)
    assert one.page.locator("#talk-form").is_hidden()
    two.page.fill("#talk-text", "Kde bývaš?")
    two.page.keyboard.press("Enter")
    two.page.get_by_role("button", name="Ahoj!").click()
    one.until(lambda: lines(one) == ["Petra Hello!"], "the preset alone")
    assert lines(two) == ["Ty Kde bývaš?", "Ty Ahoj!"]
    assert "Kde" not in one.page.inner_text("#spoken")
    one.page.get_by_role("button", name="Thank you!").click()
    two.until(lambda: lines(two)[-1] == f"{name} Ďakujem!", "answered")


def test_spectators_are_named_on_demand_and_have_a_room(
    browser: Browser, club: Server, players: tuple[Window, Window]
) -> None:
    one, two = players
    meet(one, two, no_draw_before=20)
    assert "No draw before move 20" in one.page.inner_text("#beside")
    with window(browser, club.url) as third, window(browser, club.url) as fourth:
        name = register(third)
        third.open(f"/game/{one.state['id']}")
        number = one.page.get_by_role("button", name="spectators: 1")
        number.click()
        dialog = one.page.get_by_role("dialog", name="spectators: 1")
        expect(dialog.get_by_role("link", name=name)).to_be_visible()
        fourth.open(f"/game/{one.state['id']}")
        one.until(
            lambda: one.page.locator("#watchers li").all_inner_texts() == [name, "and one guest"],
            "it is kept up to date",
        )
        one.page.keyboard.press("Escape")
        chat(fourth)
        fourth.page.fill("#talk-text", "What a game")
        fourth.page.keyboard.press("Enter")
        third.until(lambda: unread(third), "who watches hears it")
        assert not unread(one)
        assert not unread(two)
        chat(third)
        third.page.get_by_role("button", name="Guest").click()
        third.page.get_by_role("button", name="Report Guest").click()
        report = third.page.get_by_role("dialog", name="Guest")
        assert report.get_by_label("Reason").input_value() == "insult"
        report.get_by_role("button", name="Send report").click()
        expect(report.get_by_role("status")).to_have_text("You have reported this game.")
        play(one, two, "22-18", "11-15")
        two.page.locator("#resign").click()
        two.page.locator("#answers button").first.click()
        one.until(lambda: one.state["result"], "it is over")
        chat(one)
        one.until(lambda: lines(one) == ["Guest What a game"], "now the players read it")
        assert "spectators can read this" in one.page.inner_text("#talk-room")


def test_blocking_and_reporting_without_leaving_the_game(
    browser: Browser, club: Server, players: tuple[Window, Window]
) -> None:
    one, two = players
    register(one)
    theirs = register(two)
    meet(one, two)
    one.page.locator("#open-settings").click()
    one.page.get_by_role("button", name="Opponent: block or report").click()
    dialog = one.page.get_by_role("dialog", name=theirs)
    assert dialog.get_by_role("link", name="Profile").get_attribute("href") == f"/@/{theirs}"
    dialog.get_by_role("button", name="Block", exact=True).click()
    expect(dialog.get_by_role("button", name="Unblock")).to_be_visible()
    dialog.get_by_label("Reason").select_option("stalling")
    dialog.get_by_label("What happened?").fill("Waits and waits")
    dialog.get_by_role("button", name="Send report").click()
    dialog.get_by_role("button", name="Back to the game").click()
    assert not one.page.locator("dialog[open]").count()
    play(one, two, one.state["legal"][0]["hub"])
    assert one.page.get_by_role("link", name="Log in").count() == 0, "the account is there"
    with store_of(club).transaction() as connection:
        account = members.find(connection, theirs)
        assert account is not None
    chat(two)
    two.page.get_by_role("button", name="Ahoj!").click()
    one.page.wait_for_timeout(300)
    assert not unread(one), "nothing passes between them any more"


def test_the_title_shows_whose_turn_it_is(browser: Browser, club: Server) -> None:
    with windows(browser, club, {}, {}) as (one, two):
        pair(one, two, clock={"kind": "days", "seconds": 86_400})
        one.until(lambda: one.page.title().startswith("● Your turn · "), "it is Ana's")
        assert not two.page.title().startswith("●")
        play(one, two, "22-18")
        two.until(lambda: two.page.title().startswith("● Your turn · "), "now it is Petra's")
        one.until(lambda: not one.page.title().startswith("●"), "and Ana's no more")
        one.open("/")
        assert one.page.locator(".running mark").count() == 0
        two.open("/")
        expect(two.page.locator(".running mark").first).to_have_text("Your turn")


OUTSIDE = """where => [...document.querySelectorAll(`${where}, ${where} *`)].filter(node => {
  const { left, right, width } = node.getBoundingClientRect();
  return width && (left < -1 || right > innerWidth + 1) && !node.closest(".presets");
}).map(node => node.id || node.className || node.nodeName)"""


def test_it_fits_a_narrow_screen_in_every_language(
    browser: Browser, club: Server, players: tuple[Window, Window]
) -> None:
    one, two = players
    register(one)
    meet(one, two, names=["Anastazija Konstantinova", ""])
    one.page.set_viewport_size({"width": 320, "height": 568})
    for language in LANGUAGES:
        one.open(f"/game/{one.state['id']}?lang={language}")
        chat(one)
        one.until(lambda: one.page.evaluate(OUTSIDE, "#talk") == [], f"it has come in, {language}")
        sizes = one.page.locator("#talk :is(button, input)").evaluate_all(
            "nodes => nodes.map(node => node.getBoundingClientRect()).map(box => box.height)"
        )
        assert min(size for size in sizes if size) >= 24, language
        one.page.keyboard.press("Escape")
        one.page.locator("#open-settings").click()
        assert one.page.evaluate(OUTSIDE, "#settings") == [], language
        one.page.locator("#about").click()
        one.page.wait_for_selector("#person[open]")
        assert one.page.evaluate(OUTSIDE, "#person") == [], language
        assert not one.page.evaluate("document.documentElement.scrollWidth > innerWidth")
