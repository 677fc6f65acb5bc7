"""Two people on two devices: joining and playing a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import Browser

from tests.browser.support import Window, window
from tests.server.support import Server

BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}


@contextmanager
def windows(browser: Browser, server: Server, *options: dict[str, Any]) -> Iterator[list[Window]]:
    with ExitStack() as stack:
        yield [stack.enter_context(window(browser, server.url, **each)) for each in options]


def invite(inviter: Window, **options: Any) -> str:
    """Open the page of a new game with an open seat; return its code."""
    asked = {"rules": "dama64", "opponent": "invite", "colour": "first", "clock": BLITZ, **options}
    inviter.open(inviter.post("/api/games", asked)["url"])
    return inviter.page.inner_text("#invite b")


def sit(guest: Window, code: str, name: str = "") -> None:
    """Accept an invitation as a person does: open the link, press the button."""
    guest.open(f"/join/{code}")
    guest.page.fill("#name", name)
    guest.page.get_by_role("button", name="Join and play").click()
    guest.page.wait_for_url("**/game/*")
    guest.ready()


def pair(one: Window, two: Window, **options: Any) -> None:
    code = invite(one, names=["Ana", ""], **options)
    sit(two, code, "Petra")
    one.until(lambda: not one.page.locator("#invite").count(), "the board is shown")
    one.until(lambda: one.state["presence"]["B"]["here"], "Petra is here")


def play(one: Window, two: Window, *moves: str) -> None:
    for hub in moves:
        mover, other = (one, two) if one.state["turn"] in one.state["you"] else (two, one)
        mover.play(hub)
        other.until_ply(mover.state["ply"])
