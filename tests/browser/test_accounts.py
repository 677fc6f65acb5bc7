"""Account pages: passkeys of a real browser, forms, keyboard, narrow screens."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from damka.server.accounts import members
from tests.browser.support import Window, open_window
from tests.chromium import FLAGS, PHONE, executable
from tests.server.accounts import support as members_support
from tests.server.accounts.support import PASSWORD, ROOMY, new_name, store_of
from tests.server.support import Browser as Client
from tests.server.support import Server, serving

PAGES = ("", "/security", "/preferences", "/export", "/close")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with quotas for many accounts."""
    with serving(tmp_path_factory.mktemp("club"), limits=ROOMY, hosts=("*",)) as server:
        yield server


def local(server: Server) -> str:
    """Return the server's URL with a host name that allows passkeys."""
    return server.url.replace("127.0.0.1", "localhost")


def authenticator(page: Page) -> tuple[CDPSession, str]:
    """Add a virtual authenticator that stores passkeys and confirms requests."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    response = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, response["authenticatorId"]


def register(window: Window, name: str | None = None) -> str:
    """Register with a password on the account page."""
    name = name or new_name()
    window.open("/account")
    page = window.page
    page.locator("#new-name").fill(name)
    page.locator("#new-password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up with a password").click()
    page.wait_for_url(f"{window.url}/")
    return name


def become_member(window: Window) -> str:
    """Register and log in without a page; return the name."""
    with Client(window.url) as client:
        name = members_support.register(client)
        window.become(client)
    return name


def test_a_passkey_account_works_in_another_window(browser: Browser, club: Server) -> None:
    name = new_name()
    with open_window(browser, local(club), own=True) as first:
        session, device = authenticator(first.page)
        first.open("/account?next=/rules/dama64")
        first.page.locator("#new-name").fill(name)
        first.page.get_by_role("button", name="Sign up with a passkey").click()
        first.page.wait_for_url("**/rules/dama64")
        expect(first.page.get_by_role("link", name=name)).to_be_visible()
        response = session.send("WebAuthn.getCredentials", {"authenticatorId": device})
        [credential] = response["credentials"]
        assert credential["rpId"] == "localhost"
        with open_window(browser, local(club), own=True) as second:
            session, device = authenticator(second.page)
            parameters = {"authenticatorId": device, "credential": credential}
            session.send("WebAuthn.addCredential", parameters)
            second.open("/account")
            second.page.get_by_role("button", name="Log in with a passkey").click()
            second.page.wait_for_url(f"{second.url}/")
            expect(second.page.get_by_role("link", name=name)).to_be_visible()
            # Both sessions are listed; log out the other one.
            second.open("/account/security")
            assert second.page.locator("#devices ~ .entries li").count() == 2
            second.page.get_by_role("button", name="Log out: Chrome", exact=False).first.click()
            expect(second.page.get_by_role("status")).to_have_text("Logged out on that device.")
        first.open("/account")
        expect(first.page.get_by_role("heading", name="Log in").first).to_be_visible()


def test_a_second_passkey_is_added_and_removed(browser: Browser, club: Server) -> None:
    with open_window(browser, local(club), own=True) as window:
        become_member(window)
        authenticator(window.page)
        window.open("/account/security")
        window.page.get_by_role("button", name="Add a passkey").click()
        remove = window.page.get_by_role("button", name="Remove: Chrome, Linux")
        expect(remove).to_be_visible()
        # The device already has a passkey.
        window.page.get_by_role("button", name="Add a passkey").click()
        expect(window.page.get_by_role("alert")).to_have_text(
            "No passkey was used. You can try again."
        )
        remove.click()
        expect(window.page.get_by_role("status")).to_have_text("Passkey removed.")


def test_a_taken_name_is_reported_at_its_field(browser: Browser, club: Server) -> None:
    with open_window(browser, local(club), own=True, ignore_errors=True) as window:
        name = register(window)
        window.open("/account")
        window.page.get_by_role("button", name="Log out", exact=True).click()
        authenticator(window.page)
        window.open("/account")
        window.page.locator("#new-name").fill(name.upper())
        window.page.get_by_role("button", name="Sign up with a passkey").click()
        expect(window.page.locator("form[aria-labelledby=new] .problem")).to_contain_text(
            "That name, or one that looks like it, is taken"
        )
        window.page.locator("#new-password").fill(PASSWORD)
        window.page.get_by_role("button", name="Sign up with a password").click()
        hint = window.page.locator("#new-name-hint")
        expect(hint).to_contain_text("That name, or one that looks like it, is taken")
        expect(window.page.locator("#new-name")).to_be_focused()
        assert window.page.locator("#new-name").input_value() == name.upper()


@pytest.mark.parametrize("host", ["club.test", "192.0.2.7"])
def test_a_password_works_over_plain_http_under_any_name(
    browser: Browser, club: Server, host: str
) -> None:
    """A club's network often has no https, so no passkeys."""
    port = club.url.rsplit(":", 1)[1]
    flags = [*FLAGS, f"--host-resolver-rules=MAP {host} 127.0.0.1"]
    own = browser.browser_type.launch(executable_path=executable(), args=flags)
    try:
        with open_window(own, f"http://{host}:{port}", ignore_errors=True) as window:
            name = register(window)
            expect(window.page.get_by_role("link", name=name)).to_be_visible()
            window.open("/account/security")
            expect(window.page.locator("main")).to_contain_text("Passkeys work only over HTTPS")
            expect(window.page.get_by_role("button", name="Add a passkey")).to_be_hidden()
            assert window.page.evaluate("document.cookie").count("damka_session") == 0
            window.open("/")
            window.page.locator("#play").click()
            window.page.wait_for_url("**/game/*")
            window.ready()
            assert len(window.state["you"]) == 1
    finally:
        own.close()


def test_settings_are_shared_by_all_devices_of_a_member(browser: Browser, club: Server) -> None:
    with open_window(browser, local(club)) as first, open_window(browser, local(club)) as second:
        name = become_member(first)
        first.new_game("dama64")
        first.page.locator("#open-settings").click()
        with first.page.expect_response("**/account/settings"):
            first.page.get_by_text("Crowns on kings").click()
        with first.page.expect_response("**/account/settings"):
            first.page.locator("#settings").get_by_text("Dark").click()
        second.open("/account")
        second.page.locator("#in-name").fill(name)
        second.page.locator("#in-password").fill(PASSWORD)
        second.page.get_by_role("button", name="Log in", exact=True).click()
        second.page.wait_for_url(f"{second.url}/")
        assert second.page.get_attribute("html", "data-theme") == "dark"
        second.new_game("dama64")
        assert "crowned" in (second.page.get_attribute("#board", "class") or "")
        with second.page.expect_response("**/account/settings"):
            second.page.locator("#theme").click()
        second.open("/account/preferences")
        assert second.page.get_attribute("html", "data-theme") == "light"
        assert second.page.locator("[name=crown]").is_checked()
        second.page.get_by_text("Crowns on kings").click()
        second.page.get_by_role("button", name="Save").click()
        expect(second.page.get_by_role("status")).to_have_text("Saved for all your devices.")
        first.new_game("dama64")
        assert "crowned" not in (first.page.get_attribute("#board", "class") or "")


def test_forms_can_be_filled_with_the_keyboard(browser: Browser, club: Server) -> None:
    with open_window(browser, club.url) as window:
        name = new_name()
        window.open("/account")
        window.page.locator("#new-name").focus()
        window.page.keyboard.type(name)
        window.press("Tab")
        window.page.keyboard.type(PASSWORD)
        window.press("Enter")
        window.page.wait_for_url(f"{window.url}/")
        window.open("/account/preferences")
        window.page.locator("#language-of").focus()
        window.press("Tab", "ArrowRight", "Tab", "Space")
        assert not window.page.locator("[name=sound]").is_checked()
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert window.page.evaluate(outline) == "solid"


@pytest.mark.parametrize("language", ["bg", "en", "it", "sk"])
def test_pages_fit_a_narrow_screen_and_label_every_control(
    browser: Browser, club: Server, language: str
) -> None:
    narrow = {"width": 320, "height": 640}
    with open_window(browser, club.url, viewport=narrow) as window:
        _check(window, f"/account?lang={language}")
        name = become_member(window)
        window.new_game("dama64", opponent="computer", level=2)
        for path in PAGES:
            _check(window, f"/account{path}?lang={language}")
        _check(window, f"/@/{name}?lang={language}")
        _check(window, f"/?lang={language}")


def _check(window: Window, path: str) -> None:
    answer = window.page.goto(window.url + path)
    assert answer is not None
    assert len(gzip.compress(answer.body())) < 60_000
    page = window.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    unlabelled = page.evaluate(
        """() => [...document.querySelectorAll("input, select, textarea, button, a")]
          .filter((each) => each.type !== "hidden")
          .filter((each) => each.checkVisibility())
          .filter((each) => !(each.labels?.length || each.getAttribute("aria-label")
            || each.innerText?.trim() || each.title))
          .map((each) => each.outerHTML)"""
    )
    assert unlabelled == [], path
    small = page.evaluate(
        """() => [...document.querySelectorAll("main button, main input, main select")]
          .filter((each) => each.checkVisibility() && !["hidden", "radio"].includes(each.type))
          .filter((each) => each.getBoundingClientRect().height < 24)
          .map((each) => each.outerHTML)"""
    )
    assert small == [], path
    assert page.locator("h1").count() == 1, path


def test_signing_up_with_a_password_needs_no_javascript(browser: Browser, club: Server) -> None:
    with open_window(browser, club.url, java_script_enabled=False) as window:
        name = register(window)
        window.open("/account")
        assert name in window.page.inner_text("h1")
        window.page.get_by_role("button", name="Log out", exact=True).click()
        window.page.wait_for_url(f"{window.url}/")


def test_contrast_is_sufficient_in_light_and_dark(browser: Browser, club: Server) -> None:
    with open_window(browser, club.url, viewport=PHONE) as window:
        become_member(window)
        window.open("/account/close")
        for scheme in ("light", "dark"):
            window.page.emulate_media(color_scheme=scheme)
            ratios = window.page.evaluate(CONTRAST)
            assert min(ratios.values()) >= 4.5, (scheme, ratios)


CONTRAST = """() => {
  const luminance = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map(Number);
    const linear = parts.slice(0, 3).map((part) => {
      const c = part / 255;
      return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const background = (each) => {
    for (; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (!/, 0\\)|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const ratios = {};
  const texts = "main h1, main p, main a, main label, main button, main small";
  for (const each of document.querySelectorAll(texts)) {
    const colours = [getComputedStyle(each).color, background(each)];
    const [a, b] = colours.map(luminance);
    ratios[each.outerHTML.slice(0, 80)] = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }
  return ratios;
}"""


def test_scripts_cannot_read_the_session_cookie(browser: Browser, club: Server) -> None:
    with open_window(browser, club.url) as window:
        register(window)
        assert "damka_session" not in window.page.evaluate("document.cookie")
        [cookie] = [c for c in window.page.context.cookies() if c["name"] == "damka_session"]
        assert cookie["httpOnly"]
        assert cookie["sameSite"] == "Lax"


def test_the_export_is_a_dated_zip_file(browser: Browser, club: Server, tmp_path: Path) -> None:
    with open_window(browser, club.url) as window:
        become_member(window)
        window.open("/account/export")
        with window.page.expect_download() as download:
            window.page.get_by_role("button", name="Download").click()
        assert re.fullmatch(r"damka-\d{4}-\d\d-\d\d\.zip", download.value.suggested_filename)


def test_an_account_is_closed(browser: Browser, club: Server) -> None:
    with open_window(browser, club.url) as window:
        name = become_member(window)
        window.open("/account/close")
        window.page.locator("#close-name").fill(name)
        window.page.locator("#old").fill(PASSWORD)
        window.page.get_by_role("button", name="Close my account permanently").click()
        window.page.wait_for_url(f"{window.url}/")
        with store_of(club).transaction() as connection:
            assert members.find(connection, name) is None
