"""Moves made by touch before Python runs: they are stored and played later."""

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
from playwright.sync_api import Browser, BrowserContext, Route

from damka import Game, rules
from damka.live.messages import encode
from damka.live.state import state
from damka.locales import LANGUAGES, translate
from damka_site.games import HOLDER
from tests.chromium import TOUCH, Host
from tests.damka_site.test_session import Page
from tests.static_site.support import STATE, Window, context, window

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

ENGINE: Final = "**/pyodide.asm.wasm"
"""Files required by Python."""


class DelayedPython:
    """Files required by Python, held back until the test releases them."""

    def __init__(self, made: BrowserContext) -> None:
        self._routes: list[Route] = []
        self._free = False
        made.route(ENGINE, self._hold)

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
    with context(browser, **TOUCH, service_workers="block") as made:
        held = DelayedPython(made)
        yield window(made, host), held
        held.release()


def new(desk: Window, query: str, language: str = "en") -> Window:
    return desk.open(f"{language}/game.html?{query}").ready()


def words(desk: Window) -> list[str]:
    """Return the names and the lines about the players, the upper one first."""
    texts: list[str] = desk.page.locator(".strip :is(b, small)").all_inner_texts()
    return texts


def test_the_first_tap_counts(phone: tuple[Window, DelayedPython]) -> None:
    desk, held = phone
    new(desk, "rules=international&opponent=computer&colour=first&level=4")
    assert words(desk) == ["Computer", "Black · level 4", "You", "White · to move"]
    ready = translate("en", "site.getting_ready")
    assert desk.status_text.startswith(f"Your turn. {ready}")
    desk.tap(32, 28)
    saved = translate("en", "site.move_saved")
    desk.until(lambda: desk.status_text.startswith(f"{saved} {ready}"), "a word of the move")
    desk.until(lambda: (desk.pieces[27], desk.pieces[31]) == ("w", "."), "the move")
    assert words(desk)[1] == "Black · level 4", "it does not think yet"
    # No error is shown, and no other choice is made.
    assert not desk.page.locator("body.offline").count()
    assert not desk.page.locator(".lost").is_visible()
    desk.tap(33, 29)
    desk.page.wait_for_timeout(300)
    assert desk.pieces[32] == "w"
    assert desk.page.evaluate(STATE) is None
    held.release()
    desk.until(lambda: (desk.page.evaluate(STATE) or {}).get("ply") == 2, "the answer")
    desk.settled()
    assert desk.game().history[0].move.hub() == "32-28"
    assert desk.page.evaluate("sessionStorage.length") == 0


def test_a_move_survives_a_reload_before_python_runs(phone: tuple[Window, DelayedPython]) -> None:
    desk, held = phone
    new(desk, "rules=american&opponent=person&colour=first&name=Ann&name=Ben")
    assert words(desk) == ["Ann", "Red · to move", "Ben", "White"]
    desk.tap(11, 15)
    desk.until(lambda: desk.status_text.startswith(translate("en", "site.move_saved")), "a word")
    desk.page.reload()
    desk.ready()
    desk.until(lambda: desk.pieces[14] == "b", "the move is shown again")
    assert desk.status_text.startswith(translate("en", "site.move_saved"))
    assert translate("en", "site.getting_ready") not in desk.status_text, "two people play"
    held.release()
    desk.until(lambda: (desk.page.evaluate(STATE) or {}).get("ply") == 1, "the move")
    game = desk.game()
    assert [ply.move.hub() for ply in game.history] == ["11-15"]
    assert game.players == {"B": "Ann", "W": "Ben"}


def test_a_tap_that_cannot_be_a_move_is_explained_later(
    phone: tuple[Window, DelayedPython],
) -> None:
    desk, held = phone
    new(desk, "rules=dama64&opponent=computer&colour=first&level=1")
    desk.tap(30)
    desk.tap(29)
    held.release()
    why = Game("dama64").why_not([29])
    assert why is not None
    desk.until(lambda: desk.page.evaluate(STATE), "the game")
    desk.until(lambda: desk.status_text == why.sentence("en"), why.sentence("en"))
    desk.tap(22, 18)
    desk.until(lambda: desk.state["ply"] == 2, "the answer")


@pytest.mark.parametrize("opponent", ["computer", "person"])
def test_the_page_draws_the_lot_and_python_keeps_it(
    phone: tuple[Window, DelayedPython], opponent: str
) -> None:
    desk, held = phone
    new(desk, f"rules=turkish&opponent={opponent}&level=2")
    drawn = re.search(r"[?&]lot=(first|second)", desk.page.url)
    assert drawn is not None
    before = words(desk)
    desk.page.reload()
    desk.ready()
    assert words(desk) == before, "the lot is drawn once"
    flipped = desk.page.evaluate("document.querySelector('damka-board').flipped")
    held.release()
    desk.until(lambda: desk.page.evaluate(STATE), "the game")
    side = "W" if drawn[1] == "first" else "B"
    assert desk.state["lot"] == {"drawn": True, "you": side}
    if opponent == "computer":
        assert desk.state["you"] == [side]
        assert flipped == (side == "B")
    assert "lot=" not in desk.page.url


def test_the_lot_is_shown_before_python_runs(phone: tuple[Window, DelayedPython]) -> None:
    desk, _ = phone
    desk.open("en/index.html")
    desk.page.locator("[name=colour][value=lot] + span").tap()
    desk.page.locator("#play").tap()
    desk.page.wait_for_url("**/game.html?*lot=*")
    desk.ready()
    desk.page.locator(".lot .open, .drawing").first.wait_for(state="attached")
    assert desk.page.evaluate(STATE) is None


def test_black_waits_for_the_computers_first_move(phone: tuple[Window, DelayedPython]) -> None:
    desk, held = phone
    new(desk, "rules=international&opponent=computer&colour=second&level=1", "bg")
    assert desk.status_text.startswith(translate("bg", "site.getting_ready"))
    assert translate("bg", "game.status.thinking") not in desk.page.inner_text("body")
    held.release()
    desk.until(lambda: (desk.page.evaluate(STATE) or {}).get("ply") == 1, "the computer's move")


@pytest.mark.parametrize("language", LANGUAGES)
def test_progress_is_shown_in_bytes(browser: Browser, host: Host, language: str) -> None:
    with context(browser, service_workers="block") as made:
        desk = window(made, host)
        desk.page.add_init_script(
            """new MutationObserver(() => {
              const text = document.querySelector("#say")?.textContent;
              if (text) (window.said ??= new Set()).add(text);
            }).observe(document, { childList: true, subtree: true, characterData: true });"""
        )
        new(desk, "rules=dama64&opponent=computer&colour=first&level=1", language).up()
        said: list[str] = desk.page.evaluate("[...said]")
        amount = translate(language, "site.amount", got="N", all="N").replace(" ", "\xa0")
        pattern = re.escape(amount).replace("N", r"(\d[.,]\d)")
        told = [match for text in said if (match := re.search(pattern, text))]
        assert told, said
        assert {float(each[2].replace(",", ".")) for each in told} == {total(host.folder, language)}
        got = [float(each[1].replace(",", ".")) for each in told]
        assert got == sorted(got)
        assert desk.errors == []


def total(folder: Path, language: str) -> float:
    """Return the compressed megabytes loaded until Python runs."""
    [assets] = folder.glob("static/*/assets.js")
    text = assets.read_text("utf-8")
    data = json.loads(text[text.index("{") : text.rindex("}") + 1])
    awaited = [data["python"], data["simd"], data["texts"][language]]
    sizes = data["sizes"]
    engine = next(each for each in sizes if each.endswith("pyodide.asm.wasm"))
    megabytes: float = sum(sizes[each][1] for each in (*awaited, engine)) / 1e6
    return round(megabytes, 1)


FIRST: Final = """async (queries) => {
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


def of_query(query: str) -> dict[str, Any]:
    """Return the page's request for an address."""
    given = parse_qs(query, keep_blank_values=True)
    body: dict[str, Any] = {key: values[0] for key, values in given.items() if key != "name"}
    if "level" in body:
        body["level"] = int(body["level"])
    return body | ({"names": given["name"]} if "name" in given else {})


def lean(value: Any) -> Any:
    """Omit null values, which a message need not have."""
    if isinstance(value, dict):
        return {key: lean(each) for key, each in value.items() if each is not None}
    return value


@pytest.mark.parametrize("language", LANGUAGES[:2])
def test_the_instant_view_matches_python(browser: Browser, host: Host, language: str) -> None:
    with context(browser, service_workers="block") as made:
        desk = window(made, host).open(f"{language}/index.html")
        shown: list[dict[str, Any]] = desk.page.evaluate(FIRST, [list(each) for each in QUERIES])

    async def made_by_python(name: str, query: str) -> dict[str, Any]:
        page = Page()
        body = json.dumps({"rules": name, **of_query(query)}).encode()
        answer = await page.requests.answer("/api/games", body, "application/json", language)
        assert answer.status == 201, answer.text
        game = await page.games.load(json.loads(answer.text)["id"])
        told: dict[str, Any] = json.loads(encode(state(game, game.sides_of(HOLDER), language)))
        return told

    # Playwright runs an event loop in this thread.
    with ThreadPoolExecutor(1) as other:
        made_after = list(other.map(lambda each: asyncio.run(made_by_python(*each)), QUERIES))
    for (name, query), before, after in zip(QUERIES, shown, made_after, strict=True):
        keys = before.keys() - {"id"}
        if name == "american-3move":
            # Python draws its opening: no moves are possible before.
            assert before["legal"] == []
            keys = {"players", "you", "lot"}
        if before["players"][before["turn"]]["kind"] == "computer":
            # The computer does not think before it is loaded.
            keys -= {"announce"}
        for key in keys:
            assert lean(before[key]) == lean(after[key]), (name, query, key)


def test_no_moves_at_an_address_without_a_game(browser: Browser, host: Host) -> None:
    with context(browser, service_workers="block") as made:
        desk = window(made, host).open("en/index.html")
        wrong = [
            "opponent=nobody&colour=first",
            "opponent=computer&colour=x",
            "opponent=computer&colour=lot&lot=x",
            "opponent=computer&colour=first&level=99",
            "opponent=computer&colour=first&level=2.5",
            "opponent=computer&colour=first&level=",
            "opponent=toString&colour=first",
        ]
        shown = desk.page.evaluate(FIRST, [["dama64", query] for query in wrong])
        assert [each["you"] for each in shown] == [[]] * len(wrong)
