"""Browsers at or below the minimum version: messages, and the features that the site uses."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Browser

from damka.locales import LANGUAGES, translate
from tests.chromium import PHONE, Host
from tests.static_site.support import Window, open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(200)]

ROOT: Final = Path(__file__).parents[2]
MISSING_FEATURES: Final = {
    "no WebAssembly": "delete globalThis.WebAssembly;",
    "old WebAssembly": "WebAssembly.validate = () => false;",
    "no exceptions in WebAssembly": "delete WebAssembly.Tag;",
    "no DecompressionStream": "delete globalThis.DecompressionStream;",
    "no workers": "delete globalThis.Worker;",
    "no module workers": """
      globalThis.Worker = class { constructor() { throw new SyntaxError("invalid address"); } };""",
}
"""Features missing in older browsers."""
PAGES: Final = (
    "index.html",
    "game.html?rules=dama64&opponent=computer&colour=first",
    "box.html",
    "house.html?game=x",
)


def old_browser(browser: Browser, host: Host, missing: str, page: str) -> Iterator[Window]:
    with open_context(browser, service_workers="block") as context:
        context.add_init_script(MISSING_FEATURES[missing])
        yield open_window(context, host).open(page)


@pytest.mark.parametrize("missing", MISSING_FEATURES)
def test_an_old_browser_shows_only_its_message(browser: Browser, host: Host, missing: str) -> None:
    for window in old_browser(browser, host, missing, f"en/{PAGES[0]}"):
        expected = translate("en", "site.old_browser")
        for page in PAGES:
            before = len(host.requests)
            window.open(f"en/{page}")
            window.page.locator("#old").wait_for()
            assert window.page.locator("#old").inner_text() == expected
            # No broken actions are offered, in particular no reload.
            assert not window.page.locator("main").first.is_visible()
            assert not window.page.locator("#broken").is_visible()
            window.page.wait_for_timeout(300)
            assert window.notice == ""
            requested = {path.rsplit("/", 1)[-1] for path in host.requests[before:]}
            assert not {"worker.js", "pyodide.mjs", "sw.js"} & requested
        # Any browser can show the rules.
        window.open("en/rules/dama64.html")
        assert window.page.locator("main").is_visible()
        assert not window.page.locator("#old").is_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_old_browser_message_in_every_language(
    browser: Browser, host: Host, language: str
) -> None:
    for window in old_browser(browser, host, "no DecompressionStream", f"{language}/index.html"):
        text = window.page.locator("#old").inner_text()
        assert text == translate(language, "site.old_browser")
        assert all(version in text for version in map(str, MINIMUM))
        assert translate(language, "site.reload").lower() not in text.lower()


def test_without_javascript_a_notice_is_at_the_top(browser: Browser, host: Host) -> None:
    with open_context(browser, java_script_enabled=False, viewport=PHONE) as context:
        window = open_window(context, host)
        for page in ("index.html", "game.html", "box.html"):
            window.open(f"en/{page}")
            notes = window.page.locator("noscript .note").all()
            [note] = [each for each in notes if each.is_visible()]
            assert note.inner_text() == translate("en", "shell.no_script")
            box = note.bounding_box()
            assert box is not None
            assert box["y"] < 160, page


NO_HAS: Final = """
const usual = CSSStyleSheet.prototype;
document.addEventListener("readystatechange", () => {
  for (const sheet of document.styleSheets) {
    const drop = (rules, owner) => {
      for (let i = rules.length - 1; i >= 0; i--) {
        if (rules[i].selectorText?.includes(":has(")) owner.deleteRule(i);
        else if (rules[i].cssRules?.length) drop(rules[i].cssRules, rules[i]);
      }
    };
    drop(sheet.cssRules, sheet);
  }
});
"""
"""Remove the rules that browsers without :has() ignore."""


def test_the_selected_game_is_marked_without_has(browser: Browser, host: Host) -> None:
    with open_context(browser, service_workers="block") as context:
        context.add_init_script(NO_HAS)
        window = open_window(context, host).open("en/index.html")
        marks = """() => [...document.querySelectorAll(".card")].map((card) =>
          getComputedStyle(card, "::after").content)"""
        first, third = ['"✓"', "none", "none", "none"], ["none", "none", '"✓"', "none"]
        window.until(lambda: window.page.evaluate(marks) == first, "the mark")
        window.page.locator(".card").nth(2).click()
        window.until(lambda: window.page.evaluate(marks) == third, "the mark of the other game")


# Features that the site uses


class Version(NamedTuple):
    """First versions of the browsers with a feature."""

    chrome: float
    firefox: float
    safari: float


MINIMUM: Final = Version(96, 114, 16.4)
"""Minimum versions for the site: docs/host/static-site.md."""
DESIGN_MINIMUM: Final = Version(108, 121, 16.4)
"""Minimum versions for the complete design."""

NEEDED: Final = {
    "import": (r"\bimport\(", Version(63, 67, 11.1)),
    "await at the top": (r"^await |;await ", Version(89, 89, 15)),
    "private members": (r"#\w+\(|this\.#", Version(84, 90, 15)),
    "??=": (r"\?\?=|\|\|=", Version(85, 79, 14)),
    "module workers": (r'type:"module"', Version(80, 114, 15)),
    "DecompressionStream": (r"DecompressionStream", Version(80, 113, 16.4)),
    "compileStreaming": (r"compileStreaming", Version(61, 58, 15)),
    "WebAssembly.Tag": (r"Tag", Version(95, 100, 15.2)),
    "at": (r"\.at\(", Version(92, 90, 15.4)),
    "Intl.NumberFormat": (r"Intl\.NumberFormat", Version(24, 29, 10)),
    "dialog": (r"showModal", Version(37, 98, 15.4)),
    "locks": (r"navigator\.locks", Version(69, 96, 15.4)),
    "animations": (r"getAnimations|\.animate\(", Version(84, 75, 14)),
    "replaceChildren": (r"replaceChildren", Version(86, 78, 14)),
    "aspect-ratio": (r"aspect-ratio", Version(88, 89, 15)),
    "inset": (r"\binset:", Version(87, 66, 14.1)),
    ":is": (r":is\(", Version(88, 78, 14)),
    ":focus-visible": (r":focus-visible", Version(86, 85, 15.4)),
    "min, max": (r"\b(?:min|max)\(", Version(79, 75, 11.1)),
    "clip": (r"overflow-x:clip", Version(90, 81, 16)),
    "selector()": (r"@supports not selector", Version(83, 69, 14.1)),
}
"""Required features that the site uses, as patterns of its files."""
OPTIONAL: Final = {
    "dvh": (r"\d+dvh", Version(108, 101, 15.4)),
    ":has": (r":has\(", Version(105, 121, 15.4)),
    "aria properties": (r"\.aria[A-Z]\w+=", Version(41, 119, 12.1)),
    "expect": (r'rel="expect"', Version(124, 999, 999)),
}
"""Optional features: without them the site looks slightly worse, or announces less."""
NEWER: Final = {
    r"\.toSorted\(|\.toReversed\(|\.toSpliced\(|\.with\(": Version(110, 115, 16),
    r"\.findLast(?:Index)?\(": Version(97, 104, 15.4),
    r"Object\.groupBy|Map\.groupBy": Version(117, 119, 17.4),
    r"Promise\.withResolvers": Version(119, 121, 17.4),
    r"Promise\.try": Version(128, 134, 18.2),
    r"Array\.fromAsync": Version(121, 115, 16.4),
    r"structuredClone": Version(98, 94, 15.4),
    r"AbortSignal\.(?:any|timeout)": Version(116, 124, 17.4),
    r"URL\.canParse|URL\.parse": Version(120, 115, 17),
    r"\.showPopover|\bpopover\b": Version(114, 125, 17),
    r"startViewTransition|view-transition": Version(111, 144, 18),
    r"requestIdleCallback": Version(47, 55, 999),
    r"checkVisibility": Version(105, 106, 17.4),
    r"\.isSubsetOf\(|\.union\(|\.intersection\(": Version(122, 127, 17),
    r"\.getSetCookie|Iterator\.": Version(122, 131, 18.4),
    r"@container|container-type": Version(105, 110, 16),
    r"@layer": Version(99, 97, 15.4),
    r"@scope": Version(118, 128, 17.4),
    r"@property": Version(85, 128, 16.4),
    r"@starting-style": Version(117, 129, 17.5),
    r"color-mix\(|oklch\(|light-dark\(": Version(111, 113, 16.2),
    r"subgrid": Version(117, 71, 16),
    r"text-wrap": Version(114, 121, 17.4),
    r"field-sizing": Version(123, 152, 26.2),
    r"anchor-name|position-anchor": Version(125, 147, 26),
    r"\d(?:svh|lvh|dvw|cqw|cqi|rlh)\b": Version(108, 101, 15.4),
    r"\b(?:round|mod|rem|sin|cos|sqrt|pow)\((?=[^)]*(?:px|%|var))": Version(125, 118, 15.4),
    r":user-valid|:user-invalid": Version(119, 88, 16.5),
    r"(?<![\w-])translate:|(?<![\w-])scale:|(?<![\w-])rotate:": Version(104, 72, 14.1),
    r"scrollbar-gutter": Version(94, 97, 18.2),
    r"accent-color": Version(93, 92, 15.4),
}
"""Features that may be used in future: those newer than the minimum are forbidden."""


def shipped(folder: Path) -> dict[str, str]:
    """Return the site's own scripts, styles and pages by name, without Pyodide's."""
    files = [*folder.glob("static/*/*.js"), *folder.glob("static/*/*.css"), folder / "sw.js"]
    files += [folder / "en" / name for name in ("index.html", "game.html", "box.html")]
    return {path.name: path.read_text("utf-8") for path in files}


def is_newer(version: Version, other: Version) -> bool:
    return any(first > second for first, second in zip(version, other, strict=True))


def test_supported_browsers_have_every_feature_in_use(folder: Path) -> None:
    files = shipped(folder)
    too_new = [
        (name, pattern, version)
        for pattern, version in NEWER.items()
        for name, text in files.items()
        if re.search(pattern, text) and is_newer(version, MINIMUM)
    ]
    assert too_new == [], "newer than the oldest supported browsers"
    whole = "\n".join(files.values())
    for name, (pattern, version) in NEEDED.items():
        assert re.search(pattern, whole, re.MULTILINE), f"{name} is not used any more"
        assert not is_newer(version, MINIMUM), name
    for name, (pattern, version) in OPTIONAL.items():
        assert re.search(pattern, whole), f"{name} is not used any more"
        assert is_newer(version, MINIMUM), f"{name} is in all supported browsers"
        assert name == "expect" or not is_newer(version, DESIGN_MINIMUM), name


UNICODE_PROPERTIES: Final = "--supported:regexp-unicode-property-escapes=true"
"""All supported browsers have the property classes in use; esbuild assumes the newest ones."""


def transformed(text: str, loader: str, target: str) -> str:
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    completed = subprocess.run(
        [
            esbuild,
            f"--loader={loader}",
            f"--target={target}",
            "--log-level=error",
            UNICODE_PROPERTIES,
        ],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert completed.returncode == 0, f"{target}: {completed.stderr}"
    return completed.stdout


def test_files_use_no_syntax_newer_than_the_minimum(folder: Path) -> None:
    """esbuild has nothing to translate for the oldest browsers."""
    chrome, firefox, safari = MINIMUM
    oldest = f"chrome{chrome:g},firefox{firefox:g},safari{safari:g}"
    for name, text in shipped(folder).items():
        loader = name.rpartition(".")[2]
        if loader in {"js", "css"}:
            modern = transformed(text, loader, "esnext")
            assert transformed(text, loader, oldest) == modern, name


def test_old_browsers_can_parse_the_check(folder: Path) -> None:
    [check] = folder.glob("static/*/check.js")
    text = check.read_text("utf-8")
    assert transformed(text, "js", "es5") == transformed(text, "js", "esnext")
    with pytest.raises(AssertionError, match="const"):
        transformed("const x = 1;", "js", "es5")
    for page in PAGES:
        html = (folder / "en" / page.partition("?")[0]).read_text("utf-8")
        first = re.search(r"<script\b[^>]*\bsrc=\"([^\"]*)\"", html)
        assert first is not None
        assert first[1].endswith("/check.js"), "before every other script"


def test_the_guide_names_the_minimum_versions() -> None:
    guide = (ROOT / "docs" / "host" / "static-site.md").read_text("utf-8")
    for version in (MINIMUM, DESIGN_MINIMUM):
        for number in version:
            assert re.search(rf"\b{number:g}\b", guide), number
