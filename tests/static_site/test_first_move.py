"""Moves made by touch before Python runs, which are stored and played later."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from damka import Game, rules
from damka.live.messages import encode
from damka.live.state import state
from damka.locales import LANGUAGES, translate
from damka_site.games import HOLDER
from tests.chromium import TOUCH, Host
from tests.damka_site.test_session import Page
from tests.static_site.support import STATE, Window, open_context, open_window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

ENGINE: Final = "**/pyodide.asm.wasm"
"""Files required by Python."""


class DelayedPython:
    """Files required by Python, held back until the test releases them."""

    def __init__(self, context: BrowserContext) -> None:
        self._routes: list[Route] = []
        self._free = False
        context.route(ENGINE, self._hold)

    def _hold(self, route: Route) -> None:
        if self._free:
            route.continue_()
        else:
            self._routes.append(route)

    def release(self) -> None:
        self._free = True
        for route in self._routes:
            route.continue_()
        self._routes.clear()


@pytest.fixture
def phone(browser: Browser, host: Host) -> Iterator[tuple[Window, DelayedPython]]:
    """A phone on which Python does not run until the test releases it."""
    with open_context(browser, **TOUCH, service_workers="block") as context:
        python = DelayedPython(context)
        yield open_window(context, host), python
        python.release()


def new(window: Window, query: str, language: str = "en") -> Window:
    return window.open(f"{language}/game.html?{query}").ready()


def player_texts(window: Window) -> list[str]:
    """Return the names and descriptions of the players, the upper one first."""
    texts: list[str] = window.page.locator(".strip :is(b, small)").all_inner_texts()
    return texts


def test_the_first_tap_is_played(phone: tuple[Window, DelayedPython]) -> None:
    window, python = phone
    new(window, "rules=international&opponent=computer&colour=first&level=4")
    assert player_texts(window) == ["Computer", "Black · level 4", "You", "White · to move"]
    ready = translate("en", "site.getting_ready")
    expect(window.page.locator("#say")).to_contain_text(f"Your turn. {ready}")
    window.tap(32, 28)
    saved = translate("en", "site.move_saved")
    window.until(
        lambda: window.status_text.startswith(f"{saved} {ready}"), "a notice of the saved move"
    )
    window.until(lambda: (window.pieces[27], window.pieces[31]) == ("w", "."), "the move")
    assert player_texts(window)[1] == "Black · level 4", "the computer does not think yet"
    # No error is shown, and no second move is accepted.
    assert not window.page.locator("body.offline").count()
    assert not window.page.locator(".lost").is_visible()
    window.tap(33, 29)
    window.page.wait_for_timeout(300)
    assert window.pieces[32] == "w"
    assert window.page.evaluate(STATE) is None
    python.release()
    window.until(lambda: (window.page.evaluate(STATE) or {}).get("ply") == 2, "the reply")
    window.settled()
    assert window.game().history[0].move.hub() == "32-28"
    assert window.page.evaluate("sessionStorage.length") == 0


def test_a_move_survives_a_reload_before_python_runs(phone: tuple[Window, DelayedPython]) -> None:
    window, python = phone
    new(window, "rules=american&opponent=person&colour=first&name=Ann&name=Ben")
    assert player_texts(window) == ["Ann", "Red · to move", "Ben", "White"]
    window.tap(11, 15)
    window.until(
        lambda: window.status_text.startswith(translate("en", "site.move_saved")), "the notice"
    )
    window.page.reload()
    window.ready()
    window.until(lambda: window.pieces[14] == "b", "the move is shown again")
    assert window.status_text.startswith(translate("en", "site.move_saved"))
    assert translate("en", "site.getting_ready") not in window.status_text, "two people play"
    python.release()
    window.until(lambda: (window.page.evaluate(STATE) or {}).get("ply") == 1, "the move")
    game = window.game()
    assert [ply.move.hub() for ply in game.history] == ["11-15"]
    assert game.players == {"B": "Ann", "W": "Ben"}


def test_an_illegal_move_is_explained_later(
    phone: tuple[Window, DelayedPython],
) -> None:
    window, python = phone
    new(window, "rules=dama64&opponent=computer&colour=first&level=1")
    window.tap(30)
    window.tap(29)
    python.release()
    why = Game("dama64").why_not([29])
    assert why is not None
    window.until(lambda: window.page.evaluate(STATE), "the game")
    window.until(lambda: window.status_text == why.sentence("en"), why.sentence("en"))
    window.tap(22, 18)
    window.until(lambda: window.state["ply"] == 2, "the reply")


@pytest.mark.parametrize("opponent", ["computer", "person"])
def test_python_keeps_the_colours_drawn_by_the_page(
    phone: tuple[Window, DelayedPython], opponent: str
) -> None:
    window, python = phone
    new(window, f"rules=turkish&opponent={opponent}&level=2")
    drawn = re.search(r"[?&]lot=(first|second)", window.page.url)
    assert drawn is not None
    before = player_texts(window)
    window.page.reload()
    window.ready()
    assert player_texts(window) == before, "colours are drawn once"
    flipped = window.page.evaluate("document.querySelector('damka-board').flipped")
    python.release()
    window.until(lambda: window.page.evaluate(STATE), "the game")
    side = "W" if drawn[1] == "first" else "B"
    assert window.state["lot"] == {"drawn": True, "you": side}
    if opponent == "computer":
        assert window.state["you"] == [side]
        assert flipped == (side == "B")
    assert "lot=" not in window.page.url


def test_the_drawing_of_colours_is_shown_before_python_runs(
    phone: tuple[Window, DelayedPython],
) -> None:
    window, _ = phone
    window.open("en/index.html")
    window.page.locator("[name=colour][value=lot] + span").tap()
    window.page.locator("#play").tap()
    window.page.wait_for_url("**/game.html?*lot=*")
    window.ready()
    expect(window.page.locator("#say")).to_contain_text("You play")
    assert window.page.evaluate(STATE) is None


def test_black_waits_for_the_computers_first_move(phone: tuple[Window, DelayedPython]) -> None:
    window, python = phone
    new(window, "rules=international&opponent=computer&colour=second&level=1", "bg")
    expect(window.page.locator("#say")).to_contain_text(translate("bg", "site.getting_ready"))
    assert translate("bg", "game.status.thinking") not in window.page.inner_text("body")
    python.release()
    window.until(lambda: (window.page.evaluate(STATE) or {}).get("ply") == 1, "the computer's move")


@pytest.mark.parametrize("language", LANGUAGES)
def test_download_progress_is_shown_in_megabytes(
    browser: Browser, host: Host, language: str
) -> None:
    with open_context(browser, service_workers="block") as context:
        window = open_window(context, host)
        window.page.add_init_script(
            """new MutationObserver(() => {
              const text = document.querySelector("#say")?.textContent;
              if (text) (window.texts ??= new Set()).add(text);
            }).observe(document, { childList: true, subtree: true, characterData: true });"""
        )
        new(
            window, "rules=dama64&opponent=computer&colour=first&level=1", language
        ).wait_until_joined()
        texts: list[str] = window.page.evaluate("[...texts]")
        amount = translate(language, "site.amount", got="N", all="N").replace(" ", "\xa0")
        pattern = re.escape(amount).replace("N", r"(\d[.,]\d)")
        matches = [match for text in texts if (match := re.search(pattern, text))]
        assert matches, texts
        # A small file may join the others after the first report.
        totals = [float(each[2].replace(",", ".")) for each in matches]
        assert totals == sorted(totals)
        assert totals[-1] == pytest.approx(download_megabytes(host.folder, language), abs=0.11)
        got = [float(each[1].replace(",", ".")) for each in matches]
        assert got == sorted(got)
        assert window.errors == []


def download_megabytes(folder: Path, language: str) -> float:
    """Return the compressed megabytes loaded until Python runs."""
    [assets] = folder.glob("static/*/assets.js")
    text = assets.read_text("utf-8")
    data = json.loads(text[text.index("{") : text.rindex("}") + 1])
    files = [data["python"], data["simd"], data["texts"][language]]
    sizes = data["sizes"]
    engine = next(each for each in sizes if each.endswith("pyodide.asm.wasm"))
    megabytes: float = sum(sizes[each][1] for each in (*files, engine)) / 1e6
    return round(megabytes, 1)


INITIAL_STATES: Final = """async (queries) => {
  const script = document.querySelector("script[type=module]").src;
  const { initialState } = await import(new URL("fresh.js", script));
  return Promise.all(queries.map(async ([rules, query]) => {
    const start = await (await fetch(`start/${rules}.json`)).json();
    return initialState(start, new URLSearchParams(query));
  }));
}"""
QUERIES: Final = [
    (name, query)
    for name in (*rules.names()[:3], "turkish", "breakthrough", "thai", "american-3move")
    for query in (
        "opponent=computer&colour=first&level=1",
        "opponent=computer&colour=second&level=9",
        "colour=first",
        "opponent=computer&colour=lot&lot=first&level=3",
        "colour=lot&lot=second",
        "opponent=person&colour=first",
        "opponent=person&colour=second&name=%3Cb%3EAnn&name=",
        "opponent=person&colour=lot&lot=second&name=&name=B%C3%A9n",
    )
]


def request_body(query: str) -> dict[str, Any]:
    """Return the page's request for an address."""
    parameters = parse_qs(query, keep_blank_values=True)
    body: dict[str, Any] = {key: values[0] for key, values in parameters.items() if key != "name"}
    if "level" in body:
        body["level"] = int(body["level"])
    return body | ({"names": parameters["name"]} if "name" in parameters else {})


def without_nulls(value: Any) -> Any:
    """Remove null values, which messages may omit."""
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    return value


@pytest.mark.parametrize("language", LANGUAGES[:2])
def test_the_instant_view_matches_python(browser: Browser, host: Host, language: str) -> None:
    with open_context(browser, service_workers="block") as context:
        window = open_window(context, host).open(f"{language}/index.html")
        page_states: list[dict[str, Any]] = window.page.evaluate(
            INITIAL_STATES, [list(each) for each in QUERIES]
        )

    async def python_state(name: str, query: str) -> dict[str, Any]:
        page = Page()
        body = json.dumps({"rules": name, **request_body(query)}).encode()
        answer = await page.requests.answer("/api/games", body, "application/json", language)
        assert answer.status == 201, answer.text
        game = await page.games.load(json.loads(answer.text)["id"])
        message: dict[str, Any] = json.loads(encode(state(game, game.sides_of(HOLDER), language)))
        return message

    # Playwright runs an event loop in this thread.
    with ThreadPoolExecutor(1) as executor:
        python_states = list(executor.map(lambda each: asyncio.run(python_state(*each)), QUERIES))
    for (name, query), before, after in zip(QUERIES, page_states, python_states, strict=True):
        keys = before.keys() - {"id"}
        if name == "american-3move":
            # Python draws the opening, so no moves are possible before.
            assert before["legal"] == []
            keys = {"players", "you", "lot"}
        if before["players"][before["turn"]]["kind"] == "computer":
            # The computer does not think before it is loaded.
            keys -= {"announce"}
        for key in keys:
            assert without_nulls(before[key]) == without_nulls(after[key]), (name, query, key)


def test_an_invalid_address_allows_no_moves(browser: Browser, host: Host) -> None:
    with open_context(browser, service_workers="block") as context:
        window = open_window(context, host).open("en/index.html")
        queries = [
            "opponent=x&colour=first",
            "opponent=computer&colour=x",
            "opponent=computer&colour=lot&lot=x",
            "opponent=computer&colour=first&level=99",
            "opponent=computer&colour=first&level=2.5",
            "opponent=computer&colour=first&level=",
            "opponent=toString&colour=first",
        ]
        states = window.page.evaluate(INITIAL_STATES, [["dama64", query] for query in queries])
        assert [each["you"] for each in states] == [[]] * len(queries)
