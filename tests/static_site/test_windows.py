"""The static site in Chromium: two windows, full storage, a new version, a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from damka.locales import translate
from tests.static_site.support import PLAY, Host, context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]


def test_a_second_window_is_told_and_takes_over(chrome: Browser, host: Host) -> None:
    with context(chrome) as made:
        one = window(made, host).new_game("american")
        one.play(one.state["legal"][0])
        two = window(made, host)
        two.page.goto(one.page.url)
        two.until(lambda: two.notice, "a word")
        assert two.notice == translate("en", "site.other_window")
        one.page.close()
        two.up()
        assert two.notice == ""
        two.play(two.state["legal"][0])
        assert len(two.game().history) == 2


def test_a_move_that_finds_no_room_is_not_played(chrome: Browser, host: Host, folder: Path) -> None:
    [path] = folder.glob("static/*/store.js")
    full = 'if (seq > 0) throw new DOMException("", "QuotaExceededError");'
    place = '=>\nwithin("readwrite", ["games", "events"], ({ games, events }) => {\nevents.add'
    script = path.read_text("utf-8")
    assert place in script
    changed = script.replace(place, place.replace("events.add", f"{full}\nevents.add"))
    host.instead[path.relative_to(folder).as_posix()] = changed.encode()
    try:
        with context(chrome, service_workers="block") as made:
            desk = window(made, host).new_game("american")
            desk.play(desk.state["legal"][0])
            desk.settled()
            before = desk.pieces
            move = desk.state["legal"][0]
            desk.page.evaluate(PLAY, [move, move["route"]])
            desk.until(lambda: desk.said == translate("en", "server.error.full"), "a word")
            assert desk.state["ply"] == 1
            desk.until(lambda: desk.pieces == before, "the board as it was")
    finally:
        host.instead.clear()


def test_a_new_version_is_offered_and_keeps_the_games(
    chrome: Browser, host: Host, folder: Path
) -> None:
    try:
        with context(chrome) as made:
            desk = window(made, host).new_game("american")
            desk.play(desk.state["legal"][0])
            desk.open("en/index.html").kept()
            desk.newer()
            desk.page.reload()
            assert desk.page.title() == "Damka", "the version that is kept"
            desk.until(lambda: desk.notice, "the offer")
            desk.page.click(".site-notice button")
            desk.until(lambda: desk.page.title() == "Newer", "the new version")
            desk.page.locator(".running a").wait_for()
            kept = desk.page.evaluate("caches.keys()")
            assert len(kept) == 1
            assert desk.complaints == []
    finally:
        host.instead.clear()


def test_it_plays_by_touch_on_a_phone(chrome: Browser, host: Host) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with context(chrome, **phone) as made:
        hand = window(made, host).new_game("dama64")
        move = hand.state["legal"][0]
        for square in (move["from"], move["to"]):
            hand.page.locator(f'[data-square="{square}"] .play').tap(force=True)
        hand.until(lambda: hand.state["ply"] == 1, "the move")
        assert hand.complaints == []
