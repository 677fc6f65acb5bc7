"""The static site in Chromium without a network: games, refusals, rule sets, reloads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from damka import Board, Game, box, rules
from damka.locales import LANGUAGES
from damka.notation import labels
from damka.refusal import labelled
from tests.chromium import DOUBLE_CLICK, Host
from tests.static_site.support import Window, open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


@pytest.fixture(scope="module")
def offline(browser: Browser, host: Host) -> Iterator[Window]:
    """A window that went offline after loading the start page."""
    with open_context(browser) as context:
        window = open_window(context, host)
        window.open("").page.wait_for_url("**/en/index.html")
        window.wait_until_cached()
        context.set_offline(True)
        before = len(host.requests)
        yield window
        # Browsers check for a newer worker even in emulated offline mode.
        assert [path for path in host.requests[before:] if path != "/sub/sw.js"] == []
        assert window.errors == []


def check_saved_game(window: Window) -> None:
    """Replay the saved game move by move, and compare it with the page."""
    saved = window.game()
    assert saved.result is not None
    replayed = Game(saved.rules)
    for ply in saved.history:
        if ply.huff is not None:
            replayed.huff(ply.huff)
        [move] = [each for each in replayed.legal_moves if each.hub() == ply.move.hub()]
        replayed.play(move)
    assert replayed.result == saved.result
    assert replayed.board.pieces == window.pieces
    result = window.state["result"]
    assert (saved.result.winner, saved.result.reason) == (result["winner"], result["reason"])


@pytest.mark.parametrize("name", [*rules.names()[:3], "turkish", "frisian"])
def test_a_whole_game_without_a_network(offline: Window, name: str) -> None:
    offline.new_game(name).play_on(7, 600)
    check_saved_game(offline)


def test_a_whole_game_against_the_computer_without_a_network(offline: Window) -> None:
    offline.new_game("mini-american", opponent="computer", level="1").play_on(3, 200, "B")
    assert offline.game().players["W"] == "Damka, level 1"
    check_saved_game(offline)


def test_the_computer_plays_and_gives_hints_without_a_network(offline: Window) -> None:
    offline.new_game("dama100", opponent="computer", level="3").play_on(3, 6, "W")
    game = offline.game()
    assert game.players["B"] == "Damka, level 3"
    assert len(game.history) == 12
    offline.page.click("#hint")
    offline.until(lambda: "Try" in offline.status_text, "a hint")


def test_a_refusal_is_explained_in_every_language(offline: Window) -> None:
    game = Game("american", "W:W22,32:B3,18")
    why = game.why_not([32, 28])
    assert why is not None
    refusal = labelled(why, game.rules, "32-28")
    first = LANGUAGES[0]
    offline.load(game.to_json(), first)
    address = offline.page.url
    for language in LANGUAGES:
        if language != first:
            offline.page.goto(address.replace(f"/{first}/", f"/{language}/"))
            offline.ready()
            offline.wait_until_joined()
        offline.type("32-28")
        expected = refusal.sentence(language, labels(game.rules).name)
        offline.until(lambda: offline.status_text == expected, expected)  # noqa: B023


def test_a_piece_that_did_not_capture_is_huffed(offline: Window) -> None:
    game = Game("dama100", "W:W28,38:B23,5")
    offline.load(game.to_json())
    [offence, *_] = offline.state["offences"]
    offline.play(offence)
    huffable = offline.state["huffable"]
    assert huffable
    offline.settled()
    # The moved man itself may be huffed: not by a double-click on its new square.
    offline.page.wait_for_timeout(DOUBLE_CLICK)
    offline.click(huffable[0])
    offline.until(lambda: offline.state["pieces"][huffable[0] - 1] == ".", "the huff")
    offline.settled()
    assert offline.game().board.pieces == offline.pieces


CAPTURE_DUE = Game("dama100", "W:W32,36,37,46:B3,4,28")
"""The man on 32 can capture; moving another one risks a huff."""


def test_a_person_huffs_the_computer(offline: Window) -> None:
    game = Game.from_json(CAPTURE_DUE.to_json())
    game.play(next(move for move in game.offence_moves if move.start == 36))
    offline.load(game.to_json(), query="?opponent=computer&level=1&side=B")
    assert offline.state["huffable"] == [32]
    offline.page.get_by_role("button", name="Huff 32").click()
    offline.until(lambda: offline.state["pieces"][31] == ".", "the huff")
    offline.play(offline.state["legal"][0])
    offline.until(lambda: offline.state["turn"] == "B" or offline.state["result"], "the reply")
    assert [ply.huff for ply in offline.game().history][:2] == [None, 32]


def test_the_computer_huffs_a_person(offline: Window) -> None:
    offline.load(CAPTURE_DUE.to_json(), query="?opponent=computer&level=1&side=W")
    offline.play(next(move for move in offline.state["offences"] if move["from"] == 36))
    offline.until(lambda: offline.state["ply"] == 2, "the reply")
    assert offline.game().history[1].huff == 32
    assert offline.state["pieces"][31] == "."


def test_a_whole_game_by_custom_rules_without_a_network(offline: Window) -> None:
    page = offline.page
    offline.open("en/box.html?base=mini-american")
    page.locator("#q-title").fill("Ours")
    page.locator("#q-man_capture").select_option("all")
    offline.until(lambda: page.inner_text("h1") == "Ours", "the rule set")
    page.get_by_text("Same screen", exact=True).click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_url("**/game.html?game=*")
    offline.ready()
    offline.wait_until_joined().play_on(9, 200)
    check_saved_game(offline)
    assert offline.game().rules.man_capture == "all"
    link = page.locator("a[data-rules]").get_attribute("href") or ""
    offline.open(f"en/{link}")
    offline.until(lambda: "Ours" in page.inner_text("h1"), "the rules page")


def test_a_game_survives_a_reload_and_is_listed(offline: Window) -> None:
    offline.new_game("dama64")
    offline.play(offline.state["legal"][0])
    offline.settled()
    pieces = offline.pieces
    offline.until_kept(1)
    offline.page.reload()
    offline.ready()
    assert offline.pieces == pieces, "at once, before the worker has started"
    offline.wait_until_joined()
    assert offline.state["ply"] == 1
    address = offline.page.url
    offline.open("en/index.html").page.locator(".running a").first.click()
    offline.page.wait_for_url(address)


def test_positions_are_analysed_without_a_network(offline: Window) -> None:
    page = offline.open("en/analyse.html?rules=russian").page
    page.locator(".engine-lines .line:not(.empty)").first.wait_for()
    first = page.locator(".line .first").first
    board = Board("russian")
    assert first.inner_text() in {board.text(move, labels=True) for move in board.legal_moves}
    start = offline.pieces
    first.click()
    offline.until(lambda: offline.pieces != start, "the move is played")
    house = rules.load("dama64").replace(name="kitchen", title={"en": "Kitchen"}, rows=2)
    offline.open(f"en/analyse.html?r={box.encode(house)}")
    page.locator(".engine-lines .line:not(.empty)").first.wait_for()
