"""Two people on two devices: joining and playing a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from playwright.sync_api import Browser

from tests.browser.support import Window, open_window
from tests.server.support import Server

BLITZ = {"kind": "fischer", "seconds": 300, "increment": 3}


@contextmanager
def windows(browser: Browser, server: Server, *options: dict[str, Any]) -> Iterator[list[Window]]:
    with ExitStack() as stack:
        yield [stack.enter_context(open_window(browser, server.url, **each)) for each in options]


def invite(inviter: Window, **options: Any) -> str:
    """Open the page of a new game with an open seat; return the invitation code."""
    request = {
        "rules": "dama64",
        "opponent": "invite",
        "colour": "first",
        "clock": BLITZ,
        **options,
    }
    inviter.open(inviter.post("/api/games", request)["url"])
    return inviter.page.inner_text("#invite b")


def accept(guest: Window, code: str, name: str = "") -> None:
    """Accept an invitation: open the link and press the button."""
    guest.open(f"/join/{code}")
    guest.page.fill("#name", name)
    guest.page.get_by_role("button", name="Join and play").click()
    guest.page.wait_for_url("**/game/*")
    guest.ready()


def pair(first: Window, second: Window, **options: Any) -> None:
    code = invite(first, names=["Ana", ""], **options)
    accept(second, code, "Petra")
    first.until(lambda: not first.page.locator("#invite").count(), "the board is shown")
    first.until(lambda: first.state["presence"]["B"]["here"], "Petra is online")


def play(first: Window, second: Window, *moves: str) -> None:
    for hub in moves:
        mover, other = (
            (first, second) if first.state["turn"] in first.state["you"] else (second, first)
        )
        mover.play(hub)
        other.until_ply(mover.state["ply"])
