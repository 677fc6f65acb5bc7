"""Invitations on an address that other devices reach, and on one that they do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from damka.server import addresses
from tests.browser.support import FITTED, Window, locale, open_window
from tests.browser.two_devices import invite
from tests.server.support import Server, serving

SIZES: Final[tuple[ViewportSize, ...]] = (
    {"width": 1280, "height": 800},
    {"width": 390, "height": 844},
    {"width": 320, "height": 568},
    {"width": 640, "height": 400},
)
CUT: Final = """() => [document.documentElement, ...document.querySelectorAll("#invite, #invite *")]
  .filter((e) => e.checkVisibility() && !e.closest("svg, .unseen"))
  .filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline"
    || e.getBoundingClientRect().right > innerWidth + 0.5)
  .map((e) => `${e.nodeName} ${e.id}: ${e.textContent.slice(0, 40)}`)"""
"""Script that lists the parts of an invitation that are cut off at the side."""
LAN: Final = "192.168.100.200"


@pytest.fixture
def open_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that, as far as it knows, listens to the local network."""
    monkeypatch.setattr(addresses, "routed_addresses", lambda: [LAN])
    with serving(tmp_path, listens_on="0.0.0.0", hosts=("*",)) as server:  # noqa: S104
        yield server


def test_a_local_address_says_how_to_let_others_in(desktop: Window, server: Server) -> None:
    page = desktop.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    code = invite(desktop)
    port = server.host.rpartition(":")[2]
    panel = page.locator("#invite")
    expect(panel).to_contain_text("Other devices can’t reach this address.")
    expect(panel).to_contain_text(f"make play HOST=0.0.0.0 PORT={port}")
    assert not panel.locator("img").count(), "no QR code that leads nowhere"
    page.get_by_role("button", name=f"Copy damka serve --host 0.0.0.0 --port {port}").click()
    expect(panel.get_by_role("button", name="Copied")).to_have_count(1)
    assert page.evaluate("navigator.clipboard.readText()").startswith("damka serve --host 0.0.0.0")
    assert page.inner_text("#invite-link") == f"{server.url}/join/{code}"
    expect(panel).to_contain_text("This link works only on this computer")
    panel.get_by_role("button", name="Cancel").click()
    page.wait_for_url(f"{server.url}/")
    desktop.open("/lobby")
    expect(page.locator(".reach")).to_contain_text("make play HOST=0.0.0.0")
    page.context.clear_permissions()


def test_the_link_leads_to_an_address_in_the_network(browser: Browser, open_server: Server) -> None:
    port = open_server.host.rpartition(":")[2]
    with open_window(browser, open_server.url) as window:
        code = invite(window)
        link = f"http://{LAN}:{port}/join/{code}"
        page = window.page
        assert page.inner_text("#invite-link") == link
        assert page.get_attribute("#invite-link", "href") == link
        assert f"{LAN}:{port}/join" in page.inner_text("#invite .code")
        picture = page.locator("#invite img")
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 20
        # A click copies: following the link would make the inviter a stranger.
        page.locator("#invite-link").click()
        expect(page.get_by_role("button", name="Copied")).to_have_count(1)
        window.open("/lobby")
        expect(page.locator(".reach-note a")).to_have_text(f"http://{LAN}:{port}/lobby")


@pytest.mark.parametrize("language", FITTED)
def test_no_part_of_an_invitation_is_cut(
    browser: Browser, server: Server, open_server: Server, language: str
) -> None:
    for each in (server, open_server):
        with open_window(browser, each.url, **locale(language)) as window:
            invite(window)
            for size in SIZES:
                window.page.set_viewport_size(size)
                assert window.page.evaluate(CUT) == [], (each is server, size)
                button = window.page.locator("#invite [data-act=cancel]")
                button.scroll_into_view_if_needed()
                expect(button).to_be_in_viewport()


def test_the_makefile_passes_the_address_on() -> None:
    text = (Path(__file__).parents[2] / "Makefile").read_text("utf-8")
    assert re.search(r"^HOST := 127\.0\.0\.1$", text, re.MULTILINE)
    assert 'damka serve --host "$(HOST)" --port "$(PORT)"' in text
