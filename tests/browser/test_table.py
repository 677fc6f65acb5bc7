"""The table as it looks: contrast, forced colours, zoom, and texts that fit."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Browser

from damka import locales
from damka.draw.colours import THEMES, palette
from damka.rules import load
from tests.browser.support import FITTED, Window, game_file, locale, open_window
from tests.chromium import TOUCH
from tests.server.support import Server

SIZES: Final = {
    "1280x800": {"width": 1280, "height": 800},
    "1366x768": {"width": 1366, "height": 768},
    "320x568": {"width": 320, "height": 568},
    "200% zoom": {"width": 640, "height": 400},
}

# Contrast

KINGS: Final = "W:W32,36,K46:B3,K4"
SMALL_KINGS: Final = "W:W31,32,K30:B3,K4"
MARKS: Final = (
    *("must", "huffable", "huffed w", "huffed b", "branch", "home", "refused", "planned"),
    *("target", "target offence", "route", "held", "last-corners", "arrow"),
)
CONTRAST: Final = """marks => {
  const rgba = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = (ground, [r, g, b, a], opacity) =>
    [r, g, b].map((part, i) => ground[i] + (part - ground[i]) * a * opacity);
  const luminance = (colour) => {
    const [r, g, b] = colour.map((part) => {
      const c = part / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (...colours) => {
    const [dark, light] = colours.map(luminance).sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const board = document.querySelector("damka-board > svg");
  const look = (name, kind = "path") => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
    node.setAttribute("class", name);
    board.append(node);
    const { fill, fillOpacity, stroke, strokeOpacity, opacity } = getComputedStyle(node);
    node.remove();
    const paints = [[fill, fillOpacity], [stroke, strokeOpacity]];
    return paints.filter(([paint]) => paint !== "none")
      .map(([paint, alpha]) => [rgba(paint), alpha * opacity]);
  };
  const low = [];
  const measure = (name, grounds, paints) => grounds.forEach((ground, i) => {
    const seen = paints.map(([paint, alpha]) => over(ground, paint, alpha));
    const best = Math.max(...seen.map((colour) => contrast(colour, ground)));
    if (best < 3) low.push([name, i ? "last" : "plain", best.toFixed(2)]);
  });
  const [[play]] = look("play");
  const ground = play.slice(0, 3);
  const last = over(ground, ...look("last")[0]);
  for (const name of marks) {
    const paints = [...look(name), ...(look(`${name} edge`))];
    measure(name, name === "last-corners" ? [last, last] : [ground, last], paints);
  }
  for (const face of document.querySelectorAll(".men .face, .strip i .face")) {
    const { fill, stroke } = getComputedStyle(face);
    const kind = face.closest(".piece, svg").getAttribute("class");
    measure(kind, [ground, last], [[rgba(fill), 1], [rgba(stroke), 1]]);
    if (contrast(rgba(fill).slice(0, 3), rgba(stroke).slice(0, 3)) < 3) low.push([kind, "rim"]);
  }
  return low;
}"""
"""Returns the marks and discs with a contrast below 3, on plain squares or the last move's."""
RIMS: Final = """["w", "b"].map((side) =>
  getComputedStyle(document.body).getPropertyValue(`--${side}-rim`))"""


@pytest.mark.parametrize("rules", ["dama64", "american", "dama100", "armenian", "turkish"])
def test_discs_and_marks_contrast_with_their_squares(desktop: Window, rules: str) -> None:
    """In both themes, on the box's own squares, green and buff ones, and light ones."""
    page = desktop.page
    desktop.load_game(game_file(rules, KINGS if rules == "dama100" else SMALL_KINGS))
    low: dict[tuple[object, ...], Any] = {}
    page.locator("#open-settings").click()
    for change in ("", "plain", "swap", "plain"):
        if change:
            page.locator(f"[data-pref={change}]").click()
        options = page.evaluate("JSON.parse(localStorage['damka.prefs'])")
        is_plain, is_swapped = options.get("plain", False), options.get("swap", False)
        if not is_swapped:
            ink = palette(load(rules), THEMES["green-and-buff"] if is_plain else None)
            rims = page.evaluate(RIMS)
            for rim, expected in zip(rims, (ink.white.rim, ink.black.rim), strict=True):
                parts = zip(bytes.fromhex(rim[1:]), bytes.fromhex(expected[1:]), strict=True)
                assert all(abs(a - b) <= 1 for a, b in parts), "as in the library's pictures"
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            if found := page.evaluate(CONTRAST, list(MARKS)):
                low[is_plain, is_swapped, scheme] = found
    assert low == {}


def test_the_board_is_usable_in_forced_colours(browser: Browser, server: Server) -> None:
    options: dict[str, Any] = {"forced_colors": "active"}
    with open_window(browser, server.url, own=True, **options) as window:
        page = window.page
        window.new_game("dama64")
        window.play("22-18")
        window.play("11-15")

        def style(selector: str, name: str) -> str:
            return str(
                page.locator(selector).first.evaluate("(e, n) => getComputedStyle(e)[n]", name)
            )

        for selector in (".strip.on", "#moves [aria-current]"):
            assert style(selector, "outlineStyle") == "solid", selector
        faces = page.evaluate(
            "[...'wb'].map(s => getComputedStyle(document.querySelector(`.men .${s} .face`)).fill)"
        )
        assert len(set(faces)) == 2, "the sides keep their colours"
        window.click(18)
        assert page.locator(".held").count() == 1
        page.locator("#open-settings").click()
        assert style("[name=theme]:checked + span", "outlineStyle") == "solid"
        switch = page.locator("[data-pref=quick]")
        off = style("[data-pref=quick]", "backgroundColor")
        switch.click()
        assert switch.is_checked()
        window.until(lambda: style("[data-pref=quick]", "backgroundColor") != off, "the switch")


def test_two_fingers_zoom_the_page_also_on_the_board(browser: Browser, server: Server) -> None:
    with open_window(browser, server.url, own=True, **TOUCH) as phone:
        phone.new_game("dama64")
        devtools = phone.page.context.new_cdp_session(phone.page)

        def touch(kind: str, points: list[tuple[float, float]]) -> None:
            touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
            devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        for selector in ("#status", "damka-board"):
            box = phone.page.locator(selector).bounding_box()
            assert box is not None
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            touch("touchStart", [(x - 20, y), (x + 20, y)])
            for distance in range(20, 90, 5):
                touch("touchMove", [(x - distance, y), (x + distance, y)])
            touch("touchEnd", [])
            phone.page.wait_for_function("() => visualViewport.scale > 1.5")
            devtools.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 1})
        assert phone.page.locator(".chosen").count() == 0, "no piece stays selected"


# Texts

STATUS_KEYS: Final = (
    *("refusal.", "game.status.", "game.warn_", "game.ask."),
    *(f"page.{key}" for key in ("choose_way", "claim_asks", "confirm_move", "hint_", "looking_")),
    *(f"page.{key}" for key in ("offline", "plan_", "resign_", "draw_", "abort_", "undo_offered")),
)
LONG: Final = {
    **dict.fromkeys(("square", "start", "end", "from", "to", "over", "where", "taken"), "46"),
    "squares": "36, 37",
    "route": "46x23x12",
    "move": "46x23x12",
    "name": "Konstantina",
    "n": 12,
    "pieces": "36",
    "takes": 3,
    "best": 4,
    "moves": "46x23",
    "text": "46x23",
    "all": 48,
    "time": 9,
}
FIT: Final = """texts => {
  const [status, say] = ["status", "say"].map((id) => document.getElementById(id));
  const [line, answers] = [say.parentElement, document.getElementById("answers")];
  const rule = document.getElementById("rule");
  const before = [say.textContent, rule.hidden, answers.innerHTML];
  const cut = [];
  for (const [text, labels, link] of texts) {
    say.textContent = text;
    rule.hidden = !link;
    rule.textContent = link;
    answers.replaceChildren(...labels.map((label) => {
      const button = document.createElement("button");
      button.className = "button";
      button.textContent = label;
      return button;
    }));
    const box = status.getBoundingClientRect();
    const inside = [line, ...answers.children].every((each) => {
      const { left, right, bottom } = each.getBoundingClientRect();
      return left >= box.left - .5 && right <= box.right + .5 && bottom <= box.bottom + .5;
    });
    const bar = document.querySelector(".actions").getBoundingClientRect();
    const covered = innerWidth < 560 && box.bottom > bar.top + .5;
    const visible = box.top >= 0 && box.bottom <= innerHeight + .5 && !covered;
    if (line.scrollHeight > line.clientHeight + 1 || !inside || !visible)
      cut.push([text, labels.length, line.scrollHeight, line.clientHeight, inside, visible]);
  }
  return cut;
}"""
"""Returns the texts that do not fit in the status block, with their answers or their rule."""
ACTIONS: Final = """() => {
  const boxes = [...document.querySelectorAll(".actions > *")]
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each.lastChild);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      const { left, right } = range.getBoundingClientRect();
      return [each.textContent, lines.size, left, right];
    });
  return boxes.filter(([, lines, left, right], i) =>
    lines > 1 || left < 0 || right > innerWidth || left < (boxes[i - 1]?.[3] ?? -9) + 2);
}"""
"""Returns the labels of actions that wrap, touch the one before or leave the window."""


def status_texts(language: str) -> list[tuple[str, list[str], str]]:
    """Return sentences of the status block, with labels of answers or a link to a rule."""

    def t(key: str, **values: object) -> str:
        return locales.translate(language, key, **values)

    side = locales.colour(language, "black")
    values = {**LONG, "side": side[0].upper() + side[1:], "colour": side}
    rule = t("page.rule", n=34)
    texts = []
    for prefix in STATUS_KEYS:
        for key, text in locales.catalogue(language, prefix).items():
            filled = re.sub(r"{(\w+)}", lambda name: str(values.get(name[1], "")), text)
            if key.startswith("game.warn_"):
                answers = [t("page.play_anyway"), t("page.take_back")]
            elif key.startswith("game.status.huff"):
                answers = [t("page.huff_take", square=46), t("page.huff_leave")]
            elif key.startswith("game.ask."):
                answers = [t("page.agree"), t("page.decline")]
            elif key == "page.claim_asks":
                answers = [t("page.claim_win"), t("page.claim_draw")]
            elif key.startswith("page.looking_"):
                answers = [t("page.back_to_game")]
            elif key.endswith("_sure"):
                answers = [t(key.replace("_sure", "_yes")), t("page.resign_no")]
            else:
                answers = []
            link = rule if key.startswith("refusal.") else ""
            texts.append((filled, answers, link))
    return texts


@pytest.mark.parametrize("language", FITTED)
def test_every_sentence_and_action_fits(browser: Browser, server: Server, language: str) -> None:
    """Nothing scrolls inside the status block, and it is always in view."""
    texts = status_texts(language)
    too_long = {}
    with open_window(browser, server.url, **locale(language)) as window:
        window.new_game("dama100", opponent="computer", level=1, colour="first")
        for name, size in SIZES.items():
            window.page.set_viewport_size(size)  # type: ignore[arg-type]
            if found := window.page.evaluate(FIT, texts):
                too_long[name] = found
            if size["width"] != 640 and (labels := window.page.evaluate(ACTIONS)):
                too_long[f"{name}, actions"] = labels
    assert too_long == {}
