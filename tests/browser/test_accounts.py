"""Account pages: passkeys of a real browser, forms, keyboard, narrow screens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from damka.server.accounts import members
from tests.browser.support import Window, window
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
    """Return its address under a host name that allows passkeys."""
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
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, made["authenticatorId"]


def register(opened: Window, name: str | None = None) -> str:
    """Register with a password, as a person does."""
    name = name or new_name()
    opened.open("/account")
    page = opened.page
    page.locator("#new-name").fill(name)
    page.locator("#new-password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up with a password").click()
    page.wait_for_url(f"{opened.url}/")
    return name


def become_member(opened: Window) -> str:
    """Register and log in without a page; return the name."""
    with Client(opened.url) as client:
        name = members_support.register(client)
        opened.become(client)
    return name


def test_a_name_is_taken_with_a_passkey_and_used_in_another_window(
    browser: Browser, club: Server
) -> None:
    name = new_name()
    with window(browser, local(club), own=True) as first:
        session, device = authenticator(first.page)
        first.open("/account?next=/rules/dama64")
        first.page.locator("#new-name").fill(name)
        first.page.get_by_role("button", name="Sign up with a passkey").click()
        first.page.wait_for_url("**/rules/dama64")
        expect(first.page.get_by_role("link", name=name)).to_be_visible()
        made = session.send("WebAuthn.getCredentials", {"authenticatorId": device})
        [credential] = made["credentials"]
        assert credential["rpId"] == "localhost"
        with window(browser, local(club), own=True) as second:
            session, device = authenticator(second.page)
            given = {"authenticatorId": device, "credential": credential}
            session.send("WebAuthn.addCredential", given)
            second.open("/account")
            second.page.get_by_role("button", name="Log in with a passkey").click()
            second.page.wait_for_url(f"{second.url}/")
            expect(second.page.get_by_role("link", name=name)).to_be_visible()
            # Both sessions are listed, and the other one is logged out from here.
            second.open("/account/security")
            assert second.page.locator("#devices ~ .entries li").count() == 2
            second.page.get_by_role("button", name="Log out: Chrome", exact=False).first.click()
            expect(second.page.get_by_role("status")).to_have_text("Logged out on that device.")
        first.open("/account")
        expect(first.page.get_by_role("heading", name="Log in").first).to_be_visible()


def test_a_second_passkey_is_added_and_removed(browser: Browser, club: Server) -> None:
    with window(browser, local(club), own=True) as one:
        become_member(one)
        authenticator(one.page)
        one.open("/account/security")
        one.page.get_by_role("button", name="Add a passkey").click()
        remove = one.page.get_by_role("button", name="Remove: Chrome, Linux")
        expect(remove).to_be_visible()
        # The device already has a passkey.
        one.page.get_by_role("button", name="Add a passkey").click()
        expect(one.page.get_by_role("alert")).to_have_text(
            "No passkey was used. You can try again."
        )
        remove.click()
        expect(one.page.get_by_role("status")).to_have_text("Passkey removed.")


def test_a_taken_name_is_reported_at_its_field(browser: Browser, club: Server) -> None:
    with window(browser, local(club), own=True, ignore_errors=True) as one:
        name = register(one)
        one.open("/account")
        one.page.get_by_role("button", name="Log out", exact=True).click()
        authenticator(one.page)
        one.open("/account")
        one.page.locator("#new-name").fill(name.upper())
        one.page.get_by_role("button", name="Sign up with a passkey").click()
        expect(one.page.locator("form[aria-labelledby=new] .problem")).to_contain_text(
            "That name, or one that looks like it, is taken"
        )
        one.page.locator("#new-password").fill(PASSWORD)
        one.page.get_by_role("button", name="Sign up with a password").click()
        said = one.page.locator("#new-name-hint")
        expect(said).to_contain_text("That name, or one that looks like it, is taken")
        expect(one.page.locator("#new-name")).to_be_focused()
        assert one.page.locator("#new-name").input_value() == name.upper()


@pytest.mark.parametrize("host", ["club.test", "192.0.2.7"])
def test_a_password_works_over_plain_http_under_any_name(
    browser: Browser, club: Server, host: str
) -> None:
    """A club's network often has no https, so no passkeys."""
    port = club.url.rsplit(":", 1)[1]
    flags = [*FLAGS, f"--host-resolver-rules=MAP {host} 127.0.0.1"]
    own = browser.browser_type.launch(executable_path=executable(), args=flags)
    try:
        with window(own, f"http://{host}:{port}", ignore_errors=True) as one:
            name = register(one)
            expect(one.page.get_by_role("link", name=name)).to_be_visible()
            one.open("/account/security")
            assert not one.page.get_by_role("button", name="Add a passkey").is_visible()
            assert "Passkeys work only over HTTPS" in one.page.inner_text("main")
            assert one.page.evaluate("document.cookie").count("damka_session") == 0
            one.open("/")
            one.page.locator("#play").click()
            one.page.wait_for_url("**/game/*")
            one.ready()
            assert len(one.state["you"]) == 1
    finally:
        own.close()


def test_settings_follow_a_member(browser: Browser, club: Server) -> None:
    with window(browser, local(club)) as first, window(browser, local(club)) as second:
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


def test_forms_are_filled_with_the_keyboard(browser: Browser, club: Server) -> None:
    with window(browser, club.url) as one:
        name = new_name()
        one.open("/account")
        one.page.locator("#new-name").focus()
        one.page.keyboard.type(name)
        one.press("Tab")
        one.page.keyboard.type(PASSWORD)
        one.press("Enter")
        one.page.wait_for_url(f"{one.url}/")
        one.open("/account/preferences")
        one.page.locator("#language-of").focus()
        one.press("Tab", "ArrowRight", "Tab", "Space")
        assert not one.page.locator("[name=sound]").is_checked()
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert one.page.evaluate(outline) == "solid"


@pytest.mark.parametrize("language", ["bg", "en", "it", "sk"])
def test_pages_fit_a_narrow_screen_and_name_everything(
    browser: Browser, club: Server, language: str
) -> None:
    narrow = {"width": 320, "height": 640}
    with window(browser, club.url, viewport=narrow) as one:
        guest = ["/account"]
        for path in guest:
            _check(one, f"{path}?lang={language}")
        name = become_member(one)
        one.new_game("dama64", opponent="computer", level=2)
        for path in PAGES:
            _check(one, f"/account{path}?lang={language}")
        _check(one, f"/@/{name}?lang={language}")
        _check(one, f"/?lang={language}")


def _check(opened: Window, path: str) -> None:
    answer = opened.page.goto(opened.url + path)
    assert answer is not None
    assert len(answer.body()) < 60_000
    page = opened.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("input, select, textarea, button, a")]
          .filter((each) => each.type !== "hidden")
          .filter((each) => each.checkVisibility())
          .filter((each) => !(each.labels?.length || each.getAttribute("aria-label")
            || each.innerText?.trim() || each.title))
          .map((each) => each.outerHTML)"""
    )
    assert unnamed == [], path
    small = page.evaluate(
        """() => [...document.querySelectorAll("main button, main input, main select")]
          .filter((each) => each.checkVisibility() && !["hidden", "radio"].includes(each.type))
          .filter((each) => each.getBoundingClientRect().height < 24)
          .map((each) => each.outerHTML)"""
    )
    assert small == [], path
    assert page.locator("h1").count() == 1, path


def test_without_scripts_a_password_is_enough(browser: Browser, club: Server) -> None:
    with window(browser, club.url, java_script_enabled=False) as one:
        name = register(one)
        one.open("/account")
        assert name in one.page.inner_text("h1")
        one.page.get_by_role("button", name="Log out", exact=True).click()
        one.page.wait_for_url(f"{one.url}/")


def test_contrast_is_enough_in_light_and_dark(browser: Browser, club: Server) -> None:
    with window(browser, club.url, viewport=PHONE) as one:
        become_member(one)
        one.open("/account/close")
        for scheme in ("light", "dark"):
            one.page.emulate_media(color_scheme=scheme)
            ratios = one.page.evaluate(CONTRAST)
            assert min(ratios.values()) >= 4.5, (scheme, ratios)


CONTRAST = """() => {
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map(Number);
    const linear = parts.slice(0, 3).map((part) => {
      const c = part / 255;
      return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (each) => {
    for (; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (!/, 0\\)|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = {};
  const seen = "main h1, main p, main a, main label, main button, main small";
  for (const each of document.querySelectorAll(seen)) {
    const [a, b] = [light(getComputedStyle(each).color), light(behind(each))];
    found[each.outerHTML.slice(0, 80)] = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }
  return found;
}"""


def test_the_session_is_out_of_reach_of_scripts(browser: Browser, club: Server) -> None:
    with window(browser, club.url) as one:
        register(one)
        assert "damka_session" not in one.page.evaluate("document.cookie")
        [cookie] = [c for c in one.page.context.cookies() if c["name"] == "damka_session"]
        assert cookie["httpOnly"]
        assert cookie["sameSite"] == "Lax"


def test_data_is_taken_along(browser: Browser, club: Server, tmp_path: Path) -> None:
    with window(browser, club.url) as one:
        become_member(one)
        one.open("/account/export")
        with one.page.expect_download() as waiting:
            one.page.get_by_role("button", name="Download").click()
        assert re.fullmatch(r"damka-\d{4}-\d\d-\d\d\.zip", waiting.value.suggested_filename)


def test_an_account_is_closed(browser: Browser, club: Server) -> None:
    with window(browser, club.url) as one:
        name = become_member(one)
        one.open("/account/close")
        one.page.locator("#close-name").fill(name)
        one.page.locator("#old").fill(PASSWORD)
        one.page.get_by_role("button", name="Close my account permanently").click()
        one.page.wait_for_url(f"{one.url}/")
        with store_of(club).transaction() as connection:
            assert members.find(connection, name) is None
